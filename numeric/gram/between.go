package gram

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Cross returns the operator from weights over x × y to values over xs × ys:
// Σ_jk K(·; x_j, y_k) W_jk. Where the kernel, or each term of a scaled sum, has a
// short Kronecker sum no matrix of all pairs is formed or evaluated.
func Cross(ctx context.Context, f *kernel.Function, xs, ys, x, y mesh.Mesh) (linop.Operator, error) {
	if xs.Dim() != x.Dim() || ys.Dim() != y.Dim() {
		return nil, fmt.Errorf("mesh: has %d + %d coordinates, the estimate %d + %d", xs.Dim(), ys.Dim(), x.Dim(), y.Dim())
	}
	if xs.Equal(x) && ys.Equal(y) {
		p, _, err := Self(ctx, f, x, y, Options{})
		return p, err
	}
	c := &crosser{ctx: ctx, xs: xs, ys: ys, x: x, y: y}
	if op, err := c.structured(f); op != nil || err != nil {
		return op, err
	}
	if op, err := c.scaled(f); op != nil || err != nil {
		return op, err
	}
	from, err := jointMesh(f, x, y)
	if err != nil {
		return nil, err
	}
	to, err := jointMesh(f, xs, ys)
	if err != nil {
		return nil, err
	}
	m, err := f.Matrix(to, from)
	return evaluated{ctx, m}, err
}

// crosser finds operators from functions on x × y to functions on xs × ys.
type crosser struct {
	ctx          context.Context
	xs, ys, x, y mesh.Mesh
}

// structured returns nil where the kernel has no structure between the meshes.
func (c *crosser) structured(f *kernel.Function) (linop.Adjoint, error) {
	if m := newMixture(f, c.xs, c.ys, c.x, c.y); m != nil {
		return m, nil
	}
	if !sameShape(c.xs, c.x) || !sameShape(c.ys, c.y) {
		return nil, nil
	}
	px, py := sidePairsWithin(f, c.xs, c.x, 0), sidePairsWithin(f, c.ys, c.y, c.x.Dim())
	if px == nil || py == nil {
		return nil, nil
	}
	low, err := cross(c.ctx, f, px, py, crossTolerance, maxTerms)
	if err != nil || low == nil {
		return nil, err
	}
	return newKronecker(low, px, py)
}

// scaled returns nil where the kernel is no sum of scaled terms with a structure.
func (c *crosser) scaled(f *kernel.Function) (linop.Operator, error) {
	terms, err := f.Terms()
	if err != nil || terms == nil {
		return nil, err
	}
	to, err := jointMesh(f, c.xs, c.ys)
	if err != nil {
		return nil, err
	}
	from, err := jointMesh(f, c.x, c.y)
	if err != nil {
		return nil, err
	}
	var sum crossSum
	for _, t := range terms {
		op, err := c.structured(t.Function)
		if op == nil || err != nil {
			return nil, err
		}
		term := crossTerm{k: op}
		if t.Scale != nil {
			if term.to, err = valuesOn(t.Scale, to, c.xs.Size(), c.ys.Size()); err != nil {
				return nil, err
			}
			if term.from, err = valuesOn(t.Scale, from, c.x.Size(), c.y.Size()); err != nil {
				return nil, err
			}
		}
		sum = append(sum, term)
	}
	return sum, nil
}

// crossSum is Σ_t D_t K_t E_t with diagonal D_t and E_t: a scaled sum between
// different meshes.
type crossSum []crossTerm

type crossTerm struct {
	to, from *mat.Dense // the diagonals of D_t and E_t; nil for 1
	k        linop.Adjoint
}

// Dims implements linop.Operator.
func (s crossSum) Dims() (r, c int) { return s[0].k.Dims() }

// Apply implements linop.Operator.
func (s crossSum) Apply(dst, x []float64) {
	clear(dst)
	for _, t := range s {
		addScaled(dst, t.to, t.k.Apply, t.from, x)
	}
}

// ApplyTranspose implements linop.Adjoint.
func (s crossSum) ApplyTranspose(dst, x []float64) {
	clear(dst)
	for _, t := range s {
		addScaled(dst, t.from, t.k.ApplyTranspose, t.to, x)
	}
}

// Describe implements linop.Describer.
func (s crossSum) Describe() string {
	return describeTerms(s, func(t crossTerm) (string, bool) { return linop.Describe(t.k), t.to != nil })
}

// addScaled adds to · apply(from · x) to dst; a diagonal may be nil for 1.
func addScaled(dst []float64, to *mat.Dense, apply func(dst, x []float64), from *mat.Dense, x []float64) {
	out := make([]float64, len(dst))
	apply(out, timesDiagonal(from, x))
	floats.Add(dst, timesDiagonal(to, out))
}

// timesDiagonal returns d · x, or x itself where d is nil.
func timesDiagonal(d *mat.Dense, x []float64) []float64 {
	if d == nil {
		return x
	}
	return floats.MulTo(make([]float64, len(x)), d.RawMatrix().Data, x)
}

// sameShape reports whether the axes of two meshes pair up.
func sameShape(a, b mesh.Mesh) bool {
	p, q := a.Axes(), b.Axes()
	if len(p) != len(q) {
		return false
	}
	for i := range p {
		if p[i].Dim() != q[i].Dim() {
			return false
		}
	}
	return true
}
