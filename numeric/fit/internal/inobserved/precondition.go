package inobserved

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/fit/internal/indata"
)

// maxSchur bounds the missing outputs whose Schur complement is factored: a square
// matrix of that size, 128 MB.
const maxSchur = 4000

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
	schur   *mat.Cholesky // of (M⁻¹)_mm
}

func newObservedPreconditioner(ctx context.Context, o observed, m *indata.Preconditioner) (*observedPreconditioner, error) {
	p := &observedPreconditioner{observed: o, m: m}
	for i, v := range o.D.Scale {
		if v == 0 {
			p.missing = append(p.missing, i)
		}
	}
	if len(p.missing) == 0 || len(p.missing) > maxSchur {
		p.missing = nil
		return p, nil
	}
	s, err := p.inverseWhereMissing(ctx)
	if err != nil {
		return nil, err
	}
	if p.schur, err = linop.Cholesky(ctx, s); err != nil {
		return nil, fmt.Errorf("preconditioner: the part for missing outputs: %w", err)
	}
	return p, nil
}

// inverseWhereMissing is (M⁻¹)_mm: with M⁻¹ = (P ⊗ V) D⁻¹ (P ⊗ V)ᵀ the entries for
// samples a and b are Σ_j V_kj V_lj w_j, w_j = Σ_i P_ai P_bi / D_ij.
func (p *observedPreconditioner) inverseWhereMissing(ctx context.Context) (*mat.SymDense, error) {
	n, my := p.Sys.N, p.Sys.My
	v := linop.Identity(my)
	p.Sys.V.Forward(ctx, v.RawMatrix().Data) // row k is V_k·
	inverse := mat.NewDense(n, my, nil)
	for i, d := range p.m.D {
		inverse.RawMatrix().Data[i] = 1 / d
	}
	first := make([]int, n+1) // of the missing outputs of each sample
	for a := range first {
		first[a], _ = slices.BinarySearch(p.missing, a*my)
	}
	s := mat.NewSymDense(len(p.missing), nil)
	perSample := 0.1 * float64(n*n*my) // nanoseconds, most of it a product of matrices
	err := kernels.Rows(ctx, n, perSample, func(a int) {
		if first[a] == first[a+1] {
			return
		}
		scaled, w := mat.DenseCopyOf(inverse), mat.NewDense(n, my, nil)
		for i, x := range p.Sys.P.RawRowView(a) {
			floats.Scale(x, scaled.RawRowView(i))
		}
		if linop.MulContext(ctx, w, p.Sys.P, scaled) != nil {
			return
		}
		// Row b of w is Σ_i P_bi P_ai / D_ij.
		product := make([]float64, my)
		for x := first[a]; x < first[a+1]; x++ {
			k := p.missing[x] - a*my
			for b := a; b < n; b++ {
				if first[b] == first[b+1] {
					continue
				}
				floats.MulTo(product, v.RawRowView(k), w.RawRowView(b))
				for y := max(x, first[b]); y < first[b+1]; y++ {
					s.SetSym(x, y, floats.Dot(product, v.RawRowView(p.missing[y]-b*my)))
				}
			}
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
	x := mat.NewVecDense(max(1, len(p.missing)), nil)
	for q, i := range p.missing {
		x.SetVec(q, dst[i])
	}
	_ = p.schur.SolveVecTo(x, x) // a bad condition number is no harm in a preconditioner
	clear(in)
	for q, i := range p.missing {
		in[i] = x.AtVec(q)
	}
	back := make([]float64, len(r))
	p.rotated(ctx, back, in, p.m)
	floats.Sub(dst, back)
}
