package arrays

import (
	"context"
	"fmt"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
)

// Add returns a + b, broadcast as in NumPy: shapes are aligned at their last
// axis and a length of 1 (or an axis that is not there) repeats. The context can
// stop it, as everything here that takes one.
func Add(ctx context.Context, a, b *array.Array) (*array.Array, error) {
	return combined(ctx, a, b, vector.Add, 0.5)
}

// Sub returns a - b, broadcast as for [Add].
func Sub(ctx context.Context, a, b *array.Array) (*array.Array, error) {
	return combined(ctx, a, b, vector.Sub, 0.5)
}

// Mul returns the elementwise product, broadcast as for [Add]. The matrix
// product is [Dot].
func Mul(ctx context.Context, a, b *array.Array) (*array.Array, error) {
	return combined(ctx, a, b, vector.Mul, 0.5)
}

// Div returns a / b elementwise, broadcast as for [Add].
func Div(ctx context.Context, a, b *array.Array) (*array.Array, error) {
	return combined(ctx, a, b, vector.Div, 0.7)
}

// Pow returns a to the power b elementwise, within 0.6 units in the last place, broadcast as for [Add].
func Pow(ctx context.Context, a, b *array.Array) (*array.Array, error) {
	if b.Size() == 1 && b.Data[0] == 2 { // squares are rounded correctly, too
		return combined(ctx, a, b, func(dst, a, _ []float64) { vector.Mul(dst, a, a) }, 0.5)
	}
	if b.Size() == 1 && b.Data[0] == 1.5 {
		return combined(ctx, a, b, func(dst, a, _ []float64) { vector.ThreeHalves(dst, a) }, 3)
	}
	return combined(ctx, a, b, vector.Pow, 8)
}

// MapAll is Map on all processors: fn must be safe on several goroutines. It is
// an error when the result would not fit in memory.
func MapAll(ctx context.Context, a *array.Array, fn func(float64) float64) (*array.Array, error) {
	out, err := unset(a.Shape...)
	if err != nil {
		return nil, err
	}
	return out, mapped(ctx, out.Data, a.Data, 20, func(dst, a []float64) {
		for i, x := range a {
			dst[i] = fn(x)
		}
	})
}

// Zip returns fn of every pair of elements, broadcast as for [Add]. It calls fn
// on several goroutines.
func Zip(ctx context.Context, a, b *array.Array, fn func(x, y float64) float64) (*array.Array, error) {
	return combined(ctx, a, b, func(dst, a, b []float64) {
		b = b[:len(a)]
		for i, x := range a {
			dst[i] = fn(x, b[i])
		}
	}, 20)
}

// combined is what kernel makes of the elements of a and b, which broadcast;
// time is what one takes, in nanoseconds.
func combined(ctx context.Context, a, b *array.Array, kernel func(dst, a, b []float64), time float64) (*array.Array, error) {
	shape, err := broadcastShape(a.Shape, b.Shape)
	if err != nil {
		return nil, err
	}
	out, err := unset(shape...)
	if err != nil {
		return nil, err
	}
	return out, zipped(ctx, out.Data, layoutOf(shape, a.Shape, b.Shape), a.Data, b.Data, time, kernel)
}

// Where returns a where the mask holds and b elsewhere, all three broadcast as
// for [Add].
func Where(ctx context.Context, m *Mask, a, b *array.Array) (*array.Array, error) {
	shape := m.Shape
	for _, other := range []*array.Array{a, b} {
		var err error
		if shape, err = broadcastShape(shape, other.Shape); err != nil {
			return nil, err
		}
	}
	out, err := unset(shape...)
	if err != nil {
		return nil, err
	}
	l := layoutOf(shape, m.Shape, a.Shape, b.Shape)
	return out, l.each(ctx, 1, func() func(int, int, []int) {
		holds, yes, no := newWindow(l, 0, m.Data), newWindow(l, 1, a.Data), newWindow(l, 2, b.Data)
		return func(at, n int, from []int) {
			m, a, b, dst := holds.part(from[0], n), yes.part(from[1], n), no.part(from[2], n), out.Data[at:at+n]
			for i := range dst {
				v := b[i]
				if m[i] {
					v = a[i]
				}
				dst[i] = v
			}
		}
	})
}

// Broadcast returns a copy of the array repeated to the given shape.
func Broadcast(ctx context.Context, a *array.Array, shape ...int) (*array.Array, error) {
	if _, err := dense.SizeOf(shape); err != nil {
		return nil, err
	}
	full, err := broadcastShape(a.Shape, shape)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(full, shape) {
		return nil, fmt.Errorf("shape %s: does not broadcast to %s", dense.ShapeString(a.Shape), dense.ShapeString(shape))
	}
	return gathered(ctx, a, 0, shape, broadcastStrides(a.Shape, shape))
}

func broadcastShape(a, b []int) ([]int, error) {
	if len(a) < len(b) {
		a, b = b, a
	}
	shape := slices.Clone(a)
	for k := range b {
		p := len(a) - len(b) + k
		switch m, n := a[p], b[k]; {
		case m == n || n == 1:
		case m == 1:
			shape[p] = n
		default:
			return nil, fmt.Errorf("shapes %s and %s: do not broadcast (%d against %d: want equal lengths, or 1)",
				dense.ShapeString(a), dense.ShapeString(b), m, n)
		}
	}
	return shape, nil
}

// broadcastStrides returns the strides with which an array of shape from is
// read as one of shape to: 0 along the axes that repeat.
func broadcastStrides(from, to []int) []int {
	s := make([]int, len(to))
	own := strides(from)
	for k, n := range from {
		if n != 1 {
			s[len(to)-len(from)+k] = own[k]
		}
	}
	return s
}
