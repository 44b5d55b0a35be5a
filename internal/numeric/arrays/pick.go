package arrays

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
)

// A Pick says which indices of an axis are taken: those listed in At, or where
// that is nil Count of them from From on, each Step after the last. An axis of
// which one index is taken disappears with Drop.
type Pick struct {
	From, Count, Step int
	At                []int
	Drop              bool
}

// Picked returns a copy of what is picked along each axis; axes without a Pick are
// taken whole. An array of which all axes disappear has shape {1}.
func Picked(ctx context.Context, a *array.Array, picks ...Pick) (*array.Array, error) {
	s, err := selected(a.Shape, picks)
	if err != nil {
		return nil, err
	}
	out, err := unset(s.shape...)
	if err != nil {
		return nil, err
	}
	return out, copyOut(ctx, s, out.Data, a.Data)
}

// PutPick sets what [Picked] returns to v, repeated as for [Add].
func PutPick(ctx context.Context, a *array.Array, v *array.Array, picks ...Pick) error {
	s, err := selected(a.Shape, picks)
	if err != nil {
		return err
	}
	values, err := filling(ctx, v, s.shape)
	if err != nil {
		return err
	}
	return copyIn(ctx, s, a.Data, values)
}

// filling is the numbers of v for a place of the given shape, or one number for all of it.
func filling(ctx context.Context, v *array.Array, shape []int) ([]float64, error) {
	if v.Size() == 1 && v.Rank() <= len(shape) || slices.Equal(v.Shape, shape) {
		return v.Data, nil
	}
	all, err := Broadcast(ctx, v, shape...)
	if ended := ended(ctx); ended != nil {
		return nil, ended
	}
	if err != nil {
		return nil, fmt.Errorf("value of shape %s: does not fit into shape %s", dense.ShapeString(v.Shape), dense.ShapeString(shape))
	}
	return all.Data, nil
}

// Pick returns what is picked of each axis, as [Picked].
func (z *Complex) Pick(ctx context.Context, picks ...Pick) (*Complex, error) {
	s, err := selected(z.Shape, picks)
	if err != nil {
		return nil, err
	}
	out, err := newComplex(s.shape)
	if err != nil {
		return nil, err
	}
	return out, copyOut(ctx, s, out.Data, z.Data)
}

// PutPick sets what Pick returns, as the function [PutPick].
func (z *Complex) PutPick(ctx context.Context, v *Complex, picks ...Pick) error {
	s, err := selected(z.Shape, picks)
	if err != nil {
		return err
	}
	values, err := v.filling(ctx, s.shape)
	if err != nil {
		return err
	}
	return copyIn(ctx, s, z.Data, values)
}

// filling is filling, for numbers.
func (z *Complex) filling(ctx context.Context, shape []int) ([]complex128, error) {
	if z.Size() == 1 && z.Rank() <= len(shape) || slices.Equal(z.Shape, shape) {
		return z.Data, nil
	}
	full, err := broadcastShape(z.Shape, shape)
	if err != nil || !slices.Equal(full, shape) {
		return nil, fmt.Errorf("value of shape %s: does not fit into shape %s", dense.ShapeString(z.Shape), dense.ShapeString(shape))
	}
	all, err := newComplex(shape)
	if err != nil {
		return nil, err
	}
	return all.Data, gather(ctx, all.Data, z.Data, 0, shape, broadcastStrides(z.Shape, shape))
}

// A selection is what picks take of an array of some shape.
type selection struct {
	shape []int // of the result
	picks []Pick
	step  []int // through the elements, by axis
}

