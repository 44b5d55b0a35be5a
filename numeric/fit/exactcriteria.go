package fit

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/linop"
	"github.com/greenbench/workbench/numeric/solve"
)

// exactCriteria evaluates the criteria by their definitions, from the matrix of
//
//	H = A + I,  A = C/λ + U Uᵀ/ρ
//
// in the space of the data, with λ and ρ independent. With N outputs, c the direction
// that is not penalised (nil: none), N' = N - 1 with one and N otherwise, and
//
//	R = H⁻¹ - H⁻¹c cᵀH⁻¹ / cᵀH⁻¹c ,   quad = rss₀ + ⟨T, R T⟩ ,
//
// they are
//
//	REML = ½ (N' log(quad/N') + log det H + log(cᵀH⁻¹c / cᵀc))
//	GCV  = N (rss₀ + ‖R T‖²) / (N - rows of T + tr R)²
//	LOO  = Σ_i ‖([R]_ii)⁻¹ (R T)_i‖² / N
//
// where [R]_ii is the block of all outputs of pair i: the error of predicting them from
// the other pairs at the same λ and ρ, c fitted anew. Where more pairs than rows of T
// are there, T is Pᵀ times the outputs, and R of all outputs is P R Pᵀ + I - P Pᵀ.
type exactCriteria struct {
	green *mat.Dense // C
	bias  *mat.Dense // U; nil without bias
	t     []float64
	rss0  float64

	outputs  float64
	contrast []float64 // c; nil: everything is penalised

	my          int
	p           *mat.Dense // P; nil: T is all outputs
	unexplained *mat.Dense // what P leaves of the outputs, rows of P × my; nil when zero
	pairs       [][]span   // rows of P ⊗ I that are the outputs of each pair; nil: LOO is not wanted
}

// sheet is the values of the criteria at one λ and ρ.
type sheet struct {
	lambda, rho      float64
	reml, gcv        float64
	loo              float64 // NaN where it is not known
	free             float64 // N less the parameters in use, that GCV divides by
	logDet, freedom  float64 // log det H, with that of c; N' less the trace of R: the parameters in use
	slope, rhoSlope  float64 // derivatives of REML by log λ and log ρ together, and by log ρ alone; NaN where not known
	remlErr, freeErr float64 // standard errors of REML and of the freedom; 0: exact
}

// of is the value of a criterion.
func (v sheet) of(by Criterion) float64 {
	switch by {
	case GCV:
		return v.gcv
	case LOO:
		return v.loo
	}
	return v.reml
}

// at evaluates the criteria. Cost: with n rows of T two thirds of n³ multiplications and
// additions. The error is the context's, or solve.ErrNotPositive where rounding has eaten
// H up.
func (x *exactCriteria) at(ctx context.Context, lambda, rho float64) (sheet, error) {
	out := sheet{lambda: lambda, rho: rho, loo: math.NaN()}
	h := x.matrix(ctx, lambda, rho)
	d := make([]float64, len(x.t))
	for i := range d {
		d[i] = h.At(i, i)
	}
	f, err := factor(ctx, h, d)
	if err != nil {
		return out, err
	}
	z := f.solve(x.t)
	if err := f.invert(ctx); err != nil {
		return out, err
	}
	n, rank := x.outputs, float64(len(x.t))
	out.logDet = f.logs
	left := f.trace() // tr R
	var hc []float64
	if x.contrast != nil {
		hc = f.solve(x.contrast)
		size := floats.Dot(hc, x.contrast)
		out.logDet += math.Log(size / floats.Dot(x.contrast, x.contrast))
		left -= floats.Dot(hc, hc) / size
		floats.AddScaled(z, -floats.Dot(hc, x.t)/size, hc)
		scale(hc, 1/math.Sqrt(size)) // R = H⁻¹ - hc hcᵀ
		n, rank = n-1, rank-1
	}
	quad, zz := x.rss0+floats.Dot(x.t, z), floats.Dot(z, z)
	out.freedom = rank - left
	out.reml = 0.5 * (n*math.Log(quad/n) + out.logDet)
	out.free = x.outputs - float64(len(x.t)) + left
	out.gcv = x.outputs * (x.rss0 + zz) / (out.free * out.free)
	// The derivative of quad by log λ and log ρ together is ⟨z, A z⟩, that of the
	// determinant less tr(A R).
	out.slope = 0.5 * (n*(quad-x.rss0-zz)/quad - out.freedom)
	out.rhoSlope = x.biasSlope(ctx, f, z, hc, quad, n, rho)
	if x.pairs != nil {
		out.loo, err = x.leaveOneOut(ctx, f, z, hc)
	}
	return out, err
}

