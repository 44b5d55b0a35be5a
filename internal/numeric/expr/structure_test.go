package expr

import (
	"math"
	"slices"
	"testing"
)

// Two points (x, y) and (u, v), as in a kernel on two coordinates.
var (
	px, py = Var(0, "x"), Var(1, "y")
	qx, qy = Var(2, "u"), Var(3, "v")
	dx, dy = Sub(px, qx), Sub(py, qy)
)

func sq(n *Node) *Node { return Pow(n, Const(2)) }

func TestStationary(t *testing.T) {
	r := Sqrt(Add(sq(dx), sq(Div(dy, Const(0.3)))))
	for _, test := range []struct {
		n    *Node
		x, y Evidence
		even bool // in x
	}{
		{Exp(Neg(Abs(dx))), Proven, Proven, true},
		{Matern(2.5, r), Proven, Proven, true},
		{Exp(Neg(sq(Sub(Div(px, Const(0.2)), Div(qx, Const(0.2)))))), Proven, Proven, true},
		{Mul(Exp(px), Exp(Neg(qx))), Proven, Proven, false},
		{Add(Cos(Sub(Add(px, py), Add(qx, qy))), Const(1)), Proven, Proven, false},
		{Mul(Exp(Neg(r)), Mul(py, qy)), Proven, Refuted, true},
		{Sin(dx), Proven, Proven, false},
		{Mul(Sin(dx), dx), Proven, Proven, true},
		{Where(GE(px, qx), Exp(Sub(qx, px)), Const(0)), Refuted, Proven, false},
		{Where(GE(dx, Const(0)), Exp(Neg(dx)), Const(0)), Proven, Proven, false},
		{Where(LE(Abs(dx), Const(1)), Exp(Neg(Abs(dx))), Const(0)), Proven, Proven, true},
		// Stationary in disguise.
		{Add(Mul(Cos(px), Cos(qx)), Mul(Sin(px), Sin(qx))), Observed, Proven, false},
		// Near misses.
		{Mul(dx, px), Refuted, Proven, false},
		{Exp(Neg(Abs(Add(px, qx)))), Refuted, Proven, false},
		{Exp(Neg(Abs(Sub(px, Mul(Const(1.0000001), qx))))), Refuted, Proven, false},
		{Add(Exp(Neg(Abs(dx))), Mul(Const(1e-6), px)), Refuted, Proven, false},
		{Add(Abs(dx), dx), Proven, Proven, false},
		{Pow(dx, Const(3)), Proven, Proven, false},
		{Pow(Abs(dx), Const(3)), Proven, Proven, true},
	} {
		want := test.x
		if hasOp(test.n, OpLE, OpLT) && want == Refuted {
			// ge(x, u) keeps its value under a shift, but only its values show it.
			want = Observed
		}
		if got := Stationary(test.n, 0, 2); got != want {
			t.Errorf("%s: stationary in x %s, want %s", test.n, got, want)
		}
		if got := Stationary(test.n, 1, 3); got != test.y {
			t.Errorf("%s: stationary in y %s, want %s", test.n, got, test.y)
		}
		if got := EvenIn(test.n, 0, 2); got != test.even {
			t.Errorf("%s: even in x %t, want %t", test.n, got, test.even)
		}
	}
}

func TestSymmetric(t *testing.T) {
	for _, test := range []struct {
		n    *Node
		want Evidence
	}{
		{Exp(Neg(Add(sq(dx), sq(dy)))), Proven},
		{Mul(px, qx), Proven},
		{Add(Mul(px, qy), Mul(py, qx)), Proven},
		{Min(px, qx), Proven},
		{Mul(Sin(dx), Sin(dy)), Proven}, // odd times odd
		{Cos(Add(dx, dy)), Proven},
		{Where(GE(px, qx), Exp(Sub(qx, px)), Exp(Sub(px, qx))), Observed},
		{Mul(px, qy), Refuted},
		{Sin(dx), Refuted},
		{Add(Exp(Neg(Abs(dx))), Mul(Const(1e-7), px)), Refuted},
		{Mul(Sin(dx), Cos(dy)), Refuted},
	} {
		if got := Symmetric(test.n, []int{0, 1}, []int{2, 3}); got != test.want {
			t.Errorf("%s: symmetric %s, want %s", test.n, got, test.want)
		}
	}
}

