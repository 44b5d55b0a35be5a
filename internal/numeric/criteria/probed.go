package criteria

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// System is A + I at a λ and ρ, too large for a matrix.
type System interface {
	linop.Operator
	// Diagonals are D, near to the diagonal, and the diagonal itself, nil where it is not
	// known.
	Diagonals(ctx context.Context) (d, diagonal []float64)
	// Solve is R T, from z0 on, nil for nothing.
	Solve(ctx context.Context, z0 []float64) ([]float64, error)
	// SolveContrast is (A + I)⁻¹ ĉ for the direction that is not penalised.
	SolveContrast(ctx context.Context) ([]float64, error)
	// Each calls do(i) for 0 <= i < count, each of which is a product.
	Each(ctx context.Context, count int, do func(i int)) error
}

// Probed evaluates the criteria of a system whose matrix is too large: the quadratic form
// by its solution, determinant and trace by random vectors, the same for every λ. LOO is
// not known, nor the derivative by ρ alone.
type Probed struct {
	Make    func(lambda, rho float64) System
	T       []float64
	RSS0    float64
	Outputs float64
	Bias    bool // there is one, with a ρ of its own

	Contrast []float64 // that is not penalised, of length one, which T has nothing of; nil: none
	// Of an invariant subspace that the problem is restricted to: how much of each row
	// belongs to it, and the projection on it; nil: everything.
	Shares  []float64
	Project func(ctx context.Context, z []float64)

	Alone  bool // D tells nothing of the system: all that stands out has to be found by random vectors
	Blocks int  // of random vectors at most, until the error is small enough; at least one

	Z      []float64 // solution at the last λ; nil: none yet
	last   Sheet     // λ and ρ that probes are of
	hc     []float64 // H⁻¹ ĉ at the last λ; nil without contrast
	probes *probing  // at the last λ
}

const enoughError = 0.2 // nats

// At implements Evaluator. Cost: a solve, with a contrast another, and at most the products
// of the plan for each block.
func (p *Probed) At(ctx context.Context, lambda, rho float64) (Sheet, error) {
	h := p.Make(lambda, rho)
	z, err := h.Solve(ctx, p.Z)
	if err != nil {
		return Sheet{}, err
	}
	p.Z, p.last = z, Sheet{Lambda: lambda, Rho: rho}
	if p.Contrast != nil {
		if p.hc, err = h.SolveContrast(ctx); err != nil {
			return Sheet{}, err
		}
	}
	d, diagonal := h.Diagonals(ctx)
	p.probes = newProbing(h, d, diagonal)
	p.probes.each, p.probes.shares, p.probes.project = h.Each, p.Shares, p.Project
	if p.Alone {
		p.probes.plan = planAlone
	}
	plan := p.probes.plan
	v, err := p.from(ctx, plan.first)
	for have, most := plan.first, max(1, p.Blocks)*plan.vectors; err == nil && have < most && v.REMLErr > enoughError; {
		times := v.REMLErr / enoughError
		count := min(max(1, int(math.Ceil(float64(have)*(times*times-1)))), plan.vectors, most-have)
		v, err = p.from(ctx, count)
		have += count
	}
	return v, err
}

// More is At of the last λ, from another block besides.
func (p *Probed) More(ctx context.Context) (Sheet, error) {
	return p.from(ctx, p.probes.plan.vectors)
}

// from is At of the last λ, from so many random vectors more.
func (p *Probed) from(ctx context.Context, vectors int) (Sheet, error) {
	out := p.last
	out.LOO = math.NaN()
	if err := p.probes.more(ctx, vectors); err != nil {
		return out, err
	}
	quad, zz := p.RSS0+floats.Dot(p.T, p.Z), floats.Dot(p.Z, p.Z)
	det, left := p.probes.logDet(), p.probes.trace()
	rank, values := float64(len(p.T)), p.Outputs
	if p.Shares != nil {
		rank = math.Round(floats.Sum(p.Shares)) // the trace of a projection
	}
	if p.Contrast != nil {
		size := floats.Dot(p.Contrast, p.hc)
		det.value += math.Log(size)
		left.value -= floats.Dot(p.hc, p.hc) / size
		values--
		out.EffectiveDF--
	}
	out.ResidualDF = p.Outputs - rank + left.value
	out.LogDet, out.DFError = det.value, left.err
	out.EffectiveDF += rank - left.value
	out.REML, out.REMLErr = 0.5*(values*math.Log(quad/values)+det.value), 0.5*det.err
	out.GCV = p.Outputs * (p.RSS0 + zz) / (out.ResidualDF * out.ResidualDF)
	out.Slope = slope(values, quad, p.RSS0, zz, out.EffectiveDF)
	if p.Bias {
		out.RhoSlope = math.NaN()
	}
	return out, nil
}
