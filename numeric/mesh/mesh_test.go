package mesh_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/numeric/mesh"
)

// integral is Σ w_i t_i^k with t the coordinate mapped from [a,b] to [-1,1].
func integral(ax mesh.Axis, k int) float64 {
	a, b := ax.Lower[0], ax.Upper[0]
	s := 0.0
	for i, w := range ax.Weights {
		s += w * math.Pow((2*ax.Coordinates[i]-a-b)/(b-a), float64(k))
	}
	return s
}

// Every rule integrates 1 to the length of the interval and polynomials of its
// stated degree exactly, for every n from 2 to 200.
func TestRulesAreExactToTheirDegree(t *testing.T) {
	const a, b = -0.7, 2.3
	for _, r := range constructors() {
		for n := 2; n <= 200; n++ {
			ax, err := r.make(a, b, n, "x")
			if err != nil {
				t.Fatalf("%s n=%d: %v", r.name, n, err)
			}
			if ax.Size() != n {
				t.Fatalf("%s n=%d: has %d points", r.name, n, ax.Size())
			}
			for k := 0; k <= ax.Degree(); k++ {
				want := 0.0
				if k%2 == 0 {
					want = (b - a) / float64(k+1)
				}
				if got := integral(ax, k); math.Abs(got-want) > 2e-13*(b-a) {
					t.Errorf("%s n=%d: ∫t^%d = %.17g, want %.17g", r.name, n, k, got, want)
				}
			}
			// The stated degree is not an understatement: the next even degree is missed
			// visibly for small n.
			if k := ax.Degree() + 1 + ax.Degree()%2; r.name != "periodic" && n <= 6 && math.Abs(integral(ax, k+k%2)-(b-a)/float64(k+k%2+1)) < 1e-9 {
				t.Errorf("%s n=%d: degree %d is integrated too, the stated degree %d is too low", r.name, n, k+k%2, ax.Degree())
			}
		}
	}
}

// The periodic rule integrates trigonometric polynomials of degree below n.
func TestPeriodicRuleIsExactForTrigonometricPolynomials(t *testing.T) {
	for n := 2; n <= 64; n++ {
		ax, err := mesh.Periodic(1, 4, n, "x")
		if err != nil {
			t.Fatal(err)
		}
		for k := 1; k < n; k++ {
			c, s := 0.0, 0.0
			for i, x := range ax.Coordinates {
				c += ax.Weights[i] * math.Cos(2*math.Pi*float64(k)*x/3)
				s += ax.Weights[i] * math.Sin(2*math.Pi*float64(k)*x/3)
			}
			if math.Hypot(c, s) > 1e-12 {
				t.Errorf("n=%d: mode %d integrates to %g, want 0", n, k, math.Hypot(c, s))
			}
		}
	}
}

func TestScatteredWeightsSumToTheVolume(t *testing.T) {
	ax, err := mesh.Scattered([]float64{0, 0, 1, 2, .5, .3}, 2, nil, "x", "y")
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, w := range ax.Weights {
		sum += w
	}
	if math.Abs(sum-2) > 1e-15 {
		t.Errorf("weights of points in a 1 × 2 box sum to %g", sum)
	}
}

// Right Riemann sums of uneven points: each weight is the step before the point.
func TestRightWeightsAreTheStepsBefore(t *testing.T) {
	m, err := mesh.Must(mesh.Trapezoid([]float64{0, 1, 3, 3.5}, "t")).Right()
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(m.Weights(), m.Points(), m.Names()); got != "[0 1 2 0.5] [0 1 3 3.5] [t]" {
		t.Errorf("weights, points, names: %s", got)
	}
	if _, err := mesh.Must(mesh.Uniform(0, 1, 5, "t")).Right(); err != nil {
		t.Error(err)
	}
	two, err := mesh.Product(m, mesh.Must(mesh.Uniform(0, 1, 5, "x")))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := two.Right(); err == nil || !strings.Contains(err.Error(), "a mesh of 2 axes") {
		t.Errorf("of a product: %v", err)
	}
}

func TestProductOrderAndWeights(t *testing.T) {
	x := mesh.Must(mesh.Uniform(0, 1, 3, ""))
	y := mesh.Must(mesh.Gauss(0, 2, 2, ""))
	m, err := mesh.Product(x, y)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(m.Names(), m.Shape(), m.Size(), m.Dim()); got != "[x y] [3 2] 6 2" {
		t.Errorf("product is %s", got)
	}
	p := m.Points()
	if p[0] != 0 || p[2] != 0 || p[4] != 0.5 { // the last axis varies fastest
		t.Errorf("points %v", p)
	}
	sum := 0.0
	for i, w := range m.Weights() {
		sum += w * p[2*i] * p[2*i+1] // ∫∫ x y over [0,1]×[0,2]
	}
	if math.Abs(sum-1) > 1e-14 {
		t.Errorf("∫∫ x y = %.17g, want 1", sum)
	}
	for k, col := range m.Columns() {
		for i := range col {
			if col[i] != p[2*i+k] {
				t.Fatalf("column %d differs from the points at %d", k, i)
			}
		}
	}
}

