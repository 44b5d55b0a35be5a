package problem

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Held is a kernel on meshes in a structure, and why in that.
type Held struct {
	K   gram.Product
	Why string
}

// HoldKernel makes it for a setting, on a lattice or, for nil, on the meshes of the data. numbers is what the
// problem takes besides it.
func HoldKernel(ctx context.Context, s *Setting, l *lattice.Lattice, numbers float64) (*Held, error) {
	ctx, end := progress.During(ctx, "structure")
	defer end()
	if l == nil {
		l = lattice.On(s.Data.InputMesh, s.Data.OutputMesh)
	}
	f, err := kernels.Compile(l.Kernel(s.Kernel), l.Space())
	if err != nil {
		return nil, err
	}
	points, err := Joint(f.Space, l.X(), l.Y())
	if err != nil {
		return nil, err
	}
	if _, err := f.Verify(ctx, points); err != nil { // it may be no kernel there
		return nil, err
	}
	if err := checkMemory(f, l.X(), l.Y(), numbers); err != nil {
		return nil, err
	}
	k, why, err := gram.Self(ctx, f, l.X(), l.Y(), gram.Options{Structure: s.Structure})
	return &Held{k, why}, err
}

// Joint is X × Y as one mesh, with the coordinates of a space.
func Joint(s kernel.Space, x, y mesh.Mesh) (mesh.Mesh, error) {
	in, err := x.Rename(s.Names[:x.Dim()]...)
	if err != nil {
		return in, err
	}
	out, err := y.Rename(s.Names[x.Dim():]...)
	if err != nil {
		return out, err
	}
	return mesh.Product(in, out)
}

// checkMemory refuses a problem that there is no memory for before anything is computed. numbers is
// what it takes besides the kernel.
func checkMemory(f *kernels.Function, x, y mesh.Mesh, numbers float64) error {
	making, held := gram.Memory(f, x, y)
	what := fmt.Sprintf("fit on %s points of the input and %s of the output:", dense.ShapeString(x.Shape()), dense.ShapeString(y.Shape()))
	if err := dense.CheckSize(what, max(making, held+numbers)); err != nil {
		return fmt.Errorf("%w; take meshes of fewer points, or fewer pairs", err)
	}
	return nil
}
