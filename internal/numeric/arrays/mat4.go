package arrays

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/greenbench/workbench/numeric/array"
)

// MATLAB's MAT-file level 4: one array after the other, each with a header of five
// integers — type, rows, columns, whether complex, length of the name — then the name and
// the numbers by columns, all real parts before all imaginary ones. The type is written
// MOPT in decimal digits: M the byte order, P how numbers are stored, T full, text or sparse.
const mat4Header = 20

// mat4Numbers are the types by digit P.
var mat4Numbers = [...]number{
	{kind: 'f', size: 8}, {kind: 'f', size: 4}, {kind: 'i', size: 4}, {kind: 'i', size: 2}, {kind: 'u', size: 2}, {kind: 'u', size: 1},
}

// A mat4Array is one array of the file.
type mat4Array struct {
	name          string
	number        number
	kind          int // 0 full, 1 text, 2 sparse
	rows, columns int
	complex       bool
	offset        int64
}

// isMAT4 tells files of level 4, which begin with a header that makes sense, from others.
func isMAT4(r io.ReaderAt, size int64) bool {
	_, err := readMAT4(r, 0, size)
	return err == nil
}

var errNotMAT4 = errors.New("corrupt: no header of an array")

// readMAT4 reads the header at a place and the name.
func readMAT4(r io.ReaderAt, at, size int64) (*mat4Array, error) {
	head := make([]byte, mat4Header)
	if _, err := r.ReadAt(head, at); err != nil {
		return nil, readError(err, fmt.Sprintf("no header of an array at byte %d", at))
	}
	var order binary.ByteOrder = binary.LittleEndian
	const mostLE = 1000
	if order.Uint32(head) >= mostLE {
		order = binary.BigEndian
	}
	kind := order.Uint32(head)
	m, o, p, t := kind/1000, kind/100%10, kind/10%10, kind%10
	nameBytes := int64(order.Uint32(head[16:]))
	v := &mat4Array{kind: int(t), rows: int(int32(order.Uint32(head[4:]))), columns: int(int32(order.Uint32(head[8:]))), complex: order.Uint32(head[12:]) == 1}
	if m > 1 || (m == 1) != (order == binary.BigEndian) || o != 0 || int(p) >= len(mat4Numbers) || t > 2 ||
		order.Uint32(head[12:]) > 1 || nameBytes < 1 || nameBytes > 1<<10 || v.rows < 0 || v.columns < 0 {
		return nil, errNotMAT4
	}
	name := make([]byte, nameBytes)
	if _, err := r.ReadAt(name, at+mat4Header); err != nil {
		return nil, readError(err, "the name ends early")
	}
	v.name = string(bytes.TrimRight(name, "\x00"))
	if v.name == "" {
		return nil, errNotMAT4
	}
	v.number = mat4Numbers[p]
	v.number.order = order
	v.offset = at + mat4Header + nameBytes
	return v, nil
}

func openMAT4(r io.ReaderAt, size int64) (*contents, error) {
	var arrays []*mat4Array
	c := &contents{}
	for at := int64(0); at < size; {
		v, err := readMAT4(r, at, size)
		if err != nil {
			return nil, fmt.Errorf("the array at byte %d: %w", at, err)
		}
		n := v.bytes()
		if n > float64(size-v.offset) {
			return nil, fmt.Errorf("truncated: array %q of %d×%d wants %.0f bytes, %d are there", v.name, v.rows, v.columns, n, size-v.offset)
		}
		at = v.offset + int64(n)
		arrays = append(arrays, v)
		c.names = append(c.names, v.name)
	}
	find := func(name string) (*mat4Array, error) {
		i := slices.Index(c.names, name)
		if i < 0 {
			return nil, fs.ErrNotExist
		}
		return arrays[i], nil
	}
	c.read = func(name string) (*array.Array, error) {
		v, err := find(name)
		if err != nil {
			return nil, err
		}
		return v.real(r)
	}
	c.complex = func(name string) (*Complex, error) {
		v, err := find(name)
		if err != nil {
			return nil, err
		}
		re, im, err := v.parts(r)
		if err != nil {
			return nil, err
		}
		return complexParts(contextOf(r), re, im, []int{v.rows, v.columns})
	}
	return c, nil
}

// bytes is how many the numbers take.
func (v *mat4Array) bytes() float64 {
	n := float64(v.rows) * float64(v.columns) * float64(v.number.size)
	if v.complex {
		n *= 2
	}
	return n
}

// parts are the real and imaginary parts; im is nil for real numbers.
func (v *mat4Array) parts(r io.ReaderAt) (re, im []float64, err error) {
	b, err := bytesOf(r, v.offset, int64(v.bytes()))
	if err != nil {
		return nil, nil, err
	}
	data, err := v.number.numbers(contextOf(r), b)
	if err != nil || !v.complex {
		return data, nil, err
	}
	return data[:len(data)/2], data[len(data)/2:], nil
}

func (v *mat4Array) real(r io.ReaderAt) (*array.Array, error) {
	switch {
	case v.kind == 1:
		return nil, &unsupportedError{What: "text: want an array of real numbers"}
	case v.kind == 2:
		s, err := v.sparse(r)
		if err != nil {
			return nil, err
		}
		return s.dense()
	case v.complex:
		return nil, complexNumbers("complex numbers: want an array of real numbers")
	}
	data, _, err := v.parts(r)
	if err != nil {
		return nil, err
	}
	return fromColumnMajor(contextOf(r), data, []int{v.rows, v.columns})
}

// sparse reads a table of entries: rows, columns, values and, for complex ones, a fourth
// column; the last line has the size of the matrix.
func (v *mat4Array) sparse(r io.ReaderAt) (*triplets, error) {
	if v.columns == 4 || v.complex {
		return nil, &unsupportedError{What: "complex sparse matrix: in MATLAB use full(A)"}
	}
	if v.columns != 3 || v.rows < 1 {
		return nil, fmt.Errorf("corrupt: a sparse matrix written as %d×%d numbers", v.rows, v.columns)
	}
	data, _, err := v.parts(r)
	if err != nil {
		return nil, err
	}
	n := v.rows - 1
	row, column, value := data[:n+1], data[n+1:2*n+2], data[2*n+2:]
	s := &triplets{rows: int(row[n]), columns: int(column[n]), row: make([]int, n), column: make([]int, n), value: value[:n]}
	if !(row[n] >= 0 && row[n] < 1<<31 && column[n] >= 0 && column[n] < 1<<31) {
		return nil, fmt.Errorf("corrupt: a sparse matrix of %g×%g", row[n], column[n])
	}
	for i := range n {
		s.row[i], s.column[i] = int(row[i])-1, int(column[i])-1
	}
	return s, s.check()
}
