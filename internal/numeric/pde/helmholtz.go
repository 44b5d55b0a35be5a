package pde

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/mesh"
)

// Helmholtz is -u″ - ω² u = f on an interval with u given at both ends (paper,
// section 5.2). Its Green's function is the closed form of the paper's series,
// sin(ω(min - a)) sin(ω(b - max)) / (ω sin(ω(b - a))).
type Helmholtz struct {
	Mesh  mesh.Mesh `arg:"mesh" doc:"uniform mesh of the interval"`
	Omega float64   `arg:"omega" doc:"wavenumber, in radians per unit of length" default:"20" allow:">0"`
	Left  float64   `arg:"left" doc:"u at the left end" default:"0"`
	Right float64   `arg:"right" doc:"u at the right end" default:"0"`
}

// check implements Problem. At an eigenvalue of the interval there is no unique
// solution.
func (p Helmholtz) check() error {
	if err := checkInterval(p.Mesh); err != nil {
		return err
	}
	if !(p.Omega > 0) || math.IsInf(p.Omega, 0) {
		return fmt.Errorf("omega %g: must be > 0 and finite", p.Omega)
	}
	a, b := ends(p.Mesh)
	if math.Abs(math.Sin(p.Omega*(b-a))) < 1e-9 {
		return fmt.Errorf("omega %g: an eigenvalue of the interval (a multiple of π over its length %g), so the solution is not unique; change omega a little", p.Omega, b-a)
	}
	return nil
}

func (p Helmholtz) inputMesh() mesh.Mesh { return p.Mesh }

func (p Helmholtz) outputMesh() mesh.Mesh { return p.Mesh }

func (p Helmholtz) outputs(ctx context.Context, f *mat.Dense) (*mat.Dense, error) {
	u := Unknown(p.Mesh, mesh.Mesh{})
	return outputsOf(ctx, betweenEnds(p.Mesh, p.Left, p.Right, u.Laplacian().Neg().Minus(u.Scale(p.Omega*p.Omega))), f)
}

func (p Helmholtz) greenAt(x, y []float64) float64 {
	a, b := ends(p.Mesh)
	w := p.Omega
	return math.Sin(w*(min(x[0], y[0])-a)) * math.Sin(w*(b-max(x[0], y[0]))) / (w * math.Sin(w*(b-a)))
}

func (p Helmholtz) biasAt(y []float64) float64 {
	a, b := ends(p.Mesh)
	w := p.Omega
	return (p.Left*math.Sin(w*(b-y[0])) + p.Right*math.Sin(w*(y[0]-a))) / math.Sin(w*(b-a))
}
