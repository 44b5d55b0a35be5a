package sparse

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/linop"
)

// lu is L and U by columns of the matrix with rows and columns reordered. L has a diagonal of
// ones, which is not kept; U has its diagonal apart. Rows are numbered by their pivots.
type lu struct {
	order            []int32 // order[k] is the column at place k
	pivot            []int32 // pivot[k] is the row at place k
	lStart, uStart   []int
	lRow, uRow       []int32
	lValue, uValue   []float64
	diagonal         []float64
	place            []int32 // of a row; -1 while it is none of the pivots
	columns          *Matrix // the matrix by columns
	rowUnit, colUnit []float64
	x                []float64
	mark             []int32
	reach, stack     []int32
	position         []int
	searched         []int // the end of what a search follows of each column of L; 0: all of it
	threshold        float64
	room             int
}

// factorLU finds L and U column by column: each is the solution of a triangular system with
// the columns before, of which only those that are reached from the entries of A are used
// (Gilbert and Peierls 1988, SIAM J. Sci. Stat. Comput. 9). The diagonal entry is the pivot
// where it is at least threshold times the largest.
func factorLU(ctx context.Context, a *Matrix, p *plan, rowUnit, colUnit []float64, threshold float64) (*lu, error) {
	n := a.rows
	f := &lu{
		order: p.order, pivot: make([]int32, n), lStart: make([]int, 1, n+1), uStart: make([]int, 1, n+1), diagonal: make([]float64, n),
		place: make([]int32, n), columns: a.Transpose(), rowUnit: rowUnit, colUnit: colUnit, x: make([]float64, n), mark: make([]int32, n),
		reach: make([]int32, n), stack: make([]int32, n), position: make([]int, n), searched: make([]int, n), threshold: threshold, room: int(p.fill),
	}
	for i := range f.place {
		f.place[i] = -1
	}
	f.lRow, f.lValue = make([]int32, 0, f.room), make([]float64, 0, f.room)
	f.uRow, f.uValue = make([]int32, 0, f.room), make([]float64, 0, f.room)
	work := 0
	for k := range n {
		if work > 1<<22 {
			if work = 0; ctx.Err() != nil {
				return nil, linop.Stopped(ctx)
			}
		}
		top := f.reached(k)
		work += f.column(k, top)
		if err := f.choose(k, top); err != nil {
			return nil, err
		}
		f.prune(k)
		if size := max(len(f.lRow), len(f.uRow)); size > f.room { // pivots off the diagonal fill in more
			if f.room = size * 2; size > 0 {
				if err := dense.CheckSize("the factors of a sparse matrix", 3*float64(f.room)); err != nil {
					return nil, err
				}
			}
		}
	}
	for q, i := range f.lRow {
		f.lRow[q] = f.place[i]
	}
	f.columns, f.x, f.mark, f.reach, f.stack, f.position, f.searched, f.place = nil, nil, nil, nil, nil, nil, nil, nil
	f.lRow, f.lValue, f.uRow, f.uValue = slices.Clip(f.lRow), slices.Clip(f.lValue), slices.Clip(f.uRow), slices.Clip(f.uValue)
	return f, nil
}

// reached stores the rows that column k has entries in, in topological order, at the end of
// f.reach and returns where: a depth-first search in the graph of L.
func (f *lu) reached(k int) (top int) {
	top = len(f.reach)
	stamp := int32(k) + 1
	j := f.order[k]
	for _, i := range f.columns.col[f.columns.start[j]:f.columns.start[j+1]] {
		if f.mark[i] == stamp {
			continue
		}
		depth := 0
		f.stack[0] = int32(i)
		for depth >= 0 {
			r := f.stack[depth]
			c := f.place[r]
			if f.mark[r] != stamp {
				f.mark[r] = stamp
				if f.position[depth] = 0; c >= 0 {
					f.position[depth] = f.lStart[c]
				}
			}
			done := true
			if c >= 0 {
				end := f.searched[c]
				if end == 0 {
					end = f.lStart[c+1]
				}
				for q := f.position[depth]; q < end; q++ {
					if next := f.lRow[q]; f.mark[next] != stamp {
						f.position[depth] = q + 1
						depth++
						f.stack[depth] = next
						done = false
						break
					}
				}
			}
			if done {
				depth--
				top--
				f.reach[top] = r
			}
		}
	}
	return top
}

