package gram

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
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

// crosser finds operators from functions on x × y to functions on xs × ys.
type crosser struct {
	*reference
	xs, ys, x, y mesh.Mesh
	most         float64 // entries of matrices that are worth making
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

// adjoint is an operator to be held against the kernel.
type adjoint interface {
	linop.Adjoint
	compressed
}

// mixture returns nil where the kernel is none, as those below, and where its matrices take
// longer to make than the kernel to evaluate.
func (c *crosser) mixture() (adjoint, error) {
	if m, err := newMixture(c.ctx, c.f, c.xs, c.ys, c.x, c.y, c.most); m != nil || err != nil {
		return m, err
	}
	return nil, nil
}

func (c *crosser) kronecker() (adjoint, error) {
	if !sameShape(c.xs, c.x) || !sameShape(c.ys, c.y) {
		return nil, nil
	}
	px, err := sidePairsWithin(c.f, c.xs, c.x, 0)
	if px == nil || err != nil {
		return nil, err
	}
	py, err := sidePairsWithin(c.f, c.ys, c.y, c.x.Dim())
	if py == nil || err != nil {
		return nil, err
	}
	low, err := cross(c.ctx, c.reference, px, py, crossTolerance, maxTerms)
	if err != nil || low == nil {
		return nil, err
	}
	return newKronecker(low, px, py)
}

// scaled returns nil where the kernel is no sum of scaled terms with a structure.
func (c *crosser) scaled() (adjoint, error) {
	terms, err := c.f.Terms()
	if err != nil || terms == nil {
		return nil, err
	}
	var sum crossSum
	for _, t := range terms {
		r, err := newReference(c.ctx, t.Function, c.xs, c.ys, c.x, c.y)
		if err != nil {
			return nil, err
		}
		inner := &crosser{reference: r, xs: c.xs, ys: c.ys, x: c.x, y: c.y, most: c.most}
		op, err := inner.mixture()
		if op == nil && err == nil {
			op, err = inner.kronecker()
		}
		if op == nil || err != nil {
			return nil, err
		}
		term := crossTerm{k: op}
		if t.Scale != nil {
			if term.to, err = valuesOn(t.Scale, c.to, c.xs.Size(), c.ys.Size()); err != nil {
				return nil, err
			}
			if term.from, err = valuesOn(t.Scale, c.from, c.x.Size(), c.y.Size()); err != nil {
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
	k        adjoint
}

// Dims implements linop.Operator.
func (s crossSum) Dims() (r, c int) { return s[0].k.Dims() }

// Apply implements linop.Operator.
func (s crossSum) Apply(ctx context.Context, dst, x []float64) {
	clear(dst)
	for _, t := range s {
		addScaled(ctx, dst, t.to, t.k.Apply, t.from, x)
	}
}

// ApplyTranspose implements linop.Adjoint.
func (s crossSum) ApplyTranspose(ctx context.Context, dst, x []float64) {
	clear(dst)
	for _, t := range s {
		addScaled(ctx, dst, t.from, t.k.ApplyTranspose, t.to, x)
	}
}

func (s crossSum) entries(dst []float64, i, j []int) {
	clear(dst)
	own := make([]float64, len(dst))
	for _, t := range s {
		t.k.entries(own, i, j)
		addScaledEntries(dst, own, t.to, t.from, i, j)
	}
}

func (s crossSum) certain() bool {
	return !slices.ContainsFunc(s, func(t crossTerm) bool { return !t.k.certain() })
}

// Describe implements linop.Describer.
func (s crossSum) Describe() string {
	return describeTerms(s, func(t crossTerm) (string, bool) { return linop.Describe(t.k), t.to != nil })
}

// addScaledEntries adds entries of to · k · from to dst; a diagonal may be nil for 1.
func addScaledEntries(dst, k []float64, to, from *mat.Dense, i, j []int) {
	for p, v := range k {
		if to != nil {
			v *= to.RawMatrix().Data[i[p]]
		}
		if from != nil {
			v *= from.RawMatrix().Data[j[p]]
		}
		dst[p] += v
	}
}

// addScaled adds to · apply(from · x) to dst; a diagonal may be nil for 1.
func addScaled(ctx context.Context, dst []float64, to *mat.Dense, apply func(ctx context.Context, dst, x []float64), from *mat.Dense, x []float64) {
	out := make([]float64, len(dst))
	apply(ctx, out, timesDiagonal(from, x))
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

// Evaluates reports whether every product with an operator of Cross evaluates the kernel anew.
func Evaluates(op linop.Operator) bool {
	if u, ok := op.(*unstructured); ok {
		op = u.Operator
	}
	_, evaluates := op.(evaluated)
	return evaluates
}
