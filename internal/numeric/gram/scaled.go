package gram

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// Scaled is the structure of sums of kernels that are scaled from point to point.
const Scaled Structure = "scaled"

func scaledStructure() structure {
	return structure{
		name: Scaled, apt: always,
		make: func(g *chooser) (Product, error) { return made(g.scaledSum()) },
		why: func(*chooser, Product) string {
			return "the kernel is a sum of kernels scaled from point to point, each with a structure of its own"
		},
		lacks: func(g *chooser) string {
			return fmt.Sprintf("%s is no sum of scaled kernels with a structure", g.f.Kernel)
		},
		between: (*crosser).scaled,
	}
}

// scaledSum is K = Σ_t D_t K_t D_t with diagonal D_t, each K_t with a structure of
// its own. A kink along the diagonal of the domain is of this form.
type scaledSum struct {
	checked
	terms  []scaledTerm
	mx, my int
}

type scaledTerm struct {
	d     *mat.Dense // the diagonal of D_t, mx × my; nil for 1
	k     candidate
	rough *kronecker // K_t well enough for a preconditioner
}

// scaledSum returns nil when the kernel has no such form or one of its terms
// has no structure.
func (g *chooser) scaledSum() (*scaledSum, error) {
	terms, err := g.f.Terms()
	if err != nil || terms == nil {
		return nil, err
	}
	s := &scaledSum{mx: g.x.Size(), my: g.y.Size()}
	for _, t := range terms {
		inner, err := newChooser(g.ctx, t.Function, g.x, g.y, g.among)
		if err != nil {
			return nil, err
		}
		term := scaledTerm{}
		if term.k, err = inner.ofTerm(); err != nil || term.k == nil {
			return nil, err
		}
		var ok bool
		if term.rough, ok = term.k.(*kronecker); !ok || term.rough.Terms() > shortSum {
			if term.rough, err = inner.kronecker(roughTolerance, maxTerms); err != nil || term.rough == nil {
				return nil, err
			}
		}
		if t.Scale != nil {
			if term.d, err = valuesOn(t.Scale, g.to, s.mx, s.my); err != nil {
				return nil, err
			}
		}
		s.terms = append(s.terms, term)
	}
	return s, nil
}

// Dims implements linop.Operator.
func (s *scaledSum) Dims() (r, c int) { return s.mx * s.my, s.mx * s.my }

// Apply implements linop.Operator.
func (s *scaledSum) Apply(ctx context.Context, dst, x []float64) {
	clear(dst)
	for _, t := range s.terms {
		addScaled(ctx, dst, t.d, t.k.Apply, t.d, x)
	}
}

func (s *scaledSum) entries(dst []float64, i, j []int) {
	clear(dst)
	own := make([]float64, len(dst))
	for _, t := range s.terms {
		t.k.entries(own, i, j)
		addScaledEntries(dst, own, t.d, t.d, i, j)
	}
}

func (s *scaledSum) certain() bool {
	return !slices.ContainsFunc(s.terms, func(t scaledTerm) bool { return !t.k.certain() })
}

// Describe implements linop.Describer.
func (s *scaledSum) Describe() string {
	return describeTerms(s.terms, func(t scaledTerm) (string, bool) { return t.k.Describe(), t.d != nil })
}

// Diagonal implements Product.
func (s *scaledSum) Diagonal(ctx context.Context, v Basis) (Diagonal, error) {
	out := &scaledDiagonal{v: v.Matrix(), mx: s.mx, my: s.my}
	for _, t := range s.terms {
		if t.d == nil {
			plain, err := t.rough.Diagonal(ctx, v)
			if err != nil {
				return nil, err
			}
			out.plain = append(out.plain, plain)
			continue
		}
		for q := range t.rough.Terms() {
			term, err := newDiagonalTerm(ctx, t.d, t.rough.Left(q), t.rough.Right(q))
			if err != nil {
				return nil, err
			}
			out.scaled = append(out.scaled, term)
		}
	}
	return out, nil
}

// scaledDiagonal is Σ over terms of C_k; those without scale know theirs.
type scaledDiagonal struct {
	plain  []Diagonal
	scaled []diagonalTerm
	v      *mat.Dense
	mx, my int
}

// diagonalTerm is D (A ⊗ R) D with R ≈ G diag(s) Gᵀ, so that
//
//	C_k = A ∘ (F_k diag(s) F_kᵀ),  F_k = (D with columns times v_k) G.
type diagonalTerm struct {
	d, a, g *mat.Dense
	s       []float64
}

func newDiagonalTerm(ctx context.Context, d *mat.Dense, a, r mat.Matrix) (diagonalTerm, error) {
	t := diagonalTerm{d: d, a: mat.DenseCopyOf(a)}
	n, _ := r.Dims()
	values, vectors, err := linop.Eigen(ctx, r)
	if err != nil {
		return t, err
	}
	least := roughTolerance * max(-values[0], values[n-1])
	var keep []int
	for i, v := range values {
		if math.Abs(v) >= least {
			keep = append(keep, i)
		}
	}
	t.g = mat.NewDense(n, len(keep), nil)
	for j, i := range keep {
		t.g.SetCol(j, mat.Col(nil, i, vectors))
		t.s = append(t.s, values[i])
	}
	return t, nil
}

// at returns C_k for the output vector v.
func (t *diagonalTerm) at(ctx context.Context, v []float64) (*mat.Dense, error) {
	mx, my := t.d.Dims()
	weighted := mat.NewDense(mx, my, nil)
	for i := range mx {
		row, d := weighted.RawRowView(i), t.d.RawRowView(i)
		for k, x := range v {
			row[k] = d[k] * x
		}
	}
	var f, fs, c mat.Dense
	if err := linop.MulContext(ctx, &f, weighted, t.g); err != nil {
		return nil, err
	}
	fs.CloneFrom(&f)
	for i := range mx {
		row := fs.RawRowView(i)
		for j, s := range t.s {
			row[j] *= s
		}
	}
	if err := linop.MulContext(ctx, &c, &fs, f.T()); err != nil {
		return nil, err
	}
	c.MulElem(&c, t.a)
	return &c, nil
}

// Sum implements Diagonal.
func (d *scaledDiagonal) Sum(ctx context.Context) (*mat.SymDense, error) {
	total := mat.NewDense(d.mx, d.mx, nil)
	for _, p := range d.plain {
		part, err := p.Sum(ctx)
		if err != nil {
			return nil, err
		}
		total.Add(total, part)
	}
	for i := range d.scaled {
		for k := range d.my {
			c, err := d.scaled[i].at(ctx, mat.Col(nil, k, d.v))
			if err != nil {
				return nil, err
			}
			total.Add(total, c)
		}
	}
	return linop.Symmetric(total), nil
}

// Forms implements Diagonal.
func (d *scaledDiagonal) Forms(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
	_, r := b.Dims()
	forms := mat.NewDense(r, d.my, nil)
	for _, p := range d.plain {
		part, err := p.Forms(ctx, b)
		if err != nil {
			return nil, err
		}
		forms.Add(forms, part)
	}
	for i := range d.scaled {
		for k := range d.my {
			c, err := d.scaled[i].at(ctx, mat.Col(nil, k, d.v))
			if err != nil {
				return nil, err
			}
			var t mat.Dense
			if err := linop.MulContext(ctx, &t, c, b); err != nil {
				return nil, err
			}
			for j, v := range columnDots(b, &t) {
				forms.Set(j, k, forms.At(j, k)+v)
			}
		}
	}
	return forms, nil
}
