package kernels

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Coregional is the kernel of several outputs that have their inputs in common: the values
// of output o and of output o' have the covariance B[o][o'] times a kernel. The number of the
// output, from 0, is the first coordinate of the output.
type Coregional struct {
	kernel.Kernel           // nil: one, so that every output is constant
	Covariance    []float64 // B, row-major, symmetric and positive semi-definite
}

// OutputName is the coordinate that tells outputs apart; users cannot give it to an axis.
const OutputName = "(output)"

func (k Coregional) outputs() int { return int(math.Round(math.Sqrt(float64(len(k.Covariance))))) }

// Check refuses a covariance that is not square, finite and symmetric.
func (k Coregional) Check() error {
	n := k.outputs()
	if n < 1 || n*n != len(k.Covariance) {
		return fmt.Errorf("covariance: has %d numbers, must be n × n", len(k.Covariance))
	}
	for i := range n {
		for j := range n {
			b := k.Covariance[i*n+j]
			if math.IsNaN(b) || math.IsInf(b, 0) || b != k.Covariance[j*n+i] || i == j && b < 0 {
				return fmt.Errorf("covariance: must be finite, symmetric and not negative on its diagonal")
			}
		}
	}
	if k.Kernel == nil {
		return nil
	}
	return checkAll([]kernel.Kernel{k.Kernel})
}

func (k Coregional) String() string {
	own := fmt.Sprintf("coregional(%v)", k.Covariance)
	if k.Kernel == nil {
		return own
	}
	return own + " * " + k.Kernel.String()
}

// Between is the covariance between outputs of the given numbers.
func (k Coregional) Between(outputs []float64) *mat.Dense {
	n, m := k.outputs(), len(outputs)
	at := func(x float64) int { return min(max(int(math.Floor(x+0.5)), 0), n-1) }
	b := mat.NewDense(m, m, nil)
	for i, x := range outputs {
		for j, y := range outputs {
			b.Set(i, j, k.Covariance[at(x)*n+at(y)])
		}
	}
	return b
}

// Each is the space of Kernel for points of s.
func (k Coregional) Each(s kernel.Space) (kernel.Space, error) {
	at := s.Inputs
	if at >= len(s.Names) {
		return kernel.Space{}, fmt.Errorf("coregional: points have no coordinate of the output")
	}
	names := append([]string(nil), s.Names[:at]...)
	return kernel.Space{Names: append(names, s.Names[at+1:]...), Inputs: at}, nil
}

// Expr implements Custom: the covariance of the outputs of p and q times the kernel of the rest.
func (k Coregional) Expr(p, q Point) (*expr.Node, error) {
	each, err := k.Each(p.Space)
	if err != nil {
		return nil, err
	}
	without := func(p Point) Point {
		x := append([]*expr.Node(nil), p.X[:each.Inputs]...)
		return Point{X: append(x, p.X[each.Inputs+1:]...), Space: each}
	}
	inner := expr.Const(1)
	if k.Kernel != nil {
		if inner, err = Symbolic(k.Kernel, without(p), without(q)); err != nil {
			return nil, err
		}
	}
	n, sum := k.outputs(), expr.Const(0)
	for i := range n {
		row := expr.Const(0)
		for j := range n {
			if b := k.Covariance[i*n+j]; b != 0 {
				row = expr.Add(row, expr.Mul(expr.Const(b), isOutput(q.X[each.Inputs], j, n)))
			}
		}
		sum = expr.Add(sum, expr.Mul(isOutput(p.X[each.Inputs], i, n), row))
	}
	return expr.Mul(sum, inner), nil
}

// isOutput is 1 where the output of a number is the nearest one, of two the upper: a number
// in between is one of them, too.
func isOutput(x *expr.Node, i, n int) *expr.Node {
	below := func(edge float64) *expr.Node { return expr.LT(x, expr.Const(edge)) }
	switch {
	case n == 1:
		return expr.Const(1)
	case i == 0:
		return below(0.5)
	case i == n-1:
		return expr.Sub(expr.Const(1), below(float64(i)-0.5))
	}
	return expr.Sub(below(float64(i)+0.5), below(float64(i)-0.5))
}
