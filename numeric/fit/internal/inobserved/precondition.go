package inobserved

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/fit/internal/indata"
)

// MaxSchur bounds the missing outputs whose Schur complement is factored: a square
// matrix of that size, 128 MB.
const MaxSchur = 4000

// observedPreconditioner makes that of the complete system, M, one for what is
// observed. With few missing outputs it is the inverse of the observed part of M,
//
//	(M⁻¹)_oo - (M⁻¹)_om ((M⁻¹)_mm)⁻¹ (M⁻¹)_mo,
//
// as good for that part of the system as M is for the whole. With many of them it is
// (M⁻¹)_oo alone. Errors of their own are put on both sides of it, D⁻ᵀ M⁻¹ D⁻¹, which is off by
// at most what their variances are apart.
type observedPreconditioner struct {
	observed
	m       *indata.Preconditioner
	missing []int         // entries of what is missing, if there are few
	schur   *mat.TriDense // the lower factor of (M⁻¹)_mm
}

func newObservedPreconditioner(ctx context.Context, o observed, m *indata.Preconditioner) (*observedPreconditioner, error) {
	p := &observedPreconditioner{observed: o, m: m}
	for i, v := range o.D.Scale {
		if v == 0 {
			p.missing = append(p.missing, i)
		}
	}
	if len(p.missing) == 0 || len(p.missing) > MaxSchur {
		p.missing = nil
		return p, nil
	}
	s, err := p.inverseWhereMissing(ctx)
	if err != nil {
		return nil, err
	}
	l, err := linop.LowerFactor(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("preconditioner: the part for missing outputs: %w", err)
	}
	p.schur = mat.NewTriDense(len(p.missing), mat.Lower, l.RawMatrix().Data)
	return p, nil
}

// inverseWhereMissing is (M⁻¹)_mm, above its diagonal: with M⁻¹ = (P ⊗ V) D⁻¹ (P ⊗ V)ᵀ the entries for
// samples a and b are Σ_j V_kj V_lj w_j, w_j = Σ_i P_ai P_bi / D_ij.
func (p *observedPreconditioner) inverseWhereMissing(ctx context.Context) (*mat.SymDense, error) {
	n, my := p.Sys.N, p.Sys.My
	v := linop.Identity(my)
	p.Sys.V.Forward(ctx, v.RawMatrix().Data) // row k is V_k·
	inverse := mat.NewDense(n, my, nil)
	for i, d := range p.m.D {
		inverse.RawMatrix().Data[i] = 1 / d
	}
	var first []int                               // of the missing outputs of each sample that has some
	rows := mat.NewDense(len(p.missing), my, nil) // of V, for each missing output
	var samples []float64                         // rows of P, for each sample that has some
	for x, i := range p.missing {
		if x == 0 || i/my != p.missing[x-1]/my {
			first, samples = append(first, x), append(samples, p.Sys.P.RawRowView(i/my)...)
		}
		rows.SetRow(x, v.RawRowView(i%my))
	}
	count := len(first)
	first = append(first, len(p.missing))
	of := mat.NewDense(count, n, samples)
	s := mat.NewSymDense(len(p.missing), nil)
	whole := mat.NewDense(len(p.missing), len(p.missing), s.RawSymmetric().Data)
	perSample := 0.05 * float64(n*count*my) // nanoseconds, most of it a product of matrices
	err := kernels.Rows(ctx, count, perSample, func(a int) {
		scaled, w := mat.DenseCopyOf(inverse), mat.NewDense(count-a, my, nil)
		for i, x := range of.RawRowView(a) {
			floats.Scale(x, scaled.RawRowView(i))
		}
		if linop.MulContext(ctx, w, of.Slice(a, count, 0, n), scaled) != nil {
			return
		}
		// Row b - a of w is Σ_i P_bi P_ai / D_ij.
		lo, hi := first[a], first[a+1]
		own := mat.NewDense(hi-lo, my, nil)
		for b := a; b < count && ctx.Err() == nil; b++ {
			for x := lo; x < hi; x++ {
				floats.MulTo(own.RawRowView(x-lo), rows.RawRowView(x), w.RawRowView(b-a))
			}
			from, to := first[b], first[b+1]
			_ = linop.MulContext(ctx, whole.Slice(lo, hi, from, to).(*mat.Dense), own, rows.Slice(from, to, 0, my).T())
		}
	})
	return s, err
}

// Apply implements linop.Operator.
func (p *observedPreconditioner) Apply(ctx context.Context, dst, r []float64) {
	in := append([]float64(nil), r...)
	p.D.Back(in)
	p.rotated(ctx, dst, in, p.m)
	defer p.D.BackAdjoint(dst)
	if p.schur == nil {
		return
	}
	x := make([]float64, len(p.missing))
	for q, i := range p.missing {
		x[q] = dst[i]
	}
	linop.SolveOneLower(p.schur, x)
	clear(in)
	for q, i := range p.missing {
		in[i] = x[q]
	}
	back := make([]float64, len(r))
	p.rotated(ctx, back, in, p.m)
	floats.Sub(dst, back)
}
