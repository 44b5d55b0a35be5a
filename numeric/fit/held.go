package fit

import (
	"context"

	"github.com/greenbench/workbench/numeric/gram"
	"github.com/greenbench/workbench/numeric/internal/lattice"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// held is a kernel on meshes in a structure, and why in that.
type held struct {
	k   gram.Product
	why string
}

func holdKernel(ctx context.Context, s *Spec, l *lattice.Lattice, numbers float64) (*held, error) {
	if l == nil {
		l = lattice.On(s.Data.InputMesh, s.Data.OutputMesh)
	}
	f, err := kernel.Compile(l.Kernel(s.Kernel), l.Space())
	if err != nil {
		return nil, err
	}
	if err := verify(ctx, f, l.X(), l.Y()); err != nil {
		return nil, err
	}
	ready, err := checkMemory(ctx, f, l.X(), l.Y(), numbers)
	if err != nil {
		return nil, err
	}
	defer ready()
	k, why, err := gram.Self(ctx, f, l.X(), l.Y(), gram.Options{Structure: s.Structure})
	return &held{k, why}, err
}

// verify refuses a kernel that is none on the joint mesh.
func verify(ctx context.Context, f *kernel.Function, x, y mesh.Mesh) error {
	in, err := x.Rename(f.Space.Names[:x.Dim()]...)
	if err != nil {
		return err
	}
	out, err := y.Rename(f.Space.Names[x.Dim():]...)
	if err != nil {
		return err
	}
	joint, err := mesh.Product(in, out)
	if err != nil {
		return err
	}
	_, err = f.Verify(ctx, joint)
	return err
}
