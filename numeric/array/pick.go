package array

import (
	"fmt"
	"reflect"
	"slices"
)

// A Pick says which indices of an axis are taken: those listed in At, or where
// that is nil Count of them from From on, each Step after the last. An axis of
// which one index is taken disappears with Drop.
type Pick struct {
	From, Count, Step int
	At                []int
	Drop              bool
}

// Pick returns a copy of what is picked along each axis; axes without a Pick are
// taken whole. An array of which all axes disappear has shape {1}.
func (a *Array) Pick(picks ...Pick) (*Array, error) {
	s, err := selected(a.Shape, picks)
	if err != nil {
		return nil, err
	}
	out, err := unset(s.shape...)
	if err != nil {
		return nil, err
	}
	copyOut(s, out.Data, a.Data)
	return out, nil
}

// PutPick sets what [Array.Pick] returns to v, repeated as for [Add].
func (a *Array) PutPick(v *Array, picks ...Pick) error {
	s, err := selected(a.Shape, picks)
	if err != nil {
		return err
	}
	values, err := v.filling(s.shape)
	if err != nil {
		return err
	}
	copyIn(s, a.Data, values)
	return nil
}

// filling is the numbers of v for a place of the given shape, or one number for all of it.
func (v *Array) filling(shape []int) ([]float64, error) {
	if v.Size() == 1 && v.Rank() <= len(shape) || slices.Equal(v.Shape, shape) {
		return v.Data, nil
	}
	all, err := v.Broadcast(shape...)
	if err != nil {
		return nil, fmt.Errorf("value of shape %s: does not fit into shape %s", ShapeString(v.Shape), ShapeString(shape))
	}
	return all.Data, nil
}

// Pick is [Array.Pick].
func (z *Complex) Pick(picks ...Pick) (*Complex, error) {
	s, err := selected(z.Shape, picks)
	if err != nil {
		return nil, err
	}
	out, err := newComplex(s.shape)
	if err != nil {
		return nil, err
	}
	copyOut(s, out.Data, z.Data)
	return out, nil
}

// PutPick is [Array.PutPick].
func (z *Complex) PutPick(v *Complex, picks ...Pick) error {
	s, err := selected(z.Shape, picks)
	if err != nil {
		return err
	}
	values, err := v.filling(s.shape)
	if err != nil {
		return err
	}
	copyIn(s, z.Data, values)
	return nil
}

// filling is [Array.filling].
func (z *Complex) filling(shape []int) ([]complex128, error) {
	if z.Size() == 1 && z.Rank() <= len(shape) || slices.Equal(z.Shape, shape) {
		return z.Data, nil
	}
	full, err := broadcastShape(z.Shape, shape)
	if err != nil || !slices.Equal(full, shape) {
		return nil, fmt.Errorf("value of shape %s: does not fit into shape %s", ShapeString(z.Shape), ShapeString(shape))
	}
	all, err := newComplex(shape)
	if err != nil {
		return nil, err
	}
	gather(all.Data, z.Data, 0, shape, broadcastStrides(z.Shape, shape))
	return all.Data, nil
}

// A selection is what picks take of an array of some shape.
type selection struct {
	shape []int // of the result
	picks []Pick
	step  []int // through the elements, by axis
}

