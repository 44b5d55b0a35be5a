package fit_test

import (
	"testing"

	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// pairs are n noisy pairs of the Poisson problem on a mesh.
func pairs(t testing.TB, m mesh.Mesh, n int, noise float64, seed uint64) *dataset.Dataset {
	t.Helper()
	f := testmain.Must(randfield.Field{Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.2}}, Mesh: m, N: n, Seed: seed}.Draw(ctx))(t)
	in := testmain.Must(f.Matrix())(t)
	u := testmain.Must(pde.Solve(ctx, pde.Poisson{Mesh: m, Left: -0.1, Right: 0.1}, in))(t)
	d := testmain.Must(dataset.New(dataset.Spec{Input: f, Output: array.FromMatrix(u), InputMesh: m, OutputMesh: m}))(t)
	if noise == 0 {
		return d
	}
	return testmain.Must(d.Noise(noise, seed))(t)
}
