package pde

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/solve"
)

// elimination solves A x = b after taking out the rows of A that have one entry
// only, which fix an unknown, as those of given boundary values do. What remains
// is symmetric when the operator is, and is factored once.
type elimination struct {
	fixed   []int // unknowns that a row fixes
	row     []int // the row that fixes each
	pivot   []float64
	free    []int // the others
	freeRow []int
	inside  *linop.Sparse // free rows × free unknowns
	edge    *linop.Sparse // free rows × fixed unknowns
	factors *solve.Factorisation
}

func (g *grid) eliminate(ctx context.Context, a *linop.Sparse) (*elimination, error) {
	n, _ := a.Dims()
	e := &elimination{}
	place := make([]int, n) // of an unknown among the fixed, -1-k among the free
	owner := make([]int, n)
	for j := range owner {
		owner[j] = -1
	}
	for i := range n {
		cols, vals := a.Row(i)
		if len(cols) == 1 && vals[0] != 0 && owner[cols[0]] < 0 {
			owner[cols[0]] = i
			place[cols[0]] = len(e.fixed)
			e.fixed, e.row, e.pivot = append(e.fixed, cols[0]), append(e.row, i), append(e.pivot, vals[0])
			continue
		}
		e.freeRow = append(e.freeRow, i)
	}
	for j := range n {
		if owner[j] < 0 {
			place[j] = -1 - len(e.free)
			e.free = append(e.free, j)
		}
	}
	inside, edge := make([]linop.Entry, 0, a.Len()), []linop.Entry(nil)
	for r, i := range e.freeRow {
		cols, vals := a.Row(i)
		for k, j := range cols {
			if p := place[j]; p < 0 {
				inside = append(inside, linop.Entry{Row: r, Col: -1 - p, Value: vals[k]})
			} else {
				edge = append(edge, linop.Entry{Row: r, Col: p, Value: vals[k]})
			}
		}
	}
	e.inside = linop.NewSparse(len(e.free), len(e.free), inside)
	e.edge = linop.NewSparse(len(e.free), len(e.fixed), edge)
	if len(e.free) == 0 {
		return e, nil
	}
	var err error
	e.factors, err = solve.FactorOnGrid(ctx, e.inside, g.places(e.free))
	if errors.Is(err, solve.ErrSingular) {
		return e, fmt.Errorf("the discrete problem is singular on this mesh (%w); use another number of points", err)
	}
	return e, err
}

// places is where on the grid points are; nil on a line.
func (g *grid) places(points []int) [][2]int {
	if len(g.axes) < 2 {
		return nil
	}
	size := g.axes[1].Size()
	at := make([][2]int, len(points))
	for k, i := range points {
		at[k] = [2]int{i / size, i % size}
	}
	return at
}

// solve replaces every column of x by the solution for it.
func (e *elimination) solve(ctx context.Context, x *mat.Dense) error {
	_, m := x.Dims()
	raw := x.RawMatrix()
	row := func(i int) []float64 { return raw.Data[i*raw.Stride:][:m] }
	fixed := mat.NewDense(max(1, len(e.fixed)), m, nil)
	for k, i := range e.row {
		to := fixed.RawRowView(k)
		for c, v := range row(i) {
			to[c] = v / e.pivot[k]
		}
	}
	if len(e.free) > 0 {
		inside := mat.NewDense(len(e.free), m, nil)
		for k, i := range e.freeRow {
			copy(inside.RawRowView(k), row(i))
		}
		if len(e.fixed) > 0 {
			e.edge.AddMul(inside, -1, fixed)
		}
		if err := e.factors.Solve(ctx, inside); err != nil {
			return err
		}
		for k, j := range e.free {
			copy(row(j), inside.RawRowView(k))
		}
	}
	for k, j := range e.fixed {
		copy(row(j), fixed.RawRowView(k))
	}
	return nil
}

// batches calls do for consecutive ranges lo … hi-1 of n samples, each small
// enough that its solutions at the given number of points stay near 256 MB.
func batches(n, points int, do func(lo, hi int) error) error {
	const strip = 192 // what a factorisation solves together on two cores
	size := max(1, 1<<25/max(1, points)/strip) * strip
	for lo := 0; lo < n; lo += size {
		if err := do(lo, min(n, lo+size)); err != nil {
			return err
		}
	}
	return nil
}

// transpose stores the transpose of x in dst, tile by tile.
func transpose(dst, x *mat.Dense) {
	const tile = 32
	r, c := x.Dims()
	from, to := x.RawMatrix(), dst.RawMatrix()
	for i := 0; i < r; i += tile {
		for j := 0; j < c; j += tile {
			for p := i; p < min(r, i+tile); p++ {
				for q := j; q < min(c, j+tile); q++ {
					to.Data[q*to.Stride+p] = from.Data[p*from.Stride+q]
				}
			}
		}
	}
}

// rows is rows lo … hi-1 of f, sharing its numbers.
func rows(f *mat.Dense, lo, hi int) *mat.Dense {
	_, m := f.Dims()
	return f.Slice(lo, hi, 0, m).(*mat.Dense)
}