func selected(shape []int, picks []Pick) (selection, error) {
	if len(picks) > len(shape) {
		return selection{}, fmt.Errorf("%d ranges for an array of shape %s", len(picks), ShapeString(shape))
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
				return selection{}, fmt.Errorf("index %d: outside axis %d of an array of shape %s", i, k, ShapeString(shape))
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

// each visits the rows of the selection, the last axis in whole: the place of the
// row in the result and the offset of its indices in the array.
func (s selection) each(visit func(row, offset int)) {
	last := len(s.picks) - 1
	index := make([]int, last)
	for k := range s.picks {
		if s.picks[k].Count == 0 {
			return
		}
	}
	for row := 0; ; row += s.picks[last].Count {
		offset := 0
		for k, j := range index {
			offset += s.picks[k].index(j) * s.step[k]
		}
		visit(row, offset)
		k := last - 1
		for ; k >= 0; k-- {
			if index[k]++; index[k] < s.picks[k].Count {
				break
			}
			index[k] = 0
		}
		if k < 0 {
			return
		}
	}
}

// copyOut copies what is selected of src.
func copyOut[T any](s selection, dst, src []T) {
	p := s.picks[len(s.picks)-1]
	s.each(func(row, offset int) {
		dst := dst[row : row+p.Count]
		switch {
		case p.At != nil:
			for j, i := range p.At {
				dst[j] = src[offset+i]
			}
		case p.Step == 1:
			copy(dst, src[offset+p.From:])
		default:
			for j := range dst {
				dst[j] = src[offset+p.From+j*p.Step]
			}
		}
	})
}

// copyIn sets what is selected of dst to the values, or to one value.
func copyIn[T any](s selection, dst, values []T) {
	count := 1
	for _, p := range s.picks {
		count *= p.Count
	}
	if count == 0 {
		return
	}
	if sharing(dst, values) {
		values = slices.Clone(values) // a row put into another one of the same array
	}
	p, one := s.picks[len(s.picks)-1], len(values) == 1
	s.each(func(row, offset int) {
		for j := range p.Count {
			v := values[0]
			if !one {
				v = values[row+j]
			}
			dst[offset+p.index(j)] = v
		}
	})
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
			ShapeString(m.Shape), ShapeString(shape))
	}
	inner = 1
	for _, n := range shape[m.Rank():] {
		inner *= n
	}
	return inner, nil
}

// masked copies what stands where the mask holds.
func masked[T any](m *Mask, shape []int, data []T, room func(shape []int) ([]T, error)) error {
	inner, err := m.prefix(shape)
	if err != nil {
		return err
	}
	out, err := room(append([]int{m.Count()}, shape[m.Rank():]...))
	if err != nil {
		return err
	}
	at := 0
	if inner == 1 { // without a branch: nobody can foretell a mask
		for i, x := range data {
			if at == len(out) {
				break
			}
			out[at] = x
			next := 0
			if m.Data[i] {
				next = 1
			}
			at += next
		}
		return nil
	}
	for i, holds := range m.Data {
		if holds {
			at += copy(out[at:at+inner], data[i*inner:])
		}
	}
	return nil
}

// Masked returns the elements where the mask holds: its shape is that of a, and
// the result a vector, or that of the first axes of a, and the result has an axis
// for the places where it holds and the other axes of a.
func (a *Array) Masked(m *Mask) (out *Array, err error) {
	err = masked(m, a.Shape, a.Data, func(shape []int) ([]float64, error) {
		if out, err = unset(shape...); err != nil {
			return nil, err
		}
		return out.Data, nil
	})
	return out, err
}

// Masked is [Array.Masked].
func (z *Complex) Masked(m *Mask) (out *Complex, err error) {
	err = masked(m, z.Shape, z.Data, func(shape []int) ([]complex128, error) {
		if out, err = newComplex(shape); err != nil {
			return nil, err
		}
		return out.Data, nil
	})
	return out, err
}

// PutMasked sets what [Array.Masked] returns to v, repeated as for [Add].
func (a *Array) PutMasked(m *Mask, v *Array) error {
	return putMasked(m, a.Shape, a.Data, v.filling)
}

// PutMasked is [Array.PutMasked].
func (z *Complex) PutMasked(m *Mask, v *Complex) error {
	return putMasked(m, z.Shape, z.Data, v.filling)
}

func putMasked[T any](m *Mask, shape []int, data []T, filling func([]int) ([]T, error)) error {
	inner, err := m.prefix(shape)
	if err != nil {
		return err
	}
	values, err := filling(append([]int{m.Count()}, shape[m.Rank():]...))
	if err != nil {
		return err
	}
	if sharing(data, values) {
		values = slices.Clone(values)
	}
	for i, holds := range m.Data {
		switch part := data[i*inner : (i+1)*inner]; {
		case !holds:
		case len(values) == 1:
			for j := range part {
				part[j] = values[0]
			}
		default:
			values = values[copy(part, values):]
		}
	}
	return nil
}
