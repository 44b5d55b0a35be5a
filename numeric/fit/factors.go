package fit

import (
	"context"
	"fmt"
	"sync"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/solve"
)

// regression is a problem in the space of the data, as the posterior needs it.
type regression interface {
	problem
	// equations are S K̄ Sᵀ + I and about its inverse.
	equations(ctx context.Context, at penalty) (a, inverse linop.Operator, err error)
	// respond returns S (g; b) for values g of G on X × Y and b of β on Y, nil for zero.
	respond(ctx context.Context, g, b []float64) []float64
	// constants is the direction of the data of a free constant of β, nil without one, and
	// the length of those of the constant one.
	constants() (contrast, float64)
	// observed is how many outputs there are.
	observed() int
}

// factors is the posterior of G and β. Minus twice the logarithm of the density
// of the outputs, of G and of β is, up to constants, the objective over τ² when
//
//	G ~ GP(0, τ²/λ K),  β ~ GP(0, τ²/ρ Q),  u_ik has noise of variance τ² n / dy_k,
//
// all independent: noise that is white in y, of which a value stands for an
// interval of length dy_k. In the scaled outputs T of a system the noise is τ² I
// and their covariance τ² (S K̄ Sᵀ + I). The one amplitude τ² is that of greatest
// (restricted) likelihood, (rss₀ + ⟨T, (S K̄ Sᵀ + I)⁻¹ T⟩) / (n my): the least value
// of the objective, divided by the number of values.
//
// A linear functional ℓ of (G, β) has the prior variance τ² c, covariances τ² h
// with T, and so the posterior variance τ² (c - ⟨h, M h⟩), M = (S K̄ Sᵀ + I)⁻¹. A free
// constant of β, in the functional ℓ₀ times and in the data as e, adds
// τ² (ℓ₀ - ⟨e, M h⟩)² / ⟨e, M e⟩, and takes one of the n my values.
type factors struct {
	regression
	at         penalty
	a, inverse linop.Operator // S K̄ Sᵀ + I, and about its inverse

	tau2 float64
	f    *kernel.Function // K
	q    *kernel.Function // Q; nil without bias
	x, y mesh.Mesh        // of the data
	all  [][]float64      // columns of X × Y

	split *split // closed form; nil when there is none

	constant *constant // free part of β; nil when there is none
}

// split is a kernel that is a product, K = kx ky with kx(x, ξ) = K(x,y₀; ξ,y₀)
// and ky(y, η) = K(x₀,y; x₀,η) / K(x₀,y₀; x₀,y₀), and a bias kernel Q = q ky,
// where the preconditioner is the system.
type split struct {
	sys    *system // in the bases of pre
	pre    *simultaneous
	x0, y0 []float64
	unit   float64 // K(x₀,y₀; x₀,y₀)
	q      float64
}

// constant is what the posterior knows of a free constant.
type constant struct {
	me   []float64 // M e
	size float64   // ⟨e, M e⟩
}

// values is how many outputs the amplitude is estimated from.
func (p *factors) values() float64 {
	n := float64(p.observed())
	if c, _ := p.constants(); c != nil {
		n--
	}
	return n
}

// setConstant solves for the free constant.
func (p *factors) setConstant(ctx context.Context) error {
	flat, length := p.constants()
	if flat == nil {
		return nil
	}
	e := append([]float64(nil), flat...)
	floats.Scale(length, e)
	c := &constant{me: make([]float64, len(e))}
	if p.split != nil {
		p.inverse.Apply(ctx, c.me, e)
	} else {
		cg := solve.CG{Tolerance: constantTolerance, MaxIterations: defaultMaxIterations, Preconditioner: p.inverse}
		if _, err := cg.Solve(ctx, p.a, c.me, e); err != nil {
			return err
		}
	}
	c.size = floats.Dot(e, c.me)
	p.constant = c
	return nil
}

// add is what the free constant adds to the variance of a functional, over τ².
func (c *constant) add(times float64, h []float64) float64 {
	if c == nil {
		return 0
	}
	left := times - floats.Dot(c.me, h)
	return left * left / c.size
}

const (
	bandTolerance = 0.02 // of a posterior variance, by which the iterations may leave it too large
	maxBandSteps  = 500
	leastResidual = 1e-15 // relative, where rounding ends what the band tolerance does not

	constantTolerance = 1e-8
)

// variance returns τ² (c - ⟨h, (S K̄ Sᵀ + I)⁻¹ h⟩) by preconditioned CG. The energy of its
// iterates is ⟨h, (S K̄ Sᵀ + I)⁻¹ h⟩ from below, and since the smallest eigenvalue is at
// least 1, what is missing is at most the squared residual. times is how often the free
// constant of β is part of the functional.
func (p *factors) variance(ctx context.Context, c float64, h []float64, times float64) (float64, error) {
	explained := 0.0
	cg := solve.CG{Tolerance: leastResidual, MaxIterations: maxBandSteps, Preconditioner: p.inverse}
	cg.Enough = func(energy, residual2 float64) bool {
		explained = energy
		return residual2 <= bandTolerance*(c-energy) || c <= energy
	}
	if _, err := cg.Solve(ctx, p.a, make([]float64, len(h)), h); err != nil {
		return 0, fmt.Errorf("std: %w", err)
	}
	return p.tau2 * (max(c-explained, 0) + p.constant.add(times, h)), linop.Stopped(ctx)
}

// learned is what an estimate remembers of its making, for questions that its
// weights do not answer. The factors are made when they are first needed.
type learned struct {
	spec    Spec
	mutex   sync.Mutex
	factors *factors
	other   func(ctx context.Context) (*Estimate, error) // see WithOther; nil: there is none
	known   *Estimate                                    // what it returned
}
