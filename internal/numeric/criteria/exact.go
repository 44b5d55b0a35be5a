package criteria

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/solve"
)

// Exact evaluates the criteria by their definitions, from the matrix of
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
//
// Where A has far fewer directions than rows, a λ takes no more than products with these ([thin]). Searches ask
// one after another; it is not for several at once.
type Exact struct {
	Green *mat.Dense // C; nil where Root is given
	Root  *mat.Dense // B, C = B Bᵀ, of few columns; nil: not known
	Bias  *mat.Dense // U; nil without bias
	T     []float64
	RSS0  float64

	Outputs  float64   // N
	Contrast []float64 // c; nil: everything is penalised

	Width       int        // outputs of a row of P: T is rows of P × Width
	P           *mat.Dense // nil: T is all outputs
	Unexplained *mat.Dense // what P leaves of the outputs, rows of P × Width; nil when zero
	Pairs       [][]Span   // rows of P ⊗ I that are the outputs of each pair; nil: LOO is not wanted

	thick bool      // A has too many directions
	last  Evaluator // of its directions, at the ρ/λ that was asked for last
}

// byMatrix is the criteria from a factor of H.
func (x *Exact) byMatrix(ctx context.Context, lambda, rho float64) (Sheet, error) {
	out := Sheet{Lambda: lambda, Rho: rho, LOO: math.NaN()}
	h := x.matrix(ctx, lambda, rho)
	d := make([]float64, len(x.T))
	for i := range d {
		d[i] = h.At(i, i)
	}
	f, err := factor(ctx, h, d)
	if err != nil {
		return out, err
	}
	z := f.solve(x.T)
	if err := f.invert(ctx); err != nil {
		return out, err
	}
	n, rank := x.Outputs, float64(len(x.T))
	out.LogDet = f.logs
	left := f.trace() // tr R
	var hc []float64
	if x.Contrast != nil {
		hc = f.solve(x.Contrast)
		size := floats.Dot(hc, x.Contrast)
		out.LogDet += math.Log(size / floats.Dot(x.Contrast, x.Contrast))
		left -= floats.Dot(hc, hc) / size
		floats.AddScaled(z, -floats.Dot(hc, x.T)/size, hc)
		floats.Scale(1/math.Sqrt(size), hc) // R = H⁻¹ - hc hcᵀ
		n, rank = n-1, rank-1
	}
	quad, zz := x.RSS0+floats.Dot(x.T, z), floats.Dot(z, z)
	out.EffectiveDF = rank - left
	out.REML = 0.5 * (n*math.Log(quad/n) + out.LogDet)
	out.ResidualDF = x.Outputs - float64(len(x.T)) + left
	out.GCV = x.Outputs * (x.RSS0 + zz) / (out.ResidualDF * out.ResidualDF)
	out.Slope = slope(n, quad, x.RSS0, zz, out.EffectiveDF)
	out.RhoSlope = x.biasSlope(ctx, f, z, hc, quad, n, rho)
	if x.Pairs != nil {
		out.LOO, err = x.leaveOneOut(ctx, f, z, hc)
		if errors.Is(err, solve.ErrNotPositive) {
			out.LOO, out.LOOLost, err = math.NaN(), true, nil
		}
	}
	return out, err
}

// biases is how many columns U has.
func (x *Exact) biases() int {
	if x.Bias == nil {
		return 0
	}
	_, k := x.Bias.Dims()
	return k
}

// green is C.
func (x *Exact) green(ctx context.Context) *mat.Dense {
	if x.Green == nil {
		x.Green = linop.Product(ctx, x.Root, x.Root.T())
	}
	return x.Green
}

// matrix is H.
func (x *Exact) matrix(ctx context.Context, lambda, rho float64) *mat.Dense {
	n := len(x.T)
	h, green := mat.NewDense(n, n, nil), x.green(ctx)
	if x.Bias != nil {
		_ = linop.MulContext(ctx, h, x.Bias, x.Bias.T())
	}
	for i := range n {
		row := h.RawRowView(i)
		floats.Scale(1/rho, row)
		floats.AddScaled(row, 1/lambda, green.RawRowView(i))
		row[i]++
	}
	return h
}

