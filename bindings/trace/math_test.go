package trace

import (
	"math"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/internal/numeric/expr"
)

// Every function of math that formulas have is that of Go's math package, which shares
// nothing with either; those it has with two arguments in their order.
func TestMathOfFormulas(t *testing.T) {
	L := newState(t)
	one := map[string]func(float64) float64{
		"abs": math.Abs, "acos": math.Acos, "asin": math.Asin, "atan": math.Atan, "ceil": math.Ceil, "cos": math.Cos, "cosh": math.Cosh,
		"exp": math.Exp, "floor": math.Floor, "log": math.Log, "log10": math.Log10, "sin": math.Sin, "sinh": math.Sinh, "sqrt": math.Sqrt,
		"tan": math.Tan, "tanh": math.Tanh,
		"deg": func(x float64) float64 { return x * 180 / math.Pi }, "rad": func(x float64) float64 { return x * math.Pi / 180 },
		"max": func(x float64) float64 { return x }, "min": func(x float64) float64 { return x },
	}
	two := map[string]func(x, y float64) float64{
		"atan2": math.Atan2, "pow": math.Pow, "fmod": math.Mod, "max": math.Max, "min": math.Min,
		"log": func(x, base float64) float64 { return math.Log(x) / math.Log(base) },
	}
	points := [][2]float64{{0.3, 1.7}, {0.9, 0.2}, {0.55, 2.5}}
	for name, f := range one {
		for _, x := range points {
			checkMath(t, L, name, f(x[0]), x[0])
		}
		if name == "abs" || name == "floor" || name == "ceil" || name == "deg" {
			checkMath(t, L, name, f(-1.25), -1.25)
		}
	}
	for name, f := range two {
		for _, x := range points {
			checkMath(t, L, name, f(x[0], x[1]), x[0], x[1])
		}
		if name != "pow" && name != "log" {
			checkMath(t, L, name, f(-7.5, 2), -7.5, 2)
			checkMath(t, L, name, f(7.5, -2), 7.5, -2)
		}
	}
	checkMath(t, L, "max", 5, 1, 5, 3)
	checkMath(t, L, "min", -2, 1, 5, -2)
}

// checkMath compares math.name of formulas, evaluated at x, with want.
func checkMath(t *testing.T, L *lua.LState, name string, want float64, x ...float64) {
	t.Helper()
	nodes := make([]*expr.Node, len(x))
	for i := range x {
		nodes[i] = expr.Var(i, "xyz"[i:i+1])
	}
	n, ok := Function(name, nodes)
	if !ok {
		t.Errorf("math.%s: no function of %d formulas", name, len(x))
		return
	}
	program, err := expr.Compile(n, len(x))
	if err != nil {
		t.Fatal(err)
	}
	if got := program.Eval(x); !(math.Abs(got-want) <= 1e-14*max(1, math.Abs(want))) {
		t.Errorf("math.%s%v = %.16g, want %.16g", name, x, got, want)
	}
}

// Math takes part only where a formula does, and says which functions have none.
func TestMathTakesFormulasOnly(t *testing.T) {
	L := newState(t)
	formula := expr.Var(0, "x")
	u := L.NewUserData()
	u.Value = formula
	for _, c := range []struct {
		name    string
		args    []lua.LValue
		handled bool
		fails   bool
	}{
		{"exp", []lua.LValue{lua.LNumber(1)}, false, false},
		{"exp", []lua.LValue{u}, true, false},
		{"pow", []lua.LValue{u, lua.LString("2")}, false, false},
		{"pow", []lua.LValue{lua.LNumber(2), u}, true, false},
		{"frexp", []lua.LValue{u}, true, true},
		{"random", []lua.LValue{u, u}, true, true},
	} {
		_, handled, err := Math{}.Math(L, c.name, c.args)
		if handled != c.handled || (err != nil) != c.fails {
			t.Errorf("math.%s%v: handled %v, %v", c.name, c.args, handled, err)
		}
	}
}

// Operators of formulas are those of numbers, on either side.
func TestOperatorsOfFormulas(t *testing.T) {
	for source, want := range map[string]float64{
		"function(x, y) return x + y end": 4.5, "function(x, y) return x - y end": -0.5, "function(x, y) return 3 - x end": 1,
		"function(x, y) return x*y end": 5, "function(x, y) return x/y end": 0.8, "function(x, y) return 1/y end": 0.4,
		"function(x, y) return x^y end": math.Pow(2, 2.5), "function(x, y) return y % x end": 0.5, "function(x, y) return -y % x end": 1.5,
		"function(x, y) return -x end": -2, "function(x, y) return where(gt(x, y), 1, 7) end": 7,
	} {
		L := newState(t)
		c, f := scripted(t, L, source)
		n, err := Scalars(c, f)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		program, err := expr.Compile(n, 2)
		if err != nil {
			t.Fatal(err)
		}
		if got := program.Eval([]float64{2, 2.5}); !(math.Abs(got-want) <= 1e-15*math.Abs(want)) {
			t.Errorf("%s at (2, 2.5): %v, want %v", source, got, want)
		}
	}
}
