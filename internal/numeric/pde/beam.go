package pde

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Beam is the Euler–Bernoulli beam (Stiffness u″)″ = f, clamped at its left end and
// free at its right: u is the deflection under the load f.
type Beam struct {
	Mesh      mesh.Mesh   `arg:"mesh" doc:"uniform mesh along the beam"`
	Stiffness Coefficient `arg:"stiffness" doc:"bending stiffness, force × length², a smooth function of x" default:"1"`
}

func (p Beam) check() error {
	if err := checkMesh("mesh", p.Mesh, 1, remedy.GiveInterval); err != nil {
		return err
	}
	if err := checkAxis("mesh", p.Mesh.Axes()[0], 6); err != nil {
		return err
	}
	stiffness, err := values("stiffness", p.Stiffness, p.Mesh)
	if err != nil {
		return err
	}
	for i, s := range stiffness {
		if !(s > 0) {
			return fmt.Errorf("stiffness: is %g at %s: must be > 0", s, place(p.Mesh.Names(), p.Mesh.Columns(), i))
		}
	}
	return nil
}

func (p Beam) inputMesh() mesh.Mesh { return p.Mesh }

func (p Beam) outputMesh() mesh.Mesh { return p.Mesh }

func (p Beam) outputs(ctx context.Context, f *mat.Dense) (*mat.Dense, error) {
	u, x := Unknown(p.Mesh, mesh.Mesh{}), p.Mesh.Names()[0]
	return outputsOf(ctx, Definition{
		Mesh: p.Mesh, Operator: u.D(x, 2).Times(p.Stiffness).D(x, 2),
		Boundary: map[string]Side{
			x + "-": {Dirichlet: Constant(0), Neumann: Constant(0)},
			x + "+": {Second: Constant(0), Third: Constant(0)},
		},
	}, f)
}

// greenAt implements Known: ∫ (x-ξ)(y-ξ)/Stiffness(ξ) dξ from the clamped end to the
// nearer of x and y, the bending moments of the load and of a unit load where the
// deflection is asked for (Maxwell). By 40 Gauss points: exact for a constant
// stiffness.
func (p Beam) greenAt(x, y []float64) float64 {
	a, _ := ends(p.Mesh)
	nearer := min(x[0], y[0])
	if nearer <= a {
		return 0
	}
	rule, err := mesh.Gauss(a, nearer, 40, "x")
	if err != nil {
		return 0 // nearer is at the clamped end, to rounding
	}
	sum := 0.0
	for i, xi := range rule.Coordinates {
		sum += rule.Weights[i] * (x[0] - xi) * (y[0] - xi) / p.Stiffness.at([]float64{xi})
	}
	return sum
}

func (p Beam) biasAt([]float64) float64 { return 0 }
