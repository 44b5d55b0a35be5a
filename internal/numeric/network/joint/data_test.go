package joint

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// semilinear are n pairs of -u″ + 4u + c u³ = f, u(0) = u(1) = 0, on m points by second
// differences and Newton's method to rounding.
func semilinear(t testing.TB, n, m int, size, c float64, seed uint64) *dataset.Dataset {
	t.Helper()
	return made(t, n, m, size, seed, func(f, u []float64) { solveCubic(t, f, u, c) })
}

func made(t testing.TB, n, m int, size float64, seed uint64, solve func(f, u []float64)) *dataset.Dataset {
	t.Helper()
	on := mesh.Must(mesh.Uniform(0, 1, m, "x"))
	x := on.Points()
	rng := rand.New(rand.NewPCG(seed, 1))
	f, u := array.New(n, m), array.New(n, m)
	for i := range n {
		in := f.Data[i*m : (i+1)*m]
		for k := range 8 {
			a, b := size*rng.NormFloat64()/(1+float64(k)), size*rng.NormFloat64()/(1+float64(k))
			for j := range x {
				in[j] += a*math.Sin(math.Pi*float64(k+1)*x[j]) + b*math.Cos(math.Pi*float64(k)*x[j])
			}
		}
		solve(in, u.Data[i*m:(i+1)*m])
	}
	d, err := dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: on, OutputMesh: on})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func solveCubic(t testing.TB, in, out []float64, c float64) {
	t.Helper()
	m := len(in)
	h := 1 / float64(m-1)
	for range 60 {
		a, r := mat.NewDense(m, m, nil), mat.NewVecDense(m, nil)
		a.Set(0, 0, 1)
		a.Set(m-1, m-1, 1)
		for j := 1; j < m-1; j++ {
			r.SetVec(j, in[j]-((2*out[j]-out[j-1]-out[j+1])/(h*h)+4*out[j]+c*out[j]*out[j]*out[j]))
			a.Set(j, j, 2/(h*h)+4+3*c*out[j]*out[j])
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
			return
		}
	}
	t.Fatal("Newton's method does not converge")
}

// hidden are pairs of -w″ = f and then -u″ = w²: u is even in f, so that no linear map of f says
// anything of it.
func hidden(t testing.TB, n, m int, size float64, seed uint64) *dataset.Dataset {
	t.Helper()
	poisson := func(in []float64) []float64 {
		out := make([]float64, len(in))
		solveLinear(in, out)
		return out
	}
	return made(t, n, m, size, seed, func(f, u []float64) {
		w := poisson(f)
		for j := range w {
			w[j] *= w[j]
		}
		copy(u, poisson(w))
	})
}

// solveLinear solves -u″ = f by elimination.
func solveLinear(in, out []float64) {
	m := len(in)
	h := 1 / float64(m-1)
	c, d := make([]float64, m), make([]float64, m)
	for j := 1; j < m-1; j++ {
		b := 2 + c[j-1]
		c[j], d[j] = -1/b, (h*h*in[j]+d[j-1])/b
	}
	for j := m - 2; j > 0; j-- {
		out[j] = d[j] - c[j]*out[j+1]
	}
}

// burgers are f and u of u_t + u u_x = .02 u_xx at the time .3, which is f at 0: by upwind differences.
func burgers(t testing.TB, n, m int, seed uint64) *dataset.Dataset {
	t.Helper()
	const viscosity, last = 0.02, 0.3
	return made(t, n, m, 1, seed, func(f, u []float64) {
		h, top := 1/float64(m-1), mat.Norm(mat.NewVecDense(m, f), math.Inf(1))
		flux := func(a, b float64) float64 { return (a*a+b*b)/4 - max(math.Abs(a), math.Abs(b))*(b-a)/2 }
		steps := 1 + int(last/min(0.2*h*h/viscosity, 0.3*h/top))
		dt := last / float64(steps)
		copy(u, f)
		for range steps {
			v := append([]float64(nil), u...)
			for j := 1; j < m-1; j++ {
				u[j] += dt/h*(flux(v[j-1], v[j])-flux(v[j], v[j+1])) + viscosity*dt/(h*h)*(v[j+1]-2*v[j]+v[j-1])
			}
		}
	})
}

// drawnTruth are outputs of a network of two layers with tanh, drawn from the priors.
func drawnTruth(t testing.TB, n, m int, seed uint64) *dataset.Dataset {
	t.Helper()
	d := made(t, n, m, 20, seed, solveLinear)
	p, err := newProblem(t.Context(), &Spec{Data: d, Layers: 2, Activations: []Activation{tanh()}, Kernel: matern(0.3), Lambda: 1})
	if err != nil {
		t.Fatal(err)
	}
	rng, c := rand.New(rand.NewPCG(seed, 9)), p.chain
	w := c.zero()
	for k, v := range w.v {
		for i := range v.RawMatrix().Data {
			v.RawMatrix().Data[i] = rng.NormFloat64()
		}
		z := c.forward(t.Context(), w).z[k].RawMatrix().Data
		v.Scale(2*math.Sqrt(float64(len(z)))/floats.Norm(z, 2), v)
	}
	d.Output = arrayOf(c.forward(t.Context(), w).u[2])
	return d
}

// noisy has errors of a level relative to the root mean square of the outputs.
func noisy(d *dataset.Dataset, level float64) *dataset.Dataset {
	rng := rand.New(rand.NewPCG(5, 9))
	out := append([]float64(nil), d.Output.Data...)
	size := floats.Norm(out, 2) / math.Sqrt(float64(len(out)))
	for i := range out {
		out[i] += level * size * rng.NormFloat64()
	}
	other := *d
	other.Output = &array.Array{Shape: d.Output.Shape, Data: out}
	return &other
}

func of(op expr.Op) Activation {
	return Activation{Map: expr.Of(op, expr.Var(0, "z")), Text: "σ"}
}

func tanh() Activation { return of(expr.OpTanh) }

func square() Activation {
	return Activation{Map: expr.Of(expr.OpPow, expr.Var(0, "z"), expr.Const(2)), Text: "z^2"}
}

func matern(l float64) kernel.Kernel {
	k := kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{l}}
	return kernel.Tensor{Input: k, Output: k}
}

func split(t testing.TB, d *dataset.Dataset, left int) (train, test *dataset.Dataset) {
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
