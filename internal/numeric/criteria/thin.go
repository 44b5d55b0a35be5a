package criteria

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/solve"
)

// thin is the criteria of an [Exact] at one ρ/λ, r, whose operator λ A = C + U Uᵀ/r has eigenvectors V of eigenvalues s
// above rounding that are far fewer than its rows. With ĉ the direction that is not penalised, of length one,
//
//	R = N + V λ/(s+λ) Vᵀ ,  N = I - V Vᵀ - ĉ ĉᵀ ,
//
// so that a λ takes no more than products with V. N has no part in λ: where this is small, what is left of R is not the
// difference of greater numbers.
type thin struct {
	*Exact
	ratio  float64
	values []float64 // s
	t      []float64 // Vᵀ T

	quad  float64    // ‖N T‖²
	bias  *mat.Dense // Vᵀ U; nil without bias
	along []float64  // Uᵀ N T

	pairs []leftPair // empty: LOO is not wanted, or not determined
}

// leftPair is what the criteria need of the outputs of a pair.
type leftPair struct {
	v    *mat.Dense // their rows of (P ⊗ I) V
	n    *mat.Dense // their block of I - V Vᵀ - ĉ ĉᵀ
	rest []float64  // their part of N T, and of what P leaves
}

// newThin finds the eigenvectors as singular vectors of (B, U/r^½), C = B Bᵀ, without ĉ. Cost: with k columns
// and n rows 4 n k² multiplications and additions.
func newThin(ctx context.Context, x *Exact, ratio float64) (*thin, error) {
	n, k := x.Root.Dims()
	c, t := unit(x.Contrast), append([]float64(nil), x.T...)
	all := mat.NewDense(n, k+x.biases(), nil)
	for i := range n {
		row := all.RawRowView(i)
		copy(row, x.Root.RawRowView(i))
		if x.Bias != nil {
			floats.AddScaled(row[k:], 1/math.Sqrt(ratio), x.Bias.RawRowView(i))
		}
	}
	without(c, all)
	without(c, mat.NewDense(n, 1, t))
	u, sizes, _, err := linop.SVD(ctx, all)
	if err != nil {
		return nil, err
	}
	kept := 0
	for kept < len(sizes) && sizes[kept] > float64(n)*rounding*sizes[0] {
		kept++
	}
	if kept == 0 {
		return nil, linop.Stopped(ctx)
	}
	out := &thin{Exact: x, ratio: ratio, t: make([]float64, kept)}
	v := mat.DenseCopyOf(u.Slice(0, n, 0, kept))
	for _, s := range sizes[:kept] {
		out.values = append(out.values, s*s)
	}
	mat.NewVecDense(kept, out.t).MulVec(v.T(), mat.NewVecDense(n, t))
	rest := mat.NewVecDense(n, t)
	var inside mat.VecDense
	inside.MulVec(v, mat.NewVecDense(kept, out.t))
	rest.SubVec(rest, &inside)
	out.quad = mat.Dot(rest, rest)
	if x.Bias != nil {
		out.bias, out.along = linop.Product(ctx, v.T(), x.Bias), make([]float64, x.biases())
		mat.NewVecDense(x.biases(), out.along).MulVec(x.Bias.T(), rest)
	}
	return out, out.split(ctx, v, c, t)
}

const rounding = 1.2e-16

// unit is a vector of length one; nil for nil.
func unit(c []float64) []float64 {
	if c == nil {
		return nil
	}
	out := append([]float64(nil), c...)
	floats.Scale(1/floats.Norm(out, 2), out)
	return out
}

// without takes the direction c from columns.
func without(c []float64, m *mat.Dense) {
	if c == nil {
		return
	}
	_, k := m.Dims()
	var along mat.VecDense
	along.MulVec(m.T(), mat.NewVecDense(len(c), c))
	for i, v := range c {
		row := m.RawRowView(i)
		for j := range k {
			row[j] -= v * along.AtVec(j)
		}
	}
}

