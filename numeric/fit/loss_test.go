package fit

import (
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// With Huber's loss the report has the objective of its definition, residual by residual, which no change of the weights by a little
// lessens, and the amplitude of an M-estimator: mean ψ² over (mean ψ′)², with the mean of ψ² that the functional of the data that
// are cut off has, times the mean weight. With outputs that are missing, which have no weight, and errors of their own, too.
func TestHuberByDefinition(t *testing.T) {
	complete, gaps := pairsOn(t, 12, 6, 5, false), pairsOn(t, 12, 6, 5, true)
	weighed := testmain.Must(complete.WithErrors(&dataset.Errors{Pairs: []float64{1, 2, .5, 1, 1, 3, 1, 1, .25, 1, 1, 1}}))(t)
	unseen := *complete // at a point that has no weight in the quadrature
	unseen.OutputMesh = mesh.Must(mesh.Scattered(complete.OutputMesh.Columns()[0], 1, []float64{.1, .3, 0, .3, .1}, "y"))
	for what, d := range map[string]*dataset.Dataset{"complete": complete, "missing": gaps, "weights": weighed, "no weight": &unseen} {
		const k, lambda = .05, .05
		s := Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.4}}, Lambda: lambda, Rho: 2 * lambda, Intercept: NoIntercept}
		e, err := WithLoss(t.Context(), s, k, outputs.Huber(k).Of, nil)
		if err != nil {
			t.Fatal(what, err)
		}
		r, n := testmain.Must(e.scaledResiduals(t.Context(), d))(t), float64(d.N())
		loss, beyond, weight, seen, inside := 0.0, 0.0, 0.0, 0.0, 0.0
		for i, v := range r {
			a := math.Abs(v)
			if math.IsNaN(d.Output.Data[i]) || d.OutputMesh.Weights()[i%5] == 0 {
				continue
			}
			seen++
			weight += min(1, k/a)
			if a <= k {
				inside++
				loss += v * v
			} else {
				loss += 2*k*a - k*k
				beyond += 2 * k * (a - k)
			}
		}
		if inside == seen || inside < seen/4 {
			t.Fatalf("%s: %g of %g residuals are within k", what, inside, seen)
		}
		rep := e.Report
		penalties := lambda*rep.GreenNorm2 + 2*lambda*rep.BiasNorm2
		near := func(name string, got, want float64) {
			if !(math.Abs(got-want) <= 1e-7*want) {
				t.Errorf("%s: %s is %.10g, want %.10g", what, name, got, want)
			}
		}
		near("the misfit", rep.MSE, loss/n)
		near("the objective", rep.Objective, loss/n+penalties)
		near("the amplitude", rep.Amplitude, weight/seen*(rep.Objective-beyond/n)/seen/(inside/seen)/(inside/seen))
		if !(rep.Gap <= lossGap*rep.Objective) || rep.REML != nil || rep.GCV != nil || rep.LOO != nil || rep.unmeasured != nil {
			t.Errorf("%s: gap %g of %g, or criteria of squares", what, rep.Gap, rep.Objective)
		}
	}
}

// A loss beyond all residuals is that of squares.
func TestHuberBeyondAllResiduals(t *testing.T) {
	s := Spec{Data: pairsOn(t, 8, 6, 5, false), Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.4}}, Lambda: .05, Intercept: NoIntercept}
	e, plain := testmain.Must(WithLoss(t.Context(), s, 1e3, outputs.Huber(1e3).Of, nil))(t), testmain.Must(Minimise(t.Context(), s))(t)
	near(t, "objective", e.Report.Objective, plain.Report.Objective)
	near(t, "amplitude", e.Report.Amplitude, plain.Report.Objective/40)
	for what, change := range map[string]func(s *Spec){
		"λ is open":      func(s *Spec) { s.Lambda = 0 },
		"no kernel":      func(s *Spec) { s.Kernel = nil },
		"beside a prior": func(s *Spec) { s.Prior = plain },
	} {
		own := s
		change(&own)
		if _, err := WithLoss(t.Context(), own, 1, outputs.Huber(1).Of, nil); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}

// Fits with the weights of a loss end where three in turn do not halve the gap, and the best is taken; a minimum that 100 fits do not
// reach is no convergence.
func TestLossThatStalls(t *testing.T) {
	var s stall
	for i, c := range []struct {
		gap  float64
		last bool
	}{{8, false}, {5, false}, {3, false}, {2, false}, {1.6, false}, {.9, false}, {.5, false}, {.6, false}, {.46, true}} {
		e := &Estimate{Report: Report{Gap: c.gap}}
		if got := s.after(e); got != c.last {
			t.Errorf("gap %d, %g: last %t", i, c.gap, got)
		}
	}
	if s.best.Report.Gap != .9 {
		t.Errorf("the best has the gap %g, want .9", s.best.Report.Gap)
	}
	far := outputs.Loss{Unit: 1e-3, Of: func(r float64) (value, weight, slope float64) { // to which outputs are far, all of them
		w := max(1/(1+r*r*1e6), 1e-7)
		return math.Log1p(r*r*1e6) / 1e6, w, w
	}}
	e := testmain.Must(WithLoss(t.Context(), Spec{
		Data: pairsOn(t, 8, 6, 5, false), Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{2}}, Lambda: 1e-13, Intercept: NoIntercept,
	}, far.Unit, far.Of, nil))(t)
	if r := e.Report; r.Converged || !(r.Gap > r.Objective) || !strings.Contains(r.Reason, "not at its minimum") {
		t.Errorf("converged %t, gap %g of %g: %s", r.Converged, r.Gap, r.Objective, r.Reason)
	}
}
