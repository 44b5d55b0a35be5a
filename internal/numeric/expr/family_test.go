package expr

import (
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/simd"
)

// The fused families are recognised in built-in and scripted form, with the
// scales and amplitude that reproduce the kernel; neighbours of them are not.
func TestRadialFamily(t *testing.T) {
	c := Const
	r := Sqrt(Add(sq(Div(dx, c(0.2))), sq(Div(dy, c(0.5)))))
	z3, z5 := Mul(c(math.Sqrt(3)), r), Mul(c(math.Sqrt(5)), r)
	one := c(1)
	for _, test := range []struct {
		n      *Node
		family simd.Family
		ok     bool
	}{
		{Exp(Div(sq(r), c(-2))), simd.SE, true},
		{Mul(c(3), Exp(Neg(sq(r)))), simd.SE, true},
		{Exp(Neg(r)), simd.Exponential, true},
		{Matern(0.5, r), simd.Exponential, true},
		{Matern(1.5, r), simd.Matern32, true},
		{Matern(2.5, Div(r, c(3))), simd.Matern52, true},
		{Mul(c(0.1), Matern(2.5, r)), simd.Matern52, true},
		{Mul(Add(one, z3), Exp(Neg(z3))), simd.Matern32, true},
		{Mul(Exp(Neg(z5)), Add(Add(one, z5), Div(sq(z5), c(3)))), simd.Matern52, true},
		{Mul(Add(c(2), Mul(c(2), z3)), Exp(Neg(z3))), simd.Matern32, true},
		{Matern(1.2, r), 0, false},
		{Matern(3.5, r), 0, false},
		{Mul(Add(one, r), Exp(Neg(z3))), 0, false},
		{Mul(Add(Add(one, z5), Div(sq(z5), c(2))), Exp(Neg(z5))), 0, false},
		{Mul(Sub(one, z3), Exp(Neg(z3))), 0, false},
		{Exp(Neg(Add(r, sq(r)))), 0, false},
		{Exp(r), 0, false},
		{Div(one, Add(one, sq(r))), 0, false},
		{Add(Matern(1.5, r), one), 0, false},
		{Sqrt(Exp(Neg(r))), simd.Exponential, true},
	} {
		radial, ok := FindRadial(test.n, [][2]int{{0, 2}, {1, 3}})
		if !ok {
			t.Errorf("%s: not radial", test.n)
			continue
		}
		family, scale, amplitude, ok := radial.Family()
		if ok != test.ok || ok && family != test.family {
			t.Errorf("%s: family %v %t, want %v %t", test.n, family, ok, test.family, test.ok)
		}
		if !ok {
			continue
		}
		for _, x := range [][]float64{{0.1, 0.2, 0.35, 0.4}, {0, 0, 0, 0}, {1, 0.2, 0, 0.9}} {
			s := math.Hypot(scale[0]*(x[0]-x[2]), scale[1]*(x[1]-x[3]))
			if got, want := amplitude*family.Value(s), Eval(test.n, x); math.Abs(got-want) > 1e-14*want {
				t.Errorf("%s at %v: family gives %g, want %g", test.n, x, got, want)
			}
		}
	}
}