func selected(shape []int, picks []Pick) (selection, error) {
	if len(picks) > len(shape) {
		return selection{}, fmt.Errorf("%d ranges for an array of shape %s", len(picks), dense.ShapeString(shape))
	}
	s := selection{step: strides(shape)}
	for k, n := range shape {
		p := Pick{Count: n, Step: 1}
		if k < len(picks) {
			p = picks[k]
		}
		if p.At != nil {
			p.Count = len(p.At)
		}
		ends := p.At
		if ends == nil && p.Count > 0 {
			ends = []int{p.From, p.index(p.Count - 1)}
		}
		for _, i := range ends {
			if i < 0 || i >= n {
				return selection{}, fmt.Errorf("index %d: outside axis %d of an array of shape %s", i, k, dense.ShapeString(shape))
			}
		}
		s.picks = append(s.picks, p)
		if !p.Drop {
			s.shape = append(s.shape, p.Count)
		}
	}
	if len(s.shape) == 0 {
		s.shape = []int{1}
	}
	return s, nil
}

// index is the j-th index that is taken.
func (p Pick) index(j int) int {
	if p.At != nil {
		return p.At[j]
	}
	return p.From + j*p.Step
}

// each visits the rows of the selection, or where there is one row, which may be
// long, parts of it: the indices lo to hi of the last axis, the place of the row in
// the result, and the offset of its indices in the array; all at once where shared.
func (s selection) each(ctx context.Context, shared bool, visit func(row, offset, lo, hi int)) error {
	last := len(s.picks) - 1
	rows, columns := 1, s.picks[last].Count
	for _, p := range s.picks[:last] {
		rows *= p.Count
	}
	loop := inTurn
	if shared {
		loop = share
	}
	if rows == 1 {
		offset := 0
		for k, p := range s.picks[:last] {
			offset += p.index(0) * s.step[k]
		}
		return loop(ctx, columns, 2, func(lo, hi int) { visit(0, offset, lo, hi) })
	}
	return loop(ctx, rows, 2*float64(columns)+5*float64(last), func(lo, hi int) {
		for row := lo; row < hi; row++ {
			offset, rest := 0, row
			for k := last - 1; k >= 0; k-- {
				p := s.picks[k]
				offset += p.index(rest%p.Count) * s.step[k]
				rest /= p.Count
			}
			visit(row*columns, offset, 0, columns)
		}
	})
}

// copyOut copies what is selected of src.
func copyOut[T any](ctx context.Context, s selection, dst, src []T) error {
	p := s.picks[len(s.picks)-1]
	return s.each(ctx, true, func(row, offset, lo, hi int) {
		dst := dst[row+lo : row+hi]
		switch {
		case p.At != nil:
			for j, i := range p.At[lo:hi] {
				dst[j] = src[offset+i]
			}
		case p.Step == 1:
			copy(dst, src[offset+p.From+lo:])
		default:
			for j := range dst {
				dst[j] = src[offset+p.From+(lo+j)*p.Step]
			}
		}
	})
}

// copyIn sets what is selected of dst to the values, or to one value.
func copyIn[T any](ctx context.Context, s selection, dst, values []T) error {
	values, err := apart(ctx, values, dst) // a row put into another one of the same array
	if err != nil {
		return err
	}
	p, one := s.picks[len(s.picks)-1], len(values) == 1
	// In their order: of an index that comes twice the last value stays.
	return s.each(ctx, false, func(row, offset, lo, hi int) {
		for j := lo; j < hi; j++ {
			v := values[0]
			if !one {
				v = values[row+j]
			}
			dst[offset+p.index(j)] = v
		}
	})
}

// apart is the values, copied if they share elements with dst.
func apart[T any](ctx context.Context, values, dst []T) ([]T, error) {
	if !sharing(dst, values) {
		return values, nil
	}
	if err := dense.CheckSize("a copy of the values:", float64(len(values))*float64(unsafe.Sizeof(*new(T)))/8); err != nil {
		return nil, err
	}
	own := make([]T, len(values))
	return own, copyAll(ctx, own, values)
}

// sharing reports whether two slices have elements in common.
func sharing[T any](a, b []T) bool {
	size := uintptr(reflect.TypeFor[T]().Size())
	from, at := reflect.ValueOf(a).Pointer(), reflect.ValueOf(b).Pointer()
	return len(b) > 1 && from < at+uintptr(len(b))*size && at < from+uintptr(len(a))*size
}

