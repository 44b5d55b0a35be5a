package kernels

import (
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Custom is a kernel that says its own expression. One that package kernel does not have embeds a
// [kernel.Kernel], which may be nil; if its parameters can be wrong, it has a Check() error.
type Custom interface {
	// Expr returns k(p, q). It fails when the kernel cannot take points of this
	// space: a list of lengthscales of another length, say.
	Expr(p, q Point) (*expr.Node, error)
}

// own makes a type of this package a kernel.
type own struct{ kernel.Kernel }

// Line is the space of one coordinate x.
func Line() kernel.Space { return kernel.Space{Names: []string{"x"}} }

// Point is a symbolic point of a space.
type Point struct {
	X     []*expr.Node // one per coordinate
	Space kernel.Space
}

// Part returns the coordinates from up to, excluding, to as a point without a
// split.
func (p Point) Part(from, to int) Point {
	return Point{X: p.X[from:to], Space: kernel.Space{Names: p.Space.Names[from:to]}}
}

// Points returns the symbolic points p and q of a space: the coordinates of p
// are in slots 0 … d-1, those of q in d … 2d-1.
func Points(s kernel.Space) (p, q Point) {
	d := s.Dim()
	p, q = Point{Space: s}, Point{Space: s}
	for i, name := range s.Names {
		p.X = append(p.X, expr.Var(i, "p."+name))
		q.X = append(q.X, expr.Var(d+i, "q."+name))
	}
	return p, q
}

// lengths are those of the coordinates of a point, as a kernel has them.
type lengths kernel.Lengthscale

// of returns the lengthscale of coordinate i of d.
func (l lengths) of(i, d int) (float64, error) {
	switch len(l) {
	case 0:
		return 0, fmt.Errorf(`lengthscale auto: only a fit can choose it; give a number to evaluate the kernel`)
	case 1:
		return l[0], nil
	case d:
		return l[i], nil
	}
	return 0, fmt.Errorf("lengthscale: a list of %d, but points here have %d coordinates: give one number, or one per coordinate", len(l), d)
}

// distance2 is d² = Σ ((p_i - q_i)/ℓ_i)².
func distance2(p, q Point, l lengths) (*expr.Node, error) {
	sum := expr.Const(0)
	for i := range p.X {
		s, err := l.of(i, len(p.X))
		if err != nil {
			return nil, err
		}
		d := expr.Mul(expr.Const(1/s), expr.Sub(p.X[i], q.X[i]))
		sum = expr.Add(sum, expr.Mul(d, d))
	}
	return sum, nil
}

// distance is √d².
func distance(p, q Point, l lengths) (*expr.Node, error) {
	d2, err := distance2(p, q, l)
	if err != nil {
		return nil, err
	}
	return expr.Sqrt(d2), nil
}

// Part is a Term before it is compiled.
type Part struct {
	Scale  *expr.Node
	Kernel kernel.Kernel
}

// decomposer is a kernel that knows the terms it is made of, as kernels with a
// form of their own. Others are decomposed by their expression.
type decomposer interface {
	// Decompose returns the terms in the symbolic point p.
	decompose(p Point) ([]Part, error)
}
