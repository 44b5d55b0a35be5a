package arrays

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
)

// Arange returns start, start + step, … as long as they are before stop, as
// NumPy: ⌈(stop - start)/step⌉ numbers, each computed by itself.
func Arange(ctx context.Context, start, stop, step float64) (*array.Array, error) {
	if step == 0 || !dense.Finite(step) || !dense.Finite(start) || !dense.Finite(stop) {
		return nil, fmt.Errorf("start %g, stop %g, step %g: must be finite, and step not 0", start, stop, step)
	}
	n := max(0, math.Ceil((stop-start)/step))
	if err := dense.CheckSize(fmt.Sprintf("arange of %.4g numbers:", n), n); err != nil {
		return nil, err
	}
	a, err := unset(int(n))
	if err != nil {
		return nil, err
	}
	delta := float64(start+step) - start // what NumPy adds, too
	return a, share(ctx, a.Size(), 1, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			a.Data[i] = start + float64(float64(i)*delta)
		}
	})
}

// MeshGrid returns the coordinates of a grid of vectors, one array each: with
// swapped the first two axes are exchanged, as in NumPy's indexing "xy".
func MeshGrid(ctx context.Context, axes []*array.Array, swapped bool) ([]*array.Array, error) {
	shape := make([]int, len(axes))
	place := make([]int, len(axes)) // the axis of each vector
	for k, x := range axes {
		if x.Rank() != 1 {
			return nil, fmt.Errorf("coordinates %d of shape %s: want a vector", k+1, dense.ShapeString(x.Shape))
		}
		place[k] = k
		if swapped && k < 2 && len(axes) > 1 {
			place[k] = 1 - k
		}
		shape[place[k]] = x.Size()
	}
	grids := make([]*array.Array, len(axes))
	for k, x := range axes {
		own := make([]int, len(axes))
		for d := range own {
			own[d] = 1
		}
		own[place[k]] = x.Size()
		line, err := array.Of(x.Data, own...)
		if err != nil {
			return nil, err
		}
		if grids[k], err = Broadcast(ctx, line, shape...); err != nil {
			return nil, err
		}
	}
	return grids, nil
}

// Tile repeats the array along its axes; where there are more counts than axes,
// or fewer, the missing ones are 1, and come first.
func Tile(ctx context.Context, a *array.Array, counts ...int) (*array.Array, error) {
	for _, n := range counts {
		if n < 0 {
			return nil, fmt.Errorf("counts %v: must be at least 0", counts)
		}
	}
	shape, counts := slices.Clone(a.Shape), slices.Clone(counts)
	for len(shape) < len(counts) {
		shape = slices.Insert(shape, 0, 1)
	}
	for len(counts) < len(shape) {
		counts = slices.Insert(counts, 0, 1)
	}
	// As an array with two axes for each, of which the first repeats.
	var from, to, final []int
	for k, n := range shape {
		from = append(from, 1, n)
		to = append(to, counts[k], n)
		final = append(final, dense.Saturated(counts[k], n))
	}
	if _, err := dense.SizeOf(final); err != nil {
		return nil, err
	}
	view, err := array.Of(a.Data, from...)
	if err != nil {
		return nil, err
	}
	out, err := Broadcast(ctx, view, to...)
	if err != nil {
		return nil, err
	}
	return out.Reshape(final...)
}

// Roll moves the elements along an axis by so many places; those that leave at
// one end come in at the other.
func Roll(ctx context.Context, a *array.Array, shift, axis int) (*array.Array, error) {
	if axis == All {
		flat, err := a.Reshape()
		if err != nil {
			return nil, err
		}
		if flat, err = Roll(ctx, flat, shift, 0); err != nil {
			return nil, err
		}
		return flat.Reshape(a.Shape...)
	}
	if axis < 0 || axis >= a.Rank() {
		return nil, axisError(a, axis)
	}
	out, err := unset(a.Shape...)
	if err != nil || a.Size() == 0 {
		return out, err
	}
	outer, n, inner := around(a, axis)
	k := ((shift%n + n) % n) * inner
	if outer == 1 {
		if err := copyAll(ctx, out.Data[k:], a.Data[:n*inner-k]); err != nil {
			return nil, err
		}
		return out, copyAll(ctx, out.Data[:k], a.Data[n*inner-k:])
	}
	return out, share(ctx, outer, 0.5*float64(n*inner)+5, func(lo, hi int) {
		for o := lo; o < hi; o++ {
			src, dst := a.Data[o*n*inner:(o+1)*n*inner], out.Data[o*n*inner:(o+1)*n*inner]
			copy(dst[k:], src[:len(src)-k])
			copy(dst, src[len(src)-k:])
		}
	})
}

