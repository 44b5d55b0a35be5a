package arrays

import (
	"context"
	"fmt"
	"slices"

	"github.com/greenbench/workbench/numeric/array"
)

// Running returns the sums, or with product the products, of the numbers along an
// axis up to each of them; [All] goes through all numbers as a vector.
func Running(ctx context.Context, a *array.Array, product bool, axis int) (*array.Array, error) {
	if axis == All {
		flat, err := a.Reshape()
		if err != nil {
			return nil, err
		}
		return Running(ctx, flat, product, 0)
	}
	if axis < 0 || axis >= a.Rank() {
		return nil, axisError(a, axis)
	}
	out, err := unset(a.Shape...)
	if err != nil {
		return nil, err
	}
	outer, n, inner := around(a, axis)
	goOn := running(product, inner)
	return out, share(ctx, outer, 1.5*float64(n*inner)+5, func(lo, hi int) {
		for o := lo; o < hi; o++ {
			src, dst := a.Data[o*n*inner:(o+1)*n*inner], out.Data[o*n*inner:(o+1)*n*inner]
			if len(src) <= large {
				goOn(dst, src, 0, n)
				continue
			}
			_ = inTurn(ctx, n, 1.5*float64(inner), func(lo, hi int) { goOn(dst, src, lo, hi) })
		}
	})
}

// running returns what sets dst to sums or products of the rows of src, of a given
// length each, from row lo to before row hi; those before lo are set.
func running(product bool, length int) func(dst, src []float64, lo, hi int) {
	add, start := vector.Add, 0.0
	if product {
		add, start = vector.Mul, 1
	}
	if length != 1 {
		return func(dst, src []float64, lo, hi int) {
			for k := lo; k < hi; k++ {
				row := dst[k*length : (k+1)*length]
				if k == 0 {
					copy(row, src)
				} else {
					add(row, dst[(k-1)*length:], src[k*length:])
				}
			}
		}
	}
	return func(dst, src []float64, lo, hi int) {
		s := start
		if lo > 0 {
			s = dst[lo-1]
		}
		dst = dst[lo:hi]
		if product {
			for i, x := range src[lo:hi] {
				s *= x
				dst[i] = s
			}
			return
		}
		for i, x := range src[lo:hi] {
			s += x
			dst[i] = s
		}
	}
}

// Diff returns the differences of neighbours along an axis, times times: each
// time the axis is shorter by one, down to 0.
func Diff(ctx context.Context, a *array.Array, times, axis int) (*array.Array, error) {
	if axis < 0 || axis >= a.Rank() {
		return nil, axisError(a, axis)
	}
	if times < 0 {
		return nil, fmt.Errorf("times %d: must be at least 0", times)
	}
	for ; times > 0 && a.Shape[axis] > 0; times-- {
		shape := slices.Clone(a.Shape)
		shape[axis]--
		out, err := unset(shape...)
		if err != nil {
			return nil, err
		}
		outer, n, inner := around(a, axis)
		m := (n - 1) * inner
		err = share(ctx, outer*m, 0.5, func(lo, hi int) {
			for lo < hi { // in the part of one o
				o := lo / m
				to := min(hi, (o+1)*m)
				src := a.Data[lo+o*inner:]
				vector.Sub(out.Data[lo:to], src[inner:], src)
				lo = to
			}
		})
		if err != nil {
			return nil, err
		}
		a = out
	}
	return a, nil
}
