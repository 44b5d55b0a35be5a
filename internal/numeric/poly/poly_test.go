package poly_test

import (
	"context"
	"math"
	"math/cmplx"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/poly"
)

// Roots in closed form, of all units, and at the ends of what there is.
func TestRoots(t *testing.T) {
	for _, tt := range []struct {
		c    []float64
		want []complex128
		tol  float64
	}{
		{[]float64{6, -5, 1}, []complex128{2, 3}, 1e-14},
		{[]float64{1, 0, 1}, []complex128{-1i, 1i}, 1e-15},
		{[]float64{0, 0, 2, 1, 0}, []complex128{-2, 0, 0}, 1e-15},
		{[]float64{-1e150, 1e150}, []complex128{1}, 1e-15},
		{[]float64{6e-150, -5e-150, 1e-150}, []complex128{2, 3}, 1e-14},
		{[]float64{6e300, -5e150, 1}, []complex128{2e150, 3e150}, 1e-13},
		{[]float64{1e-20, -1 - 1e-20, 1}, []complex128{1e-20, 1}, 1e-14},
		{[]float64{5}, nil, 0},
		{[]float64{-1, 3, -3, 1}, []complex128{1, 1, 1}, 2e-5},
	} {
		got, err := poly.Roots(context.Background(), tt.c)
		if err != nil || len(got) != len(tt.want) {
			t.Errorf("roots of %g: %v %v", tt.c, got, err)
			continue
		}
		for i, z := range got {
			if !(cmplx.Abs(z-tt.want[i]) <= tt.tol*cmplx.Abs(tt.want[i])) {
				t.Errorf("roots of %g: %v, want %v", tt.c, got, tt.want)
				break
			}
		}
	}
	if _, err := poly.Roots(context.Background(), []float64{0, 0}); err == nil {
		t.Error("the zero polynomial has roots")
	}
}

// A fit of data from a polynomial finds it, on intervals far from 0 too.
func TestFit(t *testing.T) {
	want := []float64{3, -2, 0.5, 1}
	for _, shift := range []float64{0, 10, -3} {
		var x, y []float64
		for i := range 20 {
			x = append(x, shift+float64(i)/7)
			y = append(y, poly.Eval(want, x[i]))
		}
		got, err := poly.Fit(context.Background(), x, y, 3)
		if err != nil {
			t.Fatal(err)
		}
		for k, c := range got {
			if !(math.Abs(c-want[k]) < 1e-11*math.Pow(1+math.Abs(shift), 3)) {
				t.Errorf("shift %g: %v, want %v", shift, got, want)
				break
			}
		}
	}
	if _, err := poly.Fit(context.Background(), []float64{1, 1, 1}, []float64{1, 2, 3}, 1); err == nil {
		t.Error("a line is fitted through one point")
	}
	if c, err := poly.Fit(context.Background(), []float64{5}, []float64{2}, 0); err != nil || math.Abs(c[0]-2) > 1e-15 {
		t.Errorf("a constant: %v %v", c, err)
	}
}

func TestCalculus(t *testing.T) {
	c := []float64{1, -4, 0.5, 2}
	d := poly.Derivative(poly.Integral(c, 7), 1)
	for k := range c {
		if d[k] != c[k] {
			t.Errorf("derivative of the integral: %v, want %v", d, c)
		}
	}
	if d := poly.Derivative(c, 9); len(d) != 1 || d[0] != 0 {
		t.Errorf("ninth derivative %v", d)
	}
	for _, x := range []float64{-2, 0, 1.5} {
		product, err := poly.Mul(t.Context(), c, d)
		if p := poly.Eval(product, x); err != nil || math.Abs(p-poly.Eval(c, x)*poly.Eval(d, x)) > 1e-12 {
			t.Errorf("product at %g: %g", x, p)
		}
	}
}

