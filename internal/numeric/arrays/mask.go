package arrays

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/simd"
	"github.com/greenbench/workbench/numeric/array"
)

// A Mask is a dense array of truth values, as [Array] is one of numbers.
type Mask struct {
	Shape []int
	Data  []bool
}

func newMask(shape []int) (*Mask, error) {
	size, err := dense.SizeIn(shape, 1./8)
	if err != nil {
		return nil, err
	}
	return &Mask{slices.Clone(shape), dense.Room[bool](size)}, nil
}

// Compare returns where a op b holds, broadcast as for [Add]; op is one of
// gt, ge, lt, le, eq and ne. Of NaN nothing holds but ne.
func Compare(ctx context.Context, op string, a, b *array.Array) (*Mask, error) {
	c, ok := map[string]comparer{
		"gt": {of: simd.Greater},
		"ge": {of: simd.GreaterOrEqual},
		"lt": {of: simd.Greater, exchanged: true},
		"le": {of: simd.GreaterOrEqual, exchanged: true},
		"eq": {of: simd.Equal},
		"ne": {of: simd.NotEqual},
	}[op]
	if !ok {
		return nil, fmt.Errorf("comparison %q: want gt, ge, lt, le, eq or ne", op)
	}
	if c.exchanged {
		a, b = b, a
	}
	shape, err := broadcastShape(a.Shape, b.Shape)
	if err != nil && c.exchanged {
		_, err = broadcastShape(b.Shape, a.Shape) // as it was asked for
	}
	if err != nil {
		return nil, err
	}
	m, err := newMask(shape)
	if err != nil {
		return nil, err
	}
	return m, zipped(ctx, m.Data, layoutOf(shape, a.Shape, b.Shape), a.Data, b.Data, 0.3, func(dst []bool, a, b []float64) {
		vector.Compare(c.of, dst, a, b)
	})
}

// A comparer is one comparison, of the sides as they are or exchanged.
type comparer struct {
	of        simd.Comparison
	exchanged bool
}

// maskOf is what kernel says of pairs of elements that broadcast.
func maskOf[T any](ctx context.Context, as, bs []int, a, b []T, kernel func(dst []bool, a, b []T)) (*Mask, error) {
	shape, err := broadcastShape(as, bs)
	if err != nil {
		return nil, err
	}
	m, err := newMask(shape)
	if err != nil {
		return nil, err
	}
	return m, zipped(ctx, m.Data, layoutOf(shape, as, bs), a, b, 0.3, kernel)
}

// Equal reports where the numbers are equal.
func (z *Complex) Equal(ctx context.Context, w *Complex) (*Mask, error) {
	return maskOf(ctx, z.Shape, w.Shape, z.Data, w.Data, func(dst []bool, a, b []complex128) {
		for i := range dst {
			dst[i] = a[i] == b[i]
		}
	})
}

// Logic returns a op b, broadcast as for [Add]; op is one of and, or and xor.
func Logic(ctx context.Context, op string, a, b *Mask) (*Mask, error) {
	kernel, ok := map[string]func(dst, a, b []bool){"and": vector.And, "or": vector.Or, "xor": vector.Xor}[op]
	if !ok {
		return nil, fmt.Errorf("operation %q: want and, or or xor", op)
	}
	return maskOf(ctx, a.Shape, b.Shape, a.Data, b.Data, kernel)
}

// Not holds where m does not.
func (m *Mask) Not(ctx context.Context) (*Mask, error) {
	out, err := newMask(m.Shape)
	if err != nil {
		return nil, err
	}
	ones := slices.Repeat([]bool{true}, block)
	return out, mapped(ctx, out.Data, m.Data, 0.3, func(dst, m []bool) { vector.Xor(dst, m, ones[:len(m)]) })
}

// NonZero holds where a is not 0; NaN is not 0.
func NonZero(ctx context.Context, a *array.Array) (*Mask, error) {
	return Compare(ctx, "ne", a, array.Scalar(0))
}

// Array returns 1 where the mask holds and 0 elsewhere.
func (m *Mask) Array(ctx context.Context) (*array.Array, error) {
	out, err := unset(m.Shape...)
	if err != nil {
		return nil, err
	}
	return out, mapped(ctx, out.Data, m.Data, 0.5, func(dst []float64, m []bool) {
		for i, holds := range m {
			dst[i] = 0
			if holds {
				dst[i] = 1
			}
		}
	})
}