func TestNames(t *testing.T) {
	u := func(name string) mesh.Axis {
		a, err := mesh.Uniform(0, 1, 2, name)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	for _, c := range []struct{ give, want string }{
		{",", "x y"}, {",,,", "x y z x4"}, {"y,", "y x"}, {",x", "y x"}, {"x,t", "x t"}, {",t", "x t"},
	} {
		var axes []mesh.Axis
		for _, n := range strings.Split(c.give, ",") {
			axes = append(axes, u(n))
		}
		m, err := mesh.New(axes...)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(m.Names(), " "); got != c.want {
			t.Errorf("axes named %q become %q, want %q", c.give, got, c.want)
		}
	}
	if _, err := mesh.New(u("x"), u("x")); err == nil {
		t.Error("two axes called x were accepted")
	}
	one, _ := mesh.New(u(""))
	xt, _ := mesh.New(u(""), u("t"))
	in, out := mesh.JointNames(one, one)
	if fmt.Sprint(in, out) != "[x] [y]" {
		t.Errorf("one axis each: %v %v", in, out)
	}
	in, out = mesh.JointNames(xt, xt)
	if fmt.Sprint(in, out) != "[x s] [y t]" {
		t.Errorf("space and time: %v %v", in, out)
	}
}

func TestRefineNests(t *testing.T) {
	for _, r := range constructors() {
		if r.name == "trapezoid" {
			continue // given points have no rule
		}
		a, _ := r.make(0, 1, 5, "x")
		m, _ := mesh.New(a)
		fine, err := m.Refine(2)
		if err != nil {
			t.Fatalf("%s: %v", r.name, err)
		}
		open := func(rule mesh.Rule) bool { return rule.Points == r.name && !rule.Ends && !rule.Periodic }
		if slices.ContainsFunc(mesh.Rules(), open) {
			continue // points inside the interval, such as Gauss's, do not nest
		}
		for i, x := range m.Points() {
			if math.Abs(fine.Points()[2*i]-x) > 1e-15 {
				t.Errorf("%s: point %d of the coarse mesh is not in the fine one", r.name, i)
			}
		}
	}
}

func TestBadInputIsRefusedByName(t *testing.T) {
	ok := func(_ mesh.Axis, err error) error { return err }
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		err  error
		want string
	}{
		{ok(mesh.Uniform(0, 1, 0, "")), "n 0: must be at least 2"},
		{ok(mesh.Uniform(0, 1, 1, "")), "n 1: must be at least 2"},
		{ok(mesh.Gauss(0, 1, 0, "")), "n 0: must be at least 1"},
		{ok(mesh.Uniform(1, 0, 5, "")), "b 0: must be greater than a = 1"},
		{ok(mesh.Uniform(nan, 1, 5, "")), "a NaN: must be finite"},
		{ok(mesh.Chebyshev(0, inf, 5, "")), "b +Inf: must be finite"},
		{ok(mesh.Uniform(1, 1+1e-15, 100, "")), "would coincide"},
		{ok(mesh.Trapezoid([]float64{0, 1, 1, 2}, "")), "points[3] = 1 does not increase on points[2] = 1"},
		{ok(mesh.Trapezoid([]float64{0, nan}, "")), "points[2] is NaN"},
		{ok(mesh.Trapezoid([]float64{0}, "")), "got 1, must be at least 2"},
		{ok(mesh.Must(mesh.Gauss(0, 1, 5, "")).Axes()[0].Right()), "gauss(0, 1, 5): right Riemann sums are of points of an interval"},
		{ok(mesh.Scattered([]float64{0, 1, 2}, 2, nil)), "multiple of the dimension 2"},
		{ok(mesh.Scattered(nil, 1, nil)), "points: there are none, must be at least 1"},
		{ok(mesh.Scattered([]float64{0, 1}, 1, []float64{1, -1})), "weights[2] is -1"},
		{ok(mesh.Scattered([]float64{0, inf}, 1, nil)), "points[2][1] is +Inf"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want %q", c.err, c.want)
		}
	}
}

func Example() {
	x, _ := mesh.Uniform(0, 1, 5, "x")
	t, _ := mesh.Gauss(0, 2, 3, "t")
	m, _ := mesh.New(x, t)
	integral := 0.0
	p := make([]float64, m.Dim())
	for i, w := range m.Weights() {
		m.Point(p, i)
		integral += w * p[0] * p[1]
	}
	fmt.Println(m)
	fmt.Printf("%d points, ∫∫ x t = %.3f\n", m.Size(), integral)
	// Output:
	// uniform(0, 1, 5, "x") * gauss(0, 2, 3, "t")
	// 15 points, ∫∫ x t = 1.000
}

// A mesh with more points than memory has room for is an error that names the
// argument, not the end of the program.
func TestTooManyPoints(t *testing.T) {
	million := mesh.Must(mesh.Uniform(0, 1, 1_000_000, ""))
	_, uniform := mesh.Uniform(0, 1, 1_000_000_000_000, "")
	_, gauss := mesh.Gauss(0, 1, 1<<50, "")
	_, product := mesh.New(append(append(million.Axes(), million.Axes()...), million.Axes()...)...)
	_, refined := million.Refine(1 << 40)
	for _, c := range []struct {
		err  error
		want string
	}{
		{uniform, "n 1000000000000: a mesh of 1000000000000 points needs 14.6 TiB; the limit is"},
		{gauss, "n 1125899906842624: "},
		{product, "mesh: a product of 1000000×1000000×1000000 points needs 6.94 EiB; the limit is"},
		{refined, "k 1099511627776: an axis of"},
	} {
		if c.err == nil || !strings.HasPrefix(c.err.Error(), c.want) {
			t.Errorf("got %v, want %s …", c.err, c.want)
		}
	}
}