// sameValues compares n at random points with m at the mapped points, up to
// what rounding may do.
func sameValues(t *testing.T, n, m *Node, g *generator, maps func([]float64) []float64) {
	t.Helper()
	const eps = 1e-13
	for range 5 {
		x := make([]float64, g.slots)
		for i := range x {
			x[i] = g.NormFloat64()
		}
		y := maps(slices.Clone(x))
		if !moderateThroughout(n, x) || !moderateThroughout(m, y) {
			continue
		}
		allowed := 1000*(spread(n, x, eps, g.Rand)+spread(m, y, eps, g.Rand)) + 1e-290
		// The points themselves are rounded.
		for i := range y {
			y[i] *= 1 + eps
			allowed += 10 * math.Abs(Eval(m, y)-Eval(m, maps(slices.Clone(x))))
			y[i] /= 1 + eps
		}
		if a, b := Eval(n, x), Eval(m, y); math.Abs(a-b) > allowed {
			t.Errorf("%s = %g\n%s = %g at %v, allowed %g", n, a, m, b, x, allowed)
		}
	}
}

func TestRadial(t *testing.T) {
	c := Const
	r2 := Add(sq(Div(dx, c(0.2))), sq(Div(dy, c(0.5))))
	iso := Add(sq(dx), sq(dy))
	z := Mul(c(math.Sqrt(5)), Sqrt(r2))
	for _, test := range []struct {
		n       *Node
		profile string
		scales  []float64
	}{
		{Exp(Div(r2, c(-2))), "exp(-0.5*t)", []float64{0.2, 0.5}},
		{Exp(Neg(Sqrt(r2))), "exp(-sqrt(t))", []float64{0.2, 0.5}},
		{Matern(1.3, Sqrt(r2)), "matern(1.3, sqrt(t))", []float64{0.2, 0.5}},
		{Exp(Div(iso, c(-0.02))), "exp(-t/0.02)", []float64{1, 1}},
		{Mul(Exp(Neg(sq(dx))), Exp(Neg(sq(dy)))), "exp(-t)", []float64{1, 1}},
		{Pow(Add(c(1), iso), c(-1.5)), "(1 + t)^-1.5", []float64{1, 1}},
		{Mul(Add(Add(c(1), z), Div(Pow(z, c(2)), c(3))), Exp(Neg(z))), "exp(-2.23606797749979*sqrt(t))*(1 + 1.666666666666667*t + 2.23606797749979*sqrt(t))", []float64{0.2, 0.5}},
	} {
		r, ok := FindRadial(test.n, [][2]int{{0, 2}, {1, 3}})
		if !ok || r.Profile.String() != test.profile || !closeTo(r.Scales, test.scales) {
			t.Errorf("%s: %t %v %v, want %s %v", test.n, ok, r.Profile, r.Scales, test.profile, test.scales)
		}
	}
	one, ok := FindRadial(Matern(2.5, Div(Sub(qx, px), c(0.3))), [][2]int{{0, 2}})
	if !ok || one.Profile.String() != "matern(2.5, sqrt(t)/0.3)" {
		t.Errorf("one coordinate: %t %v", ok, one.Profile)
	}
	for _, n := range []*Node{
		Exp(Neg(Add(Abs(dx), Abs(dy)))), // product kernel
		Mul(Matern(1.5, dx), Matern(1.5, dy)),
		Exp(Sub(sq(dy), sq(dx))),                                     // indefinite form
		Mul(Exp(Neg(iso)), px),                                       // not stationary
		Add(Exp(Neg(iso)), Exp(Neg(Add(sq(dx), Mul(c(2), sq(dy)))))), // two metrics
		Exp(Neg(Add(iso, Abs(dx)))),
		Exp(Neg(sq(dx))),                // y does not occur
		Exp(Neg(Mul(Var(4, "l"), iso))), // a free parameter
		Exp(Neg(Pow(dx, c(3)))),
	} {
		if r, ok := FindRadial(n, [][2]int{{0, 2}, {1, 3}}); ok {
			t.Errorf("%s: radial with profile %s, scales %v", n, r.Profile, r.Scales)
		}
	}
}

func closeTo(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= 1e-15 })
}

