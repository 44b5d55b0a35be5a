package expr

import (
	"math"
	"testing"
)

// Formulas print as Lua would read them, in the canonical form that the
// constructors give them.
func TestString(t *testing.T) {
	x, y, z := Var(0, "x"), Var(1, "y"), Var(2, "z")
	c := Const
	for _, test := range []struct {
		n    *Node
		want string
	}{
		{Exp(Neg(Div(Abs(Sub(x, y)), c(0.2)))), "exp(-abs(x - y)/0.2)"},
		{Exp(Neg(Div(Abs(Sub(y, x)), c(0.2)))), "exp(-abs(x - y)/0.2)"},
		{Sub(y, x), "y - x"},
		{Sub(x, Sub(y, z)), "x - (y - z)"},
		{Sub(x, c(1)), "x - 1"},
		{Sub(c(1), x), "1 - x"},
		{Neg(Add(c(1), x)), "-1 - x"},
		{Add(x, Mul(c(-2), y)), "x - 2*y"},
		{Sub(Mul(c(-2), x), y), "-(y + 2*x)"},
		{Mul(x, x), "x^2"},
		{Mul(Mul(x, x), x), "x^3"},
		{Pow(Neg(x), c(2)), "x^2"},
		{Pow(Neg(x), c(3)), "-x^3"},
		{Pow(Add(x, y), c(-2)), "(x + y)^-2"},
		{Pow(Pow(x, y), z), "(x^y)^z"},
		{Pow(x, Pow(y, z)), "x^y^z"},
		{Div(x, Mul(y, z)), "x/(y*z)"},
		{Div(Div(x, y), z), "x/y/z"},
		{Div(x, c(4)), "0.25*x"},
		{Neg(Mul(x, y)), "-x*y"},
		{Exp(Neg(Pow(x, c(2)))), "exp(-x^2)"},
		{Neg(Mod(x, y)), "-(x % y)"},
		{Mul(c(2), Mul(Mod(x, y), Sin(Add(x, Mul(y, z))))), "2*(x % y)*sin(x + y*z)"},
		{Neg(Mul(Mod(x, y), Sin(Add(x, Mul(y, z))))), "-(x % y)*sin(x + y*z)"},
		{Add(Mod(x, y), Sin(Add(x, Mul(y, z)))), "x % y + sin(x + y*z)"},
		{Where(GE(y, x), x, c(0)), "where(le(x, y), x, 0)"},
		{GT(x, y), "gt(x, y)"},
		{Matern(2.5, Div(Sub(y, x), c(0.3))), "matern(2.5, (x - y)/0.3)"},
		{Min(y, x), "min(x, y)"},
		{Atan2(y, x), "atan2(y, x)"},
		{Var(3, ""), "v3"},
	} {
		if got := test.n.String(); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

// In another language functions have its names, and what it does not have is said to be
// missing.
func TestWrite(t *testing.T) {
	rename := func(name string) (string, bool) { return "np." + name, name != "matern" && name != "sign" }
	x, y := Var(0, "x"), Var(1, "y")
	for _, test := range []struct {
		n    *Node
		want string
		ok   bool
	}{
		{Exp(Neg(Min(x, Abs(y)))), "np.exp(-np.min(x, np.abs(y)))", true},
		{Where(LT(x, y), Pow(x, Const(2)), Mod(x, y)), "np.where(np.lt(x, y), x^2, x % y)", true},
		{Sqrt(Var(0, "exp")), "np.sqrt(exp)", true},
		{Matern(2.5, x), "", false},
		{Sign(x), "", false},
		{Mul(Const(math.Inf(1)), x), "", false},
	} {
		got, ok := test.n.Write(rename)
		if ok != test.ok || ok && got != test.want {
			t.Errorf("%s: got %s, %t, want %s, %t", test.n, got, ok, test.want, test.ok)
		}
	}
}
