package assess

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/prepare"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

const (
	// likelierBy is how many nats another kernel must be likelier to count. Where the own kernel is
	// the true one, data are that much likelier under another given one with a probability of e⁻⁸
	// at most; those that are tried have numbers chosen, each worth about a nat.
	likelierBy  = 8
	leastHeld   = 0.90 // share of G that bands of 95 % must hold if the likelier kernel is true
	mostCovered = 400  // points of G at which that is computed
)

// rivals are what other kernels make of the same data.
type rivals struct {
	skip   string // why there are none; "": there are
	own    fit.Report
	others []func(ctx context.Context) (*rival, error)
}

// rival is a fit with another kernel.
type rival struct {
	report fit.Report
	what   string // its kernel, and that it "is" likelier
	// held is the share of what is learned that the bands of the own fit hold if this one is true,
	// of the part where that is least, and which part.
	held func(ctx context.Context) (share float64, of string, err error)
}

// tryKernels asks whether the data prefer another kernel, whose G may be rougher or smoother,
// and how much of G the bands hold if that is true: G is then normal with the mean and the
// deviation of the other estimate, at each point.
func tryKernels(ctx context.Context, of parts, write func(kernel.Kernel) string) (Test, error) {
	t := Test{Kind: Kernels, Passed: true}
	skip := func(why string) (Test, error) {
		t.Skipped, t.Passed, t.Finding = true, false, why
		return t, nil
	}
	if write == nil {
		write = kernel.Kernel.String
	}
	r := of.rivals(write)
	var err error
	if r.own, err = r.own.Measured(ctx); err != nil {
		return t, err
	}
	if r.skip == "" && r.own.REML == nil {
		r.skip = "the likelihood was not computed, of too many data"
	}
	if r.skip != "" {
		return skip("not tried: " + r.skip)
	}
	var best *rival
	for i, other := range r.others {
		progress.Report(ctx, progress.Step{Task: "other kernels", Done: float64(i), Total: float64(len(r.others))})
		o, err := other(ctx)
		if ctx.Err() != nil {
			return t, err
		}
		if err != nil || o.report.REML == nil {
			continue
		}
		if best == nil || *o.report.REML < *best.report.REML {
			best = o
		}
	}
	if best == nil {
		return skip("not tried: no other kernel could be fitted")
	}
	margin := *r.own.REML - *best.report.REML
	doubt := uncertainty(r.own) + uncertainty(best.report)
	if !(margin-doubt > likelierBy) {
		t.Finding = fmt.Sprintf("none of %d others is likelier by %d nats", len(r.others), likelierBy)
		return t, nil
	}
	held, what, err := best.held(ctx)
	if err != nil {
		return t, err
	}
	if math.IsNaN(held) {
		return skip("not defined for these data: the likelier kernel leaves G no uncertainty")
	}
	t.Passed = held >= leastHeld
	t.Finding = fmt.Sprintf("%s %.0f nats likelier; if it is true, bands of 95 %% hold %.0f %% of %s", best.what, margin, 100*held, what)
	return t, nil
}

// uncertainty of a likelihood that is estimated, three standard errors.
func uncertainty(r fit.Report) float64 {
	if r.REMLError == nil {
		return 0
	}
	return 3 * *r.REMLError
}

// otherKernels are those that are tried: the automatic choice, two Matérn kernels with
// lengthscales chosen.
func otherKernels() []kernel.Kernel {
	return []kernel.Kernel{nil, kernel.Matern{Nu: 2.5, Lengthscale: kernel.Auto}, kernel.Matern{Nu: 1.5, Lengthscale: kernel.Auto}}
}

// rivals are of the other kernels, and of the own one with the λ that the likelihood chooses, if that is another.
func (p pairs) rivals(write func(kernel.Kernel) string) rivals {
	r := rivals{own: p.Report}
	s, ok := p.Learned()
	if !ok {
		r.skip = "the estimate is one of several terms"
		return r
	}
	if _, sum := s.Kernel.(kernels.DirectSum); sum {
		r.skip = "the estimate has several terms"
		return r
	}
	kernels := otherKernels()
	if s.Lambda > 0 || s.Criterion != "" && s.Criterion != fit.REML {
		kernels = append(kernels, s.Kernel)
	}
	for _, k := range kernels {
		r.others = append(r.others, func(ctx context.Context) (*rival, error) {
			o := s
			o.Kernel, o.Kernels, o.Lambda, o.Rho, o.Criterion, o.Dense = k, nil, 0, 0, fit.REML, false
			e, err := fit.Fit(ctx, o)
			if err != nil {
				return nil, err
			}
			what := write(e.Kernel) + " is"
			if e.Kernel.String() == p.Kernel.String() {
				what = "its own kernel with another lambda is"
			}
			return &rival{e.Report, what, func(ctx context.Context) (float64, string, error) {
				held, err := heldIf(ctx, p.Estimate, e, coarse(s.Data))
				return held, "G", err
			}}, nil
		})
	}
	return r
}

