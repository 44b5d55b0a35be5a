package array

import (
	"fmt"
	"slices"

	"github.com/greenbench/workbench/numeric/expr/elementary"
)

// Add returns a + b, broadcast as in NumPy: shapes are aligned at their last
// axis and a length of 1 (or an axis that is not there) repeats.
func Add(a, b *Array) (*Array, error) {
	return Zip(a, b, func(x, y float64) float64 { return x + y })
}

// Sub returns a - b, broadcast as for [Add].
func Sub(a, b *Array) (*Array, error) {
	return Zip(a, b, func(x, y float64) float64 { return x - y })
}

// Mul returns the elementwise product, broadcast as for [Add]. The matrix
// product is [Dot].
func Mul(a, b *Array) (*Array, error) {
	return Zip(a, b, func(x, y float64) float64 { return x * y })
}

// Div returns a / b elementwise, broadcast as for [Add].
func Div(a, b *Array) (*Array, error) {
	return Zip(a, b, func(x, y float64) float64 { return x / y })
}

// Pow returns a to the power b elementwise, broadcast as for [Add].
func Pow(a, b *Array) (*Array, error) { return Zip(a, b, elementary.Pow) }

// Map returns fn of every element.
func (a *Array) Map(fn func(float64) float64) *Array {
	out := &Array{Shape: slices.Clone(a.Shape), Data: make([]float64, len(a.Data))}
	for i, x := range a.Data {
		out.Data[i] = fn(x)
	}
	return out
}

// Zip returns fn of every pair of elements, broadcast as for [Add].
func Zip(a, b *Array, fn func(x, y float64) float64) (*Array, error) {
	shape, err := broadcastShape(a.Shape, b.Shape)
	if err != nil {
		return nil, err
	}
	out, err := Zeros(shape...)
	if err != nil {
		return nil, err
	}
	if slices.Equal(a.Shape, b.Shape) {
		for i, x := range a.Data {
			out.Data[i] = fn(x, b.Data[i])
		}
		return out, nil
	}
	sa, sb := broadcastStrides(a.Shape, shape), broadcastStrides(b.Shape, shape)
	last := len(shape) - 1
	n, da, db := shape[last], sa[last], sb[last]
	eachRow(shape, [][]int{sa, sb}, func(row int, at []int) {
		ia, ib := at[0], at[1]
		dst := out.Data[row*n:][:n]
		for j := range dst {
			dst[j] = fn(a.Data[ia+j*da], b.Data[ib+j*db])
		}
	})
	return out, nil
}

// Where returns a where cond is not 0 and b where it is, all three broadcast as
// for [Add].
func Where(cond, a, b *Array) (*Array, error) {
	shape := cond.Shape
	for _, other := range []*Array{a, b} {
		var err error
		if shape, err = broadcastShape(shape, other.Shape); err != nil {
			return nil, err
		}
	}
	c, err := cond.Broadcast(shape...)
	if err != nil {
		return nil, err
	}
	yes, err := a.Broadcast(shape...)
	if err != nil {
		return nil, err
	}
	no, err := b.Broadcast(shape...)
	if err != nil {
		return nil, err
	}
	for i, x := range c.Data {
		if x == 0 {
			yes.Data[i] = no.Data[i]
		}
	}
	return yes, nil
}

// Broadcast returns a copy of the array repeated to the given shape.
func (a *Array) Broadcast(shape ...int) (*Array, error) {
	if _, err := sizeOf(shape); err != nil {
		return nil, err
	}
	full, err := broadcastShape(a.Shape, shape)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(full, shape) {
		return nil, fmt.Errorf("shape %s: does not broadcast to %s", ShapeString(a.Shape), ShapeString(shape))
	}
	return a.gather(0, shape, broadcastStrides(a.Shape, shape)), nil
}

func broadcastShape(a, b []int) ([]int, error) {
	if len(a) < len(b) {
		a, b = b, a
	}
	shape := slices.Clone(a)
	for k := range b {
		p := len(a) - len(b) + k
		switch m, n := a[p], b[k]; {
		case m == n || n == 1:
		case m == 1:
			shape[p] = n
		default:
			return nil, fmt.Errorf("shapes %s and %s: do not broadcast (%d against %d: want equal lengths, or 1)",
				ShapeString(a), ShapeString(b), m, n)
		}
	}
	return shape, nil
}

// broadcastStrides returns the strides with which an array of shape from is
// read as one of shape to: 0 along the axes that repeat.
func broadcastStrides(from, to []int) []int {
	s := make([]int, len(to))
	own := strides(from)
	for k, n := range from {
		if n != 1 {
			s[len(to)-len(from)+k] = own[k]
		}
	}
	return s
}
