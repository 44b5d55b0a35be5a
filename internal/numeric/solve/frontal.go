package solve

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/simd"
)

// frontal is P A = L U front by front (Duff and Reid, ACM Trans. Math. Softw. 9, 1983): each
// front is a dense matrix, made of entries of A and of what its children leave. Rows are
// exchanged within the pivots of a front only.
type frontal struct {
	*dissection
	kernels simd.Kernels
	fronts  []factoredFront
	largest int // unknowns of a front
}

// step is how many unknowns of a front are solved one by one before the matrix product takes
// over.
const step = 16

// largestMultiplier is how large L may be below the pivots of a front: pivots are the largest
// among these only.
const largestMultiplier = 100

// errUnstable means that pivots from all of the matrix are needed.
var errUnstable = errors.New("pivots of a front are too small")

// newFrontal factors a; the error is errUnstable where the order does not allow that.
func newFrontal(ctx context.Context, a *linop.Sparse, d *dissection) (*frontal, error) {
	if err := dense.CheckSize(fmt.Sprintf("the factor of %d unknowns", len(d.order)), 1.5*float64(d.lower+d.upper)); err != nil {
		return nil, err
	}
	f := &frontal{dissection: d, kernels: simd.Best()}
	for _, q := range d.fronts {
		f.largest = max(f.largest, q.size())
	}
	as := newAssembler(a, d, f.largest)
	f.fronts = make([]factoredFront, len(d.fronts))
	swaps, lower, upper := make([]int32, len(d.order)), dense.Room[float64](d.lower), dense.Room[float64](d.upper)
	for k, q := range d.fronts {
		if k%16 == 0 && ctx.Err() != nil {
			return nil, linop.Stopped(ctx)
		}
		m := as.front(q)
		nl, nu := q.lengths()
		done := &f.fronts[k]
		*done = factoredFront{front: q, swaps: swaps[q.first:][:q.pivots], lower: lower[:nl], upper: upper[len(upper)-nu:]}
		lower, upper = lower[nl:], upper[:len(upper)-nu]
		if err := f.eliminate(m, done.swaps); err != nil {
			return nil, err
		}
		as.leave(m, q.pivots)
		done.keep(f.kernels, m)
	}
	return f, nil
}

// eliminate factors the first len(swaps) rows and columns of a front, and leaves the rest less
// their product.
func (f *frontal) eliminate(m simd.Matrix, swaps []int32) error {
	k, s := len(swaps), m.Rows
	for from := 0; from < k; from += step {
		to := min(from+step, k)
		for c := from; c < to; c++ {
			if err := pivot(m, c, to, swaps); err != nil {
				return err
			}
		}
		for i := from + 1; i < to; i++ {
			for p := from; p < i; p++ {
				floats.AddScaled(rowOf(m, i)[to:], -rowOf(m, i)[p], rowOf(m, p)[to:])
			}
		}
		if to < s {
			f.kernels.GemmParallel(-1, window(m, to, s, from, to), window(m, from, to, to, s), 1, window(m, to, s, to, s))
		}
	}
	for i := k; i < s; i++ {
		for _, l := range rowOf(m, i)[:k] {
			if !(math.Abs(l) <= largestMultiplier) {
				return errUnstable
			}
		}
	}
	return nil
}

// pivot eliminates column c in the rows below, up to column to.
func pivot(m simd.Matrix, c, to int, swaps []int32) error {
	p := c
	for i := c + 1; i < len(swaps); i++ {
		if math.Abs(rowOf(m, i)[c]) > math.Abs(rowOf(m, p)[c]) {
			p = i
		}
	}
	if swaps[c] = int32(p); p != c {
		exchange(m, c, p)
	}
	own := rowOf(m, c)[c:to]
	if own[0] == 0 || math.IsNaN(own[0]) {
		return errUnstable
	}
	for i := c + 1; i < m.Rows; i++ {
		x := rowOf(m, i)[c:to]
		if x[0] == 0 {
			continue
		}
		x[0] /= own[0]
		for q, l := 1, x[0]; q < len(x) && q < len(own); q++ {
			x[q] -= l * own[q]
		}
	}
	return nil
}

// assembler makes fronts of the matrix and of what fronts before leave.
type assembler struct {
	a, transposed *linop.Sparse
	order         []int
	place         []int32 // of an unknown
	local         []int32 // of a place in the front at hand
	buffer        []float64
	left          []contribution // of fronts whose parent is to come
	current       front
}

// contribution is what a front adds to its parent, on its border.
type contribution struct {
	border []int32
	values []float64
}

func newAssembler(a *linop.Sparse, d *dissection, largest int) *assembler {
	as := &assembler{a: a, transposed: a.Transpose(), order: d.order, place: make([]int32, len(d.order)), local: make([]int32, len(d.order)), buffer: make([]float64, largest*largest)}
	for k, i := range d.order {
		as.place[i] = int32(k)
	}
	return as
}

// front is the matrix of a front, valid until the next one.
func (as *assembler) front(q front) simd.Matrix {
	s, end := q.size(), int32(q.first+q.pivots)
	m := simd.Dense(s, s, as.buffer[:s*s])
	clear(m.Data)
	for k := range q.pivots {
		as.local[q.first+k] = int32(k)
	}
	for k, p := range q.border {
		as.local[p] = int32(q.pivots + k)
	}
	for k, i := range as.order[q.first:end] {
		cols, vals := as.a.Row(i)
		for e, j := range cols {
			if p := as.place[j]; p >= int32(q.first) {
				m.Data[k*s+int(as.local[p])] = vals[e]
			}
		}
		rows, vals := as.transposed.Row(i)
		for e, j := range rows {
			if p := as.place[j]; p >= end {
				m.Data[int(as.local[p])*s+k] = vals[e]
			}
		}
	}
	from := len(as.left) - q.children
	for _, c := range as.left[from:] {
		n := len(c.border)
		for i, p := range c.border {
			to, row := rowOf(m, int(as.local[p])), c.values[i*n:][:n]
			for j, v := range row {
				to[as.local[c.border[j]]] += v
			}
		}
	}
	as.left, as.current = as.left[:from], q
	return m
}

// leave keeps what is left of the front after its pivots.
func (as *assembler) leave(m simd.Matrix, pivots int) {
	n := m.Rows - pivots
	c := contribution{border: as.current.border, values: make([]float64, n*n)}
	for i := range n {
		copy(c.values[i*n:][:n], rowOf(m, pivots+i)[pivots:])
	}
	as.left = append(as.left, c)
}
