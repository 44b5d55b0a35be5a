package arrays

import (
	"fmt"

	"github.com/greenbench/workbench/numeric/array"
)

// Nest puts other members among m, their names after a prefix.
func (m Members) Nest(prefix string, inner Members) {
	for name, a := range inner.Arrays {
		m.Arrays[prefix+name] = a
	}
	for name, text := range inner.Texts {
		m.Texts[prefix+name] = text
	}
}

// Parts are the arrays and texts of an open file, or of a part of one.
type Parts interface {
	Read(name string) (*array.Array, error)
	Text(name string) (text string, ok bool, err error)
}

// Nested are the members of a file that were put there by Nest.
type Nested struct {
	File   Parts
	Prefix string
}

// Read returns one array.
func (n Nested) Read(name string) (*array.Array, error) { return n.File.Read(n.Prefix + name) }

// Text returns a part that is not an array, and whether it is there.
func (n Nested) Text(name string) (text string, ok bool, err error) {
	return n.File.Text(n.Prefix + name)
}

// Numbers reads an array of so many numbers.
func Numbers(f Parts, name string, size int) ([]float64, error) {
	a, err := f.Read(name)
	if err != nil {
		return nil, err
	}
	if a.Size() != size {
		return nil, fmt.Errorf("array %q has %d numbers, the meshes in the file need %d", name, a.Size(), size)
	}
	return a.Data, nil
}
