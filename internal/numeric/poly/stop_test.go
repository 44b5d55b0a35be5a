package poly_test

import (
	"context"
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/poly"
)

// What grows with the square of its input ends with its context; roots give back their polynomial.
func TestPolynomialsStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := poly.Mul(ctx, make([]float64, 9), make([]float64, 9)); err == nil {
		t.Error("a product does not end with its context")
	}
	if _, err := poly.FromRoots(ctx, make([]complex128, 9)); err == nil {
		t.Error("a polynomial of roots does not end with its context")
	}
	c, err := poly.FromRoots(t.Context(), []complex128{1, -2, 3i, -3i}) // (x - 1)(x + 2)(x² + 9)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []float64{-18, 9, 7, 1, 1} {
		if math.Abs(real(c[k])-want) > 1e-14 || imag(c[k]) != 0 {
			t.Errorf("coefficient %d is %v, want %g", k, c[k], want)
		}
	}
}
