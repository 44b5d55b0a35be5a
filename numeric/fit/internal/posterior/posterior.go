package posterior

import (
	"context"
	"fmt"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Posterior is the posterior of G and β. Minus twice the logarithm of the density
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
type Posterior struct {
	problem.Regression
	at         problem.Penalty
	a, inverse linop.Operator // S K̄ Sᵀ + I, and about its inverse

	Tau2     float64
	f        *kernels.Function // K
	averaged *averaged         // K held as an average; nil: it is not
	q        *kernels.Function // Q; nil without bias
	x, y     mesh.Mesh         // of the data
	all      [][]float64       // columns of X × Y

	split *split // closed form; nil when there is none

	constant *constant // free part of β, which free returns; nil when there is none
	solved   struct {
		sync.Mutex
		done bool
	}

	factor struct { // of a, made when it first pays
		sync.Mutex
		tried, chosen bool
		whole         *conditioned // nil: there is none
		leading       *leading     // nil: there are none
		featured      bool
		features      *features // nil: there are none
	}
}

// split is a kernel that is a product, K = kx ky with kx(x, ξ) = K(x,y₀; ξ,y₀)
// and ky(y, η) = K(x₀,y; x₀,η) / K(x₀,y₀; x₀,y₀), and a bias kernel Q = q ky,
// where the system is diagonal.
type split struct {
	of     problem.Complete
	data   problem.Turned
	in     *mat.Dense // rows of the inputs, see problem.Directed.RowsOf
	d      []float64  // the system
	x0, y0 []float64
	unit   float64 // K(x₀,y₀; x₀,y₀)
	q      float64
}

// conditioned is the factored covariance, over τ², of the data or of what they say in some
// directions: what the posterior of many functionals is computed from.
type conditioned struct {
	factor   *mat.Cholesky
	constant *constant                                           // free part of β, in these data; nil when there is none
	gather   func(ctx context.Context, data []float64) []float64 // of data; nil for all of them
	least    float64                                             // part of a prior variance that must be left for rounding not to matter
}

// leading is what the data say in their leading directions: see newLeading.
type leading struct {
	problem.Directed
	conditioned
	at     []int         // directions
	extra  []float64     // one more: what they leave of the data of the free constant; nil: nothing
	metric *mat.Cholesky // of WᵀW but for extra, which is orthogonal; nil: they are orthonormal
	excess float64
}

// features is the posterior where the kernels are about sums of squares of few functions,
// K/λ ≈ ⟨φ, φ⟩ and Q/ρ ≈ ⟨ψ, ψ⟩: G = ⟨φ, w⟩ and β = ⟨ψ, v⟩. See newFeatures.
type features struct {
	green, bias *gram.Landmarks // bias: nil without β
	free        bool            // a constant of β has a coefficient of its own, the last
	factor      *mat.Cholesky   // of I + H Hᵀ, without I for a free constant
	excess      float64         // tr R
}

// constant is what the posterior knows of a free constant.
type constant struct {
	me   []float64 // M e
	size float64   // ⟨e, M e⟩
}

// Count is how many outputs the amplitude is estimated from.
func (p *Posterior) Count() float64 {
	n := float64(p.Observed())
	if c, _ := p.Constants(); c != nil {
		n--
	}
	return n
}

// dataOfConstant is e, what the data are of a free constant; nil when there is none.
func (p *Posterior) dataOfConstant() []float64 {
	flat, length := p.Constants()
	if flat == nil {
		return nil
	}
	e := append([]float64(nil), flat...)
	floats.Scale(length, e)
	return e
}

// free is the free constant, solved for by the first who asks: most bands do without. nil: there is none.
func (p *Posterior) free(ctx context.Context) (*constant, error) {
	p.solved.Lock()
	defer p.solved.Unlock()
	if p.solved.done {
		return p.constant, nil
	}
	if e := p.dataOfConstant(); e != nil {
		c := &constant{me: make([]float64, len(e))}
		if p.split != nil {
			p.inverse.Apply(ctx, c.me, e)
		} else {
			cg := solve.CG{Tolerance: constantTolerance, MaxIterations: constantSteps, Preconditioner: p.inverse}
			if _, err := cg.Solve(ctx, p.a, c.me, e); err != nil {
				return nil, err
			}
		}
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		c.size = floats.Dot(e, c.me)
		p.constant = c
	}
	p.solved.done = true
	return p.constant, nil
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
	constantSteps     = 1000
)

// variance returns τ² (c - ⟨h, (S K̄ Sᵀ + I)⁻¹ h⟩), too large by at most the part bandTolerance. times
// is how often the free constant of β is part of the functional.
func (p *Posterior) variance(ctx context.Context, c float64, h []float64, times float64) (float64, error) {
	free, err := p.free(ctx)
	if err != nil {
		return 0, err
	}
	left, err := p.unexplained(ctx, c, h, bandTolerance)
	return p.Tau2 * (left + free.add(times, h)), err
}

// varianceFrom is variance over τ², too large by at most the part tolerance, from an x that is about
// M h: ⟨h, M h⟩ = ⟨h, x⟩ + ⟨r, x⟩ + ⟨r, M r⟩ with what is left, r = h - (S K̄ Sᵀ + I) x.
func (p *Posterior) varianceFrom(ctx context.Context, x []float64, c float64, h []float64, times, tolerance float64) (float64, error) {
	free, err := p.free(ctx)
	if err != nil {
		return 0, err
	}
	r := make([]float64, len(h))
	p.a.Apply(ctx, r, x)
	floats.SubTo(r, h, r)
	left, err := p.unexplained(ctx, c-floats.Dot(h, x)-floats.Dot(r, x), r, tolerance)
	return left + free.add(times, h), err
}

// unexplained returns c - ⟨h, (S K̄ Sᵀ + I)⁻¹ h⟩ by preconditioned CG. The energy of its
// iterates is ⟨h, (S K̄ Sᵀ + I)⁻¹ h⟩ from below, and since the smallest eigenvalue is at
// least 1, what is missing is at most the squared residual.
func (p *Posterior) unexplained(ctx context.Context, c float64, h []float64, tolerance float64) (float64, error) {
	explained := 0.0
	cg := solve.CG{Tolerance: leastResidual, MaxIterations: maxBandSteps, Preconditioner: p.inverse}
	cg.Enough = func(energy, residual2 float64) bool {
		explained = energy
		return residual2 <= tolerance*(c-energy) || c <= energy
	}
	if _, err := cg.Solve(ctx, p.a, make([]float64, len(h)), h); err != nil {
		return 0, fmt.Errorf("std: %w", err)
	}
	return max(c-explained, 0), linop.Stopped(ctx)
}
