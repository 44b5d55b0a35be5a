package kernel

import (
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/expr"
)

// OfParameter is the kernel of a family of functions G_θ(x, y): a kernel on (x, y) times
// one on the parameters θ, which are the last coordinates of the input. Functions of
// parameters that are near each other are alike.
type OfParameter struct {
	Kernel     Kernel   // on x, then y
	Parameter  Kernel   // on θ
	Parameters int      // coordinates of θ
	Names      []string // of the coordinates of Kernel; nil: those of the points
}

func (k OfParameter) check() error { return checkAll([]Kernel{k.Kernel, k.Parameter}) }

func (k OfParameter) String() string { return fmt.Sprintf("%s * %s", k.Kernel, k.Parameter) }

// Split returns the space of (x, y) and that of θ.
func (k OfParameter) Split(s Space) (field, parameter Space, err error) {
	cut := s.Inputs - k.Parameters
	if cut < 1 || len(s.Names) <= s.Inputs {
		return field, parameter, fmt.Errorf("family: %d coordinates of the input, must be those of a field and %d parameters", s.Inputs, k.Parameters)
	}
	field = Space{Names: k.Names, Inputs: cut}
	if k.Names == nil {
		field.Names = append(append([]string(nil), s.Names[:cut]...), s.Names[s.Inputs:]...)
	}
	return field, Space{Names: s.Names[cut:s.Inputs]}, nil
}

func (k OfParameter) expr(p, q Point) (*expr.Node, error) {
	field, parameter, err := k.Split(p.Space)
	if err != nil {
		return nil, err
	}
	cut, end := field.Inputs, p.Space.Inputs
	without := func(x []*expr.Node) []*expr.Node { return append(append([]*expr.Node(nil), x[:cut]...), x[end:]...) }
	a, err := Expr(k.Kernel, Point{X: without(p.X), Space: field}, Point{X: without(q.X), Space: field})
	if err != nil {
		return nil, err
	}
	b, err := Expr(k.Parameter, Point{X: p.X[cut:end], Space: parameter}, Point{X: q.X[cut:end], Space: parameter})
	if err != nil {
		return nil, fmt.Errorf("kernel of the parameters: %w", err)
	}
	return expr.Mul(a, b), nil
}

// OnCoordinate is a kernel of one coordinate of a point.
type OnCoordinate struct {
	Kernel Kernel
	At     int // from 0
}

func (k OnCoordinate) check() error { return checkAll([]Kernel{k.Kernel}) }

func (k OnCoordinate) String() string { return k.Kernel.String() }

func (k OnCoordinate) expr(p, q Point) (*expr.Node, error) {
	if k.At >= len(p.X) {
		return nil, fmt.Errorf("coordinate %d of %d", k.At+1, len(p.X))
	}
	return Expr(k.Kernel, p.Part(k.At, k.At+1), q.Part(k.At, k.At+1))
}