// column solves for column k of L and U, scattered in f.x.
func (f *lu) column(k, top int) (work int) {
	j := int(f.order[k])
	for p := f.columns.start[j]; p < f.columns.start[j+1]; p++ {
		i := f.columns.col[p]
		f.x[i] = f.rowUnit[i] * f.columns.val[p] * f.colUnit[j]
	}
	for _, i := range f.reach[top:] {
		c := f.place[i]
		if c < 0 {
			continue
		}
		v := f.x[i]
		rows, vals := f.lRow[f.lStart[c]:f.lStart[c+1]], f.lValue[f.lStart[c]:f.lStart[c+1]]
		vals = vals[:len(rows)]
		for q, r := range rows {
			f.x[r] -= vals[q] * v
		}
		work += len(rows) + 1
	}
	return work
}

// choose takes a pivot for column k, and gathers the column.
func (f *lu) choose(k, top int) error {
	best, largest := int32(-1), 0.0
	for _, i := range f.reach[top:] {
		if v := math.Abs(f.x[i]); f.place[i] < 0 && v > largest {
			best, largest = i, v
		}
	}
	if best < 0 || !(largest <= math.MaxFloat64) {
		return fmt.Errorf("%w: pivot %d of %d is %g", ErrSingular, k+1, len(f.pivot), largest)
	}
	if d := f.order[k]; f.place[d] < 0 && f.mark[d] == int32(k)+1 && math.Abs(f.x[d]) >= f.threshold*largest {
		best = d
	}
	pivot := f.x[best]
	for _, i := range f.reach[top:] {
		v := f.x[i]
		f.x[i] = 0
		switch c := f.place[i]; {
		case c >= 0:
			f.uRow, f.uValue = append(f.uRow, c), append(f.uValue, v)
		case i != best:
			f.lRow, f.lValue = append(f.lRow, i), append(f.lValue, v/pivot)
		}
	}
	f.place[best], f.pivot[k], f.diagonal[k] = int32(k), best, pivot
	f.lStart, f.uStart = append(f.lStart, len(f.lRow)), append(f.uStart, len(f.uRow))
	return nil
}

// prune shortens the searches through columns that have the pivot's row: what they reach
// below it is reached through column k too (Eisenstat and Liu 1992, SIAM J. Matrix Anal.
// Appl. 13). Rows that are pivots already come first.
func (f *lu) prune(k int) {
	for _, c := range f.uRow[f.uStart[k]:f.uStart[k+1]] {
		lo, hi := f.lStart[c], f.lStart[c+1]
		if f.searched[c] > 0 || !slices.Contains(f.lRow[lo:hi], f.pivot[k]) {
			continue
		}
		for q := lo; q < hi; {
			if f.place[f.lRow[q]] >= 0 {
				q++
				continue
			}
			hi--
			f.lRow[q], f.lRow[hi] = f.lRow[hi], f.lRow[q]
			f.lValue[q], f.lValue[hi] = f.lValue[hi], f.lValue[q]
		}
		f.searched[c] = hi
	}
}

func (f *lu) fill() int { return len(f.lValue) + len(f.uValue) + len(f.diagonal) }

func (f *lu) solve(x, work []float64) {
	for k, i := range f.pivot {
		work[k] = x[i]
	}
	for k := range work {
		v := work[k]
		rows, vals := f.lRow[f.lStart[k]:f.lStart[k+1]], f.lValue[f.lStart[k]:f.lStart[k+1]]
		vals = vals[:len(rows)]
		for q, r := range rows {
			work[r] -= vals[q] * v
		}
	}
	for k := len(work) - 1; k >= 0; k-- {
		v := work[k] / f.diagonal[k]
		work[k] = v
		rows, vals := f.uRow[f.uStart[k]:f.uStart[k+1]], f.uValue[f.uStart[k]:f.uStart[k+1]]
		vals = vals[:len(rows)]
		for q, r := range rows {
			work[r] -= vals[q] * v
		}
	}
	for k, j := range f.order {
		x[j] = work[k]
	}
}

func (f *lu) solveTransposed(x, work []float64) {
	for k, j := range f.order {
		work[k] = x[j]
	}
	for k := range work {
		v := work[k]
		rows, vals := f.uRow[f.uStart[k]:f.uStart[k+1]], f.uValue[f.uStart[k]:f.uStart[k+1]]
		for q, r := range rows {
			v -= vals[q] * work[r]
		}
		work[k] = v / f.diagonal[k]
	}
	for k := len(work) - 1; k >= 0; k-- {
		v := work[k]
		rows, vals := f.lRow[f.lStart[k]:f.lStart[k+1]], f.lValue[f.lStart[k]:f.lStart[k+1]]
		for q, r := range rows {
			v -= vals[q] * work[r]
		}
		work[k] = v
	}
	for k, i := range f.pivot {
		x[i] = work[k]
	}
}
