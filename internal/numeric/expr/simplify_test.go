package expr

import (
	"math"
	"testing"
)

// Canonical forms, each derived by hand from the rules in the comments.
func TestSimplifyForms(t *testing.T) {
	x, y, z := Var(0, "x"), Var(1, "y"), Var(2, "z")
	l := Var(3, "l")
	c := Const
	half := Div(Sub(x, y), c(0.2))
	for _, test := range []struct {
		n    *Node
		want string
	}{
		{Sub(Add(x, c(3)), Add(c(1), x)), "2"},
		{Add(Add(x, y), Add(y, x)), "2*(x + y)"},
		{Sub(Div(x, c(0.2)), Div(y, c(0.2))), "(x - y)/0.2"},
		{Sub(Div(x, l), Div(y, l)), "(x - y)/l"},
		{Sub(Mul(l, y), Mul(l, x)), "-l*(x - y)"},
		{Add(Pow(x, c(2)), x), "x + x^2"},
		{Mul(x, Mul(y, Mul(x, Pow(y, c(-3))))), "x^2/y^2"},
		{Mul(Div(x, c(3)), c(6)), "2*x"},
		{Div(x, c(3)), "x/3"},
		{Mul(Sqrt(x), Sqrt(x)), "x"},
		{Div(x, Sqrt(x)), "sqrt(x)"},
		{Sqrt(Add(Div(Pow(Sub(x, y), c(2)), c(0.25)), Div(Pow(Sub(x, z), c(2)), c(0.25)))), "2*sqrt((x - y)^2 + (x - z)^2)"},
		{Sqrt(Pow(half, c(2))), "abs(x - y)/0.2"},
		{Exp(Neg(Sqrt(Pow(half, c(2))))), "exp(-abs(x - y)/0.2)"},
		{Pow(Pow(x, c(2)), c(0.75)), "abs(x)^1.5"},
		{Mul(Exp(Neg(Pow(x, c(2)))), Exp(Neg(Pow(y, c(2))))), "exp(-(x^2 + y^2))"},
		{Div(c(1), Exp(x)), "exp(-x)"},
		{Pow(Exp(x), c(3)), "exp(3*x)"},
		{Exp(Mul(c(2), Log(x))), "x^2"},
		{Log(Exp(Add(x, y))), "x + y"},
		{Mul(Mul(Sign(x), Sign(x)), Sign(x)), "sign(x)"},
		{Mul(Sign(x), Sign(x)), "sign(x)^2"},
		{Mul(x, Sign(x)), "abs(x)"},
		{Mul(Sign(x), Abs(x)), "x"},
		{Div(x, Abs(x)), "sign(x)"},
		{Mul(Abs(x), x), "x*abs(x)"},
		{Abs(Mul(Exp(x), Mul(c(-3), y))), "3*exp(x)*abs(y)"},
		{Sub(Sub(y, x), Sub(z, x)), "y - z"},
		{Neg(Sub(Sub(x, y), z)), "z - (x - y)"},
		{Where(GT(x, y), Where(GT(x, y), x, z), z), "where(gt(x, y), x, z)"},
		{Add(Mul(x, Exp(y)), Mul(z, Exp(y))), "exp(y)*(x + z)"},
	} {
		if got := Simplify(test.n).String(); got != test.want {
			t.Errorf("%s: got %s, want %s", test.n, got, test.want)
		}
	}
}

// On random formulas: simplifying twice changes nothing, and the value changes
// by rounding only wherever all parts of the formula are finite and of moderate
// size.
func FuzzSimplify(f *testing.F) {
	addSeeds(f, 40)
	f.Fuzz(func(t *testing.T, seed uint64) {
		const slots, eps = 3, 1e-13
		g := newGenerator(seed, slots)
		checked := 0
		for range 100 {
			n := g.node(1 + g.IntN(20))
			m := Simplify(n)
			if again := Simplify(m); !Equal(m, again) {
				t.Errorf("%s\nsimplifies to %s\nand again to %s", n, m, again)
			}
			for range 3 {
				x := g.point()
				if !moderateThroughout(n, x) {
					continue
				}
				checked++
				want, got := Eval(n, x), Eval(m, x)
				// 1e-290: where denormal numbers come in, relative errors mean nothing.
				allowed := 100*(spread(n, x, eps, g.Rand)+spread(m, x, eps, g.Rand)) + 1e-290
				if !(math.Abs(got-want) <= allowed) {
					t.Errorf("%s = %g\nsimplified %s = %g at %v, allowed %g", n, want, m, got, x, allowed)
				}
			}
		}
		if checked < 30 {
			t.Errorf("only %d points were usable", checked)
		}
	})
}

// addSeeds makes `go test` try the first n seeds; `go test -fuzz` finds more.
func addSeeds(f *testing.F, n uint64) {
	for seed := range n {
		f.Add(seed)
	}
}

// moderateThroughout reports whether every part of n is 0 or of a size whose
// square neither overflows nor underflows.
func moderateThroughout(n *Node, x []float64) bool {
	for m := range walk(n) {
		if v := math.Abs(Eval(m, x)); v != 0 && !(v > 1e-100 && v < 1e100) {
			return false
		}
	}
	return true
}

// Chebyshev's recurrence written with sharing must not be multiplied out.
func TestSimplifyKeepsSharing(t *testing.T) {
	x := Var(0, "x")
	previous, current := Const(1), x
	for range 60 {
		previous, current = current, Sub(Mul(Mul(Const(2), x), current), previous)
	}
	if size := Size(Simplify(current)); size > 2*Size(current) {
		t.Errorf("%d nodes from %d", size, Size(current))
	}
}

// Sums and products of thousands of terms, as loops in scripts make them.
func TestSimplifyLong(t *testing.T) {
	x, y := Var(0, "x"), Var(1, "y")
	sum, product := Const(0), Const(1)
	for k := 1.0; k <= 1000; k++ {
		sum = Add(sum, Div(Mul(Sin(Mul(Const(k), x)), Sin(Mul(Const(k), y))), Const(k*k)))
		product = Mul(product, Add(Const(1), Div(x, Const(k*k))))
	}
	at := []float64{0.3, 0.8}
	for _, n := range []*Node{sum, product} {
		if got, want := Eval(Simplify(n), at), Eval(n, at); math.Abs(got-want) > 1e-12 {
			t.Errorf("%g, want %g", got, want)
		}
	}
	// d/dx prod (1 + x/k²) = prod * sum 1/(k² + x)
	want := 0.0
	for k := 1.0; k <= 1000; k++ {
		want += 1 / (k*k + at[0])
	}
	want *= Eval(product, at)
	if got := Eval(Diff(product, 0), at); math.Abs(got-want) > 1e-11 {
		t.Errorf("derivative of the product %g, want %g", got, want)
	}
}
