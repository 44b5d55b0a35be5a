package plot

import (
	"cmp"
	"math"
)

// Hatch is a line over a heat map of values at x and y, both increasing, that hatches the cells
// where it is asked for: one series, broken by NaN.
func Hatch(x, y []float64, where func(i, j int) bool) Series {
	const (
		lines = 36  // across the width
		steps = 400 // along each
	)
	s := Series{Style: "-", Color: "#404040"}
	xs, ys := cellEdges(x, false), cellEdges(y, false)
	x0, width, y0, height := xs[0], xs[len(x)]-xs[0], ys[0], ys[len(y)]-ys[0]
	open := false
	leave := func() {
		if open {
			s.X, s.Y, open = append(s.X, math.NaN()), append(s.Y, math.NaN()), false
		}
	}
	var last [2]float64
	for l := -lines + 1; l < lines; l++ {
		for k := range steps + 1 {
			a := float64(k) / steps // of the width
			b := a - float64(l)/lines
			p := [2]float64{x0 + a*width, y0 + b*height}
			in := b >= 0 && b <= 1 && where(cellOf(xs, p[0]), cellOf(ys, p[1]))
			switch {
			case in && !open:
				s.X, s.Y, open = append(s.X, p[0], p[0]), append(s.Y, p[1], p[1]), true
			case in: // the end moves on
				s.X[len(s.X)-1], s.Y[len(s.Y)-1] = p[0], p[1]
			default:
				leave()
			}
			last = p
		}
		leave()
	}
	if len(s.X) == 0 { // nothing is hatched: a point that is not drawn
		s.X, s.Y = []float64{last[0]}, []float64{math.NaN()}
	}
	return s
}

// cellOf is the cell between edges that a coordinate is in.
func cellOf(edges []float64, v float64) int {
	lo, hi := 0, len(edges)-2
	for lo < hi {
		if mid := (lo + hi + 1) / 2; cmp.Less(v, edges[mid]) {
			hi = mid - 1
		} else {
			lo = mid
		}
	}
	return lo
}
