package gram

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Ranks is the structure of matrices of low rank.
const Ranks Structure = "rank"

func ranksStructure() structure {
	return structure{
		name: Ranks, apt: always,
		make: func(g *chooser) (Product, error) { return made(g.ranked()) },
		why: func(g *chooser, _ Product) string {
			return g.notLags("and the kernel is smooth: its matrix has a low rank")
		},
		lacks: func(g *chooser) string { return fmt.Sprintf("the matrix of %s has no low rank", g.f.Kernel) },
	}
}

// Ranked is a Product held as K = Fᵀ F.
type Ranked interface {
	Product
	Factor() *mat.Dense // F, k × (mx my)
}

const (
	factorTolerance = 1e-13   // of a kernel held as Fᵀ F
	maxFactorRank   = 1536    // rows of F
	maxFactorSize   = 1 << 26 // numbers in F
)

// ranked is a smooth kernel without other structure: its matrix has a low rank.
type ranked struct {
	checked
	f      *mat.Dense
	mx, my int
}

// ranked returns nil when the rank is not low.
func (g *chooser) ranked() (*ranked, error) {
	n := g.x.Size() * g.y.Size()
	c, err := g.partialCholesky(min(maxFactorRank, n/8, maxFactorSize/n))
	if err != nil {
		return nil, err
	}
	done, err := c.run(g.ctx, factorTolerance, true)
	if err != nil || !done || c.k == 0 {
		return nil, err
	}
	return &ranked{f: c.result(), mx: g.x.Size(), my: g.y.Size()}, nil
}

func (r *reference) partialCholesky(limit int) (*partialCholesky, error) {
	m, err := r.f.Matrix(r.to, r.from)
	if err != nil {
		return nil, err
	}
	return newPartialCholesky(r.f, m, r.to, limit), nil
}

// Factor implements Ranked.
func (r *ranked) Factor() *mat.Dense { return r.f }

// Dims implements linop.Operator.
func (r *ranked) Dims() (rows, cols int) { return r.mx * r.my, r.mx * r.my }

// Apply implements linop.Operator.
func (r *ranked) Apply(ctx context.Context, dst, x []float64) {
	k, _ := r.f.Dims()
	c := make([]float64, k)
	linop.Dense{M: r.f}.Apply(ctx, c, x)
	linop.Dense{M: r.f}.ApplyTranspose(ctx, dst, c)
}

func (r *ranked) entries(dst []float64, i, j []int) {
	clear(dst)
	k, _ := r.f.Dims()
	for q := range k {
		row := r.f.RawRowView(q)
		for p := range dst {
			dst[p] += row[i[p]] * row[j[p]]
		}
	}
}

func (r *ranked) certain() bool { return false }

// Describe implements linop.Describer.
func (r *ranked) Describe() string {
	k, _ := r.f.Dims()
	return fmt.Sprintf("%d × %d of rank %d, by partial Cholesky factorisation", r.mx*r.my, r.mx*r.my, k)
}

// Rough implements Rough: the diagonal is exact, but as a rule no basis of the
// output diagonalises such a kernel.
func (r *ranked) Rough() {}

// Diagonal implements Product.
func (r *ranked) Diagonal(ctx context.Context, v Basis) (Diagonal, error) {
	k, _ := r.f.Dims()
	d := &rankedDiagonal{mx: r.mx, my: r.my}
	full := v.Matrix()
	for q := range k {
		var t mat.Dense
		if err := linop.MulContext(ctx, &t, mat.NewDense(r.mx, r.my, r.f.RawRowView(q)), full); err != nil {
			return nil, err
		}
		d.rows = append(d.rows, &t)
	}
	return d, nil
}

// rankedDiagonal is C_k = Σ_q f_qk f_qkᵀ, f_qk column k of F_q V.
type rankedDiagonal struct {
	rows   []*mat.Dense // F_q V
	mx, my int
}

// Sum implements Diagonal.
func (d *rankedDiagonal) Sum(ctx context.Context) (*mat.SymDense, error) {
	total := mat.NewDense(d.mx, d.mx, nil)
	var t mat.Dense
	for _, f := range d.rows {
		if err := linop.MulContext(ctx, &t, f, f.T()); err != nil {
			return nil, err
		}
		total.Add(total, &t)
	}
	return linop.Symmetric(total), nil
}

// Forms implements Diagonal.
func (d *rankedDiagonal) Forms(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
	_, r := b.Dims()
	forms := mat.NewDense(r, d.my, nil)
	out := forms.RawMatrix().Data
	var t mat.Dense
	for _, f := range d.rows {
		if err := linop.MulContext(ctx, &t, b.T(), f); err != nil {
			return nil, err
		}
		for i, v := range t.RawMatrix().Data {
			out[i] += v * v
		}
	}
	return forms, nil
}

// LowRank returns F, k × (mx my), with K ≈ Fᵀ F: a partial Cholesky factorisation
// whose candidates for pivots are drawn with probability proportional to the
// diagonal of what is left, in blocks (Epperly, Tropp & Webber 2024,
// arXiv:2410.03969), and accepted by size. Every remaining entry is below tol
// times the largest of K, or k == maxRank. Cost: k rows of K and k² mx my
// multiplications. The draws are the same every time.
func LowRank(ctx context.Context, f *kernels.Function, x, y mesh.Mesh, tol float64, maxRank int) (*mat.Dense, error) {
	r, err := newReference(ctx, f, x, y, x, y)
	if err != nil {
		return nil, err
	}
	c, err := r.partialCholesky(maxRank)
	if err != nil {
		return nil, err
	}
	if _, err := c.run(ctx, tol, false); err != nil {
		return nil, err
	}
	return c.result(), nil
}
