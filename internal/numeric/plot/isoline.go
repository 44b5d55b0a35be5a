package plot

import (
	"math"
	"sort"
)

// isoline holds the lines on which samples have one value, as points with NaN
// between one line and the next.
type isoline struct{ x, y []float64 }

// crossing is a point where an isoline leaves a cell: the side's number, and
// the number of the crossing on the other side of the same cell.
type crossing struct{ side, other int }

// isolines returns the lines on which the samples have the values of levels,
// which increase (marching squares; a saddle is decided by the mean of its
// corners). A closed line ends where it began. The order depends on the samples
// only. Cost: one pass over the cells, and the lines.
func isolines(s samples, levels []float64) []isoline {
	nx, ny := len(s.x), len(s.y)
	crossings := make([][]crossing, len(levels))
	// Side 2(i·ny+j) joins node (i,j) to (i+1,j), side 2(i·ny+j)+1 to (i,j+1).
	along := func(i, j int) int { return 2 * (i*ny + j) }
	up := func(i, j int) int { return 2*(i*ny+j) + 1 }
	for i := range nx - 1 {
		for j := range ny - 1 {
			corners := [4]float64{s.values[i][j], s.values[i+1][j], s.values[i+1][j+1], s.values[i][j+1]}
			low, high := min(corners[0], corners[1], corners[2], corners[3]), max(corners[0], corners[1], corners[2], corners[3])
			if !finite(low) || !finite(high) {
				continue
			}
			for k := sort.SearchFloat64s(levels, low); k < len(levels) && levels[k] <= high; k++ {
				sides := [4]int{along(i, j), up(i+1, j), along(i, j+1), up(i, j)}
				crossings[k] = marchCell(crossings[k], corners, sides, levels[k])
			}
		}
	}
	lines := make([]isoline, len(levels))
	for k, level := range levels {
		lines[k] = trace(crossings[k], func(side int) (float64, float64) { return s.cross(side, level) })
	}
	return lines
}

// marchCell adds the pairs of crossings of one cell. Side k lies between
// corners k and k+1, counter-clockwise.
func marchCell(list []crossing, corners [4]float64, sides [4]int, level float64) []crossing {
	var crossed [4]int
	n := 0
	for k := range 4 {
		if (corners[k] >= level) != (corners[(k+1)%4] >= level) {
			crossed[n] = sides[k]
			n++
		}
	}
	join := func(a, b int) {
		n := len(list)
		list = append(list, crossing{a, n + 1}, crossing{b, n})
	}
	switch n {
	case 2:
		join(crossed[0], crossed[1])
	case 4:
		centre := corners[0]/4 + corners[1]/4 + corners[2]/4 + corners[3]/4
		if (centre >= level) == (corners[0] >= level) { // corners 0 and 2 are connected
			join(crossed[0], crossed[1])
			join(crossed[2], crossed[3])
		} else {
			join(crossed[3], crossed[0])
			join(crossed[1], crossed[2])
		}
	}
	return list
}

// cross returns the point on a side where the value is level.
func (s samples) cross(side int, level float64) (x, y float64) {
	i, j := side/2/len(s.y), side/2%len(s.y)
	k, l := i, j
	if side%2 == 0 {
		k++
	} else {
		l++
	}
	a, b := s.values[i][j], s.values[k][l]
	t := (level/2 - a/2) / (b/2 - a/2)
	return s.x[i]*(1-t) + s.x[k]*t, s.y[j]*(1-t) + s.y[l]*t
}

// trace strings crossings together to lines: open ones first, then the loops.
func trace(crossings []crossing, at func(side int) (float64, float64)) isoline {
	var x, y []float64
	twin := make(map[int]int, len(crossings)) // crossing of the neighbour cell on the same side
	seen := make(map[int]int, len(crossings)) // side → its first crossing
	for n, c := range crossings {
		if m, ok := seen[c.side]; ok {
			twin[n], twin[m] = m, n
		} else {
			seen[c.side] = n
		}
	}
	done := make([]bool, len(crossings))
	emit := func(side int) {
		px, py := at(side)
		x, y = append(x, px), append(y, py)
	}
	follow := func(n int) {
		if len(x) > 0 {
			x, y = append(x, math.NaN()), append(y, math.NaN())
		}
		emit(crossings[n].side)
		for !done[n] {
			m := crossings[n].other
			done[n], done[m] = true, true
			emit(crossings[m].side)
			next, ok := twin[m]
			if !ok {
				return
			}
			n = next
		}
	}
	for n := range crossings {
		if _, ok := twin[n]; !ok && !done[n] {
			follow(n)
		}
	}
	for n := range crossings {
		if !done[n] {
			follow(n)
		}
	}
	return isoline{x, y}
}
