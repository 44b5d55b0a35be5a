package sizes

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// weighed are two fields of 5 samples on meshes of different weights, with errors.
func weighed() []*dataset.Field {
	m := mesh.Must(mesh.Gauss(0, 1, 4, "y"))
	field := func(name string, e *dataset.Errors) *dataset.Field {
		v := array.New(5, 4)
		for i := range v.Data {
			v.Data[i] = math.Sin(float64(3*i + len(name)))
		}
		return &dataset.Field{Name: name, Values: v, Mesh: m, Errors: e}
	}
	c := mat.NewSymDense(4, nil)
	for i := range 4 {
		for j := range i + 1 {
			c.SetSym(i, j, 3*float64(1+i)*float64(1+j)*math.Pow(.5, float64(i-j)))
		}
	}
	return []*dataset.Field{
		field("u", &dataset.Errors{Pairs: []float64{1, 2, 3, 4, 5}, Points: []float64{.1, .2, .3, .4}}),
		field("vv", &dataset.Errors{Pairs: []float64{5, 1, 1, 1, 1}, Covariance: c}),
		field("www", nil),
	}
}

// Sizes are chosen from data of white noise: a sample of weight w is √w times one of weight one,
// with its terms, and noise of a covariance is divided by its root, so that covariances of the data by
// definition are those of white noise plus terms.
func TestReducedErrors(t *testing.T) {
	for _, out := range weighed() {
		r := testmain.Must(newReduced(t.Context(), []*dataset.Field{out}, kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, false))(t)
		plain := *out
		plain.Errors = nil
		white := testmain.Must(newReduced(t.Context(), []*dataset.Field{&plain}, kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, false))(t)
		beta, scale, err := r.bias(t.Context(), kernel.SE{Lengthscale: kernel.Lengthscale{.4}})
		if err != nil {
			t.Fatal(err)
		}
		plainBeta, plainScale, err := white.bias(t.Context(), kernel.SE{Lengthscale: kernel.Lengthscale{.4}})
		if err != nil {
			t.Fatal(err)
		}
		// In numbers that are rotations of the values: H⁻¹ forms are the same. N is the noise of the white numbers.
		n := len(white.t)
		noise := mat.NewDense(n, n, nil)
		v := white.unweighted(out.Mesh.Weights())
		for a := range n {
			for b := range n {
				if a/4 != b/4 {
					continue
				}
				sum, dy := 0.0, out.Mesh.Weights()
				for p := range 4 {
					for q := range 4 {
						c := 0.0
						if p == q {
							c = 1
						}
						if e := out.Errors; e != nil {
							if e.Covariance != nil {
								mean := 0.0
								for k, w := range dy {
									mean += w * e.Covariance.At(k, k) / 4
								}
								c = e.Covariance.At(p, q) / mean * math.Sqrt(dy[p]*dy[q])
							}
							c /= math.Sqrt(outputs.WeightOf(e, a/4, p, 4) * outputs.WeightOf(e, a/4, q, 4))
						}
						sum += v.At(p, a%4) * c * v.At(q, b%4)
					}
				}
				noise.Set(a, b, sum)
			}
		}
		form := func(h, c *mat.Dense, scale float64, t []float64) float64 {
			var all mat.Dense
			all.Scale(2*scale, c)
			all.Add(&all, h)
			var x mat.VecDense
			if err := x.SolveVec(&all, mat.NewVecDense(len(t), t)); err != nil {
				panic(err)
			}
			return mat.Dot(&x, mat.NewVecDense(len(t), t))
		}
		one := linop.Identity(n)
		got, want := form(one, beta, scale, r.t), form(noise, plainBeta, plainScale, white.t)
		if math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s: form %g, by definition %g", out.Name, got, want)
		}
	}
}
