package arrays_test

import (
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/array"
)

// TestLargestNumbers: what lies between the largest numbers is between them, though their difference is
// infinite; rounding to more than there is gives 0; and an open bin counts infinite numbers.
func TestLargestNumbers(t *testing.T) {
	c := t.Context()
	line, err := arrays.LinSpace(c, 1e308, -1e308, 5)
	for i, want := range []float64{1e308, 0.5e308, 0, -0.5e308, -1e308} {
		if err != nil || math.Abs(line.Data[i]-want) > 1e294 {
			t.Fatalf("from 1e308 to -1e308: %v %v", line, err)
		}
	}
	q, err := arrays.Reduce(c, array.Vector([]float64{-1e308, 1.5e308}), "quantile", 0.5, arrays.All, false)
	if err != nil || math.Abs(q.Data[0]-0.25e308) > 1e294 {
		t.Errorf("quantile: %v %v", q, err)
	}
	for decimals, want := range map[int]float64{-3: 12000, -5: 0, -308: 0, -309: 0, -400: 0, 400: 12345} {
		if r, err := arrays.Round(c, array.Vector([]float64{12345}), decimals); err != nil || r.Data[0] != want {
			t.Errorf("12345 to %d decimals: %v, want %g (%v)", decimals, r, want, err)
		}
	}
	inf := math.Inf(1)
	h, err := arrays.Histogram(c, array.Vector([]float64{0, 1, 2, inf, -inf, math.NaN()}), []float64{0, 2, inf}, nil)
	if err != nil || h.Data[0] != 2 || h.Data[1] != 2 {
		t.Errorf("histogram: %v %v", h, err)
	}
	if h, err = arrays.Histogram(c, array.Vector([]float64{0, 1, -inf}), []float64{-inf, inf}, nil); err != nil || h.Data[0] != 3 {
		t.Errorf("histogram of all: %v %v", h, err)
	}
}