// Rank returns the number of axes.
func (m *Mask) Rank() int { return len(m.Shape) }

// Size returns the number of elements.
func (m *Mask) Size() int { return len(m.Data) }

// Index returns the i-th sub-mask along the first axis, sharing its elements; it
// panics when i is outside.
func (m *Mask) Index(i int) *Mask {
	shape, data := dense.Indexed(m.Shape, m.Data, i)
	return &Mask{shape, data}
}

// count returns in how many places the mask holds.
func (m *Mask) count(ctx context.Context) (int, error) {
	var total atomic.Int64
	err := share(ctx, len(m.Data), 0.1, func(lo, hi int) { total.Add(int64(held(m.Data[lo:hi]))) })
	return int(total.Load()), err
}

// Places returns the offsets of the elements where the mask holds.
func (m *Mask) Places(ctx context.Context) ([]int, error) {
	return placesOf[int](ctx, m, 0)
}

// Find returns the places where the mask holds in the order of its elements: an
// array of indices, from first on, for each axis.
func (m *Mask) Find(ctx context.Context, first int) ([]*array.Array, error) {
	if m.Rank() == 1 {
		at, err := placesOf[float64](ctx, m, first)
		if err != nil {
			return nil, err
		}
		return []*array.Array{array.Vector(at)}, nil
	}
	places, err := m.Places(ctx)
	if err != nil {
		return nil, err
	}
	found := make([]*array.Array, m.Rank())
	for k := range found {
		if found[k], err = unset(len(places)); err != nil {
			return nil, err
		}
	}
	return found, share(ctx, len(places), 5*float64(m.Rank()), func(lo, hi int) {
		for j := lo; j < hi; j++ {
			at := places[j]
			for k := m.Rank() - 1; k > 0; k-- {
				found[k].Data[j] = float64(at%m.Shape[k] + first)
				at /= m.Shape[k]
			}
			found[0].Data[j] = float64(at + first)
		}
	})
}

// String shows the mask to people: how often it holds, and 1 and 0 in columns.
func (m *Mask) String() string {
	var b strings.Builder
	count := held(m.Data)
	fmt.Fprintf(&b, "mask %s, %d true, %d false", dense.ShapeString(m.Shape), count, m.Size()-count)
	dense.NewPage(m.Shape, 80).Write(&b, func(i int) string {
		if m.Data[i] {
			return "1"
		}
		return "0"
	})
	return b.String()
}

// Counts returns in how many places along an axis, or [All], the mask holds,
// without that axis in the result, and how many places there are.
func (m *Mask) Counts(ctx context.Context, axis int, keep bool) (counts *array.Array, of int, err error) {
	shape, outer, n, inner, err := reduction(m.Shape, axis, keep)
	if err != nil {
		return nil, 0, err
	}
	if counts, err = Full(ctx, 0, shape...); err != nil {
		return nil, 0, err
	}
	if outer*inner == 1 { // all of them
		count, err := m.count(ctx)
		counts.Data[0] = float64(count)
		return counts, n, err
	}
	if inner == 1 {
		return counts, n, share(ctx, outer, 0.2*float64(n)+5, func(lo, hi int) {
			for o := lo; o < hi; o++ {
				counts.Data[o] = float64(held(m.Data[o*n : (o+1)*n]))
			}
		})
	}
	const most = 255 // rows that add up in a byte
	groups := (n + most - 1) / most
	sums := make([]byte, inner)
	return counts, n, inTurn(ctx, outer*groups, 0.3*most*float64(inner), func(lo, hi int) {
		for g := lo; g < hi; g++ {
			o, first := g/groups, g%groups*most
			clear(sums)
			for k := first; k < min(first+most, n); k++ {
				addBytes(sums, zerosAndOnes(m.Data[(o*n+k)*inner:(o*n+k+1)*inner]))
			}
			dst := counts.Data[o*inner : (o+1)*inner]
			for i, count := range sums {
				dst[i] += float64(count)
			}
		}
	})
}