// Diagonal returns the elements (i, i+k) of a matrix; of a vector, the matrix that
// has it there and zeros elsewhere.
func Diagonal(ctx context.Context, a *array.Array, k int) (*array.Array, error) {
	right, down := max(k, 0), max(-k, 0)
	switch a.Rank() {
	case 1:
		if right+down > tooMany {
			return nil, fmt.Errorf("k %d: is too large", k)
		}
		n := a.Size() + right + down
		out, err := Full(ctx, 0, n, n)
		if err != nil {
			return nil, err
		}
		for i, x := range a.Data {
			out.Data[(i+down)*n+i+right] = x
		}
		return out, nil
	case 2:
		n := max(0, min(a.Shape[0]-down, a.Shape[1]-right))
		out, err := array.Zeros(n)
		if err != nil {
			return nil, err
		}
		for i := range out.Data {
			out.Data[i] = a.Data[(i+down)*a.Shape[1]+i+right]
		}
		return out, nil
	}
	return nil, fmt.Errorf("shape %s: want a vector or a matrix", dense.ShapeString(a.Shape))
}

// Outer returns the matrix of the products of the elements of a, as a vector,
// with those of b.
func Outer(ctx context.Context, a, b *array.Array) (*array.Array, error) {
	column, err := a.Reshape(-1, 1)
	if err != nil {
		column, err = a.Reshape(0, 1)
	}
	if err != nil {
		return nil, err
	}
	row, err := b.Reshape()
	if err != nil {
		return nil, err
	}
	return Mul(ctx, column, row)
}

// Kron returns the Kronecker product: the blocks a[i]·b, along each axis.
func Kron(ctx context.Context, a, b *array.Array) (*array.Array, error) {
	rank := max(a.Rank(), b.Rank())
	var as, bs, final []int
	for k := range rank {
		m, n := 1, 1
		if d := k - rank + a.Rank(); d >= 0 {
			m = a.Shape[d]
		}
		if d := k - rank + b.Rank(); d >= 0 {
			n = b.Shape[d]
		}
		as, bs = append(as, m, 1), append(bs, 1, n)
		final = append(final, dense.Saturated(m, n))
	}
	if _, err := dense.SizeOf(final); err != nil {
		return nil, err
	}
	left, err := array.Of(a.Data, as...)
	if err != nil {
		return nil, err
	}
	right, err := array.Of(b.Data, bs...)
	if err != nil {
		return nil, err
	}
	out, err := Mul(ctx, left, right)
	if err != nil {
		return nil, err
	}
	return out.Reshape(final...)
}

// Cross returns the vector products of vectors of length 3, which are the last
// axes of a and b; the others broadcast.
func Cross(ctx context.Context, a, b *array.Array) (*array.Array, error) {
	for _, x := range []*array.Array{a, b} {
		if x.Shape[x.Rank()-1] != 3 {
			return nil, fmt.Errorf("shapes %s and %s: want vectors of length 3 along the last axis", dense.ShapeString(a.Shape), dense.ShapeString(b.Shape))
		}
	}
	// A last axis of length 1 and the others, so that vectors alone broadcast too.
	component := func(x *array.Array, k int) (*array.Array, error) {
		picks := make([]Pick, x.Rank())
		for d, n := range x.Shape {
			picks[d] = Pick{Count: n, Step: 1}
		}
		picks[x.Rank()-1] = Pick{From: k, Count: 1, Step: 1}
		return Picked(ctx, x, picks...)
	}
	times := func(i, j int) (*array.Array, error) {
		left, err := component(a, i)
		if err != nil {
			return nil, err
		}
		right, err := component(b, j)
		if err != nil {
			return nil, err
		}
		return Mul(ctx, left, right)
	}
	if _, err := broadcastShape(a.Shape, b.Shape); err != nil {
		return nil, fmt.Errorf("shapes %s and %s: do not broadcast", dense.ShapeString(a.Shape), dense.ShapeString(b.Shape))
	}
	var parts []*array.Array
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		first, err := times(i, j)
		if err != nil {
			return nil, err
		}
		second, err := times(j, i)
		if err != nil {
			return nil, err
		}
		part, err := Sub(ctx, first, second)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return Join(ctx, parts, parts[0].Rank()-1, false)
}
