package plot

import (
	"math"
	"testing"
)

// The length of the hatching in a cell is in proportion to its area, and there is none elsewhere.
func TestHatchStaysInItsCells(t *testing.T) {
	x, y := []float64{0, 1, 3, 7}, []float64{-2, -1, 0}
	s := Hatch(x, y, func(i, j int) bool { return i == 2 && j != 1 })
	ex, ey := cellEdges(x, false), cellEdges(y, false)
	length := 0.0
	for k := 1; k < len(s.X); k++ {
		if math.IsNaN(s.X[k]) || math.IsNaN(s.X[k-1]) {
			continue
		}
		i, j := cellOf(ex, (s.X[k]+s.X[k-1])/2), cellOf(ey, (s.Y[k]+s.Y[k-1])/2)
		if i != 2 || j == 1 {
			t.Errorf("hatched at %g, %g: cell %d, %d", s.X[k], s.Y[k], i, j)
		}
		length += (s.X[k] - s.X[k-1]) / (ex[4] - ex[0])
	}
	// 36 lines to the width, each as long as the width in all: the share of the area, but for the
	// steps of the lines, one of 400 at each end.
	area := (ex[3] - ex[2]) / (ex[4] - ex[0]) * 2 / 3
	if math.Abs(length/36-area) > 0.1*area {
		t.Errorf("hatched %.3f of the width 36 times, the area is %.3f", length/36, area)
	}
	if err := Check(Heatmap{Values: [][]float64{{1, 2}, {3, 4}}, Lines: []Series{Hatch([]float64{0, 1}, []float64{0, 1}, func(int, int) bool { return false })}}); err != nil {
		t.Errorf("nothing hatched: %v", err)
	}
}
