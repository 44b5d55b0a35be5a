package sparse

import (
	"context"
	"fmt"
	"math"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// cholesky is L by columns, the diagonal first, of the matrix with its unknowns reordered.
type cholesky struct {
	order []int32
	start []int
	row   []int32
	val   []float64
}

// factorCholesky finds L row by row: row k solves the triangle of the rows before for the
// entries of A, along the paths of the elimination tree that these begin (Davis 2006, Direct
// Methods for Sparse Linear Systems, section 4.8).
func factorCholesky(ctx context.Context, a *Matrix, p *plan, unit []float64) (*cholesky, error) {
	n := a.rows
	l := &cholesky{order: p.order, start: make([]int, n+1)}
	for k, c := range p.counts {
		l.start[k+1] = l.start[k] + c
	}
	l.row, l.val = make([]int32, l.start[n]), make([]float64, l.start[n])
	place, end := make([]int32, n), make([]int, n)
	for k, i := range p.order {
		place[i] = int32(k)
	}
	copy(end, l.start)
	x, mark, path, stack := make([]float64, n), make([]int32, n), make([]int32, n), make([]int32, n)
	work := 0
	for k := range n {
		if work > 1<<22 {
			if work = 0; ctx.Err() != nil {
				return nil, linop.Stopped(ctx)
			}
		}
		// The pattern of row k, children before parents.
		top := n
		mark[k] = int32(k) + 1
		for _, i := range p.low[k] {
			length := 0
			for ; mark[i] != int32(k)+1; i = p.parent[i] {
				mark[i] = int32(k) + 1
				path[length] = i
				length++
			}
			for ; length > 0; length-- {
				top--
				stack[top] = path[length-1]
			}
		}
		own := int(p.order[k])
		cols, values := a.Row(own)
		for q, j := range cols {
			if place[j] <= int32(k) {
				x[place[j]] = unit[own] * values[q] * unit[j]
			}
		}
		d := x[k]
		x[k] = 0
		for _, i := range stack[top:] {
			from, to := l.start[i], end[i]
			v := x[i] / l.val[from]
			x[i] = 0
			rows, vals := l.row[from+1:to], l.val[from+1:to]
			vals = vals[:len(rows)]
			for q, r := range rows {
				x[r] -= vals[q] * v
			}
			work += len(rows)
			d -= v * v
			l.row[to], l.val[to] = int32(k), v
			end[i]++
		}
		if !(d > 0) || math.IsInf(d, 0) {
			return nil, fmt.Errorf("%w: pivot %d of %d is %.3g", ErrNotPositive, k+1, n, d)
		}
		l.row[end[k]], l.val[end[k]] = int32(k), math.Sqrt(d)
		end[k]++
	}
	return l, nil
}

func (l *cholesky) fill() int { return len(l.val) }

func (l *cholesky) solve(x, work []float64) {
	for k, i := range l.order {
		work[k] = x[i]
	}
	n := len(work)
	for k := range n {
		from, to := l.start[k], l.start[k+1]
		v := work[k] / l.val[from]
		work[k] = v
		rows, vals := l.row[from+1:to], l.val[from+1:to]
		vals = vals[:len(rows)]
		for q, r := range rows {
			work[r] -= vals[q] * v
		}
	}
	for k := n - 1; k >= 0; k-- {
		from, to := l.start[k], l.start[k+1]
		v := work[k]
		rows, vals := l.row[from+1:to], l.val[from+1:to]
		vals = vals[:len(rows)]
		for q, r := range rows {
			v -= vals[q] * work[r]
		}
		work[k] = v / l.val[from]
	}
	for k, i := range l.order {
		x[i] = work[k]
	}
}

func (l *cholesky) solveTransposed(x, work []float64) { l.solve(x, work) }
