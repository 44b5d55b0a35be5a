package arrays

import (
	"context"
	"fmt"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
)

// Transpose returns a copy with the axes permuted: axis k of the result is axis
// perm[k] of a. With no arguments the axes are reversed.
func Transpose(ctx context.Context, a *array.Array, perm ...int) (*array.Array, error) {
	shape, step, err := permuted(a.Shape, perm)
	if err != nil {
		return nil, err
	}
	return gathered(ctx, a, 0, shape, step)
}

// permuted is the shape after a permutation of the axes, reversed when there is
// none, and the steps through the elements with which its order reads them.
func permuted(shape, perm []int) (to, step []int, err error) {
	rank := len(shape)
	if len(perm) == 0 {
		for k := range rank {
			perm = append(perm, rank-1-k)
		}
	}
	if len(perm) != rank {
		return nil, nil, fmt.Errorf("axes %v: want a permutation of all %d axes", perm, rank)
	}
	seen, from := make([]bool, rank), strides(shape)
	to, step = make([]int, rank), make([]int, rank)
	for k, p := range perm {
		if p < 0 || p >= rank || seen[p] {
			return nil, nil, fmt.Errorf("axes %v: want a permutation of all %d axes", perm, rank)
		}
		seen[p] = true
		to[k], step[k] = shape[p], from[p]
	}
	return to, step, nil
}

// Take returns a copy of the sub-arrays at the given indices along an axis, in
// that order; an index may come more than once.
func Take(a *array.Array, axis int, indices []int) (*array.Array, error) {
	if axis < 0 || axis >= a.Rank() {
		return nil, axisError(a, axis)
	}
	shape := slices.Clone(a.Shape)
	shape[axis] = len(indices)
	out, err := unset(shape...)
	if err != nil {
		return nil, err
	}
	outer, n, inner := around(a, axis)
	for j, i := range indices {
		if i < 0 || i >= n {
			return nil, fmt.Errorf("index %d: outside axis %d of an array of shape %s", i, axis, dense.ShapeString(a.Shape))
		}
		for o := range outer {
			copy(out.Data[(o*len(indices)+j)*inner:][:inner], a.Data[(o*n+i)*inner:])
		}
	}
	return out, nil
}

// strides returns by how much the offset grows along each axis.
func strides(shape []int) []int {
	s := make([]int, len(shape))
	step := 1
	for k := len(shape) - 1; k >= 0; k-- {
		s[k] = step
		step *= shape[k]
	}
	return s
}

// gathered copies the elements start + Σ index[k]·step[k] into a new array.
func gathered(ctx context.Context, a *array.Array, start int, shape, step []int) (*array.Array, error) {
	out, err := unset(shape...)
	if err != nil {
		return nil, err
	}
	return out, gather(ctx, out.Data, a.Data, start, shape, step)
}

// gather sets dst to the elements start + Σ index[k]·step[k] of src.
func gather[T any](ctx context.Context, dst, src []T, start int, shape, step []int) error {
	last := len(shape) - 1
	columns, rows := shape[last], 1
	for _, n := range shape[:last] {
		rows *= n
	}
	part := func(dst []T, from int) {
		switch step[last] {
		case 0:
			for j := range dst {
				dst[j] = src[from]
			}
		case 1:
			copy(dst, src[from:])
		default:
			for j := range dst {
				dst[j] = src[from+j*step[last]]
			}
		}
	}
	if rows == 1 {
		return share(ctx, columns, 2, func(lo, hi int) { part(dst[lo:hi], start+lo*step[last]) })
	}
	return share(ctx, rows, 2*float64(columns)+5*float64(last), func(lo, hi int) {
		for row := lo; row < hi; row++ {
			from, rest := start, row
			for k := last - 1; k >= 0; k-- {
				from += rest % shape[k] * step[k]
				rest /= shape[k]
			}
			part(dst[row*columns:(row+1)*columns], from)
		}
	})
}
