package array

import (
	"context"
	"fmt"
	"slices"
)

// Running returns the sums, or with product the products, of the numbers along an
// axis up to each of them; [All] goes through all numbers as a vector.
func (a *Array) Running(ctx context.Context, product bool, axis int) (*Array, error) {
	if axis == All {
		flat, err := a.Reshape()
		if err != nil {
			return nil, err
		}
		return flat.Running(ctx, product, 0)
	}
	if axis < 0 || axis >= a.Rank() {
		return nil, a.axisError(axis)
	}
	out, err := unset(a.Shape...)
	if err != nil {
		return nil, err
	}
	outer, n, inner := a.around(axis)
	add := vector.Add
	if product {
		add = vector.Mul
	}
	return out, share(ctx, outer, 1.5*float64(n*inner)+5, func(lo, hi int) {
		for o := lo; o < hi; o++ {
			src, dst := a.Data[o*n*inner:(o+1)*n*inner], out.Data[o*n*inner:(o+1)*n*inner]
			switch {
			case inner > 1:
				copy(dst, src[:min(inner, len(src))])
				for k := 1; k < n; k++ {
					add(dst[k*inner:(k+1)*inner], dst[(k-1)*inner:], src[k*inner:])
				}
			case product:
				p := 1.0
				for i, x := range src {
					p *= x
					dst[i] = p
				}
			default:
				s := 0.0
				for i, x := range src {
					s += x
					dst[i] = s
				}
			}
		}
	})
}

// Diff returns the differences of neighbours along an axis, times times: each
// time the axis is shorter by one, down to 0.
func (a *Array) Diff(ctx context.Context, times, axis int) (*Array, error) {
	if axis < 0 || axis >= a.Rank() {
		return nil, a.axisError(axis)
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
		outer, n, inner := a.around(axis)
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
