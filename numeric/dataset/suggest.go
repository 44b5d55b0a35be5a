package dataset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// noMesh says that a mesh is missing, and how to give the one that the file's
// coordinates suggest.
func (src source) noMesh(argument string, a *array.Array) error {
	hint := src.suggestMesh(argument, a.Shape[1:])
	if hint == "" {
		points := a.Size() / max(a.Shape[0], 1)
		hint = fmt.Sprintf("want a mesh of %d points, such as %s = mesh.uniform(0, 1, %d)", points, argument, points)
	}
	return fmt.Errorf("%s: %s: missing; %s", src.path, argument, hint)
}

// suggestMesh looks in the file for a vector as long as each axis of the
// functions and writes the mesh they make as a script would; "" if there are none.
func (src source) suggestMesh(argument string, lengths []int) string {
	vectors := src.coordinates()
	var used, axes []string
	for _, length := range lengths {
		i := slices.IndexFunc(vectors, func(v coordinate) bool {
			return len(v.points) == length && !slices.Contains(used, v.name)
		})
		if i < 0 {
			return ""
		}
		used = append(used, vectors[i].name)
		axes = append(axes, src.axis(vectors[i]))
	}
	if len(used) == 0 {
		return ""
	}
	return fmt.Sprintf("the file holds %s: try %s = %s", strings.Join(used, ", "), argument, strings.Join(axes, " * "))
}

// A coordinate is a vector of increasing numbers in the file.
type coordinate struct {
	name   string
	points []float64
	axis   mesh.Axis
}

// coordinates lists the vectors that may be axes, the usual names first.
func (src source) coordinates() []coordinate {
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
	var found []coordinate
	for _, name := range names {
		a, err := src.file.Read(name)
		if err != nil || a.Size() != slices.Max(a.Shape) { // a row or a column, as MATLAB has it, will do
			continue
		}
		if axis, err := mesh.Trapezoid(a.Data, name); err == nil {
			found = append(found, coordinate{name, a.Data, axis})
		}
	}
	return found
}

// axis is the Lua expression for a coordinate.
func (src source) axis(c coordinate) string {
	if c.axis.Step > 0 {
		return fmt.Sprintf("mesh.uniform(%g, %g, %d, %q)", c.points[0], c.points[len(c.points)-1], len(c.points), c.name)
	}
	return fmt.Sprintf("mesh.points(array.load(%q, %q))", src.path, c.name)
}