// biasSlope is the derivative of REML by log ρ: ½ (N' ⟨z, B z⟩/quad - tr(B R)) for the
// part B = U Uᵀ/ρ of A.
func (x *Exact) biasSlope(ctx context.Context, f *factored, z, hc []float64, quad, n, rho float64) float64 {
	if x.Bias == nil {
		return 0
	}
	_, k := x.Bias.Dims()
	uz, uc := mat.NewVecDense(k, nil), mat.NewVecDense(k, nil)
	uz.MulVec(x.Bias.T(), mat.NewVecDense(len(z), z))
	wu := linop.Product(ctx, f.l, x.Bias).RawMatrix().Data
	used := floats.Dot(wu, wu)
	if hc != nil {
		uc.MulVec(x.Bias.T(), mat.NewVecDense(len(hc), hc))
		used -= mat.Dot(uc, uc)
	}
	return 0.5 * (n*mat.Dot(uz, uz)/quad - used) / rho
}

// leaveOneOut is LOO, or NaN where the other pairs do not determine one. The error is the context's,
// or solve.ErrNotPositive where rounding is greater than what the others leave of a pair.
func (x *Exact) leaveOneOut(ctx context.Context, f *factored, z, hc []float64) (float64, error) {
	if x.Contrast != nil && len(x.Pairs) < 2 {
		return math.NaN(), nil
	}
	blocks, err := f.blocks(ctx, x.P, x.Width, x.Pairs)
	if err != nil {
		return 0, err
	}
	residual, contrast := x.ofPairs(ctx, z), x.ofPairs(ctx, hc)
	if x.Unexplained != nil {
		floats.Add(residual, x.Unexplained.RawMatrix().Data)
	}
	sum := 0.0
	for i, block := range blocks {
		res := taken(residual, x.Pairs[i])
		x.addUnseen(block, x.Pairs[i])
		if contrast != nil {
			v := mat.NewVecDense(len(res), taken(contrast, x.Pairs[i]))
			block.RankOne(block, -1, v, v)
		}
		left, err := factor(ctx, block, ones(len(res)))
		if err != nil {
			return 0, err
		}
		e := left.solve(res)
		sum += floats.Dot(e, e)
	}
	return sum / x.Outputs, nil
}

// ofPairs is P times z; nil for nil.
func (x *Exact) ofPairs(ctx context.Context, z []float64) []float64 {
	if x.P == nil || z == nil {
		return append([]float64(nil), z...)
	}
	n, r := x.P.Dims()
	out := make([]float64, n*x.Width)
	_ = linop.MulContext(ctx, mat.NewDense(n, x.Width, out), x.P, mat.NewDense(r, x.Width, z))
	return out
}

// addUnseen adds the block of (I - P Pᵀ) ⊗ I: what of the outputs T does not see.
func (x *Exact) addUnseen(block *mat.Dense, pair []Span) {
	if x.P == nil {
		return
	}
	if n, r := x.P.Dims(); n == r {
		return
	}
	for a, s := range pair {
		for b, t := range pair {
			v := -floats.Dot(x.P.RawRowView(s.Lo/x.Width), x.P.RawRowView(t.Lo/x.Width))
			if a == b {
				v = max(0, v+1)
			}
			for k := range x.Width {
				i, j := a*x.Width+k, b*x.Width+k
				block.Set(i, j, block.At(i, j)+v)
			}
		}
	}
}

// taken is the entries of v in the spans.
func taken(v []float64, spans []Span) []float64 {
	var out []float64
	for _, s := range spans {
		out = append(out, v[s.Lo:s.Hi]...)
	}
	return out
}

// Each is one pair for every my rows.
func Each(n, my int) [][]Span {
	pairs := make([][]Span, n)
	for i := range pairs {
		pairs[i] = []Span{{i * my, (i + 1) * my}}
	}
	return pairs
}
