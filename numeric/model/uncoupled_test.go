package model

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model/internal/sizes"
)

// Outputs whose covariances are diagonal are those learned by themselves, each with penalties
// over what it has on the diagonal.
func TestDiagonalCouplingIsNone(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	random := func(shape ...int) *array.Array {
		a := array.New(shape...)
		for i := range a.Data {
			a.Data[i] = rng.NormFloat64()
		}
		return a
	}
	m := mesh.Must(mesh.Uniform(0, 1, 7, "x"))
	d := testmain.Must(dataset.NewTable(dataset.TableSpec{
		Input: map[string]*array.Array{"f": random(9, 7), "z": random(9)}, Output: map[string]*array.Array{"u": random(9, 7), "v": random(9, 7)},
		InputMesh: dataset.Meshes{Of: map[string]mesh.Mesh{"f": m}}, OutputMesh: dataset.Meshes{All: m},
	}))(t)
	k := kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{.4}}
	s := Spec{Data: d, Kernels: map[string]kernel.Kernel{"f": k, "z": k}, Lambda: 1e-2, Rho: 3e-2, Intercept: fit.NoIntercept, Coregional: true}
	b := testmain.Must(s.newBlock(t.Context(), s.blocks()[0]))(t)
	b.coupling = &sizes.Coupling{
		Terms: [][]float64{{4, 0, 0, .5}, {1, 0, 0, 1.5}}, Bias: []float64{2, 0, 0, 5}, Units: []float64{1, 1}, Centres: []float64{0, 0}, Spreads: []float64{0, 0},
	}
	together := testmain.Must(s.solve(t.Context(), b))(t)
	for o, out := range together {
		at := 3 * o
		one := *d
		one.Outputs = d.Outputs[o : o+1]
		c := b.coupling
		alone := s
		alone.Data, alone.Coregional, alone.Rho = &one, false, s.Rho/c.Bias[at]
		alone.Amplitudes = map[string]float64{"f": c.Terms[0][at], "z": c.Terms[1][at]}
		e := testmain.Must(Fit(t.Context(), alone))(t)
		for name, ask := range map[string]func(o *Output) (*mat.Dense, error){
			"predictions": func(o *Output) (*mat.Dense, error) { return o.Predict(t.Context(), d, mesh.Mesh{}) },
			"G": func(o *Output) (*mat.Dense, error) {
				g, err := o.Term("f").Green()
				if err != nil {
					return nil, err
				}
				return g.Green(t.Context(), m, m)
			},
			"bias": func(o *Output) (*mat.Dense, error) {
				v, err := o.Bias(t.Context(), mesh.Mesh{})
				return mat.NewDense(1, len(v), v), err
			},
		} {
			got := testmain.Must(ask(out))(t)
			want := testmain.Must(ask(e.Outputs[0]))(t)
			var off mat.Dense
			off.Sub(got, want)
			if r := mat.Norm(&off, 2) / mat.Norm(want, 2); !(r < 1e-8) || math.IsNaN(r) {
				t.Errorf("%s: %s off by %.1e", out.Name, name, r)
			}
		}
	}
}