// rivals are the same kernel for all terms.
func (o output) rivals(write func(kernel.Kernel) string) rivals {
	r := rivals{own: o.Report.Report}
	for i, k := range otherKernels() {
		what := "an automatic choice of kernels is"
		if i > 0 {
			what = write(k) + " for every term is"
		}
		r.others = append(r.others, func(ctx context.Context) (*rival, error) {
			all := map[string]kernel.Kernel{}
			for _, t := range o.Terms {
				if k != nil && t.Form != model.Formless && t.Kind != model.Noise {
					all[t.Name] = k
				}
			}
			other, err := o.Otherwise(ctx, model.Change{Kernels: all})
			if err != nil {
				return nil, err
			}
			return &rival{other.Report.Report, what, func(ctx context.Context) (float64, string, error) {
				return o.leastHeld(ctx, other)
			}}, nil
		})
	}
	return r
}

// leastHeld is the share of the term whose bands hold least.
func (o output) leastHeld(ctx context.Context, other *model.Output) (least float64, of string, err error) {
	least = math.NaN()
	for _, t := range o.Terms {
		if t.Kind == model.Noise || t.Form == model.Formless {
			continue
		}
		var held float64
		switch t.Form {
		case model.Function:
			held, err = o.heldGreen(ctx, t, other.Term(t.Name))
		case model.LabelCurves:
			held, err = heldCurve(ctx, t, other.Term(t.Name), t.Labels()[0])
		default:
			held, err = heldCurve(ctx, t, other.Term(t.Name), "")
		}
		if err != nil {
			return 0, "", err
		}
		if math.IsNaN(least) || held < least {
			least, of = held, "the term "+t.Name
		}
	}
	return least, of, nil
}

// heldGreen is that of G of a term, of a family in the middle of its parameters.
func (o output) heldGreen(ctx context.Context, t, other *model.Term) (float64, error) {
	var theta []float64
	for _, p := range o.Samples().Parameters {
		theta = append(theta, (slices.Min(p.Values)+slices.Max(p.Values))/2)
	}
	own, err := t.Green(theta...)
	if err != nil {
		return 0, err
	}
	rival, err := other.Green(theta...)
	if err != nil {
		return 0, err
	}
	out := o.Samples().Output(o.Name)
	for _, f := range o.Samples().Fields {
		if _, field, found := strings.Cut(t.Name, "*"); f.Name == t.Name || found && strings.TrimSpace(field) == f.Name {
			return heldIf(ctx, own, rival, coarse(&dataset.Dataset{Input: f.Values, InputMesh: f.Mesh, Output: out.Values, OutputMesh: out.Mesh, Missing: true}))
		}
	}
	return math.NaN(), nil
}

// heldCurve is that of a covariate, or of a group by its label.
func heldCurve(ctx context.Context, t, other *model.Term, label string) (float64, error) {
	var values [4][]float64
	for i, of := range []*model.Term{t, other} {
		var err error
		if values[2*i], err = of.Effect(ctx, label, mesh.Mesh{}); err != nil {
			return 0, err
		}
		if values[2*i+1], err = of.EffectStd(ctx, label, mesh.Mesh{}); err != nil {
			return 0, err
		}
	}
	return shareHeld(values), nil
}

// heldIf is the share of G, over the meshes of some data, that the bands of e hold if G is
// distributed as another estimate has it.
func heldIf(ctx context.Context, e, other *fit.Estimate, at *dataset.Dataset) (float64, error) {
	var values [4][]float64
	for i, of := range []func(context.Context, mesh.Mesh, mesh.Mesh) (*mat.Dense, error){e.Green, e.Std, other.Green, other.Std} {
		m, err := of(ctx, at.InputMesh, at.OutputMesh)
		if err != nil {
			return 0, err
		}
		values[i] = m.RawMatrix().Data
	}
	return shareHeld(values), nil
}

// shareHeld is the share of values that bands hold: means and deviations of the own and of the other estimate.
func shareHeld(values [4][]float64) float64 {
	sum := 0.0
	for i, g := range values[0] {
		half, off, sd := normal95*values[1][i], g-values[2][i], values[3][i]*math.Sqrt2
		sum += (math.Erf((off+half)/sd) - math.Erf((off-half)/sd)) / 2
	}
	return sum / float64(len(values[0]))
}

// coarse are the data on meshes of fewer points.
func coarse(d *dataset.Dataset) *dataset.Dataset {
	for every := 2; every <= 64 && d.InputMesh.Size()*d.OutputMesh.Size() > mostCovered; every++ {
		c, err := prepare.Coarser(d, every)
		if err != nil {
			break
		}
		d = c
	}
	return d
}
