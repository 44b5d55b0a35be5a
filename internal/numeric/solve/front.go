package solve

import "github.com/greenbench/workbench/internal/numeric/simd"

// front is a set of unknowns that are eliminated together, and those after them that are
// joined to each other by that.
type front struct {
	first, pivots int     // places first … first+pivots-1
	border        []int32 // places after those, increasing
	children      int     // fronts whose parent it is, the last ones before it without one
}

func (f front) size() int { return f.pivots + len(f.border) }

// factoredFront is a front with k pivots and s unknowns, factored. Numbers are in the order in which single vectors meet
// them, those of all fronts one after the other: L by columns, four of them side by side from the first of their pivots on;
// then U by columns, those of the border, and those of the pivots from the last on, four of them down to the last of theirs.
type factoredFront struct {
	front
	swaps        []int32
	lower, upper []float64
}

// four is how many unknowns are taken together in a solve.
const four = 4

// before is how many numbers there are before group n of columns, of which the first has so many rows, and each next four
// less.
func before(n, rows int) int { return four * (n*rows - four*n*(n-1)/2) }

// columns is how many numbers so many columns take, in groups of four.
func columns(count, rows int) int {
	n := count / four
	return before(n, rows) + (count-four*n)*(rows-four*n)
}

// lengths are how many numbers of L and U there are.
func (f front) lengths() (lower, upper int) {
	return columns(f.pivots, f.size()), f.pivots*len(f.border) + columns(f.pivots, f.pivots)
}

// columnsOfL is columns from, a multiple of four, to to-1 of L, beginning with row from, one after the other.
func (q *factoredFront) columnsOfL(from, to int) (data []float64, rows int) {
	rows = q.size() - from
	return q.lower[before(from/four, q.size()):][:(to-from)*rows], rows
}

// columnsOfU is columns from to to-1 of U, which end with row to-1; to is a multiple of four less than the pivots.
func (q *factoredFront) columnsOfU(from, to int) (data []float64, rows int) {
	k := q.pivots
	return q.upper[k*len(q.border)+before((k-to)/four, k):][:(to-from)*to], to
}

// columnOfBorder is the column of U of a place on the border.
func (q *factoredFront) columnOfBorder(i int) []float64 { return q.upper[i*q.pivots:][:q.pivots] }

// keep takes what is eliminated from m.
func (q *factoredFront) keep(kernels simd.Kernels, m simd.Matrix) {
	k, s := q.pivots, q.size()
	for from := 0; from < k; from += four {
		to := min(from+four, k)
		data, rows := q.columnsOfL(from, to)
		turn(data, rows, window(m, from, s, from, to))
	}
	for to := k; to > 0; to -= four {
		from := max(0, to-four)
		data, rows := q.columnsOfU(from, to)
		turn(data, rows, window(m, 0, to, from, to))
	}
	if k < s {
		kernels.Transpose(q.upper, k, m.Data[k:], s, k, s-k)
	}
}

// turn sets rows of so many numbers to the columns of m, up to four.
func turn(data []float64, rows int, m simd.Matrix) {
	if m.Cols < four {
		for c := range m.Cols {
			for i := range rows {
				data[c*rows+i] = m.Data[i*m.RowStride+c]
			}
		}
		return
	}
	c0, c1, c2, c3 := data[:rows], data[rows:][:rows], data[2*rows:][:rows], data[3*rows:][:rows]
	for i := range rows {
		v := (*[four]float64)(m.Data[i*m.RowStride:])
		c0[i], c1[i], c2[i], c3[i] = v[0], v[1], v[2], v[3]
	}
}
