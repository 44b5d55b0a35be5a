package kernel

import (
	"fmt"
	"math"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/expr"
)

// Kernel is a positive semi-definite function of two points: a parameter struct such as
// [Matern], of which [Catalog] lists the named ones; a combination such as [Sum] or [Tensor];
// or [Defined] by a formula. [Compile] makes it ready to be evaluated. A type of another
// package becomes one by embedding a Kernel and being [Custom].
type Kernel interface {
	expr(p, q Point) (*expr.Node, error)
	// String is the kernel as a formula of named kernels with their parameters.
	String() string
}

// Custom is a kernel of another package, whose own expression takes the place of that of the
// Kernel it embeds, which may be nil.
type Custom interface {
	Kernel
	// Expr returns k(p, q). It fails when the kernel cannot take points of this
	// space: a list of lengthscales of another length, say.
	Expr(p, q Point) (*expr.Node, error)
}

// Checker is a [Custom] kernel with parameters that can be wrong.
type Checker interface {
	Check() error
}

// Expr returns k(p, q). It fails when the kernel cannot take points of their space: a list of
// lengthscales of another length, say.
func Expr(k Kernel, p, q Point) (*expr.Node, error) {
	if c, ok := k.(Custom); ok {
		return c.Expr(p, q)
	}
	return k.expr(p, q)
}

// Check refuses parameters that a kernel cannot have. [Compile] asks it first.
func Check(k Kernel) error {
	switch k := k.(type) {
	case Checker:
		return k.Check()
	case interface{ check() error }:
		return k.check()
	}
	return nil
}

// Space describes the coordinates of a point.
type Space struct {
	Names  []string // one per coordinate
	Inputs int      // the first Inputs coordinates belong to the input; 0 when there is no such split
}

// Dim is the number of coordinates.
func (s Space) Dim() int { return len(s.Names) }

// Line is the space of one coordinate x.
func Line() Space { return Space{Names: []string{"x"}} }

// Point is a symbolic point of a space.
type Point struct {
	X     []*expr.Node // one per coordinate
	Space Space
}

// Part returns the coordinates from up to, excluding, to as a point without a
// split.
func (p Point) Part(from, to int) Point {
	return Point{X: p.X[from:to], Space: Space{Names: p.Space.Names[from:to]}}
}

// Points returns the symbolic points p and q of a space: the coordinates of p
// are in slots 0 … d-1, those of q in d … 2d-1.
func Points(s Space) (p, q Point) {
	d := s.Dim()
	p, q = Point{Space: s}, Point{Space: s}
	for i, name := range s.Names {
		p.X = append(p.X, expr.Var(i, "p."+name))
		q.X = append(q.X, expr.Var(d+i, "q."+name))
	}
	return p, q
}

// Lengthscale holds one positive length for all coordinates, or one per
// coordinate. Nil means that the fit is to choose it.
type Lengthscale []float64

// Auto is the lengthscale that a fit chooses.
var Auto = Lengthscale(nil)

// String is the length, or the list of them in braces; auto where a fit is to choose.
func (l Lengthscale) String() string {
	switch len(l) {
	case 0:
		return "auto"
	case 1:
		return fmt.Sprintf("%v", l[0])
	}
	s := make([]string, len(l))
	for i, v := range l {
		s[i] = fmt.Sprintf("%v", v)
	}
	return "{" + strings.Join(s, ", ") + "}"
}

func (l Lengthscale) check() error {
	for i, v := range l {
		name := "lengthscale"
		if len(l) > 1 {
			name = fmt.Sprintf("lengthscale[%d] =", i+1)
		}
		switch {
		case !(v > 0) || math.IsInf(v, 0):
			return fmt.Errorf("%s %g: must be > 0 and finite", name, v)
		case math.IsInf(1/v, 0):
			return fmt.Errorf("%s %g: is too small for its reciprocal to be a number", name, v)
		}
	}
	return nil
}

// of returns the lengthscale of coordinate i of d.
func (l Lengthscale) of(i, d int) (float64, error) {
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
func distance2(p, q Point, l Lengthscale) (*expr.Node, error) {
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
func distance(p, q Point, l Lengthscale) (*expr.Node, error) {
	d2, err := distance2(p, q, l)
	if err != nil {
		return nil, err
	}
	return expr.Sqrt(d2), nil
}
