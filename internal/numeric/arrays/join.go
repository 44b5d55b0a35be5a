package arrays

import (
	"context"
	"fmt"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
)

// Join puts arrays one after the other along an axis, which all have and in whose
// length alone they may differ. With fresh it is a new axis, and they are alike.
func Join(ctx context.Context, list []*array.Array, axis int, fresh bool) (*array.Array, error) {
	if len(list) == 0 {
		return nil, fmt.Errorf("no arrays: want one or more")
	}
	first := list[0].Shape
	rank := len(first)
	if fresh {
		rank++
	}
	if axis < 0 || axis >= rank {
		return nil, fmt.Errorf("axis %d: the result has axes 0 to %d", axis, rank-1)
	}
	parts := make([]int, len(list)) // length of each along the axis
	shape := slices.Clone(first)
	if fresh {
		shape = slices.Insert(shape, axis, 1)
	}
	total := 0
	for k, a := range list {
		own := a.Shape
		if fresh {
			own = slices.Insert(slices.Clone(own), min(axis, len(own)), 1)
		}
		if len(own) != rank || !slices.Equal(own[:axis], shape[:axis]) || !slices.Equal(own[axis+1:], shape[axis+1:]) {
			want := "the shape of the first"
			if !fresh {
				want += ", but for the length of the axis along which they are joined"
			}
			return nil, fmt.Errorf("array %d has shape %s, the first %s: want %s", k+1, dense.ShapeString(a.Shape), dense.ShapeString(first), want)
		}
		parts[k] = own[axis]
		total += own[axis]
	}
	shape[axis] = total
	out, err := unset(shape...)
	if err != nil {
		return nil, err
	}
	outer, _, inner := around(out, axis)
	at := 0
	for k, a := range list {
		from, n, step := at, parts[k]*inner, total*inner
		at += n
		if outer == 1 {
			if err := copyAll(ctx, out.Data[from:from+n], a.Data); err != nil {
				return nil, err
			}
			continue
		}
		err := share(ctx, outer, 0.5*float64(n)+2, func(lo, hi int) {
			if n == 1 {
				for o := lo; o < hi; o++ {
					out.Data[from+o*step] = a.Data[o]
				}
				return
			}
			for o := lo; o < hi; o++ {
				copy(out.Data[from+o*step:], a.Data[o*n:(o+1)*n])
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
