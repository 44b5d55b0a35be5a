package gram

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// A product of rows of the kernel in parts of the columns, whole ones or not, is the product at once.
func TestProductsInParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	all, err := mesh.Product(mesh.Must(mesh.Uniform(0, 1, 6, "x")), mesh.Must(mesh.Uniform(0, 2, 5, "y")))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := mesh.Product(mesh.Must(mesh.Uniform(0, 1, 2, "x")), mesh.Must(mesh.Uniform(0, 2, 3, "y")))
	if err != nil {
		t.Fatal(err)
	}
	f, err := kernels.Compile(kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.4}}, kernel.Space{Names: []string{"x", "y"}, Inputs: 1})
	if err != nil {
		t.Fatal(err)
	}
	c := &Check{f: f, rows: rows, all: all}
	b := mat.NewDense(30, 2, nil)
	b.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, b)
	m, err := f.Gram(t.Context(), rows, all)
	if err != nil {
		t.Fatal(err)
	}
	var want mat.Dense
	want.Mul(m, b)
	for _, size := range []int{1, 7, 10, 29, 30, 31} {
		got := mat.NewDense(6, 2, []float64{9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9})
		if err := c.multiplyBy(t.Context(), got, b, size); err != nil {
			t.Fatal(err)
		}
		got.Sub(got, &want)
		if off := mat.Norm(got, math.Inf(1)); off > 1e-13 {
			t.Errorf("in parts of %d columns the product is off by %g", size, off)
		}
	}
}
