package randfield_test

import (
	"context"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/progresstest"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Fields that take seconds to draw, each in its way, end with their contexts.
func TestEndsWithContext(t *testing.T) {
	se := kernel.SE{Lengthscale: kernel.Lengthscale{.1}}
	plane, err := mesh.Product(mesh.Must(mesh.Uniform(0, 1, 1000, "x")), mesh.Must(mesh.Uniform(0, 1, 1000, "y")))
	if err != nil {
		t.Fatal(err)
	}
	draws := func(f randfield.Field) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			for {
				if _, err := f.Draw(ctx); err != nil {
					return err
				}
			}
		}
	}
	progresstest.Ends(
		t,
		progresstest.Computation{Name: "by Cholesky", Run: draws(randfield.Field{Kernel: se, Mesh: mesh.Must(mesh.Gauss(0, 1, 2500, "x")), N: 10})},
		progresstest.Computation{Name: "by eigenvectors", Run: draws(randfield.Field{Kernel: se, Mesh: mesh.Must(mesh.Gauss(0, 1, 2500, "x")), N: 10, Modes: 20})},
		progresstest.Computation{Name: "by Fourier transforms", Run: draws(randfield.Field{Kernel: se, Mesh: plane, N: 20})},
		progresstest.Computation{Name: "normal numbers", Run: func(ctx context.Context) error {
			for {
				if _, err := randfield.NormalContext(ctx, 1, 5000, 5000); err != nil {
					return err
				}
			}
		}},
	)
}
