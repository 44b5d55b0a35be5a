package gram_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Between grids and scattered points, on one side or on both, the kernel has a structure, which is the kernel, and so are its factors.
func TestGridsAndScatteredPoints(t *testing.T) {
	grid := func(n int, a, b string) mesh.Mesh {
		m, err := mesh.Product(mesh.Must(mesh.Uniform(0, 1, n, a)), mesh.Must(mesh.Uniform(0, 2, n, b)))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	scattered := func(n int, names ...string) mesh.Mesh {
		rng, at := rand.New(rand.NewPCG(1, uint64(n))), make([]float64, 2*n)
		for i := range at {
			at[i] = rng.Float64()
		}
		return mesh.Must(mesh.Scattered(at, 2, nil, names...))
	}
	x, y := grid(6, "a", "b"), grid(6, "c", "d")
	for _, k := range []kernel.Kernel{
		kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{.4, .8, .5, .9}},
		kernel.SE{Lengthscale: kernel.Lengthscale{.3, .8, .4, .9}},
	} {
		f, err := kernels.Compile(k, kernel.Space{Names: []string{"a", "b", "c", "d"}, Inputs: 2})
		if err != nil {
			t.Fatal(err)
		}
		for name, on := range map[string][2]mesh.Mesh{
			"both sides":  {scattered(31, "a", "b"), scattered(29, "c", "d")},
			"the input":   {scattered(27, "a", "b"), grid(6, "c", "d")},
			"another":     {grid(6, "a", "b"), scattered(28, "c", "d")},
			"large input": {scattered(900, "a", "b"), scattered(2, "c", "d")},
		} {
			op, err := gram.Cross(t.Context(), f, on[0], on[1], x, y)
			if err != nil || gram.Evaluates(op) {
				t.Errorf("%s, scattered on %s: no structure (%v)", k, name, err)
				continue
			}
			rows, columns := op.Dims()
			w, got, product := make([]float64, columns), make([]float64, rows), mat.NewDense(on[0].Size(), on[1].Size(), nil)
			for i := range w {
				w[i] = math.Sin(float64(i))
			}
			op.Apply(t.Context(), got, w)
			if pair, ok := op.(interface {
				Terms() int
				Left(q int) mat.Matrix
				Right(q int) mat.Matrix
			}); ok {
				for q := range pair.Terms() {
					var half, whole mat.Dense
					half.Mul(pair.Left(q), mat.NewDense(x.Size(), y.Size(), w))
					whole.Mul(&half, pair.Right(q).T())
					product.Add(product, &whole)
				}
			} else if name == "both sides" {
				t.Errorf("%s, scattered on %s: no factors", k, name)
			}
			at, from := make([]float64, 4), make([]float64, 4)
			for i := 0; i < len(got); i += 37 {
				on[0].Point(at[:2], i/on[1].Size())
				on[1].Point(at[2:], i%on[1].Size())
				want := 0.0
				for j, v := range w {
					x.Point(from[:2], j/y.Size())
					y.Point(from[2:], j%y.Size())
					want += v * f.At(at, from)
				}
				if !(math.Abs(got[i]-want) <= 1e-10) || product.At(0, 0) != 0 && !(math.Abs(product.RawMatrix().Data[i]-want) <= 1e-10) {
					t.Fatalf("%s, scattered on %s: %d is %.15g, by its factors %.15g, want %.15g", k, name, i, got[i], product.RawMatrix().Data[i], want)
				}
			}
		}
	}
}