// matrix is H.
func (x *exactCriteria) matrix(ctx context.Context, lambda, rho float64) *mat.Dense {
	n := len(x.t)
	h := mat.NewDense(n, n, nil)
	if x.bias != nil {
		_ = linop.MulContext(ctx, h, x.bias, x.bias.T())
	}
	for i := range n {
		row := h.RawRowView(i)
		scale(row, 1/rho)
		floats.AddScaled(row, 1/lambda, x.green.RawRowView(i))
		row[i]++
	}
	return h
}

// biasSlope is the derivative of REML by log ρ: ½ (N' ⟨z, B z⟩/quad - tr(B R)) for the
// part B = U Uᵀ/ρ of A.
func (x *exactCriteria) biasSlope(ctx context.Context, f *factored, z, hc []float64, quad, n, rho float64) float64 {
	if x.bias == nil {
		return 0
	}
	_, k := x.bias.Dims()
	uz, uc := mat.NewVecDense(k, nil), mat.NewVecDense(k, nil)
	uz.MulVec(x.bias.T(), mat.NewVecDense(len(z), z))
	var wu mat.Dense
	_ = linop.MulContext(ctx, &wu, f.l, x.bias)
	used := squares(&wu)
	if hc != nil {
		uc.MulVec(x.bias.T(), mat.NewVecDense(len(hc), hc))
		used -= mat.Dot(uc, uc)
	}
	return 0.5 * (n*mat.Dot(uz, uz)/quad - used) / rho
}

// leaveOneOut is LOO, or NaN where the other pairs do not determine one.
func (x *exactCriteria) leaveOneOut(ctx context.Context, f *factored, z, hc []float64) (float64, error) {
	if x.contrast != nil && len(x.pairs) < 2 {
		return math.NaN(), nil
	}
	blocks, err := f.blocks(ctx, x.p, x.my, x.pairs)
	if err != nil {
		return 0, err
	}
	residual, contrast := x.ofPairs(ctx, z), x.ofPairs(ctx, hc)
	if x.unexplained != nil {
		floats.Add(residual, x.unexplained.RawMatrix().Data)
	}
	sum := 0.0
	for i, block := range blocks {
		res := taken(residual, x.pairs[i])
		x.addUnseen(block, x.pairs[i])
		if contrast != nil {
			v := mat.NewVecDense(len(res), taken(contrast, x.pairs[i]))
			block.RankOne(block, -1, v, v)
		}
		left, err := factor(ctx, block, ones(len(res)))
		switch {
		case errors.Is(err, solve.ErrNotPositive):
			return math.NaN(), nil
		case err != nil:
			return 0, err
		}
		e := left.solve(res)
		sum += floats.Dot(e, e)
	}
	return sum / x.outputs, nil
}

// ofPairs is P times z; nil for nil.
func (x *exactCriteria) ofPairs(ctx context.Context, z []float64) []float64 {
	if x.p == nil || z == nil {
		return append([]float64(nil), z...)
	}
	n, r := x.p.Dims()
	out := make([]float64, n*x.my)
	_ = linop.MulContext(ctx, mat.NewDense(n, x.my, out), x.p, mat.NewDense(r, x.my, z))
	return out
}

// addUnseen adds the block of (I - P Pᵀ) ⊗ I: what of the outputs T does not see.
func (x *exactCriteria) addUnseen(block *mat.Dense, pair []span) {
	if x.p == nil {
		return
	}
	if n, r := x.p.Dims(); n == r {
		return
	}
	for a, s := range pair {
		for b, t := range pair {
			v := -floats.Dot(x.p.RawRowView(s.lo/x.my), x.p.RawRowView(t.lo/x.my))
			if a == b {
				v = max(0, v+1)
			}
			for k := range x.my {
				i, j := a*x.my+k, b*x.my+k
				block.Set(i, j, block.At(i, j)+v)
			}
		}
	}
}

// taken is the entries of v in the spans.
func taken(v []float64, spans []span) []float64 {
	var out []float64
	for _, s := range spans {
		out = append(out, v[s.lo:s.hi]...)
	}
	return out
}

// each is one pair for every my rows.
func each(n, my int) [][]span {
	pairs := make([][]span, n)
	for i := range pairs {
		pairs[i] = []span{{i * my, (i + 1) * my}}
	}
	return pairs
}