// split gives each pair its part of V, of ĉ and of N T.
func (h *thin) split(ctx context.Context, v *mat.Dense, c, rest []float64) error {
	if h.Pairs == nil || h.Contrast != nil && len(h.Pairs) < 2 {
		return linop.Stopped(ctx)
	}
	_, k := v.Dims()
	if h.P != nil {
		all, r := h.P.Dims()
		turned := mat.NewDense(all, h.Width*k, nil)
		if err := linop.MulContext(ctx, turned, h.P, mat.NewDense(r, h.Width*k, v.RawMatrix().Data)); err != nil {
			return err
		}
		v = mat.NewDense(all*h.Width, k, turned.RawMatrix().Data)
	}
	rest = h.ofPairs(ctx, rest)
	if h.Unexplained != nil {
		floats.Add(rest, h.Unexplained.RawMatrix().Data)
	}
	if c != nil {
		c = h.ofPairs(ctx, c)
	}
	for _, spans := range h.Pairs {
		p := leftPair{rest: taken(rest, spans)}
		size := len(p.rest)
		p.v, p.n = mat.NewDense(size, k, nil), mat.NewDense(size, size, nil)
		at := 0
		for _, s := range spans {
			p.v.Slice(at, at+s.Hi-s.Lo, 0, k).(*mat.Dense).Copy(v.Slice(s.Lo, s.Hi, 0, k))
			at += s.Hi - s.Lo
		}
		if err := linop.MulContext(ctx, p.n, p.v, p.v.T()); err != nil {
			return err
		}
		p.n.Scale(-1, p.n)
		for i := range size {
			p.n.Set(i, i, p.n.At(i, i)+1)
		}
		if c != nil {
			own := mat.NewVecDense(size, taken(c, spans))
			p.n.RankOne(p.n, -1, own, own)
		}
		h.pairs = append(h.pairs, p)
	}
	return linop.Stopped(ctx)
}

// At implements Evaluator, for ρ = r λ.
func (h *thin) At(ctx context.Context, lambda, rho float64) (Sheet, error) {
	out := Sheet{Lambda: lambda, Rho: rho, LOO: math.NaN()}
	keep, z := make([]float64, len(h.values)), make([]float64, len(h.values)) // λ/(s+λ), and that times Vᵀ T
	quad, zz := h.RSS0+h.quad, h.quad
	for j, s := range h.values {
		keep[j] = lambda / (s + lambda)
		z[j] = keep[j] * h.t[j]
		quad += z[j] * h.t[j]
		zz += z[j] * z[j]
		out.LogDet += math.Log1p(s / lambda)
		out.EffectiveDF += s / (s + lambda)
	}
	n, rank := h.Outputs, float64(len(h.T))
	if h.Contrast != nil {
		n, rank = n-1, rank-1
	}
	left := rank - float64(len(keep)) + floats.Sum(keep)
	out.REML = 0.5 * (n*math.Log(quad/n) + out.LogDet)
	out.ResidualDF = h.Outputs - float64(len(h.T)) + left
	out.GCV = h.Outputs * (h.RSS0 + zz) / (out.ResidualDF * out.ResidualDF)
	out.Slope = slope(n, quad, h.RSS0, zz, out.EffectiveDF)
	out.RhoSlope = h.biasSlope(keep, z, quad, n, rho)
	if len(h.pairs) == 0 {
		return out, linop.Stopped(ctx)
	}
	var err error
	out.LOO, err = h.leaveOneOut(ctx, keep, z)
	if errors.Is(err, solve.ErrNotPositive) {
		out.LOO, out.LOOLost, err = math.NaN(), true, nil
	}
	return out, err
}

// biasSlope is that of [Exact]. U is in the span of V and ĉ but for rounding.
func (h *thin) biasSlope(keep, z []float64, quad, n, rho float64) float64 {
	if h.Bias == nil {
		return 0
	}
	uz, used := append([]float64(nil), h.along...), 0.0
	for j, v := range keep {
		row := h.bias.RawRowView(j)
		floats.AddScaled(uz, z[j], row)
		used += v * floats.Dot(row, row)
	}
	return 0.5 * (n*floats.Dot(uz, uz)/quad - used) / rho
}

// leaveOneOut is LOO. The error is the context's, or solve.ErrNotPositive where rounding is greater than what the others
// leave of a pair.
func (h *thin) leaveOneOut(ctx context.Context, keep, z []float64) (float64, error) {
	roots := make([]float64, len(keep))
	for j, v := range keep {
		roots[j] = math.Sqrt(v)
	}
	squares, errs := make([]float64, len(h.pairs)), make([]error, len(h.pairs))
	size := len(h.pairs[0].rest)
	err := kernels.Rows(ctx, len(h.pairs), productTime(size, len(keep), size), func(i int) {
		squares[i], errs[i] = h.pairs[i].left(ctx, roots, z)
	})
	if err := errors.Join(append(errs, err)...); err != nil {
		return 0, err
	}
	return floats.Sum(squares) / h.Outputs, nil
}

// left is the square of the error of a pair that is left out.
func (p leftPair) left(ctx context.Context, roots, z []float64) (float64, error) {
	block, half := mat.DenseCopyOf(p.n), mat.DenseCopyOf(p.v)
	for i := range p.rest {
		floats.Mul(half.RawRowView(i), roots)
	}
	if err := linop.AddMul(ctx, block, half, half.T()); err != nil {
		return 0, err
	}
	f, err := factor(ctx, block, ones(len(p.rest)))
	if err != nil {
		return 0, err
	}
	var own mat.VecDense
	own.MulVec(p.v, mat.NewVecDense(len(z), z))
	floats.Add(own.RawVector().Data, p.rest)
	e := f.solve(own.RawVector().Data)
	return floats.Dot(e, e), nil
}
