package array

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
)

// A Mask is a dense array of truth values, as [Array] is one of numbers.
type Mask struct {
	Shape []int
	Data  []bool
}

func newMask(shape []int) (*Mask, error) {
	size, err := sizeIn(shape, 1./8)
	if err != nil {
		return nil, err
	}
	return &Mask{slices.Clone(shape), room[bool](size)}, nil
}

// Compare returns where a op b holds, broadcast as for [Add]; op is one of
// gt, ge, lt, le, eq and ne. Of NaN nothing holds but ne.
func Compare(ctx context.Context, op string, a, b *Array) (*Mask, error) {
	c, ok := map[string]comparer{
		"gt": {of: vector.Greater},
		"ge": {of: vector.GreaterOrEqual},
		"lt": {of: vector.Greater, exchanged: true},
		"le": {of: vector.GreaterOrEqual, exchanged: true},
		"eq": {of: vector.GreaterOrEqual, both: true},
		"ne": {of: vector.GreaterOrEqual, both: true, not: 1},
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
	l := layoutOf(shape, a.Shape, b.Shape)
	return m, l.each(ctx, 0.5, func() func(int, int, []int) {
		left, right := newWindow(l, 0, a.Data), newWindow(l, 1, b.Data)
		x, y := make([]float64, block), make([]float64, block)
		return func(at, n int, from []int) {
			a, b := left.part(from[0], n), right.part(from[1], n)
			c.of(x[:n], a, b)
			if c.both {
				c.of(y[:n], b, a)
				vector.Mul(x[:n], x[:n], y[:n])
			}
			truths(zerosAndOnes(m.Data[at:at+n]), x, c.not)
		}
	})
}

// A comparer is one comparison: of gives 1 and 0, of the sides as they are or
// exchanged, or where it holds both ways, and then perhaps not.
type comparer struct {
	of              func(dst, a, b []float64)
	exchanged, both bool
	not             byte
}

// truths sets dst to the numbers, 1 and 0, or with not of 1 the other way round.
func truths(dst []byte, x []float64, not byte) {
	const one = 52 // the lowest bit in which 1 and 0 differ
	x = x[:len(dst)]
	flip := 0x0101010101010101 * uint64(not)
	for ; len(dst) >= 8; dst, x = dst[8:], x[8:] {
		x := x[:8]
		low := math.Float64bits(x[0])>>one&1 | math.Float64bits(x[1])>>(one-8)&(1<<8) |
			math.Float64bits(x[2])>>(one-16)&(1<<16) | math.Float64bits(x[3])>>(one-24)&(1<<24)
		high := math.Float64bits(x[4])>>(one-32)&(1<<32) | math.Float64bits(x[5])>>(one-40)&(1<<40) |
			math.Float64bits(x[6])>>(one-48)&(1<<48) | math.Float64bits(x[7])<<(56-one)&(1<<56)
		binary.LittleEndian.PutUint64(dst, (low|high)^flip)
	}
	for i := range dst {
		dst[i] = byte(math.Float64bits(x[i])>>one&1) ^ not
	}
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
	return m, zipped(ctx, m.Data, layoutOf(shape, as, bs), a, b, 0.6, kernel)
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
	if op != "and" && op != "or" && op != "xor" {
		return nil, fmt.Errorf("operation %q: want and, or or xor", op)
	}
	return maskOf(ctx, a.Shape, b.Shape, a.Data, b.Data, func(dst, a, b []bool) {
		logic(op, zerosAndOnes(dst), zerosAndOnes(a), zerosAndOnes(b))
	})
}

// logic sets dst to a op b, eight at a time.
func logic(op string, dst, a, b []byte) {
	for ; len(dst) >= 8 && len(a) >= 8 && len(b) >= 8; dst, a, b = dst[8:], a[8:], b[8:] {
		x, y := binary.LittleEndian.Uint64(a), binary.LittleEndian.Uint64(b)
		switch op[0] {
		case 'a':
			x &= y
		case 'o':
			x |= y
		default:
			x ^= y
		}
		binary.LittleEndian.PutUint64(dst, x)
	}
	for i, x := range a[:len(dst)] {
		switch op[0] {
		case 'a':
			dst[i] = x & b[i]
		case 'o':
			dst[i] = x | b[i]
		default:
			dst[i] = x ^ b[i]
		}
	}
}

// Not holds where m does not.
func (m *Mask) Not(ctx context.Context) (*Mask, error) {
	return Logic(ctx, "xor", m, &Mask{[]int{1}, []bool{true}})
}

// NonZero holds where a is not 0; NaN is not 0.
func (a *Array) NonZero(ctx context.Context) (*Mask, error) {
	return Compare(ctx, "ne", a, Scalar(0))
}

// Array returns 1 where the mask holds and 0 elsewhere.
func (m *Mask) Array(ctx context.Context) (*Array, error) {
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
	shape, data := indexed(m.Shape, m.Data, i)
	return &Mask{shape, data}
}

// Count returns in how many places the mask holds.
func (m *Mask) Count(ctx context.Context) (int, error) {
	var total atomic.Int64
	err := share(ctx, len(m.Data), 0.1, func(lo, hi int) { total.Add(int64(held(m.Data[lo:hi]))) })
	return int(total.Load()), err
}

// Places returns the offsets of the elements where the mask holds.
func (m *Mask) Places(ctx context.Context) ([]int, error) {
	count, err := m.Count(ctx)
	if err != nil {
		return nil, err
	}
	if err := CheckSize(fmt.Sprintf("the %d places where the mask holds:", count), float64(count)); err != nil {
		return nil, err
	}
	at, k := make([]int, count), 0
	return at, inTurn(ctx, len(m.Data), 1.5, func(lo, hi int) {
		n := k
		for i, one := range zerosAndOnes(m.Data[lo:hi]) { // without a branch: nobody can foretell a mask
			if n == len(at) {
				break
			}
			at[n] = lo + i
			n += int(one)
		}
		k = n
	})
}

// Find returns the places where the mask holds in the order of its elements: an
// array of indices, from first on, for each axis.
func (m *Mask) Find(ctx context.Context, first int) ([]*Array, error) {
	places, err := m.Places(ctx)
	if err != nil {
		return nil, err
	}
	found := make([]*Array, m.Rank())
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
	fmt.Fprintf(&b, "mask %s, %d true, %d false", ShapeString(m.Shape), count, m.Size()-count)
	newPage(m.Shape, 80).write(&b, func(i int) string {
		if m.Data[i] {
			return "1"
		}
		return "0"
	})
	return b.String()
}

// Counts returns in how many places along an axis, or [All], the mask holds,
// without that axis in the result, and how many places there are.
func (m *Mask) Counts(ctx context.Context, axis int, keep bool) (counts *Array, of int, err error) {
	shape, outer, n, inner, err := reduction(m.Shape, axis, keep)
	if err != nil {
		return nil, 0, err
	}
	if counts, err = Full(ctx, 0, shape...); err != nil {
		return nil, 0, err
	}
	if outer*inner == 1 { // all of them
		count, err := m.Count(ctx)
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
