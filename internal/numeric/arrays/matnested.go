package arrays

import (
	"errors"
	"fmt"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/dense"
)

// deepest is how many cells and structs may be within each other.
const deepest = 64

// nested lists what is in a cell or struct, of which data follow the name, and gives every
// array in it the path by which MATLAB has it: s.f, s(2).f, c{3}.
func (m *matFile) nested(top *matArray, path string, data []byte, depth int) error {
	v := *top
	if depth > deepest {
		return errors.New("corrupt: cells and structs more than 64 within each other")
	}
	if v.class == matObject { // the name of the class comes first
		var err error
		if _, _, data, err = m.part(data); err != nil {
			return err
		}
	}
	fields := []string{""}
	if v.class != matCell {
		var err error
		if fields, data, err = m.fields(data); err != nil {
			return err
		}
	}
	n, err := elements(v.shape)
	if err != nil || len(fields) == 0 {
		return err
	}
	for i := range n {
		for _, field := range fields {
			where := func() string {
				switch {
				case v.class == matCell:
					return fmt.Sprintf("%s{%d}", path, i+1)
				case n > 1:
					return fmt.Sprintf("%s(%d).%s", path, i+1, field)
				}
				return path + "." + field
			}
			if data, err = m.inner(top, where, data, depth); err != nil {
				return fmt.Errorf("%s: %w", where(), err)
			}
		}
	}
	return nil
}

// inner reads the next element of a cell or struct, and what is in it.
func (m *matFile) inner(top *matArray, where func() string, data []byte, depth int) (rest []byte, err error) {
	kind, element, rest, err := m.part(data)
	if err != nil {
		return nil, err
	}
	if kind != miMatrix {
		return nil, fmt.Errorf("corrupt: an element of type %d, not an array", kind)
	}
	if len(element) == 0 {
		return rest, nil // nothing was ever assigned
	}
	v := &matArray{offset: -1}
	if v.data, err = m.describe(v, element); err != nil {
		return nil, err
	}
	path := where()
	v.name = path
	m.arrays = append(m.arrays, v)
	top.within = append(top.within, path)
	if v.class == matCell || v.class == matStruct || v.class == matObject {
		return rest, m.nested(v, path, v.data, depth+1)
	}
	return rest, nil
}

// fields are the names of a struct's fields, each in as many bytes as the first element says.
func (m *matFile) fields(data []byte) (names []string, rest []byte, err error) {
	_, width, data, err := m.part(data)
	if err != nil {
		return nil, nil, err
	}
	_, text, data, err := m.part(data)
	if err != nil {
		return nil, nil, err
	}
	if len(width) < 4 {
		return nil, nil, errors.New("corrupt: a struct without names of fields")
	}
	n := int(int32(m.order.Uint32(width)))
	const longest = 128 // twice MATLAB's
	if n <= 0 || n > longest || len(text)%n != 0 {
		return nil, nil, errors.New("corrupt: the names of the fields have no length")
	}
	for ; len(text) > 0; text = text[n:] {
		name, _, _ := strings.Cut(string(text[:n]), "\x00")
		names = append(names, name)
	}
	return names, data, nil
}

// elements is how many elements a shape has; those of a cell are in the file.
func elements(shape []int) (int, error) {
	n := 1
	for _, k := range shape {
		if k < 0 || k > 0 && n > 1<<40/k {
			return 0, fmt.Errorf("corrupt: shape %s", dense.ShapeString(shape))
		}
		n *= k
	}
	return n, nil
}
