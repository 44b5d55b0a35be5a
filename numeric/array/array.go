// Package array is the dense array of float64 that data and results are made of.
//
// An [Array] is a shape and a slice of numbers in row-major order: the last
// index varies fastest and there are no strides, so Data can be handed to any
// numerical routine as it is. Rank 0 is not used; a single number is an array
// of shape {1} ([Scalar]), which broadcasts against everything.
//
// What shares memory: [Of], [Vector], [FromMatrix], [Array.Matrix],
// [Array.Reshape] and [Array.Index]. Everything else returns new numbers.
//
// Indices and axes count from 0. Whatever depends on a caller's numbers
// returns an error; [New], [Array.At], [Array.Set] and [Array.Index] are for
// indices that are right by construction and panic with that error.
//
// Package files reads and writes files of arrays; gonum computes with matrices and vectors.
package array

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unsafe"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"gonum.org/v1/gonum/mat"
)

// An Array is a dense array of float64 of any rank >= 1 in row-major order.
// len(Data) is the product of Shape. An axis may have length 0.
type Array struct {
	Shape []int
	Data  []float64

	// Axes are the coordinates that the indices stand for, one list per axis, in
	// an array of values on meshes; nil where there are none. They are for pictures
	// of the array, and new arrays do not have them.
	Axes [][]float64
}

// New returns an array of zeros. It panics where [Zeros] returns an error.
func New(shape ...int) *Array {
	a, err := Zeros(shape...)
	if err != nil {
		panic(err)
	}
	return a
}

// Zeros returns an array of zeros. It is an error when a length is negative or
// the array would not fit in memory.
func Zeros(shape ...int) (*Array, error) {
	size, err := dense.SizeOf(shape)
	if err != nil {
		return nil, err
	}
	a := &Array{Shape: slices.Clone(shape), Data: make([]float64, size)}
	if 8*size >= dense.Roomy {
		dense.HugePages(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(a.Data))), 8*size))
	}
	return a, nil
}

// Of returns the array of the given shape over data, which it shares.
// No shape at all means a vector.
func Of(data []float64, shape ...int) (*Array, error) {
	if len(shape) == 0 {
		return Vector(data), nil
	}
	size, err := dense.SizeOf(shape)
	if err != nil {
		return nil, err
	}
	if size != len(data) {
		return nil, fmt.Errorf("shape %s: wants %d numbers, got %d", dense.ShapeString(shape), size, len(data))
	}
	return &Array{Shape: slices.Clone(shape), Data: data}, nil
}

// Vector returns the array of shape {len(v)} over v, which it shares.
func Vector(v []float64) *Array { return &Array{Shape: []int{len(v)}, Data: v} }

// Scalar returns the array of shape {1} that holds v.
func Scalar(v float64) *Array { return Vector([]float64{v}) }

// FromMatrix returns the matrix as an array of shape rows × columns. It shares
// the numbers of m, unless m is a window of a wider matrix: then it copies.
func FromMatrix(m *mat.Dense) *Array {
	raw := m.RawMatrix()
	a := &Array{Shape: []int{raw.Rows, raw.Cols}}
	if raw.Stride == raw.Cols {
		a.Data = raw.Data[:raw.Rows*raw.Cols]
		return a
	}
	a.Data = make([]float64, 0, raw.Rows*raw.Cols)
	for i := range raw.Rows {
		a.Data = append(a.Data, raw.Data[i*raw.Stride:i*raw.Stride+raw.Cols]...)
	}
	return a
}

// Matrix returns a matrix (rank 2, no empty axis) for gonum, sharing the numbers.
func (a *Array) Matrix() (*mat.Dense, error) {
	if a.Rank() != 2 || a.Size() == 0 {
		return nil, fmt.Errorf("shape %s: want a matrix with at least one row and column", dense.ShapeString(a.Shape))
	}
	return mat.NewDense(a.Shape[0], a.Shape[1], a.Data), nil
}

// Rank returns the number of axes.
func (a *Array) Rank() int { return len(a.Shape) }

// Size returns the number of elements.
func (a *Array) Size() int { return len(a.Data) }

// Copy returns an array with its own shape and numbers.
func (a *Array) Copy() *Array {
	return &Array{Shape: slices.Clone(a.Shape), Data: slices.Clone(a.Data)}
}

// offset returns the position in Data of the element at index, one number per
// axis, each in [0, length).
func (a *Array) offset(index ...int) (int, error) {
	if len(index) != len(a.Shape) {
		return 0, errors.New("index " + indexString(index) + ": an array of shape " + dense.ShapeString(a.Shape) +
			" wants " + strconv.Itoa(len(a.Shape)) + " indices")
	}
	offset := 0
	for k, i := range index {
		if i < 0 || i >= a.Shape[k] {
			return 0, errors.New("index " + indexString(index) + ": outside an array of shape " + dense.ShapeString(a.Shape))
		}
		offset = offset*a.Shape[k] + i
	}
	return offset, nil
}

// Position returns the index of the element at the given offset in Data, the
// inverse of [Array.Offset]: len(Position(k)) == Rank().
func (a *Array) Position(offset int) []int {
	index := make([]int, len(a.Shape))
	for k := len(a.Shape) - 1; k >= 0; k-- {
		index[k] = offset % a.Shape[k]
		offset /= a.Shape[k]
	}
	return index
}

// At returns one element; it panics when the index is outside the array.
func (a *Array) At(index ...int) float64 {
	offset, err := a.offset(index...)
	if err != nil {
		panic(err)
	}
	return a.Data[offset]
}

// Set changes one element; it panics when the index is outside the array.
func (a *Array) Set(v float64, index ...int) {
	offset, err := a.offset(index...)
	if err != nil {
		panic(err)
	}
	a.Data[offset] = v
}

// Index returns the i-th sub-array along the first axis: row i of a matrix, and
// of a vector element i with shape {1}. It shares the numbers and panics when i
// is outside the array.
func (a *Array) Index(i int) *Array {
	shape, data := dense.Indexed(a.Shape, a.Data, i)
	return &Array{Shape: shape, Data: data}
}

// Reshape returns the same numbers in another shape, sharing them. One length
// may be -1: it is what the others leave. With no arguments: a vector.
func (a *Array) Reshape(shape ...int) (*Array, error) {
	shape, err := dense.Reshaped(a.Size(), shape)
	if err != nil {
		return nil, err
	}
	return Of(a.Data, shape...)
}

// Map returns fn of every element, in their order.
func (a *Array) Map(fn func(float64) float64) *Array {
	out := &Array{Shape: slices.Clone(a.Shape), Data: make([]float64, len(a.Data))}
	for i, x := range a.Data {
		out.Data[i] = fn(x)
	}
	return out
}

// indexString must not keep index: At is called in loops and its argument
// should stay on the stack.
func indexString(index []int) string {
	b := []byte{'['}
	for k, i := range index {
		if k > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendInt(b, int64(i), 10)
	}
	return string(append(b, ']'))
}
