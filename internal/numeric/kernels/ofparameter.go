package kernels

import (
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

// OfParameter is the kernel of a family of functions G_θ(x, y): a kernel on (x, y) times
// one on the parameters θ, which are the last coordinates of the input. Functions of
// parameters that are near each other are alike.
type OfParameter struct {
	kernel.Kernel               // on x, then y
	Parameter     kernel.Kernel // on θ
	Parameters    int           // coordinates of θ
	Names         []string      // of the coordinates of Kernel; nil: those of the points
}

// Check refuses what the two kernels cannot be.
func (k OfParameter) Check() error { return checkAll([]kernel.Kernel{k.Kernel, k.Parameter}) }

func (k OfParameter) String() string { return fmt.Sprintf("%s * %s", k.Kernel, k.Parameter) }

// Split returns the space of (x, y) and that of θ.
func (k OfParameter) Split(s kernel.Space) (field, parameter kernel.Space, err error) {
	cut := s.Inputs - k.Parameters
	if cut < 1 || len(s.Names) <= s.Inputs {
		return field, parameter, fmt.Errorf("family: %d coordinates of the input, must be those of a field and %d parameters", s.Inputs, k.Parameters)
	}
	field = kernel.Space{Names: k.Names, Inputs: cut}
	if k.Names == nil {
		field.Names = append(append([]string(nil), s.Names[:cut]...), s.Names[s.Inputs:]...)
	}
	return field, kernel.Space{Names: s.Names[cut:s.Inputs]}, nil
}

// Expr implements Custom: the product of the two kernels, each on its coordinates.
func (k OfParameter) Expr(p, q Point) (*expr.Node, error) {
	field, parameter, err := k.Split(p.Space)
	if err != nil {
		return nil, err
	}
	cut, end := field.Inputs, p.Space.Inputs
	without := func(x []*expr.Node) []*expr.Node { return append(append([]*expr.Node(nil), x[:cut]...), x[end:]...) }
	a, err := Symbolic(k.Kernel, Point{X: without(p.X), Space: field}, Point{X: without(q.X), Space: field})
	if err != nil {
		return nil, err
	}
	b, err := Symbolic(k.Parameter, Point{X: p.X[cut:end], Space: parameter}, Point{X: q.X[cut:end], Space: parameter})
	if err != nil {
		return nil, fmt.Errorf("kernel of the parameters: %w", err)
	}
	return expr.Mul(a, b), nil
}

// OnCoordinate is a kernel of one coordinate of a point.
type OnCoordinate struct {
	kernel.Kernel
	At int // from 0
}

// Check refuses what the kernel cannot be.
func (k OnCoordinate) Check() error { return checkAll([]kernel.Kernel{k.Kernel}) }

func (k OnCoordinate) String() string { return k.Kernel.String() }

// Expr implements Custom. It fails on points without the coordinate.
func (k OnCoordinate) Expr(p, q Point) (*expr.Node, error) {
	if k.At >= len(p.X) {
		return nil, fmt.Errorf("coordinate %d of %d", k.At+1, len(p.X))
	}
	return Symbolic(k.Kernel, p.Part(k.At, k.At+1), q.Part(k.At, k.At+1))
}
