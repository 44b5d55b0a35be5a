package gram

import (
	"context"

	"github.com/greenbench/workbench/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Output is the operator of a kernel on the output mesh alone, such as that of
// the bias: a Product whose input is a single point.
func Output(ctx context.Context, q kernel.Kernel, y mesh.Mesh, o Options) (Product, string, error) {
	f, err := kernel.Compile(outputOnly{q}, kernel.Space{Names: append([]string{pointName}, y.Names()...), Inputs: 1})
	if err != nil {
		return nil, "", err
	}
	return Self(ctx, f, point(), y, o)
}

// pointName is no name that a user can give to an axis.
const pointName = "(point)"

// point is the mesh of one point. It has a step, so that it does not stand in
// the way of a Toeplitz structure.
func point() mesh.Mesh {
	m, err := mesh.New(mesh.Axis{
		Names: []string{pointName}, Coordinates: []float64{0}, Weights: []float64{1},
		Rule: mesh.TrapezoidRule, Lower: []float64{0}, Upper: []float64{1}, Step: 1,
	})
	if err != nil {
		panic(err) // one named axis is a mesh
	}
	return m
}

// outputOnly is a kernel of the output on points of input and output.
type outputOnly struct{ kernel.Kernel }

// Check implements kernel.Checker.
func (k outputOnly) Check() error {
	if c, ok := k.Kernel.(kernel.Checker); ok {
		return c.Check()
	}
	return nil
}

// Expr implements kernel.Kernel.
func (k outputOnly) Expr(p, q kernel.Point) (*expr.Node, error) {
	m, d := p.Space.Inputs, len(p.X)
	return k.Kernel.Expr(p.Part(m, d), q.Part(m, d))
}
