package pde_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Definitions put together at random are refused with a reason or solved: outputs are
// finite and affine in the inputs. Nothing panics, on the smallest meshes either.
func TestRandomDefinitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	solved := 0
	for k := range 400 {
		d := randomDefinition(rng)
		p, err := pde.Define(ctx, d)
		if err != nil {
			if err.Error() == "" {
				t.Errorf("definition %d is refused without a reason", k)
			}
			continue
		}
		f := mat.NewDense(3, pde.InputMesh(p).Size(), nil)
		f.Apply(func(i, _ int, _ float64) float64 { return float64(min(i, 1)) * rng.NormFloat64() }, f)
		for j := range pde.InputMesh(p).Size() {
			f.Set(2, j, 2*f.At(1, j))
		}
		u, err := pde.Solve(ctx, p, f)
		if err != nil {
			t.Errorf("%s: %v", p, err)
			continue
		}
		solved++
		size := mat.Norm(u, math.Inf(1))
		for j := range pde.OutputMesh(p).Size() {
			d := u.At(2, j) - 2*u.At(1, j) + u.At(0, j)
			if !(math.Abs(d) <= 1e-8*(1+size)) {
				t.Errorf("%s: superposition fails by %.2g of %.2g", p, d, size)
				break
			}
		}
	}
	if solved < 50 {
		t.Errorf("only %d of 400 definitions were solved", solved)
	}
}

func randomDefinition(rng *rand.Rand) pde.Definition {
	axisOf := func(name string) mesh.Mesh {
		n := 3 + rng.IntN(12)
		if rng.IntN(5) == 0 {
			return mesh.Must(mesh.Periodic(0, 1, n, name))
		}
		return axis(0, 1, n, name)
	}
	d := pde.Definition{Mesh: axisOf("x"), Order: 2 + 2*rng.IntN(2), Boundary: map[string]pde.Side{}}
	names := []string{"x"}
	if rng.IntN(2) == 0 {
		d.Mesh, _ = mesh.Product(d.Mesh, axisOf("y"))
		names = append(names, "y")
	}
	if rng.IntN(2) == 0 {
		d.Time = axis(0, 1, 2+rng.IntN(6), "t")
		d.Scheme = []string{pde.BackwardEuler, pde.CrankNicolson, pde.Exponential}[rng.IntN(3)]
	}
	u := pde.Unknown(d.Mesh, d.Time)
	coefficient := formula(expr.Add(num(1), expr.Mul(num(rng.Float64()), expr.Sin(ex))))
	order := []int{2, 2, 2, 4, 1, 3}[rng.IntN(6)]
	o := u.Scale(rng.Float64())
	for _, name := range names {
		switch {
		case order == 2 && rng.IntN(2) == 0:
			o = o.Minus(u.D(name, 1).Times(coefficient).D(name, 1))
		case order == 4:
			o = o.Plus(u.D(name, 4).Times(coefficient))
		default:
			o = o.Plus(u.D(name, order).Scale(map[int]float64{1: 1, 2: -1, 3: 1}[order]))
		}
		if rng.IntN(3) == 0 {
			o = o.Plus(u.D(name, 1).Times(coefficient))
		}
	}
	if len(names) == 2 && rng.IntN(3) == 0 {
		o = o.Plus(u.D("x", 1).D("y", 1).Scale(0.1))
	}
	if d.Time.Size() > 0 {
		o = o.Plus(u.D("t", 1+rng.IntN(2)))
	}
	d.Operator = o
	conditions := (order + 1) / 2
	for _, name := range names {
		for s, key := range []string{name + "-", name + "+"} {
			if order%2 == 1 && s == 1 {
				conditions = order / 2
			}
			d.Boundary[key] = randomSide(rng, conditions)
		}
	}
	for _, a := range d.Mesh.Axes() {
		if a.Period > 0 {
			delete(d.Boundary, a.Names[0]+"-")
			delete(d.Boundary, a.Names[0]+"+")
		}
	}
	switch rng.IntN(4) {
	case 0:
		d.Input = pde.InputInitial
	case 1:
		d.Input = pde.InputBoundary
		for key, side := range d.Boundary {
			if side.Dirichlet != nil {
				side.Dirichlet = pde.InputValue{}
				d.Boundary[key] = side
			}
		}
	}
	return d
}

func randomSide(rng *rand.Rand, conditions int) pde.Side {
	var s pde.Side
	value := formula(expr.Cos(ex))
	for range conditions {
		switch rng.IntN(6) {
		case 0, 1:
			s.Dirichlet = value
		case 2:
			s.Neumann = value
		case 3:
			s.Second = value
		case 4:
			s.Robin = &pde.Robin{A: pde.Constant(1), B: pde.Constant(2), Value: value}
		case 5:
			s.Reflecting = true
		}
	}
	return s
}
