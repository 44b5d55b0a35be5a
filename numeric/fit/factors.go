package fit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/greenbench/workbench/numeric/internal/expr"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/internal/solve"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

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
// where the preconditioner is the system.
type split struct {
	sys    *system // in the bases of pre
	pre    *diagonalPreconditioner
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

const (
	splitTolerance = 1e-9
	splitPairs     = 80 // of random points that the product form is checked on
)

// diagonal reports whether the preconditioner is the system, on a random vector.
func diagonal(ctx context.Context, sys *system, pre *diagonalPreconditioner) bool {
	n, _ := sys.Dims()
	draw := rand.New(rand.NewPCG(1, 2))
	z, az := make([]float64, n), make([]float64, n)
	for i := range z {
		z[i] = draw.NormFloat64()
	}
	sys.Apply(ctx, az, z)
	size := floats.Norm(az, 2)
	for i, d := range pre.d {
		az[i] -= d * z[i]
	}
	return floats.Norm(az, 2) <= splitTolerance*size
}

// findSplit checks, in numbers, all that the closed form assumes.
func (p *factors) findSplit(ctx context.Context) *split {
	whole, ok := p.regression.(*inData)
	if !ok || !diagonal(ctx, whole.sys.at(p.at), whole.m.at(p.at.lambda, p.at.rho)) {
		return nil
	}
	draw := rand.New(rand.NewPCG(1, 3))
	at := centre(p.x, p.y)
	s := &split{sys: whole.sys.at(p.at), pre: whole.m.at(p.at.lambda, p.at.rho), x0: at[:p.x.Dim()], y0: at[p.x.Dim():], unit: p.f.At(at, at)}
	if !(s.unit > 0) {
		return nil
	}
	if p.q != nil {
		s.q = p.q.At(s.y0, s.y0)
	}
	a, b, c, d := newPoint(p.x), newPoint(p.y), newPoint(p.x), newPoint(p.y)
	for range splitPairs {
		randomPair(draw, p.x, a, c)
		randomPair(draw, p.y, b, d)
		kx, ky := p.f.At(both(a, s.y0), both(c, s.y0)), p.f.At(both(s.x0, b), both(s.x0, d))/s.unit
		if math.Abs(p.f.At(both(a, b), both(c, d))-kx*ky) > splitTolerance*s.unit {
			return nil
		}
		if p.q != nil && math.Abs(p.q.At(b, d)-s.q*ky) > splitTolerance*s.q {
			return nil
		}
	}
	if !s.holds(ctx, p.f, p.x, p.y) {
		return nil
	}
	return s
}

// holds reports whether the kernel of every point of xs × ys with itself is the product:
// where a local term of a sum lives, it is not. It ends with ctx.
func (s *split) holds(ctx context.Context, f *kernel.Function, xs, ys mesh.Mesh) bool {
	x, columns := newPoint(xs), ys.Columns()
	own := func(dst, x []float64) { // of (x, y) for all y
		at := make([]expr.Operand, 0, len(x)+len(columns))
		for _, v := range x {
			at = append(at, expr.Operand{Scalar: v})
		}
		for _, c := range columns {
			at = append(at, expr.Operand{Vector: c})
		}
		f.Block(dst, at, at)
	}
	ky, row := make([]float64, ys.Size()), make([]float64, ys.Size())
	own(ky, s.x0)
	for i := range xs.Size() {
		if ctx.Err() != nil {
			return false
		}
		xs.Point(x, i)
		own(row, x)
		at := both(x, s.y0)
		kx := f.At(at, at) / s.unit
		for k, v := range ky {
			if math.Abs(row[k]-kx*v) > splitTolerance*s.unit {
				return false
			}
		}
	}
	return true
}

// randomPair draws two points of a mesh or, every other time, two points of its domain
// at any scale from each other: a kernel that is nearly zero between the points of the
// mesh looks like a product there, and is none in between.
func randomPair(draw *rand.Rand, m mesh.Mesh, a, b []float64) {
	if draw.IntN(2) == 0 {
		m.Point(a, draw.IntN(m.Size()))
		m.Point(b, draw.IntN(m.Size()))
		return
	}
	i, near := 0, math.Pow(10, -4*draw.Float64())
	for _, axis := range m.Axes() {
		for k := range axis.Lower {
			size := axis.Upper[k] - axis.Lower[k]
			a[i] = axis.Lower[k] + size*draw.Float64()
			b[i] = a[i] + near*size*(2*draw.Float64()-1)
			i++
		}
	}
}

// newPoint holds the coordinates of one point of a mesh.
func newPoint(m mesh.Mesh) []float64 { return make([]float64, m.Dim()) }

func both(x, y []float64) []float64 { return append(append([]float64(nil), x...), y...) }
