package pde

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/mesh"
)

// Poisson is -u″ = f on an interval with u given at both ends (paper, section
// 5.1). G(x,y) is (min - a)(b - max)/(b - a), β the line through the end values.
type Poisson struct {
	Mesh  mesh.Mesh `arg:"mesh" doc:"uniform mesh of the interval"`
	Left  float64   `arg:"left" doc:"u at the left end" default:"0"`
	Right float64   `arg:"right" doc:"u at the right end" default:"0"`
}

func (p Poisson) check() error { return checkInterval(p.Mesh) }

func (p Poisson) inputMesh() mesh.Mesh { return p.Mesh }

func (p Poisson) outputMesh() mesh.Mesh { return p.Mesh }

func (p Poisson) outputs(ctx context.Context, f *mat.Dense) (*mat.Dense, error) {
	u := Unknown(p.Mesh, mesh.Mesh{})
	return outputsOf(ctx, betweenEnds(p.Mesh, p.Left, p.Right, u.Laplacian().Neg()), f)
}

// betweenEnds is an operator on an interval with u given at both ends.
func betweenEnds(m mesh.Mesh, left, right float64, o *Operator) Definition {
	x := m.Names()[0]
	return Definition{Mesh: m, Operator: o, Boundary: map[string]Side{
		x + "-": {Dirichlet: Constant(left)}, x + "+": {Dirichlet: Constant(right)},
	}}
}

func (p Poisson) greenAt(x, y []float64) float64 {
	a, b := ends(p.Mesh)
	return (min(x[0], y[0]) - a) * (b - max(x[0], y[0])) / (b - a)
}

func (p Poisson) biasAt(y []float64) float64 {
	a, b := ends(p.Mesh)
	return (p.Left*(b-y[0]) + p.Right*(y[0]-a)) / (b - a)
}
