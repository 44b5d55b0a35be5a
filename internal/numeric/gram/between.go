package gram

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// directPairs is how many values of the kernel are computed at once rather than
// compressed: what a check of the compressed operator would cost.
const directPairs = 1 << 20

// Cross returns the operator from weights over x × y to values over xs × ys:
// Σ_jk K(·; x_j, y_k) W_jk. Where the kernel, or each term of a scaled sum, has a
// short Kronecker sum that has been held against the kernel, see [Check], no matrix of
// all pairs is formed; otherwise each product evaluates the kernel. Few pairs are
// evaluated once.
func Cross(ctx context.Context, f *kernels.Function, xs, ys, x, y mesh.Mesh) (linop.Operator, error) {
	if xs.Dim() != x.Dim() || ys.Dim() != y.Dim() {
		return nil, fmt.Errorf("mesh: has %d + %d coordinates, the estimate %d + %d", xs.Dim(), ys.Dim(), x.Dim(), y.Dim())
	}
	if xs.Equal(x) && ys.Equal(y) {
		p, _, err := Self(ctx, f, x, y, Options{})
		return p, err
	}
	r, err := newReference(ctx, f, xs, ys, x, y)
	if err != nil {
		return nil, err
	}
	pairs := r.to.Size() * r.from.Size()
	if pairs <= directPairs {
		m, err := f.Gram(ctx, r.to, r.from)
		return linop.Dense{M: m}, err
	}
	c := &crosser{reference: r, xs: xs, ys: ys, x: x, y: y, most: float64(pairs)}
	if err := c.pairUp(); err != nil {
		return nil, err
	}
	op, err := c.choose()
	if m, ok := op.(*mixture); ok && len(m.to) == 2 && m.inputs == 1 {
		return mixedPair{m}, err
	}
	return op, err
}

// mixedPair is a mixture between meshes of one axis on each side: its terms are products of a factor on the input and one on the
// output.
type mixedPair struct{ *mixture }

// Terms is how many there are.
func (m mixedPair) Terms() int { return len(m.terms) }

// Left is the factor of a term on the input.
func (m mixedPair) Left(q int) mat.Matrix { return m.terms[q][0] }

// Right is the factor of a term on the output.
func (m mixedPair) Right(q int) mat.Matrix { return m.terms[q][1] }

// mostScattered is how many numbers matrices between points of an axis and points without one may have together.
func mostScattered() float64 { return float64(MemoryShare(.1, 5e7)) }

// pairUp takes the points of both meshes of a side for scattered ones, in the same order, where their axes do not pair up: what a
// kernel is between points does not depend on how these are listed. Where they are many they are left as they are.
func (c *crosser) pairUp() error {
	for _, side := range [][2]*mesh.Mesh{{&c.xs, &c.x}, {&c.ys, &c.y}} {
		a, b := side[0], side[1]
		if sameShape(*a, *b) || float64(a.Size())*float64(b.Size()) > mostScattered() {
			continue
		}
		for _, m := range side {
			flat, err := mesh.Scattered(m.Points(), m.Dim(), nil, m.Names()...)
			if err != nil {
				return err
			}
			*m = mesh.Must(flat, nil)
		}
		c.most = min(c.most, mostScattered())
	}
	return nil
}

// choose takes the first form that is the kernel; without one each product evaluates
// the kernel.
func (c *crosser) choose() (linop.Operator, error) {
	for _, s := range structures() {
		if s.between == nil {
			continue
		}
		op, err := s.between(c)
		if err != nil {
			return nil, err
		}
		if op == nil {
			continue
		}
		_, wrong, err := c.check(op)
		if infinite := (*notFinite)(nil); errors.As(err, &infinite) {
			break // a derivative, perhaps: the values say where
		}
		if err != nil {
			return nil, err
		}
		if wrong == "" {
			return op, nil
		}
	}
	m, err := c.f.Matrix(c.to, c.from)
	return evaluated{m}, err
}

// Evaluates reports whether every product with an operator of Cross evaluates the kernel anew.
func Evaluates(op linop.Operator) bool {
	if u, ok := op.(*unstructured); ok {
		op = u.Operator
	}
	_, evaluates := op.(evaluated)
	return evaluates
}
