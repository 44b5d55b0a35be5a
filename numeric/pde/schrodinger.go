package pde

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/linop"
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
	Mesh      mesh.Mesh   `lua:"mesh" doc:"product of two uniform meshes, such as mesh.uniform(0, 1, 50) * mesh.uniform(0, 1, 50)"`
	Potential Coefficient `lua:"potential" doc:"V, a function of the two coordinates"`
}

// Check implements Problem.
func (p Schrodinger) Check() error {
	if err := checkMesh("mesh", p.Mesh, 2, "mesh.uniform(0, 1, 50) * mesh.uniform(0, 1, 50)"); err != nil {
		return err
	}
	for _, a := range p.Mesh.Axes() {
		if err := checkAxis("mesh", a, 3); err != nil {
			return err
		}
	}
	if p.Potential == nil {
		return fmt.Errorf("potential: missing; the paper's is pde.hexagon{}")
	}
	return nil
}

// InputMesh implements Problem: arc length s around the boundary, ends included.
func (p Schrodinger) InputMesh() mesh.Mesh { return arcLength(p.Mesh) }

// OutputMesh implements Problem.
func (p Schrodinger) OutputMesh() mesh.Mesh { return p.Mesh }

// Outputs implements Problem.
func (p Schrodinger) Outputs(ctx context.Context, f *mat.Dense) (*mat.Dense, error) {
	s, err := p.discretise()
	if err != nil {
		return nil, err
	}
	return s.outputs(ctx, f)
}

func (p Schrodinger) discretise() (steady, error) {
	v, err := values("potential", p.Potential, p.Mesh)
	if err != nil {
		return steady{}, err
	}
	x, y := p.Mesh.Axes()[0], p.Mesh.Axes()[1]
	nx, ny := x.Size(), y.Size()
	cx, cy := 1/(x.Step*x.Step), 1/(y.Step*y.Step)
	var a, b []linop.Entry
	for i := 1; i < nx-1; i++ {
		for j := 1; j < ny-1; j++ {
			k := i*ny + j
			a = append(a,
				linop.Entry{Row: k, Col: k, Value: 2*cx + 2*cy + v[k]},
				linop.Entry{Row: k, Col: k - ny, Value: -cx}, linop.Entry{Row: k, Col: k + ny, Value: -cx},
				linop.Entry{Row: k, Col: k - 1, Value: -cy}, linop.Entry{Row: k, Col: k + 1, Value: -cy})
		}
	}
	walk := perimeter(nx, ny)
	for _, at := range walk[1:] {
		a = append(a, linop.Entry{Row: at, Col: at, Value: 1})
	}
	for k, at := range walk {
		weight := 1.0
		if at == walk[0] {
			weight = 0.5
		}
		b = append(b, linop.Entry{Row: at, Col: k, Value: weight})
	}
	return steady{matrix: linop.NewSparse(nx*ny, nx*ny, a), input: linop.NewSparse(nx*ny, len(walk), b)}, nil
}

func (p Schrodinger) String() string {
	return fmt.Sprintf("pde.schrodinger{mesh=%s, potential=%s}", p.Mesh, p.Potential)
}
