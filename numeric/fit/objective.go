package fit

import (
	"cmp"
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/known"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/inweights"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Objective is the functional that an estimate minimises,
//
//	Σᵢ ‖uᵢ - ∫G(x, ·) fᵢ(x) dx - β‖²/n + λ‖G‖² + ρ‖β‖² ,
//
// as a function of the weights of the paper's representation G = K (W ∘ dx dy),
// β = Q (w ∘ dy), of which a constraint takes the part that obeys it: those of W, one for
// each pair of points, then those of w. It is for other ways to the minimum than Fit's.
// It is immutable and safe for concurrent use.
type Objective struct {
	spec  Spec             // of the rest, where there is a prior
	given *dataset.Dataset // with the part of the prior
	prior *prior
	w     *inweights.Space
	scale []float64 // of the weights: the square roots of their quadrature weights
}

// Objective is that of the fit, at its λ and ρ. Estimates that were read from a file
// without their data have none. Cost: setting the problem up.
func (e *Estimate) Objective(ctx context.Context) (*Objective, error) {
	if e.learned == nil {
		return nil, remedy.KeepData.For(errors.New("the objective needs the data, which the file of this estimate does not hold"))
	}
	if err := e.learned.spec.intact(); err != nil {
		return nil, err
	}
	o := &Objective{spec: e.learned.spec, given: e.learned.spec.Data, prior: e.prior}
	s := &o.spec
	s.Kernel, s.Bias, s.NoBias, s.Constraint = e.Kernel, e.BiasKernel, e.BiasKernel == nil, e.Constraint
	s.Lambda, s.Rho = e.Report.Lambda, e.Report.Rho
	var err error
	if o.prior != nil {
		if s.Data, _, err = known.Without(ctx, s.Data, o.prior.known); err != nil {
			return nil, err
		}
	}
	if o.w, _, err = inweights.NewSpace(ctx, s.setting(), e.green.Lattice()); err != nil {
		return nil, err
	}
	o.w.Lambda, o.w.Rho = s.Lambda, cmp.Or(s.Rho, s.Lambda)
	o.scale = append(o.scale, o.w.S...)
	if o.w.Q != nil {
		o.scale = append(o.scale, o.w.Rdy...)
	}
	return o, nil
}

// Sizes are how many weights W has, and w; none without bias.
func (o *Objective) Sizes() (green, bias int) {
	green = len(o.w.S)
	return green, len(o.scale) - green
}

// Samples is n.
func (o *Objective) Samples() int { return o.w.N }

// GreenKernel is K with the meshes that W stands on: under a time-invariant constraint a
// kernel of the lag.
func (o *Objective) GreenKernel() (k kernel.Kernel, on kernel.Space, x, y mesh.Mesh) {
	return o.w.G.Kernel(o.spec.Kernel), o.w.G.Space(), o.w.G.X(), o.w.G.Y()
}

// BiasKernel is Q, nil without bias, and the mesh that w stands on.
func (o *Objective) BiasKernel() (q kernel.Kernel, y mesh.Mesh) {
	return o.spec.biasKernel(), o.spec.Data.OutputMesh
}

// Describe says in which structure the kernel is held.
func (o *Objective) Describe() string { return o.w.K.Describe() }

// Of is the objective of some of the samples.
func (o *Objective) Of(ctx context.Context, samples []int) (*Objective, error) {
	part, w := *o, *o.w
	var err error
	if part.spec.Data, err = o.spec.Data.Select(samples); err != nil {
		return nil, err
	}
	if part.given, err = o.given.Select(samples); err != nil {
		return nil, err
	}
	w.N = len(samples)
	if err := w.SetData(ctx, part.spec.Data); err != nil {
		return nil, err
	}
	part.w = &w
	return &part, nil
}

// scaled are weights as the variables of the problem.
func (o *Objective) scaled(weights []float64) []float64 {
	x := make([]float64, len(weights))
	floats.MulTo(x, o.scale, weights)
	cut := len(o.w.S)
	o.w.G.Mask(x[:cut])
	o.w.G.Average(x[:cut])
	return x
}

// Value evaluates the objective. Cost: a product with the kernel.
func (o *Objective) Value(ctx context.Context, weights []float64) float64 {
	w, x := o.w, o.scaled(weights)
	cut := len(w.S)
	out, kv, qb := w.Forward(ctx, x)
	floats.Sub(out, w.T)
	sum := w.RSS0 + floats.Dot(out, out) + w.Lambda*floats.Dot(x[:cut], kv)
	if w.Q != nil {
		sum += w.Rho * floats.Dot(x[cut:], qb)
	}
	return sum
}

// Gradient is that of the objective with respect to the weights: with x = P M (s ∘ W), it
// is 2 s ∘ M P K̃ (P M 𝒜ᵀ(𝒜 M P K̃ x - T) + λ x). Cost: two products with the kernel.
func (o *Objective) Gradient(ctx context.Context, weights []float64) []float64 {
	w, x := o.w, o.scaled(weights)
	out, kv, qb := w.Forward(ctx, x)
	floats.Sub(out, w.T)
	back := make([]float64, len(x))
	w.Backward(ctx, back, out)
	cut := len(w.S)
	g := append(w.ScaledKernel(ctx, w.K, w.S, back[:cut]), make([]float64, len(x)-cut)...)
	floats.AddScaled(g[:cut], w.Lambda, kv)
	w.G.Average(g[:cut])
	w.G.Mask(g[:cut])
	if w.Q != nil {
		copy(g[cut:], w.ScaledKernel(ctx, w.Q, w.Rdy, back[cut:]))
		floats.AddScaled(g[cut:], w.Rho, qb)
	}
	for i, s := range o.scale {
		g[i] *= 2 * s
	}
	return g
}

// Estimate is the estimate with given weights. Its report says what these are worth: the
// objective and its parts, the relative residual of the optimality system, the gap.
func (o *Objective) Estimate(ctx context.Context, weights []float64) (*Estimate, error) {
	s, w, x := &o.spec, o.w, o.scaled(weights)
	e := &Estimate{
		Kernel: s.Kernel, BiasKernel: s.biasKernel(), Constraint: s.Constraint,
		InputMesh: s.Data.InputMesh, OutputMesh: s.Data.OutputMesh,
		prior: o.prior, learned: &learned{spec: *s},
	}
	e.learned.spec.Data = o.given
	b, r := w.RightHandSide(ctx), make([]float64, len(x))
	w.Apply(ctx, r, x)
	e.Report.Residual = floats.Distance(r, b, 2) / max(floats.Norm(b, 2), math.SmallestNonzeroFloat64)
	e.Report.Unknowns = len(x)
	if err := certify(ctx, e, problem.At(w.Lambda, w.Rho), w.Weigh(ctx, x)); err != nil {
		return nil, err
	}
	e.Report.Sigma = outputs.NoiseDeviation(s.Data, e.Report.Objective, s.flat())
	var err error
	e.green, err = w.G.Expand(s.Kernel, e.Weights)
	return e, err
}
