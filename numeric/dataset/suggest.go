package dataset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/remedy"
)

// noMesh says that a mesh is missing, and how to give the one that the file's
// coordinates suggest.
func (src source) noMesh(argument string, a *array.Array) error {
	missing := fmt.Errorf("%s: %s: missing", src.path, argument)
	if found := src.suggestMesh(a.Shape[1:]); found != nil {
		return remedy.MeshFromFile.For(missing, argument, found, src.path)
	}
	return remedy.MeshOfPoints.For(missing, argument, a.Size()/max(a.Shape[0], 1))
}

// suggestMesh looks in the file for a vector as long as each axis of the
// functions; nil if there are none.
func (src source) suggestMesh(lengths []int) Coordinates {
	vectors := src.coordinates()
	var found Coordinates
	for _, length := range lengths {
		i := slices.IndexFunc(vectors, func(a mesh.Axis) bool { return a.Size() == length && !slices.Contains(found.Names(), a.Names[0]) })
		if i < 0 {
			return nil
		}
		found = append(found, vectors[i])
	}
	return found
}

// Coordinates are vectors of increasing numbers in a file, which may be the axes of a mesh.
type Coordinates []mesh.Axis

// Names are those of the vectors in the file.
func (c Coordinates) Names() []string {
	var names []string
	for _, a := range c {
		names = append(names, a.Names[0])
	}
	return names
}

func (c Coordinates) String() string { return strings.Join(c.Names(), ", ") }

// coordinates lists the vectors that may be axes, the usual names first.
func (src source) coordinates() Coordinates {
	if src.file == nil {
		return nil
	}
	usual := []string{"x", "y", "z", "t", "s"}
	names := slices.DeleteFunc(slices.Clone(usual), func(name string) bool { return !slices.Contains(src.names, name) })
	for _, name := range src.names {
		if !slices.Contains(usual, name) {
			names = append(names, name)
		}
	}
	var found Coordinates
	for _, name := range names {
		a, err := src.file.Read(name)
		if err != nil || a.Size() != slices.Max(a.Shape) { // a row or a column, as MATLAB has it, will do
			continue
		}
		if axis, err := mesh.Trapezoid(a.Data, name); err == nil {
			found = append(found, axis)
		}
	}
	return found
}
