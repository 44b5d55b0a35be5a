package sheet

import (
	"math"
	"testing"
)

// Means keep the digits of numbers with a large offset, leave out what is missing, and are what
// arithmetic says of infinite numbers in either order.
func TestAverage(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		x    []float64
		want float64
	}{
		{[]float64{0.1, 0.1, 0.1}, 0.1},
		{[]float64{1e15 + 1, nan, 1e15 + 3}, 1e15 + 2},
		{[]float64{nan}, nan},
		{nil, nan},
		{[]float64{inf, 1}, inf},
		{[]float64{1, inf}, inf},
		{[]float64{inf, inf}, inf},
		{[]float64{inf, -inf}, nan},
		{[]float64{1.5e308, -1.5e308}, 0},
		{[]float64{1.5e308, 1.5e308, 1.5e308}, 1.5e308},
		{[]float64{5e-324, 5e-324}, 5e-324},
	} {
		rows := make([]int, len(c.x))
		for i := range rows {
			rows[i] = i
		}
		if got := average(c.x, rows); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("the mean of %v is %v, want %v", c.x, got, c.want)
		}
	}
}
