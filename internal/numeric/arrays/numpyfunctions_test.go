package arrays

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
)

// ofNumPy are the names of functions that NumPy calls otherwise.
func ofNumPy(name string) string {
	if strings.HasPrefix(name, "a") && name != "abs" {
		return "np.arc" + name[1:]
	}
	switch name {
	case "deg", "rad":
		return "np." + map[string]string{"deg": "degrees", "rad": "radians"}[name]
	}
	return "np." + name
}

// functionCall is a function of every number, or a power, of all sizes and signs, with what is no number among them.
func functionCall(r *rand.Rand) numpyCase {
	a := some(r, 1+r.IntN(2), 0)
	for i := range a.Data {
		if r.IntN(4) == 0 {
			a.Data[i] = 2*r.Float64() - 1 // where arcs are
		}
	}
	if r.IntN(6) == 0 {
		b := numbers(r, []int{1})
		out, err := Pow(ctx(), a, b)
		return call("np.power(a, b)", false, out, err, a, b)
	}
	names := Functions()
	name := names[r.IntN(len(names))]
	out, err := Function(ctx(), a, name)
	return call(ofNumPy(name)+"(a)", slices.Contains([]string{"abs", "ceil", "floor", "sqrt"}, name), out, err, a)
}

// complexFunctionCall is a function of complex numbers, of moderate size: NumPy's own overflow where they are large.
func complexFunctionCall(r *rand.Rand) numpyCase {
	a := array.New(2, 1+r.IntN(6))
	for i := range a.Data {
		a.Data[i] = r.NormFloat64() * math.Pow(10, float64(r.IntN(5)-3))
		if r.IntN(8) == 0 {
			a.Data[i] = float64(r.IntN(5) - 2) // the cuts
		}
	}
	z, err := Cartesian(ctx(), a.Index(0), a.Index(1))
	if err != nil {
		return call("0", false, nil, err, a)
	}
	names := ComplexFunctions()
	name := names[r.IntN(len(names))]
	w, err := z.Function(ctx(), name)
	if err != nil {
		return call("0", false, nil, err, a)
	}
	expression := ofNumPy(name) + "(a[0] + 1j*a[1])"
	if r.IntN(2) == 0 {
		out, err := w.Real(ctx())
		return call(expression+".real", false, out, err, a)
	}
	out, err := w.Imag(ctx())
	return call(expression+".imag", false, out, err, a)
}

// Functions of complex numbers keep their digits where formulas would cancel, and undo one another.
func TestComplexFunctionsKeepDigits(t *testing.T) {
	for _, c := range []struct {
		name    string
		z, want complex128
	}{
		{"log", complex(1+1e-12, 1e-9), complex(1.0000894005e-12, 1e-9)},
		{"acos", complex(1-1e-12, 0), complex(1.4142135623732128e-06, 0)},
		{"asin", complex(1e-20, 1e-20), complex(1e-20, 1e-20)},
		{"atan", complex(1e-20, -3e-18), complex(1e-20, -3e-18)},
		{"tanh", complex(400, 1), complex(1, 0)},
		{"tan", complex(1, 400), complex(0, 1)},
		{"sqrt", complex(-4, math.Copysign(0, -1)), complex(0, -2)},
	} {
		z, err := ComplexOf([]complex128{c.z}, 1)
		if err != nil {
			t.Fatal(err)
		}
		w, err := z.Function(ctx(), c.name)
		if err != nil {
			t.Fatal(err)
		}
		near := func(a, b float64) bool { return math.Abs(a-b) <= 2e-4*math.Abs(b) || math.Abs(a-b) < 1e-300 }
		if got := w.Data[0]; !near(real(got), real(c.want)) || !near(imag(got), imag(c.want)) {
			t.Errorf("%s(%v) = %v, want %v", c.name, c.z, got, c.want)
		}
	}
	r := rand.New(rand.NewPCG(8, 8))
	undo := [][2]string{{"exp", "log"}, {"sin", "asin"}, {"cos", "acos"}, {"tan", "atan"}}
	for range 2000 {
		v := complex(3*r.NormFloat64(), 3*r.NormFloat64())
		z, err := ComplexOf([]complex128{v}, 1)
		if err != nil {
			t.Fatal(err)
		}
		pair := undo[r.IntN(len(undo))]
		w, err := z.Function(ctx(), pair[1])
		if err == nil {
			w, err = w.Function(ctx(), pair[0])
		}
		if err != nil {
			t.Fatal(err)
		}
		if d := w.Data[0] - v; math.Hypot(real(d), imag(d)) > 1e-13*(1+math.Hypot(real(v), imag(v))*math.Hypot(real(v), imag(v))) {
			t.Error(fmt.Sprint(pair), v, w.Data[0])
		}
	}
}
