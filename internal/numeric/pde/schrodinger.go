package pde

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/mesh"
)

// Schrodinger is Δu - V u = 0 on a rectangle (paper, section 5.3). The input is u
// on the boundary, as a function of arc length; the output is u inside, by
// five-point differences.
//
// The boundary is walked from the first point of the mesh along side 1, the first
// row of the array, then down its last column, back along the last row and up the
// first column; both ends of the walk are the first point, which takes their mean.
type Schrodinger struct {
	Mesh      mesh.Mesh   `arg:"mesh" doc:"product of two uniform meshes, such as mesh.uniform(0, 1, 50) * mesh.uniform(0, 1, 50)"`
	Potential Coefficient `arg:"potential" doc:"V, a function of the two coordinates"`
}

func (p Schrodinger) check() error {
	if err := checkRectangle(p.Mesh, 3); err != nil {
		return err
	}
	if p.Potential == nil {
		return fmt.Errorf("potential: missing; the paper's is a hexagon")
	}
	return nil
}

// inputMesh implements Problem: arc length s around the boundary, ends included.
func (p Schrodinger) inputMesh() mesh.Mesh { return arcLength(p.Mesh) }

func (p Schrodinger) outputMesh() mesh.Mesh { return p.Mesh }

func (p Schrodinger) outputs(ctx context.Context, f *mat.Dense) (*mat.Dense, error) {
	if _, err := values("potential", p.Potential, p.Mesh); err != nil {
		return nil, err
	}
	u := Unknown(p.Mesh, mesh.Mesh{})
	d := aroundEdge(p.Mesh, Side{Dirichlet: InputValue{}}, u.Times(p.Potential).Minus(u.Laplacian()))
	d.Input = InputBoundary
	return outputsOf(ctx, d, f)
}
