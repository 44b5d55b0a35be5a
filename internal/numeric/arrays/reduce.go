package arrays

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
)

// All as the axis of a reduction reduces the whole array to shape {1}.
const All = -1

// Reduce returns what op makes of the numbers along an axis, or of all of them
// for [All], without that axis in the result, or with keep with length 1 there.
// The operations, and what p is to them:
//
//	sum, prod, min, max, mean, where sums are pairwise: the rounding error grows
//	with the logarithm of their length; argmin, argmax: the first index from 0, where NaN
//	is the least and the greatest of all; var, std: p is taken off the number that
//	Σ(x-mean)² is divided by; median; quantile: p in [0, 1], interpolated linearly;
//	norm: (Σ|x|^p)^(1/p), for ±Inf the greatest and the least |x|, for 0 how many
//	are not 0
//
// The result has length 1 where no axis is left. Of no numbers the sum and the norms but those of ±Inf are 0 and the product is 1;
// the others are errors. NaN gives NaN. The context can stop it.
func Reduce(ctx context.Context, a *array.Array, op string, p float64, axis int, keep bool) (*array.Array, error) {
	r, ok := reductions(p)[op]
	if !ok {
		return nil, fmt.Errorf("reduction %q: there is none", op)
	}
	shape, outer, n, inner, err := reduction(a.Shape, axis, keep)
	if err != nil {
		return nil, err
	}
	if n == 0 && (r.some || op == "norm" && math.IsInf(p, 0)) {
		return nil, fmt.Errorf("shape %s: holds no numbers, and there is no %s of none: test the size first", dense.ShapeString(a.Shape), op)
	}
	out, err := Full(ctx, 0, shape...)
	if err != nil || out.Size() == 0 {
		return out, err
	}
	switch {
	case inner == 1:
		err = share(ctx, outer, r.time*float64(n)+5, func(lo, hi int) {
			for o := lo; o < hi; o++ {
				out.Data[o] = r.of(ctx, a.Data[o*n:(o+1)*n])
			}
		})
	case r.add != nil && n > 0:
		err = reduceRows(ctx, a, out.Data, outer, n, inner, r)
	case r.variance && n <= large:
		err = varianceRows(ctx, a, out.Data, outer, n, inner, r)
	case r.place:
		err = placeRows(ctx, a, out.Data, outer, n, inner, r.greatest)
	default:
		err = reduceLines(ctx, a, out.Data, outer, n, inner, r)
	}
	return out, err
}

// reduceRows reduces whole rows of elements at once; sums are taken in halves, down to
// 128 rows, which are added one after the other.
func reduceRows(ctx context.Context, a *array.Array, dst []float64, outer, n, inner int, r reducer) error {
	const widest = 8192 // of what stays near: memory is read fastest in long runs
	parts := (inner + widest - 1) / widest
	width := (inner + parts - 1) / max(parts, 1)
	return share(ctx, outer*parts, float64(n*width), func(lo, hi int) {
		for k := lo; k < hi; k++ {
			o, from := k/parts, k%parts*width
			to := min(from+width, inner)
			dst := dst[o*inner+from : o*inner+to]
			rowsOf(dst, a.Data[o*n*inner+from:], n, inner, r)
			if r.mean {
				for i := range dst {
					dst[i] /= float64(n)
				}
			}
		}
	})
}

// rowsOf sets dst to the reduction of n rows, each a step after the last.
func rowsOf(dst, data []float64, n, step int, r reducer) {
	if r.pairwise && n > 128 {
		half := n / 2
		right := make([]float64, len(dst))
		rowsOf(dst, data, half, step, r)
		rowsOf(right, data[half*step:], n-half, step, r)
		r.add(dst, dst, right)
		return
	}
	from := 0
	if math.IsNaN(r.start) {
		copy(dst, data)
		from = 1
	} else {
		for i := range dst {
			dst[i] = r.start
		}
	}
	for k := from; k < n; k++ {
		r.add(dst, dst, data[k*step:])
	}
}

// varianceRows is the variance of whole rows of elements at once.
func varianceRows(ctx context.Context, a *array.Array, dst []float64, outer, n, inner int, r reducer) error {
	width := min(inner, 512)
	parts := (inner + width - 1) / width
	sums := reducer{add: vector.Add, pairwise: true}
	return share(ctx, outer*parts, 2*float64(n*width), func(lo, hi int) {
		means := make([]float64, width)
		for k := lo; k < hi; k++ {
			o, from := k/parts, k%parts*width
			to := min(from+width, inner)
			dst, data, m := dst[o*inner+from:o*inner+to], a.Data[o*n*inner+from:], means[:to-from]
			rowsOf(m, data, n, inner, sums)
			for i := range m {
				m[i] /= float64(n)
			}
			squaresOf(dst, data, m, n, inner)
			for i, s := range dst {
				dst[i] = s / max(0, float64(n)-r.ddof)
				if r.root {
					dst[i] = math.Sqrt(dst[i])
				}
			}
		}
	})
}

