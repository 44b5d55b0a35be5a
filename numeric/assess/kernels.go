package assess

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/progress"
)

const (
	// likelierBy is how many nats another kernel must be likelier to count. Where the own kernel is
	// the true one, data are that much likelier under another given one with a probability of e⁻⁸
	// at most; those that are tried have numbers chosen, each worth about a nat.
	likelierBy  = 8
	leastHeld   = 0.90 // share of G that bands of 95 % must hold if the likelier kernel is true
	mostCovered = 400  // points of G at which that is computed
)

// tryKernels asks whether the data prefer another kernel, whose G may be rougher or smoother,
// and how much of G the bands hold if that is true: G is then normal with the mean and the
// deviation of the other estimate, at each point.
func tryKernels(ctx context.Context, e *fit.Estimate) (Test, error) {
	t := Test{Kind: Kernels, Passed: true}
	skip := func(why string) (Test, error) {
		t.Skipped, t.Passed, t.Finding = true, false, why
		return t, nil
	}
	s, ok := e.Learned()
	switch {
	case !ok:
		return skip("not tried: the estimate is one of several terms")
	case e.Report.REML == nil:
		return skip("not tried: the likelihood was not computed, of too many data")
	}
	if _, sum := s.Kernel.(kernel.DirectSum); sum {
		return skip("not tried: the estimate has several terms")
	}
	var best *fit.Estimate
	tried := otherKernels(s)
	for i, other := range tried {
		progress.Report(ctx, progress.Step{Task: "other kernels", Done: float64(i), Total: float64(len(tried))})
		o, err := fit.Fit(ctx, other)
		if ctx.Err() != nil {
			return t, err
		}
		if err != nil || o.Report.REML == nil {
			continue
		}
		if best == nil || *o.Report.REML < *best.Report.REML {
			best = o
		}
	}
	if best == nil {
		return skip("not tried: no other kernel could be fitted")
	}
	margin := *e.Report.REML - *best.Report.REML
	doubt := uncertainty(e) + uncertainty(best)
	if !(margin-doubt > likelierBy) {
		t.Finding = fmt.Sprintf("none of %d others is likelier by %d nats", len(tried), likelierBy)
		return t, nil
	}
	held, err := heldIf(ctx, e, best)
	if err != nil {
		return t, err
	}
	if math.IsNaN(held) {
		return skip("not defined for these data: the likelier kernel leaves G no uncertainty")
	}
	t.Passed = held >= leastHeld
	what := fmt.Sprintf("%s is", written(s, best.Kernel))
	if written(s, best.Kernel) == written(s, e.Kernel) {
		what = "its own kernel with another lambda is"
	}
	t.Finding = fmt.Sprintf("%s %.0f nats likelier; if it is true, bands of 95 %% hold %.0f %% of G", what, margin, 100*held)
	return t, nil
}

// written is a kernel as the user of a spec writes it.
func written(s fit.Spec, k kernel.Kernel) string {
	if s.Write == nil {
		return k.String()
	}
	return s.Write(k)
}

// uncertainty of a likelihood that is estimated, three standard errors.
func uncertainty(e *fit.Estimate) float64 {
	if e.Report.REMLError == nil {
		return 0
	}
	return 3 * *e.Report.REMLError
}

// otherKernels are the fits that are tried: the automatic choice, two Matérn kernels with
// lengthscales chosen, and the own one with the λ that the likelihood chooses, if that is another.
func otherKernels(s fit.Spec) []fit.Spec {
	kernels := []kernel.Kernel{nil, kernel.Matern{Nu: 2.5, Lengthscale: kernel.Auto}, kernel.Matern{Nu: 1.5, Lengthscale: kernel.Auto}}
	if s.Lambda > 0 || s.Criterion != "" && s.Criterion != fit.REML {
		kernels = append(kernels, s.Kernel)
	}
	var all []fit.Spec
	for _, k := range kernels {
		o := s
		o.Kernel, o.Kernels, o.Lambda, o.Rho, o.Criterion, o.Dense = k, nil, 0, 0, fit.REML, false
		all = append(all, o)
	}
	return all
}

// heldIf is the share of G, over the meshes of the data, that the bands of e hold if G is
// distributed as another estimate has it.
func heldIf(ctx context.Context, e, other *fit.Estimate) (float64, error) {
	s, _ := e.Learned()
	at := coarse(s.Data)
	var values [4][]float64
	for i, of := range []func(context.Context, mesh.Mesh, mesh.Mesh) (*mat.Dense, error){e.Green, e.Std, other.Green, other.Std} {
		m, err := of(ctx, at.InputMesh, at.OutputMesh)
		if err != nil {
			return 0, err
		}
		values[i] = m.RawMatrix().Data
	}
	sum := 0.0
	for i, g := range values[0] {
		half, off, sd := normal95*values[1][i], g-values[2][i], values[3][i]*math.Sqrt2
		sum += (math.Erf((off+half)/sd) - math.Erf((off-half)/sd)) / 2
	}
	return sum / float64(len(values[0])), nil
}

// coarse are the data on meshes of fewer points.
func coarse(d *dataset.Dataset) *dataset.Dataset {
	for every := 2; every <= 64 && d.InputMesh.Size()*d.OutputMesh.Size() > mostCovered; every++ {
		c, err := d.Coarser(every)
		if err != nil {
			break
		}
		d = c
	}
	return d
}
