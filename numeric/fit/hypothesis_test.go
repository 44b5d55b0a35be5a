package fit_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Of the constraints that meshes allow, those are taken that the operator obeys, and no other: of equations whose
// Green's functions are symmetric, causal, both and neither.
func TestConstraintsThatDataShow(t *testing.T) {
	testmain.Long(t)
	line := mesh.Must(mesh.Uniform(0, 1, 16, "x"))
	small, steps := mesh.Must(mesh.Uniform(0, 1, 6, "x")), mesh.Must(mesh.Uniform(0, 1, 6, "t"))
	for _, c := range []struct {
		problem pde.Problem
		want    string
	}{
		{pde.Poisson{Mesh: line}, `symmetric{"x", "y"}`},
		{pde.Helmholtz{Mesh: line, Omega: 7}, `symmetric{"x", "y"}`},
		{pde.AdvectionDiffusion{Mesh: line, Time: steps, Velocity: 1, Diffusivity: 0.05}, "<nil>"},
		{pde.Oscillator{Time: mesh.Must(mesh.Uniform(0, 1, 24, "t")), C: 1, Omega: 9}, `causal{input="s", output="t"}`},
		{pde.Heat{Mesh: small, Time: steps, Alpha: 0.2}, `{symmetric{"x", "y"}, causal{input="s", output="t"}}`},
	} {
		d := testmain.Must(pde.Sample(ctx, c.problem, 30, randfield.Field{Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.2}}, Scale: 10, Seed: 5}))(t)
		d = testmain.Must(d.Noise(0.05, 3))(t)
		e := mustFit(t, fit.Spec{Data: d, AskConstraint: true, Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.3}}})
		if got := fmt.Sprint(e.Constraint); got != c.want {
			t.Errorf("%v: %s, want %s: %s", c.problem, got, c.want, e.Report.Reason)
		}
	}
}

// A constraint is taken exactly where fits by hand say so, with it and without: it leaves no more noise beyond chance, predicts left-out
// pairs better, and is likelier by 5 nats or better by three standard errors. Data are such that one can hardly tell, and the kernel is given. The estimate is
// that of the fit with what was taken.
func TestConstraintsAreTakenByTheirEvidence(t *testing.T) {
	line := mesh.Must(mesh.Uniform(0, 1, 12, "x"))
	c := constraint.Symmetric{Names: []string{"x", "y"}}
	k := kernel.SE{Lengthscale: kernel.Lengthscale{0.2}}
	taken, contradicted := 0, 0
	tried := 0
	for seed := uint64(0); seed < 24; seed += uint64(testmain.Stride(2)) {
		tried++
		d := pairs(t, line, 12, 0.06+0.04*float64(seed%12), seed)
		without, with := fit.Spec{Data: d, Kernel: k}, fit.Spec{Data: d, Kernel: k, Constraint: c}
		free, bound := mustFit(t, without), mustFit(t, with)
		gain := *free.Report.REML - *bound.Report.REML
		better := leftOutByHalves(t, with)
		floats.Sub(better, leftOutByHalves(t, without))
		mean, sd := stat.MeanStdDev(better, nil)
		noisier := math.Pow(bound.Report.Sigma/free.Report.Sigma, 2) > 1+3*math.Sqrt(2/float64(12*12))
		evident := !noisier && gain > 5 || !noisier && gain > 0 && mean < -3*sd/math.Sqrt(float64(len(better)))
		want := free
		if evident && mean < 0 {
			want = bound
			taken++
		} else if evident {
			contradicted++
		}
		e := mustFit(t, fit.Spec{Data: d, AskConstraint: true, Kernel: k})
		if got := e.Constraint != nil; got != (want == bound) {
			t.Errorf("seed %d: taken %v, where it gains %.2f nats and %.3g ± %.3g", seed, got, gain, -mean, sd)
		}
		if !(math.Abs(e.Report.Objective-want.Report.Objective) <= 1e-8*want.Report.Objective) {
			t.Errorf("seed %d: objective %.10g, by hand %.10g", seed, e.Report.Objective, want.Report.Objective)
		}
	}
	if taken < tried/6 || taken > tried-tried/6 {
		t.Fatalf("taken %d times of %d: the data do not test where it is undecided", taken, tried)
	}
	t.Logf("taken %d times of %d; where left-out pairs contradict the likelihood: %d", taken, tried, contradicted)
}

// leftOutByHalves are the squared errors of pairs that are predicted from every other one.
func leftOutByHalves(t *testing.T, s fit.Spec) []float64 {
	d := s.Data
	n, m := d.N(), d.OutputMesh.Size()
	out := make([]float64, n)
	for half := range 2 {
		var in []int
		for i := half; i < n; i += 2 {
			in = append(in, i)
		}
		s.Data = testmain.Must(d.Select(in))(t)
		e := mustFit(t, s)
		f, _ := d.Matrices()
		u := testmain.Must(e.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{}))(t)
		for i := 1 - half; i < n; i += 2 {
			for j, w := range d.OutputMesh.Weights() {
				off := d.Output.Data[i*m+j] - u.At(i, j)
				out[i] += w * off * off
			}
		}
	}
	return out
}

// How far a search is goes from nothing to all in one task, and never back; its report has what it was expected to take with all
// its fits.
func TestSearchesForConstraintsGoForward(t *testing.T) {
	d := pairs(t, mesh.Must(mesh.Uniform(0, 1, 12, "x")), 12, .1, 1)
	s := fit.Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.2}}}
	plain := fit.Expected(ctx, s)
	var far []float64
	s.AskConstraint = true
	e, err := fit.Fit(progress.With(ctx, func(s progress.Step) {
		if s.Task == "search for a constraint" {
			far = append(far, s.Done/s.Total)
		}
	}), s)
	if err != nil {
		t.Fatal(err)
	}
	if len(far) < 3 || far[0] != 0 || far[len(far)-1] != 1 || !slices.IsSorted(far) {
		t.Errorf("so far: %v", far)
	}
	if got := e.Report.Expected; !(got.Seconds > 3*plain.Seconds) || !(got.Bytes >= plain.Bytes) {
		t.Errorf("expected %+v, without the search %+v", got, plain)
	}
}
