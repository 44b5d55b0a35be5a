package pde

import (
	"context"
	"fmt"

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

// Check implements Problem.
func (p Poisson) Check() error { return checkInterval(p.Mesh) }

// InputMesh implements Problem.
func (p Poisson) InputMesh() mesh.Mesh { return p.Mesh }

// OutputMesh implements Problem.
func (p Poisson) OutputMesh() mesh.Mesh { return p.Mesh }

// Outputs implements Problem.
func (p Poisson) Outputs(ctx context.Context, f *mat.Dense) (*mat.Dense, error) {
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

// GreenAt implements Known.
func (p Poisson) GreenAt(x, y []float64) float64 {
	a, b := ends(p.Mesh)
	return (min(x[0], y[0]) - a) * (b - max(x[0], y[0])) / (b - a)
}

// BiasAt implements Known.
func (p Poisson) BiasAt(y []float64) float64 {
	a, b := ends(p.Mesh)
	return (p.Left*(b-y[0]) + p.Right*(y[0]-a)) / (b - a)
}

func (p Poisson) String() string {
	return fmt.Sprintf("poisson{mesh=%s, left=%v, right=%v}", p.Mesh, p.Left, p.Right)
}
