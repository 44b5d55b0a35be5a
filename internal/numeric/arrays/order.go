package arrays

import (
	"context"
	"fmt"
	"math"
	"sort"
	"sync/atomic"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
)

// byLine calls do for the numbers along an axis, one line of them after the
// other, and puts what it leaves in line into the result, of a's shape.
func byLine(ctx context.Context, a *array.Array, axis int, time float64, do func(line []float64) error) (*array.Array, error) {
	if axis < 0 || axis >= a.Rank() {
		return nil, axisError(a, axis)
	}
	out, err := unset(a.Shape...)
	if err != nil || a.Size() == 0 {
		return out, err
	}
	outer, n, inner := around(a, axis)
	if inner == 1 {
		if err := copyAll(ctx, out.Data, a.Data); err != nil {
			return nil, err
		}
	}
	failures := make([]error, outer*inner)
	err = share(ctx, outer*inner, time*float64(n), func(lo, hi int) {
		var line []float64
		if inner > 1 {
			line = make([]float64, n)
		}
		for k := lo; k < hi; k++ {
			if inner == 1 {
				failures[k] = do(out.Data[k*n : (k+1)*n])
				continue
			}
			from := k/inner*n*inner + k%inner
			for i := range line {
				line[i] = a.Data[from+i*inner]
			}
			failures[k] = do(line)
			for i, x := range line {
				out.Data[from+i*inner] = x
			}
		}
	})
	for _, failure := range failures {
		if err == nil {
			err = failure
		}
	}
	return out, err
}

// tooMany is the number of elements from which places are no 32-bit integers.
const tooMany = math.MaxInt32

func checkSort(n int) error {
	if n > tooMany {
		return fmt.Errorf("%d numbers: at most %d can be sorted", n, tooMany)
	}
	return dense.CheckSize("work of sorting", 3*float64(n))
}

// Sort returns the numbers along an axis in increasing order, or decreasing; NaN
// are last. The work is proportional to their number.
func Sort(ctx context.Context, a *array.Array, axis int, descending bool) (*array.Array, error) {
	if err := checkSort(a.Size()); err != nil {
		return nil, err
	}
	return byLine(ctx, a, axis, 20, func(line []float64) error {
		keys := dense.Room[uint64](len(line))
		toKeys(ctx, keys, line, descending, math.Copysign(0, -1))
		if err := sortKeys(ctx, keys, nil); err != nil {
			return err
		}
		return mapped(ctx, line, keys, 1, func(dst []float64, keys []uint64) {
			for i, u := range keys {
				dst[i] = ofKey(u, descending)
			}
		})
	})
}

// toKeys has both zeros alike for a zero of 0, and apart for -0, which is added.
func toKeys(ctx context.Context, keys []uint64, x []float64, descending bool, zero float64) {
	_ = mapped(ctx, keys, x, 1, func(dst []uint64, x []float64) {
		for i, v := range x {
			dst[i] = sortKey(v+zero, descending)
		}
	})
}

// order is the places of the numbers in their order, those of equal ones as they are.
func order(ctx context.Context, x []float64, descending bool) ([]uint64, []int32, error) {
	keys, places := dense.Room[uint64](len(x)), make([]int32, len(x))
	toKeys(ctx, keys, x, descending, 0)
	_ = share(ctx, len(places), 0.5, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			places[i] = int32(i)
		}
	})
	return keys, places, sortKeys(ctx, keys, places)
}

// ArgSort returns the indices, from first on, that put the numbers along an axis in
// the order of [Sort]; equal numbers stay in their order.
func ArgSort(ctx context.Context, a *array.Array, axis, first int, descending bool) (*array.Array, error) {
	if err := checkSort(a.Size()); err != nil {
		return nil, err
	}
	return byLine(ctx, a, axis, 40, func(line []float64) error {
		_, places, err := order(ctx, line, descending)
		if err != nil {
			return err
		}
		return mapped(ctx, line, places, 1, func(dst []float64, places []int32) {
			for i, k := range places {
				dst[i] = float64(int(k) + first)
			}
		})
	})
}

// Unique returns the different numbers of the array in increasing order, with NaN
// once at the end; how often each comes; the offset of the first one of each; and
// for each number of the array which of them it is. Offsets count from first.
func Unique(ctx context.Context, a *array.Array, first int) (values, counts, at, inverse *array.Array, err error) {
	if err := checkSort(a.Size()); err != nil {
		return nil, nil, nil, nil, err
	}
	keys, places, err := order(ctx, a.Data, false)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	inverse, err = unset(a.Shape...)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	values, counts, at = &array.Array{}, &array.Array{}, &array.Array{}
	err = inTurn(ctx, len(keys), 10, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			u := keys[i]
			if i == 0 || u != keys[i-1] {
				values.Data = append(values.Data, ofKey(u, false))
				counts.Data = append(counts.Data, 0)
				at.Data = append(at.Data, float64(int(places[i])+first))
			}
			counts.Data[len(counts.Data)-1]++
			inverse.Data[places[i]] = float64(len(values.Data) - 1 + first)
		}
	})
	if err != nil {
		return nil, nil, nil, nil, err
	}
	for _, out := range []*array.Array{values, counts, at} {
		out.Shape = []int{len(out.Data)}
	}
	return values, counts, at, inverse, nil
}

// SearchSorted returns for each number of v where it belongs in the increasing
// numbers of a vector: how many of those are less, or with right not greater, plus
// first. NaN is the greatest.
func SearchSorted(ctx context.Context, a *array.Array, v *array.Array, right bool, first int) (*array.Array, error) {
	if a.Rank() != 1 {
		return nil, fmt.Errorf("shape %s: want a vector", dense.ShapeString(a.Shape))
	}
	var wrong atomic.Int64
	wrong.Store(math.MaxInt64)
	if err := share(ctx, max(0, a.Size()-1), 1, func(lo, hi int) {
		for i, x := range a.Data[lo:hi] {
			if y := a.Data[lo+i+1]; y < x || x != x && y == y {
				wrong.Store(min(wrong.Load(), int64(lo+i+1)))
				return
			}
		}
	}); err != nil {
		return nil, err
	}
	if i := int(wrong.Load()); i < a.Size() {
		return nil, fmt.Errorf("element %d, %g, is less than the one before it, %g: want increasing numbers; sort them first", i+first, a.Data[i], a.Data[i-1])
	}
	out, err := unset(v.Shape...)
	if err != nil {
		return nil, err
	}
	return out, mapped(ctx, out.Data, v.Data, 10*math.Log2(float64(a.Size()+2)), func(dst, v []float64) {
		for i, x := range v {
			dst[i] = float64(first + sort.Search(a.Size(), func(k int) bool {
				y := a.Data[k]
				if right {
					return y > x || y != y && x == x
				}
				return y >= x || y != y
			}))
		}
	})
}