// Coefficients without digits are refused: years in powers of the year, units that overflow.
func TestCoefficientsWithoutDigits(t *testing.T) {
	var years, near, y []float64
	for k := range 31 {
		years, near = append(years, 1990+float64(k)), append(near, (float64(k)-15)/15)
		y = append(y, math.Sin(float64(k)))
	}
	if c, err := poly.Fit(t.Context(), years, y, 9); err == nil || !strings.Contains(err.Error(), "fit in t = (x - 2005) / 15") {
		t.Errorf("degree 9 of years: %v %v", c, err)
	}
	if _, err := poly.Fit(t.Context(), near, y, 9); err != nil {
		t.Error(err)
	}
	if c, err := poly.Fit(t.Context(), years, y, 1); err != nil {
		t.Errorf("a line through years: %v %v", c, err)
	}
	if c, err := poly.Fit(t.Context(), []float64{1e-300, 2e-300, 4e-300}, []float64{1, 2, 3}, 2); err == nil {
		t.Errorf("x², of 1e-300: %v", c)
	}
	if c, err := poly.FromRoots(t.Context(), []complex128{1e200, -1e200}); err == nil {
		t.Errorf("roots of 1e200: %v", c)
	}
}

// TestRootsTogether: the polynomial of the roots that were found is the one that was given, to
// rounding, where roots are multiple or in clusters, too: each is uncertain, but not all together.
func TestRootsTogether(t *testing.T) {
	for _, roots := range [][]float64{{-1, -1, -1}, {2, 2}, {1, 1, 1, 1, 1}, {1, 1 + 1e-6, 1 - 1e-6, 3}, {0.5, 0.5, 0.5, -4}, {1, 2, 3, 4, 5, 6}} {
		c := []complex128{1}
		multiplied := func(c []complex128, root complex128) []complex128 {
			next := make([]complex128, len(c)+1)
			for k, v := range c {
				next[k+1] += v
				next[k] -= v * root
			}
			return next
		}
		for _, r := range roots {
			c = multiplied(c, complex(r, 0))
		}
		coefficients, size := make([]float64, len(c)), 0.0
		for k, v := range c {
			coefficients[k] = real(v)
			size = max(size, math.Abs(real(v)))
		}
		found, err := poly.Roots(t.Context(), coefficients)
		if err != nil {
			t.Fatal(err)
		}
		again := []complex128{1}
		for _, r := range found {
			again = multiplied(again, r)
		}
		for k, v := range again {
			if cmplx.Abs(v-c[k]) > 1e-13*size {
				t.Errorf("roots %v: coefficient %d is %v, want %v: %v", roots, k, v, c[k], found)
			}
		}
	}
}

// TestRootsOfAllSizes: a coefficient that is far smaller than the others adds a far root, and leaves
// the others their digits; products of polynomials in any units have the roots of both.
func TestRootsOfAllSizes(t *testing.T) {
	for _, small := range []float64{1e-17, 1e-30, 1e-50, 1e-100, 1e-200, 1e-300} {
		r, err := poly.Roots(t.Context(), []float64{6, -5, 1, small})
		if err != nil {
			t.Fatal(err)
		}
		for k, want := range []float64{-1 / small, 2, 3} {
			if math.Abs(real(r[k])-want) > 1e-13*math.Abs(want) || imag(r[k]) != 0 {
				t.Errorf("leading %g: root %g, want %g", small, r[k], want)
			}
		}
		r, err = poly.Roots(t.Context(), []float64{small, 1, -5, 6})
		if err != nil {
			t.Fatal(err)
		}
		for k, want := range []float64{-small, 1. / 3, 0.5} {
			if math.Abs(real(r[k])-want) > 1e-12*math.Abs(want) || imag(r[k]) != 0 {
				t.Errorf("constant %g: root %g, want %g", small, r[k], want)
			}
		}
	}
	c, err := poly.Mul(t.Context(), []float64{1, 0, 1e-60}, []float64{1, 0, 1e60}) // ±1e30 i, ±1e-30 i
	if err != nil {
		t.Fatal(err)
	}
	r, err := poly.Roots(t.Context(), c)
	if err != nil || len(r) != 4 {
		t.Fatal(r, err)
	}
	for _, v := range r {
		if size := math.Abs(imag(v)); math.Abs(size-1e30) > 1e17 && math.Abs(size-1e-30) > 1e-43 || math.Abs(real(v)) > 1e-13*size {
			t.Errorf("root %g", v)
		}
	}
}

// TestEvalAtInfinity: the leading coefficient decides.
func TestEvalAtInfinity(t *testing.T) {
	if v := poly.Eval([]float64{1, 2, -3}, math.Inf(1)); !math.IsInf(v, -1) {
		t.Error(v)
	}
	if v := poly.Eval([]float64{7}, math.Inf(1)); v != 7 {
		t.Error(v)
	}
}
