package fit_test

import (
	"testing"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/pde"
	"github.com/greenbench/workbench/numeric/randfield"
)

// pairs are n noisy pairs of the Poisson problem on a mesh.
func pairs(t testing.TB, m mesh.Mesh, n int, noise float64, seed uint64) *dataset.Dataset {
	t.Helper()
	f, err := randfield.Field{Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.2}}, Mesh: m, N: n, Seed: seed}.Draw(ctx)
	if err != nil {
		t.Fatal(err)
	}
	in, err := f.Matrix()
	if err != nil {
		t.Fatal(err)
	}
	u, err := pde.Solve(ctx, pde.Poisson{Mesh: m, Left: -0.1, Right: 0.1}, in)
	if err != nil {
		t.Fatal(err)
	}
	d, err := dataset.New(dataset.Spec{Input: f, Output: array.FromMatrix(u), InputMesh: m, OutputMesh: m})
	if err != nil {
		t.Fatal(err)
	}
	if noise == 0 {
		return d
	}
	if d, err = d.Noise(noise, seed); err != nil {
		t.Fatal(err)
	}
	return d
}
