package expr

import (
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/elementary"
	"github.com/greenbench/workbench/internal/numeric/bessel"
)

// Every operation on a grid of ordinary and special numbers is the function of
// package math that carries its name, on variables (nothing folded) and on
// constants (everything folded).
func TestEvalOfEveryOperation(t *testing.T) {
	x, y, z := Var(0, "x"), Var(1, "y"), Var(2, "z")
	ind := func(b bool) float64 {
		if b {
			return 1
		}
		return 0
	}
	unary := []struct {
		make func(*Node) *Node
		want func(float64) float64
	}{
		{Neg, func(a float64) float64 { return -a }},
		{Exp, elementary.Exp},
		{Sqrt, math.Sqrt},
		{Abs, math.Abs},
		{Sin, math.Sin},
		{Cos, math.Cos},
		{Tan, math.Tan},
		{Asin, math.Asin},
		{Acos, math.Acos},
		{Atan, math.Atan},
		{Sinh, math.Sinh},
		{Cosh, math.Cosh},
		{Tanh, math.Tanh},
		{Floor, math.Floor},
		{Ceil, math.Ceil},
		{Log, elementary.Log},
		{Sign, func(a float64) float64 {
			if math.IsNaN(a) {
				return a
			}
			return ind(a > 0) - ind(a < 0)
		}},
		{func(n *Node) *Node { return Pow(n, Const(2)) }, func(a float64) float64 { return a * a }},
		{func(n *Node) *Node { return Pow(n, Const(-3)) }, func(a float64) float64 { return 1 / (a * a * a) }},
		{func(n *Node) *Node { return Pow(n, Const(2.5)) }, func(a float64) float64 { return a * a * math.Sqrt(a) }},
		{func(n *Node) *Node { return Matern(1.5, n) }, func(a float64) float64 { return bessel.Matern(1.5, a) }},
		{func(n *Node) *Node { return besselK(-0.7, n) }, func(a float64) float64 { return bessel.K(0.7, math.Abs(a)) }},
	}
	for _, u := range unary {
		n := u.make(x)
		for _, a := range interesting {
			want := u.want(a)
			if got := Eval(n, []float64{a}); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s at %g: %g, want %g", n, a, got, want)
			}
			if c := u.make(Const(a)); !c.IsConst() || !sameNumber(c.Value(), want) {
				t.Errorf("%s of the number %g folds to %s, want %g", n.Op(), a, c, want)
			}
		}
	}
	binary := []struct {
		make func(a, b *Node) *Node
		want func(a, b float64) float64
	}{
		{Add, func(a, b float64) float64 { return a + b }},
		{Sub, func(a, b float64) float64 { return a - b }},
		{Mul, func(a, b float64) float64 { return a * b }},
		{Div, func(a, b float64) float64 { return a / b }},
		{Min, func(a, b float64) float64 { return min(a, b) }},
		{Max, func(a, b float64) float64 { return max(a, b) }},
		{Atan2, math.Atan2},
		{Mod, luaMod},
		{Pow, func(a, b float64) float64 {
			switch b { // products, which round or treat infinities differently
			case -1:
				return 1 / a
			case 2:
				return a * a
			case 3:
				return a * a * a
			case 0.5:
				return math.Sqrt(a)
			case -2.5:
				return 1 / (a * a * math.Sqrt(a))
			}
			return elementary.Pow(a, b)
		}},
		{LT, func(a, b float64) float64 { return ind(a < b) }},
		{LE, func(a, b float64) float64 { return ind(a <= b) }},
		{GT, func(a, b float64) float64 { return ind(a > b) }},
		{GE, func(a, b float64) float64 { return ind(a >= b) }},
		{func(a, b *Node) *Node { return Where(a, b, z) }, func(a, b float64) float64 {
			if a != 0 {
				return b
			}
			return 7
		}},
	}
	for _, u := range binary {
		n := u.make(x, y)
		for _, a := range interesting {
			for _, b := range interesting {
				want := u.want(a, b)
				if got := Eval(n, []float64{a, b, 7}); !sameNumber(got, want) {
					t.Errorf("%s at %g, %g: %g, want %g", n, a, b, got, want)
				}
			}
		}
	}
}

