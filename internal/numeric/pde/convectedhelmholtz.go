package pde

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/mesh"
)

// ConvectedHelmholtz is -u″ + Velocity u′ - Wavenumber² u = f on an interval with u
// given at both ends: waves in a medium that moves and varies. Its Green's function
// is not symmetric, and computed column by column.
type ConvectedHelmholtz struct {
	Mesh       mesh.Mesh   `arg:"mesh" doc:"uniform mesh of the interval"`
	Velocity   Coefficient `arg:"velocity" doc:"factor of u′, 1 / length, a function of x" default:"1"`
	Wavenumber Coefficient `arg:"wavenumber" doc:"in radians per unit of length, a function of x" default:"10"`
	Left       float64     `arg:"left" doc:"u at the left end" default:"0"`
	Right      float64     `arg:"right" doc:"u at the right end" default:"0"`
}

func (p ConvectedHelmholtz) check() error {
	if err := checkInterval(p.Mesh); err != nil {
		return err
	}
	if _, err := values("velocity", p.Velocity, p.Mesh); err != nil {
		return err
	}
	_, err := values("wavenumber", p.Wavenumber, p.Mesh)
	return err
}

func (p ConvectedHelmholtz) inputMesh() mesh.Mesh { return p.Mesh }

func (p ConvectedHelmholtz) outputMesh() mesh.Mesh { return p.Mesh }

// outputs implements Problem. It refuses coefficients for which u is not unique.
func (p ConvectedHelmholtz) outputs(ctx context.Context, f *mat.Dense) (*mat.Dense, error) {
	u := Unknown(p.Mesh, mesh.Mesh{})
	o := u.Grad()[0].Times(p.Velocity).Minus(u.Laplacian()).Minus(u.Times(times(p.Wavenumber, p.Wavenumber)))
	d, err := Define(ctx, betweenEnds(p.Mesh, p.Left, p.Right, o))
	if err != nil {
		return nil, err
	}
	return d.outputs(ctx, f)
}
