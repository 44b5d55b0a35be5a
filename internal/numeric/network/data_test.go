package network

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/stats"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// cubic are n pairs of -u″ + c(x) u³ = f, u(0) = u(1) = 0, by second differences on m points
// and Newton's method to rounding: the outputs solve the discrete equation on the data's own
// mesh. Inputs are sums of the first sines and cosines.
func cubic(t testing.TB, n, m int, size float64, c func(x float64) float64, seed uint64) *dataset.Table {
	t.Helper()
	on := mesh.Must(mesh.Uniform(0, 1, m, "x"))
	x := on.Points()
	h := 1 / float64(m-1)
	rng := rand.New(rand.NewPCG(seed, 1))
	f, u := array.New(n, m), array.New(n, m)
	for i := range n {
		in, out := f.Data[i*m:(i+1)*m], u.Data[i*m:(i+1)*m]
		for k := range 8 {
			a, b := size*rng.NormFloat64()/(1+float64(k)), size*rng.NormFloat64()/(1+float64(k))
			for j := range x {
				in[j] += a*math.Sin(math.Pi*float64(k+1)*x[j]) + b*math.Cos(math.Pi*float64(k)*x[j])
			}
		}
		for range 50 {
			a, r := mat.NewDense(m, m, nil), mat.NewVecDense(m, nil)
			a.Set(0, 0, 1)
			a.Set(m-1, m-1, 1)
			for j := 1; j < m-1; j++ {
				r.SetVec(j, in[j]-((2*out[j]-out[j-1]-out[j+1])/(h*h)+c(x[j])*out[j]*out[j]*out[j]))
				a.Set(j, j, 2/(h*h)+3*c(x[j])*out[j]*out[j])
				a.Set(j, j-1, -1/(h*h))
				a.Set(j, j+1, -1/(h*h))
			}
			var d mat.VecDense
			if err := d.SolveVec(a, r); err != nil {
				t.Fatal(err)
			}
			for j := range out {
				out[j] += d.AtVec(j)
			}
			if mat.Norm(&d, math.Inf(1)) < 1e-14 {
				break
			}
		}
	}
	return pairs(t, f, u, on, on)
}

func pairs(t testing.TB, f, u *array.Array, x, y mesh.Mesh) *dataset.Table {
	t.Helper()
	d, err := dataset.NewTable(dataset.TableSpec{
		Input: map[string]*array.Array{"f": f}, Output: map[string]*array.Array{"u": u},
		InputMesh: dataset.Meshes{All: x}, OutputMesh: dataset.Meshes{All: y},
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func constant(c float64) func(float64) float64 { return func(float64) float64 { return c } }

// power is the channel u^p.
func power(p float64) Channel {
	name := "u" + string(rune('0'+int(p)))
	return Channel{Name: name, Map: expr.Of(expr.OpPow, expr.Var(0, "u"), expr.Const(p)), Atoms: []Atom{{}}, Text: "u^" + name[1:]}
}

// given are kernels of all terms, so that a fit takes no time to choose them.
func given(names ...string) map[string]kernel.Kernel {
	k := kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.3}}
	all := map[string]kernel.Kernel{}
	for _, name := range names {
		all[name] = kernel.Tensor{Input: k, Output: k}
	}
	return all
}

// split leaves the last pairs out.
func split(t testing.TB, d *dataset.Table, left int) (train, test *dataset.Table) {
	t.Helper()
	rows := make([]int, d.N())
	for i := range rows {
		rows[i] = i
	}
	train, err := d.Select(rows[:d.N()-left])
	if err != nil {
		t.Fatal(err)
	}
	if test, err = d.Select(rows[d.N()-left:]); err != nil {
		t.Fatal(err)
	}
	return train, test
}

func testError(t testing.TB, e *Estimate, test *dataset.Table) float64 {
	t.Helper()
	p, err := e.Predict(t.Context(), test, test.Outputs[0].Mesh)
	if err != nil {
		t.Fatal(err)
	}
	errs, err := dataset.RelativeErrors(array.FromMatrix(p.U), test.Outputs[0].Values)
	if err != nil {
		t.Fatal(err)
	}
	s, err := stats.Summarize(errs)
	if err != nil {
		t.Fatal(err)
	}
	return s.Mean
}

func spec(d *dataset.Table, channels ...Channel) Spec {
	names := []string{"f"}
	for _, c := range channels {
		names = append(names, c.Name)
	}
	return Spec{Model: model.Spec{Data: d, Kernels: given(names...)}, Channels: channels}
}