// prefix is how many elements of an array stand under one of the mask, whose
// shape is that of its first axes.
func (m *Mask) prefix(shape []int) (inner int, err error) {
	if m.Rank() > len(shape) || !slices.Equal(m.Shape, shape[:m.Rank()]) {
		return 0, fmt.Errorf("mask of shape %s: does not fit an array of shape %s; want the same shape, or that of its first axes",
			dense.ShapeString(m.Shape), dense.ShapeString(shape))
	}
	inner = 1
	for _, n := range shape[m.Rank():] {
		inner *= n
	}
	return inner, nil
}

// masked copies what stands where the mask holds.
func masked[T any](ctx context.Context, m *Mask, shape []int, data []T, room func(shape []int) ([]T, error)) error {
	inner, err := m.prefix(shape)
	if err != nil {
		return err
	}
	count, err := m.count(ctx)
	if err != nil {
		return err
	}
	out, err := room(append([]int{count}, shape[m.Rank():]...))
	if err != nil {
		return err
	}
	at := 0
	if inner == 1 { // without a branch: nobody can foretell a mask
		return inTurn(ctx, len(data), 1.5, func(lo, hi int) {
			holds := m.Data[lo:hi]
			for i, x := range data[lo:hi] {
				if at == len(out) {
					break
				}
				out[at] = x
				next := 0
				if holds[i] {
					next = 1
				}
				at += next
			}
		})
	}
	return inTurn(ctx, len(m.Data), 0.5*float64(inner)+2, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if m.Data[i] {
				at += copy(out[at:at+inner], data[i*inner:])
			}
		}
	})
}

// Masked returns the elements where the mask holds: its shape is that of a, and
// the result a vector, or that of the first axes of a, and the result has an axis
// for the places where it holds and the other axes of a.
func Masked(ctx context.Context, a *array.Array, m *Mask) (out *array.Array, err error) {
	err = masked(ctx, m, a.Shape, a.Data, func(shape []int) ([]float64, error) {
		if out, err = unset(shape...); err != nil {
			return nil, err
		}
		return out.Data, nil
	})
	return out, err
}

// Masked returns the elements where m holds, as the function [Masked].
func (z *Complex) Masked(ctx context.Context, m *Mask) (out *Complex, err error) {
	err = masked(ctx, m, z.Shape, z.Data, func(shape []int) ([]complex128, error) {
		if out, err = newComplex(shape); err != nil {
			return nil, err
		}
		return out.Data, nil
	})
	return out, err
}

// PutMasked sets what [Masked] returns to v, repeated as for [Add].
func PutMasked(ctx context.Context, a *array.Array, m *Mask, v *array.Array) error {
	return putMasked(ctx, m, a.Shape, a.Data, func(ctx context.Context, shape []int) ([]float64, error) { return filling(ctx, v, shape) })
}

// PutMasked sets what Masked returns, as the function [PutMasked].
func (z *Complex) PutMasked(ctx context.Context, m *Mask, v *Complex) error {
	return putMasked(ctx, m, z.Shape, z.Data, v.filling)
}

func putMasked[T any](ctx context.Context, m *Mask, shape []int, data []T, filling func(context.Context, []int) ([]T, error)) error {
	inner, err := m.prefix(shape)
	if err != nil {
		return err
	}
	count, err := m.count(ctx)
	if err != nil {
		return err
	}
	values, err := filling(ctx, append([]int{count}, shape[m.Rank():]...))
	if err == nil {
		values, err = apart(ctx, values, data)
	}
	if err != nil {
		return err
	}
	return inTurn(ctx, len(m.Data), float64(inner)+1, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			switch part := data[i*inner : (i+1)*inner]; {
			case !m.Data[i]:
			case len(values) == 1:
				for j := range part {
					part[j] = values[0]
				}
			default:
				values = values[copy(part, values):]
			}
		}
	})
}