// luaMod is the definition in the Lua manual, a - floor(a/b)*b, done exactly.
func luaMod(a, b float64) float64 {
	r := math.Mod(a, b)
	if b > 0 && r < 0 || b < 0 && r > 0 {
		r += b
	}
	return r
}

// The rules of the constructors, each on the smallest example.
func TestConstructorRules(t *testing.T) {
	x, y := Var(0, "x"), Var(1, "y")
	zero, one := Const(0), Const(1)
	for _, test := range []struct{ got, want *Node }{
		{Add(x, zero), x},
		{Add(zero, x), x},
		{Sub(x, zero), x},
		{Sub(zero, x), Neg(x)},
		{Sub(x, x), zero},
		{Mul(x, one), x},
		{Mul(zero, x), zero},
		{Mul(x, Const(-1)), Neg(x)},
		{Neg(Neg(x)), x},
		{Div(x, x), one},
		{Div(zero, x), zero},
		{Div(x, one), x},
		{Div(x, Const(-1)), Neg(x)},
		{Pow(x, zero), one},
		{Pow(x, one), x},
		{Pow(x, Const(0.5)), Sqrt(x)},
		{Pow(x, Const(-1)), Div(one, x)},
		{Pow(one, x), one},
		{Add(x, y), Add(y, x)},
		{Mul(x, y), Mul(y, x)},
		{Max(x, y), Max(y, x)},
		{Sub(y, x), Neg(Sub(x, y))},
		{Abs(Sub(y, x)), Abs(Sub(x, y))},
		{Sqrt(Pow(x, Const(2))), Abs(x)},
		{Abs(Abs(x)), Abs(x)},
		{Abs(Exp(x)), Exp(x)},
		{Cos(Neg(x)), Cos(x)},
		{Sin(Neg(x)), Neg(Sin(x))},
		{Cos(Abs(x)), Cos(x)},
		{Matern(1.5, Neg(x)), Matern(1.5, x)},
		{Mul(Neg(x), Neg(y)), Mul(x, y)},
		{GT(x, y), LT(y, x)},
		{GE(x, y), LE(y, x)},
		{LT(x, x), zero},
		{LE(x, x), one},
		{Where(one, x, y), x},
		{Where(zero, x, y), y},
		{Where(GT(x, y), x, x), x},
		{Max(x, x), x},
		{Exp(zero), one},
		{Const(math.NaN()), Const(-math.NaN())},
		{Var(0, "x"), Var(0, "other name")},
	} {
		if !Equal(test.got, test.want) || test.got.Hash() != test.want.Hash() {
			t.Errorf("got %s, want %s", test.got, test.want)
		}
	}
	if Equal(x, y) || Equal(Sub(x, y), Sub(y, x)) || Equal(Matern(1.5, x), Matern(2.5, x)) {
		t.Error("different formulas compare as equal")
	}
}

// Comparing, simplifying and compiling take time linear in the distinct nodes,
// not in the tree, which here has 2^200.
func TestDeepSharing(t *testing.T) {
	build := func() *Node {
		n := Var(0, "x")
		for range 200 {
			n = Sin(Add(n, Cos(n)))
		}
		return n
	}
	a, b := build(), build()
	if !Equal(a, b) {
		t.Error("the same formula built twice is not equal")
	}
	p, err := Compile(Add(a, Exp(b)), 1)
	if err != nil || p.Len() != 3*200+1+2 {
		t.Errorf("%d steps, error %v", p.Len(), err)
	}
	x := []float64{0.3}
	if got, want := Eval(Simplify(a), x), Eval(a, x); math.Abs(got-want) > 1e-9 {
		t.Errorf("simplified %g, want %g", got, want)
	}
	if d := Eval(Diff(a, 0), x); math.IsNaN(d) {
		t.Error("derivative is NaN")
	}
	_ = a.String()
}
