package network

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// TestSampling: values between points and derivatives are exact for polynomials of degree 5,
// and of sixth order on a period.
func TestSampling(t *testing.T) {
	uneven := mesh.Must(mesh.Trapezoid([]float64{0, 0.1, 0.15, 0.3, 0.5, 0.55, 0.8, 1}, "x"))
	fine := mesh.Must(mesh.Uniform(0, 1, 41, "x"))
	poly := func(x float64) float64 { return 1 + x*(2-x*(3-x*(1+x*(1-x)))) }
	slope := func(x float64) float64 { return 2 - 6*x + 3*x*x + 4*x*x*x - 5*x*x*x*x }
	period := mesh.Must(mesh.Periodic(0, 1, 64, "x"))
	wave := func(x float64) float64 { return math.Sin(2 * math.Pi * x) }
	long := mesh.Must(mesh.Periodic(0.7, 2.7, 128, "x")) // neither the length nor the first point hides a mistake
	swell := func(x float64) float64 { return math.Sin(math.Pi * x) }
	for _, c := range []struct {
		name     string
		from, to mesh.Mesh
		order    []int
		shift    []float64
		f, want  func(x float64) float64
		within   float64
	}{
		{"between", uneven, fine, nil, nil, poly, poly, 1e-13},
		{"derivative", uneven, fine, []int{1}, nil, poly, slope, 1e-11},
		{"shifted", fine, fine, nil, []float64{0.03}, poly, func(x float64) float64 { return poly(min(x+0.03, 1)) }, 1e-13},
		{"period", period, period, []int{2}, nil, wave, func(x float64) float64 { return -4 * math.Pi * math.Pi * wave(x) }, 1e-4},
		{"around", period, period, nil, []float64{-0.37}, wave, func(x float64) float64 { return wave(x - 0.37) }, 1e-6},
		{"twice around", long, long, nil, []float64{4.8}, swell, func(x float64) float64 { return swell(x + 4.8) }, 1e-6},
		{"twice back", long, long, nil, []float64{-3.3}, swell, func(x float64) float64 { return swell(x - 3.3) }, 1e-6},
	} {
		s, err := newSampling(c.from, c.to, c.order, c.shift)
		if err != nil {
			t.Fatal(err)
		}
		in, out := make([]float64, c.from.Size()), make([]float64, c.to.Size())
		for i, x := range c.from.Points() {
			in[i] = c.f(x)
		}
		s.MulVec(out, in)
		for i, x := range c.to.Points() {
			if d := math.Abs(out[i] - c.want(x)); !(d <= c.within) {
				t.Errorf("%s: %.2g off at %g", c.name, d, x)
			}
		}
	}
	other, err := fine.Rename("y")
	if err != nil {
		t.Fatal(err)
	}
	two, err := mesh.Product(uneven, other)
	if err != nil {
		t.Fatal(err)
	}
	s, err := newSampling(two, two, []int{1, 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	in, out := make([]float64, two.Size()), make([]float64, two.Size())
	for i := range in {
		var p [2]float64
		two.Point(p[:], i)
		in[i] = poly(p[0]) * poly(p[1])
	}
	s.MulVec(out, in)
	for i := range out {
		var p [2]float64
		two.Point(p[:], i)
		if d := math.Abs(out[i] - slope(p[0])*slope(p[1])); !(d <= 1e-8) {
			t.Fatalf("%.2g off at %v", d, p)
		}
	}
	cloud := mesh.Must(mesh.Scattered([]float64{0, 0, 1, 0, 0, 1}, 2, []float64{1, 1, 1}, "x", "y"))
	if _, err := newSampling(cloud, cloud, []int{1, 0}, nil); err == nil {
		t.Error("a derivative on scattered points")
	}
	if _, err := newSampling(cloud, cloud, nil, nil); err != nil {
		t.Error(err)
	}
}

// TestJacobian: that of a channel with products and derivatives is what differences say.
func TestJacobian(t *testing.T) {
	d := cubic(t, 8, 9, 2, constant(1), 2)
	u, f, ux := expr.Var(0, "u"), expr.Var(1, "f"), expr.Var(2, "u_x")
	n := expr.Of(expr.OpAdd, expr.Of(expr.OpMul, u, ux), expr.Of(expr.OpMul, f, expr.Of(expr.OpSin, u)))
	c, err := newChannel(Channel{Name: "c", Map: n, Atoms: []Atom{{}, {Input: "f"}, {Order: []int{1}}}}, d)
	if err != nil {
		t.Fatal(err)
	}
	in, err := c.inputs(d)
	if err != nil {
		t.Fatal(err)
	}
	op := &operator{channels: []*channel{c}, green: []*mat.Dense{mat.NewDense(9, 9, nil)}, scale: []float64{0.7}}
	op.green[0].Apply(func(i, j int, _ float64) float64 { return math.Cos(float64(i*j + i)) }, op.green[0])
	at := rows(&d.Outputs[0]).RawRowView(3)
	j := op.jacobian(inputs{in}, 3, at)
	const h = 1e-6
	for k := range at {
		var r [2][]float64
		for s, sign := range []float64{1, -1} {
			r[s] = make([]float64, 9)
			v := append([]float64(nil), at...)
			v[k] += sign * h
			op.addTo(r[s], inputs{in}, 3, v)
		}
		for y := range 9 {
			if want := (r[0][y] - r[1][y]) / (2 * h); !(math.Abs(j.At(k, y)-want) <= 1e-7*(1+math.Abs(want))) {
				t.Fatalf("∂/∂u[%d] at %d is %g, by differences %g", k, y, j.At(k, y), want)
			}
		}
	}
}

// square is u = fixed + u² at each of two points.
func square(t *testing.T) *operator {
	t.Helper()
	on := mesh.Must(mesh.Uniform(0, 1, 2, "x"))
	f := dataset.Field{Name: "f", Mesh: on}
	c, err := newChannel(power(2), &dataset.Table{Fields: []dataset.Field{f}, Outputs: []dataset.Field{{Name: "u", Mesh: on}}})
	if err != nil {
		t.Fatal(err)
	}
	return &operator{channels: []*channel{c}, green: []*mat.Dense{mat.NewDense(2, 2, []float64{1, 0, 0, 1})}, scale: []float64{1}}
}

// TestNothingToSolve: without input and bias the solution is zero, at once.
func TestNothingToSolve(t *testing.T) {
	s, err := square(t).solve(t.Context(), []float64{0, 0}, inputs{nil}, 0, []float64{0, 0})
	if err != nil || s.steps != 0 || s.residual != 0 || s.u[0] != 0 || s.u[1] != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestFixedPoints: u = a + u² is solved where a ≤ 1/4, with the radius 2u there, and refused
// beyond, at the part of the term that has a solution.
func TestFixedPoints(t *testing.T) {
	op := square(t)
	in := inputs{nil}
	s, err := op.solve(t.Context(), []float64{0.1, 0.24}, in, 0, []float64{0.1, 0.24})
	if err != nil {
		t.Fatal(err)
	}
	for k, a := range []float64{0.1, 0.24} {
		if want := (1 - math.Sqrt(1-4*a)) / 2; !(math.Abs(s.u[k]-want) <= 1e-8) {
			t.Errorf("u = %g, want %g", s.u[k], want)
		}
	}
	if want := 1 - math.Sqrt(1-4*0.24); !(math.Abs(op.radius(in, 0, s.u)-want) <= 0.02*want) {
		t.Errorf("spectral radius %g, want %g", op.radius(in, 0, s.u), want)
	}
	s, err = op.solve(t.Context(), []float64{0.1, 0.5}, in, 0, []float64{0.1, 0.5})
	if !errors.Is(err, errNoFixedPoint) {
		t.Fatalf("error %v", err)
	}
	if !(math.Abs(s.reached-0.5) <= 0.05) { // u = 0.5 + c u² has a solution for c ≤ 1/2
		t.Errorf("a solution for %g of the term, want 1/2", s.reached)
	}
}
