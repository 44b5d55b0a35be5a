package gram

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The kernel itself: a matrix in memory, or evaluated anew in blocks.
const (
	Full   Structure = "dense"
	Blocks Structure = "blocks"
)

func denseStructure() structure {
	return structure{name: Full, apt: func(g *chooser) bool { return g.to.Size() <= maxDense }, make: (*chooser).dense, why: whyUnstructured}
}

func blocksStructure() structure {
	return structure{name: Blocks, apt: always, make: (*chooser).blocks, why: whyUnstructured}
}

func whyUnstructured(g *chooser, _ Product) string {
	return g.notLags("and no short sum of Kronecker products reproduces the kernel")
}

// maxDense is how many unknowns' matrix is held in memory rather than evaluated anew.
const maxDense = 4096

// roughTolerance is that of the Kronecker sum which stands in for an
// unstructured kernel in the preconditioner.
const roughTolerance = 1e-3

// unstructured is K given by its matrix or by evaluation. Its Diagonal comes
// from a rough Kronecker sum: good enough for a preconditioner, and the solution
// does not depend on it.
type unstructured struct {
	linop.Operator
	text  string
	rough *kronecker
}

// Rough implements Rough.
func (u *unstructured) Rough() {}

// Whole implements Whole.
func (u *unstructured) Whole() *mat.Dense {
	d, _ := u.Operator.(linop.Dense)
	return d.M
}

// Check implements Product.
func (u *unstructured) Check() *Check { return nil }

// Describe implements Product.
func (u *unstructured) Describe() string { return u.text }

// Diagonal implements Product.
func (u *unstructured) Diagonal(ctx context.Context, v Basis) (Diagonal, error) {
	return u.rough.Diagonal(ctx, v)
}

// unstructured has the approximation but not yet the operator.
func (g *chooser) unstructured() (*unstructured, error) {
	rough, err := g.kronecker(roughTolerance, maxTerms)
	if err != nil {
		return nil, err
	}
	if rough == nil {
		rough, err = g.kronecker(0.3, 4*maxTerms)
	}
	if err == nil && rough == nil {
		rough, err = g.rankOne()
	}
	return &unstructured{rough: rough}, err
}

// rankOne is the one Kronecker product K(·,y; ·,y) ⊗ K(x,·; x,·) / K(x,y; x,y),
// positive semi-definite, with (x, y) where K is largest among the pairs of a
// sample: some approximation, where no Kronecker sum is a good one.
func (g *chooser) rankOne() (*kronecker, error) {
	const sample = 64
	at := make([]float64, g.f.Space.Dim())
	largest, best := 0.0, make([]float64, len(at))
	cut := g.x.Dim()
	for i := range sample {
		g.x.Point(at[:cut], i*(g.x.Size()-1)/(sample-1))
		for j := range sample {
			g.y.Point(at[cut:], j*(g.y.Size()-1)/(sample-1))
			if v := g.f.At(at, at); v > largest {
				largest = v
				copy(best, at)
			}
		}
	}
	left, err := g.slice(g.x, 0, cut, best, 1)
	if err != nil {
		return nil, err
	}
	right, err := g.slice(g.y, cut, len(at), best, 1/max(largest, math.SmallestNonzeroFloat64))
	if err != nil {
		return nil, err
	}
	sum, err := linop.NewKroneckerSum([]*mat.Dense{left}, []*mat.Dense{right})
	return &kronecker{KroneckerSum: sum}, err
}

// slice is the kernel times a factor on a mesh of its coordinates from … to-1, the
// others held at a point.
func (g *chooser) slice(m mesh.Mesh, from, to int, at []float64, factor float64) (*mat.Dense, error) {
	f, err := kernels.Compile(kernels.Restrict(g.f.Kernel, g.f.Space, from, to, at), kernel.Space{Names: g.f.Space.Names[from:to]})
	if err != nil {
		return nil, err
	}
	k, err := f.Gram(g.ctx, m, m)
	if err == nil {
		k.Scale(factor, k)
	}
	return k, err
}

// dense holds the whole matrix: for small problems, and for tests.
func (g *chooser) dense() (Product, error) {
	u, err := g.unstructured()
	if err != nil {
		return nil, err
	}
	m, err := g.f.Gram(g.ctx, g.to, g.from)
	u.Operator = linop.Dense{M: m}
	u.text = fmt.Sprintf("dense matrix of %d × %d", g.to.Size(), g.from.Size())
	return u, err
}

// blocks evaluates the kernel anew in every product.
func (g *chooser) blocks() (Product, error) {
	u, err := g.unstructured()
	if err != nil {
		return nil, err
	}
	m, err := g.f.Matrix(g.to, g.from)
	u.Operator = evaluated{m}
	u.text = fmt.Sprintf("%d × %d, evaluated block by block in every product", g.to.Size(), g.from.Size())
	return u, err
}

// evaluated is a matrix between points, never held.
type evaluated struct{ m *kernels.Matrix }

// Dims implements linop.Operator.
func (e evaluated) Dims() (r, c int) { return e.m.Dims() }

// Apply implements linop.Operator.
func (e evaluated) Apply(ctx context.Context, dst, x []float64) { _ = e.m.MulVec(ctx, dst, x) }

// ApplyTranspose implements linop.Adjoint.
func (e evaluated) ApplyTranspose(ctx context.Context, dst, x []float64) {
	_ = e.m.T().MulVec(ctx, dst, x)
}
