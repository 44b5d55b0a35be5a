package gram

import (
	"context"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Output is the operator of a kernel on the output mesh alone, such as that of
// the bias: a Product whose input is a single point.
func Output(ctx context.Context, q kernel.Kernel, y mesh.Mesh, o Options) (Product, string, error) {
	var k kernel.Kernel = OnOutput{q}
	if c, ok := q.(kernels.Caller); ok {
		k = kernels.OnLast(c, 1)
	}
	f, err := kernels.Compile(k, kernel.Space{Names: append([]string{PointName}, y.Names()...), Inputs: 1})
	if err != nil {
		return nil, "", err
	}
	point, err := mesh.New(Point())
	if err != nil {
		return nil, "", err
	}
	return Self(ctx, f, point, y, o)
}

// PointName is the coordinate of Point; users cannot give it to an axis.
const PointName = "(point)"

// Point is the axis of one point, for a side that has no coordinates. It has a
// step, so that it does not stand in the way of a Toeplitz structure.
func Point() mesh.Axis {
	return mesh.Axis{
		Names: []string{PointName}, Coordinates: []float64{0}, Weights: []float64{1},
		Rule: mesh.TrapezoidRule, Lower: []float64{0}, Upper: []float64{1}, Step: 1,
	}
}

// OnOutput is a kernel of the output on points of input and output.
type OnOutput struct{ kernel.Kernel }

// Check refuses what the kernel inside cannot be.
func (k OnOutput) Check() error { return kernel.Check(k.Kernel) }

// Expr implements kernels.Custom.
func (k OnOutput) Expr(p, q kernels.Point) (*expr.Node, error) {
	m, d := p.Space.Inputs, len(p.X)
	return kernels.Symbolic(k.Kernel, p.Part(m, d), q.Part(m, d))
}

// Mixture implements kernels.Mixer: nothing depends on the input.
func (k OnOutput) Mixture(least []float64, tol float64) []kernels.Gaussian {
	terms, _ := kernels.Mixture(k.Kernel, least[1:], tol)
	terms = slices.Clone(terms)
	for i := range terms {
		terms[i].Rates = append([]float64{0}, terms[i].Rates...)
	}
	return terms
}
