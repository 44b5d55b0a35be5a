package arrays

import (
	"context"
	"fmt"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/parallel"
	"github.com/greenbench/workbench/numeric/array"
)

// block is how many elements a loop works on at once: few enough for the fastest
// cache, so many that a call of a function for them costs nothing.
const block = 2048

// pace is how much work is done between two looks at the context, in nanoseconds.
const pace = 1e6

// share calls do for ranges that make up 0 <= i < n, on all processors if that
// pays; time is what one i takes on one of them, in nanoseconds. After the end of
// the context ranges are left out, and the error is its cause.
func share(ctx context.Context, n int, time float64, do func(lo, hi int)) error {
	step := max(1, int(min(float64(n), pace/time)))
	parallel.Range(n, time, func(lo, hi int) {
		for ; lo < hi && ctx.Err() == nil; lo += step {
			do(lo, min(lo+step, hi))
		}
	})
	return ended(ctx)
}

// inTurn is [share] on one processor, range after range, in their order.
func inTurn(ctx context.Context, n int, time float64, do func(lo, hi int)) error {
	step := max(1, int(min(float64(n), pace/time)))
	for lo := 0; lo < n; lo += step {
		if err := ended(ctx); err != nil {
			return err
		}
		do(lo, min(lo+step, n))
	}
	return ended(ctx)
}

// ended is the error of a computation whose context has ended, nil before.
func ended(ctx context.Context) error {
	if ctx.Err() != nil {
		return fmt.Errorf("stopped: %w", context.Cause(ctx))
	}
	return nil
}

// A layout is how arrays that broadcast against each other are read in the order
// of the result: its shape, with axes that all of them go through alike taken
// together, and how far each array goes along its axes.
type layout struct {
	shape []int
	steps [][]int // of each array, by axis; the last one is 0 or 1
}

// layoutOf returns the layout of arrays of the given shapes, which broadcast to shape.
func layoutOf(shape []int, operands ...[]int) layout {
	steps := make([][]int, len(operands))
	for k, o := range operands {
		steps[k] = broadcastStrides(o, shape)
	}
	l := layout{shape: []int{1}, steps: make([][]int, len(operands))}
	for k := range l.steps {
		l.steps[k] = []int{0}
	}
	for d := len(shape) - 1; d >= 0; d-- {
		if shape[d] == 1 {
			continue
		}
		joins := true
		for k, s := range l.steps {
			joins = joins && (l.shape[0] == 1 || steps[k][d] == s[0]*l.shape[0])
		}
		for k := range l.steps {
			switch {
			case !joins:
				l.steps[k] = slices.Insert(l.steps[k], 0, steps[k][d])
			case l.shape[0] == 1:
				l.steps[k][0] = steps[k][d]
			}
		}
		if joins {
			l.shape[0] *= shape[d]
		} else {
			l.shape = slices.Insert(l.shape, 0, shape[d])
		}
	}
	return l
}

// each visits the result in blocks: n elements from dst on, which are those of
// array k from at[k] on, or all of them the one there where its last step is 0.
// Every goroutine asks worker for a function of its own.
func (l layout) each(ctx context.Context, time float64, worker func() func(dst, n int, at []int)) error {
	last := len(l.shape) - 1
	columns, rows := l.shape[last], 1
	for _, n := range l.shape[:last] {
		rows *= n
	}
	if rows*columns == 0 {
		return ended(ctx)
	}
	if rows == 1 {
		return share(ctx, columns, time, func(lo, hi int) {
			l.blocks(lo, hi, 0, make([]int, len(l.steps)), make([]int, len(l.steps)), worker())
		})
	}
	return share(ctx, rows, time*float64(columns)+10, func(lo, hi int) {
		from, at, do := make([]int, len(l.steps)), make([]int, len(l.steps)), worker()
		index := make([]int, last)
		for k, rest := last-1, lo; k >= 0; k-- {
			index[k] = rest % l.shape[k]
			rest /= l.shape[k]
			for m, step := range l.steps {
				from[m] += index[k] * step[k]
			}
		}
		for row := lo; row < hi; row++ {
			l.blocks(0, columns, row*columns, from, at, do)
			for k := last - 1; k >= 0; k-- {
				index[k]++
				for m, step := range l.steps {
					from[m] += step[k]
				}
				if index[k] < l.shape[k] {
					break
				}
				for m, step := range l.steps {
					from[m] -= index[k] * step[k]
				}
				index[k] = 0
			}
		}
	})
}

// blocks visits the columns lo <= j < hi of a row, which begins at dst in the
// result and at from in the arrays.
func (l layout) blocks(lo, hi, dst int, from, at []int, do func(dst, n int, at []int)) {
	last := len(l.shape) - 1
	for j := lo; j < hi; j += block {
		for k, step := range l.steps {
			at[k] = from[k] + j*step[last]
		}
		do(dst+j, min(block, hi-j), at)
	}
}

// A window gives the elements of one array for one block after the other. Where
// one element stands for a whole block, it is written out once for many.
type window[T any] struct {
	data   []T
	repeat bool
	from   int // which element is written out
	filled []T
}

// newWindow is that of array k of a layout.
func newWindow[T any](l layout, k int, data []T) *window[T] {
	return &window[T]{data: data, repeat: l.steps[k][len(l.shape)-1] == 0, from: -1}
}

// part is the n elements from at on.
func (w *window[T]) part(at, n int) []T {
	if !w.repeat {
		return w.data[at : at+n]
	}
	if w.from != at || len(w.filled) < n {
		w.from, w.filled = at, w.filled[:0]
		for range n {
			w.filled = append(w.filled, w.data[at])
		}
	}
	return w.filled[:n]
}

// zipped sets dst, of the shape that those of a and b broadcast to, to what
// kernel makes of blocks of them; kernel must be safe on several goroutines.
func zipped[A, B, R any](ctx context.Context, dst []R, l layout, a []A, b []B, time float64, kernel func(dst []R, a []A, b []B)) error {
	return l.each(ctx, time, func() func(int, int, []int) {
		left, right := newWindow(l, 0, a), newWindow(l, 1, b)
		return func(at, n int, from []int) { kernel(dst[at:at+n], left.part(from[0], n), right.part(from[1], n)) }
	})
}

// mapped sets dst[i] to what kernel makes of blocks of a.
func mapped[A, R any](ctx context.Context, dst []R, a []A, time float64, kernel func(dst []R, a []A)) error {
	return share(ctx, len(dst), time, func(lo, hi int) {
		for ; lo < hi; lo += block {
			to := min(lo+block, hi)
			kernel(dst[lo:to], a[lo:to])
		}
	})
}

// updated sets a to a op b, which broadcasts to its shape.
func updated(ctx context.Context, a, b *array.Array, op byte) error {
	kernel := map[byte]func(dst, a, b []float64){
		'+': vector.Add, '-': vector.Sub, '*': vector.Mul, '/': vector.Div,
		'^': vector.Pow,
		'=': func(dst, _, b []float64) { copy(dst, b) },
	}[op]
	time := 0.5
	if op == '^' {
		time = 8
	}
	return zipped(ctx, a.Data, layoutOf(a.Shape, a.Shape, b.Shape), a.Data, b.Data, time, kernel)
}