// placeRows is the index of the first least or greatest number of each column, or of
// its first NaN, row by row.
func placeRows(ctx context.Context, a *array.Array, dst []float64, outer, n, inner int, greatest bool) error {
	width := min(inner, 1024)
	parts := (inner + width - 1) / width
	return share(ctx, outer*parts, float64(n*width), func(lo, hi int) {
		best, better, place := make([]float64, width), make([]float64, width), make([]float64, width)
		for k := lo; k < hi; k++ {
			o, from := k/parts, k%parts*width
			to := min(from+width, inner)
			dst, data := dst[o*inner+from:o*inner+to], a.Data[o*n*inner+from:]
			best, better, place := best[:to-from], better[:to-from], place[:to-from]
			copy(best, data)
			clear(dst)
			for l := 1; l < n; l++ {
				row := data[l*inner:][:len(best)]
				for i := range place {
					place[i] = float64(l)
				}
				if greatest {
					vector.Greater(better, row, best)
					vector.Max(best, best, row)
				} else {
					vector.Greater(better, best, row)
					vector.Min(best, best, row)
				}
				vector.Where(dst, better, place, dst)
			}
			for i, b := range best {
				for l := 0; b != b && l < n; l++ { // the first NaN
					if v := data[l*inner+i]; v != v {
						dst[i] = float64(l)
						break
					}
				}
			}
		}
	})
}

// squaresOf sets dst to the sums of (x-m)² over n rows, each a step after the last.
func squaresOf(dst, data, m []float64, n, step int) {
	if n > 128 {
		right := make([]float64, len(dst))
		squaresOf(dst, data, m, n/2, step)
		squaresOf(right, data[n/2*step:], m, n-n/2, step)
		vector.Add(dst, dst, right)
		return
	}
	clear(dst)
	for k := range n {
		spread(dst, data[k*step:], m)
	}
}

// reduceLines copies the numbers of a few columns at a time out of the rows.
func reduceLines(ctx context.Context, a *array.Array, dst []float64, outer, n, inner int, r reducer) error {
	width := max(1, min(inner, 16, 1<<16/max(n, 1)))
	parts := (inner + width - 1) / width
	return share(ctx, outer*parts, (r.time+2)*float64(n*width)+20, func(lo, hi int) {
		lines := make([]float64, n*width)
		for k := lo; k < hi; k++ {
			o, from := k/parts, k%parts*width
			to := min(from+width, inner)
			for l := range n {
				for i, x := range a.Data[(o*n+l)*inner+from : (o*n+l)*inner+to] {
					lines[i*n+l] = x
				}
			}
			for i := from; i < to; i++ {
				dst[o*inner+i] = r.of(ctx, lines[(i-from)*n:(i-from+1)*n])
			}
		}
	})
}

// around returns the number of elements before, along and after an axis.
func around(a *array.Array, axis int) (outer, n, inner int) {
	outer, inner = 1, 1
	for _, m := range a.Shape[:axis] {
		outer *= m
	}
	for _, m := range a.Shape[axis+1:] {
		inner *= m
	}
	return outer, a.Shape[axis], inner
}

func axisError(a *array.Array, axis int) error {
	return fmt.Errorf("axis %d: an array of shape %s has axes 0 to %d", axis, dense.ShapeString(a.Shape), a.Rank()-1)
}

// reduction is the shape after an axis, or [All], has gone, or with keep has the
// length 1, and how many elements there are before, along and after it.
func reduction(shape []int, axis int, keep bool) (out []int, outer, n, inner int, err error) {
	if axis == All {
		n = 1
		for _, m := range shape {
			n *= m
			out = append(out, 1)
		}
		if !keep {
			out = []int{1}
		}
		return out, 1, n, 1, nil
	}
	a := &array.Array{Shape: shape}
	if axis < 0 || axis >= len(shape) {
		return nil, 0, 0, 0, axisError(a, axis)
	}
	out = slices.Clone(shape)
	if out[axis] = 1; !keep && len(shape) > 1 {
		out = slices.Delete(out, axis, axis+1)
	}
	outer, n, inner = around(a, axis)
	return out, outer, n, inner, nil
}