func TestPeriod(t *testing.T) {
	c := Const
	wave := Sin(Mul(c(math.Pi/0.4), dx))
	for _, test := range []struct {
		n      *Node
		period float64 // 0: not periodic
	}{
		{Cos(dx), 2 * math.Pi},
		{wave, 0.8},
		{Exp(Neg(Mul(c(2), sq(wave)))), 0.4}, // the periodic kernel
		{Abs(wave), 0.4},
		{Add(Cos(dx), Cos(Mul(c(1.5), dx))), 4 * math.Pi},
		{Mul(Sin(dx), Sin(Mul(c(3), dx))), math.Pi},
		{Tan(dx), math.Pi},
		{Exp(Mod(dx, c(0.25))), 0.25},
		{Mul(Cos(dx), Exp(Neg(sq(dy)))), 2 * math.Pi},
		{Cos(Add(dx, sq(dy))), 2 * math.Pi},
		{Cos(px), 0},
		{Mul(Cos(dx), dx), 0},
		{Add(Cos(dx), Cos(Mul(c(math.Sqrt2), dx))), 0},
		{Exp(dy), 0},
		{Cos(sq(dx)), 0},
	} {
		period, ok := Period(test.n, 0, 2)
		if ok != (test.period > 0) || math.Abs(period-test.period) > 1e-12 {
			t.Errorf("%s: period %g %t, want %g", test.n, period, ok, test.period)
		}
	}
}

// What the queries claim about random formulas holds at random points.
func FuzzStructure(f *testing.F) {
	addSeeds(f, 40)
	pairs := [][2]int{{0, 2}, {1, 3}}
	leaves := []*Node{dx, dy, Neg(dx), Abs(dx), Add(sq(dx), sq(dy)), Sqrt(Add(sq(dx), sq(dy))), px, Cos(dx), Mul(px, qx)}
	f.Fuzz(func(t *testing.T, seed uint64) {
		g := newGenerator(seed, 4)
		for range 30 {
			by := map[int]*Node{}
			for s := range 4 {
				by[s] = leaves[g.IntN(2+g.IntN(len(leaves)-1))]
			}
			n := Substitute(g.node(1+g.IntN(8)), by)
			if DifferenceOnly(n, 0, 2) {
				shift := g.NormFloat64()
				sameValues(t, n, n, g, func(x []float64) []float64 { x[0] += shift; x[2] += shift; return x })
			}
			if EvenIn(n, 0, 2) {
				sameValues(t, n, n, g, func(x []float64) []float64 { x[0], x[2] = x[2], x[0]; return x })
			}
			if Symmetric(n, []int{0, 1}, []int{2, 3}) == Proven {
				sameValues(t, n, n, g, func(x []float64) []float64 { x[0], x[2], x[1], x[3] = x[2], x[0], x[3], x[1]; return x })
			}
			if period, ok := Period(n, 0, 2); ok {
				sameValues(t, n, n, g, func(x []float64) []float64 { x[0] += period; return x })
			}
			if r, ok := FindRadial(n, pairs); ok {
				t2 := Add(sq(Div(dx, Const(r.Scales[0]))), sq(Div(dy, Const(r.Scales[1]))))
				sameValues(t, n, Substitute(r.Profile, map[int]*Node{0: t2}), g, func(x []float64) []float64 { return x })
			}
		}
	})
}

// Replacing variables by formulas of the same variables, all at once, gives the
// value at the images of the points, also where a replacement undoes an operation:
// -x for x in -x is x, which is not replaced again.
func TestSubstituteAllAtOnce(t *testing.T) {
	if n := Substitute(Neg(px), map[int]*Node{0: Neg(px)}); !Equal(n, px) {
		t.Errorf("-x with -x for x is %s, want x", n)
	}
	one := Const(1)
	images := []*Node{Neg(px), px, py, Neg(py), Sub(one, px), Sub(px, one), Mul(Const(2), py), Div(px, Const(2)), Sub(py, px), Add(px, py)}
	for seed := range uint64(40) {
		g := newGenerator(seed, 2)
		for range 30 {
			by := map[int]*Node{0: images[g.IntN(len(images))], 1: images[g.IntN(len(images))]}
			n := g.node(1 + g.IntN(6))
			sameValues(t, Substitute(n, by), n, g, func(x []float64) []float64 { return []float64{Eval(by[0], x), Eval(by[1], x)} })
		}
	}
}
