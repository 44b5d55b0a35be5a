package arrays

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
)

// Products by tiles have the bits of one product of the whole matrices.
func TestDotTiles(t *testing.T) {
	for _, c := range [][3]int{{600, 530, 2}, {2, 1100, 520}, {520, 1030, 515}, {3, 513, 513}} {
		m, k, n := c[0], c[1], c[2]
		a, b := array.New(m, k), array.New(k, n)
		for i := range a.Data {
			a.Data[i] = math.Sin(float64(i))
		}
		for i := range b.Data {
			b.Data[i] = math.Cos(float64(i) / 3)
		}
		want := array.New(m, n)
		vector.Gemm(1, part(a.Data, k, 0, 0, m, k), part(b.Data, n, 0, 0, k, n), 0, part(want.Data, n, 0, 0, m, n))
		got := must(Dot(ctx(), a, b))
		for i, x := range want.Data {
			if got.Data[i] != x {
				t.Fatalf("%v: element %d is %v, one product gives %v", c, i, got.Data[i], x)
			}
		}
	}
}

// A product that is stopped returns the cause, whatever its numbers.
func TestDotStops(t *testing.T) {
	cause := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	a := array.New(600, 600)
	for _, x := range []float64{1, math.NaN()} {
		a.Data[0] = x
		if _, err := Dot(ctx, a, a); !errors.Is(err, cause) {
			t.Errorf("with %g: got %v, want %v", x, err, cause)
		}
	}
}
