package dataset

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// noMesh says that a mesh is missing, and how to give the one that the file's
// coordinates suggest.
func (src source) noMesh(argument string, a *array.Array) error {
	missing := fmt.Errorf("%s: %s: missing", src.path, argument)
	if found := src.suggestMesh(a.Shape[1:]); found != nil {
		return remedy.MeshFromFile.For(missing, argument, strings.Join(names(found), ", "), src.path, found)
	}
	return remedy.MeshOfPoints.For(missing, argument, a.Size()/max(a.Shape[0], 1))
}

// named refuses to look for arrays that nobody has named and that are not there, and says which may be meant.
func (src source) named(s LoadSpec) error {
	if s.Input != "" && s.Output != "" {
		return nil
	}
	if src.file != nil {
		if what, err := arrays.Saved(src.file); err != nil || what != "" && what != arrays.SavedPairs {
			return cmp.Or(err, remedy.LoadSaved.For(fmt.Errorf("%s: %s, not pairs", src.path, what), src.path))
		}
	}
	switch {
	case src.file == nil && s.Input == "" && s.Output == "":
		return remedy.FilesOfFolder.For(fmt.Errorf("%s: a folder", src.path), filepath.ToSlash(src.path))
	case src.file != nil && src.outputName == "" && s.Output == "":
		return remedy.NameOutputFile.For(fmt.Errorf("%s: output: missing: the file holds one array", src.path))
	case src.file == nil || s.Input != "" || s.Output != "":
	case len(src.names) > 1 && !(slices.Contains(src.names, src.inputName) && slices.Contains(src.names, src.outputName)):
		f, u := src.like(src.inputName, 0), src.like(src.outputName, 1)
		return remedy.NameArrays.For(fmt.Errorf("%s: no arrays %s and %s; the file holds %s", src.path, src.inputName, src.outputName, listNames(src.names)), f, u)
	}
	return nil
}

// like is the array that is called so in a struct or a group; otherwise one of the file's.
func (src source) like(name string, otherwise int) string {
	for _, n := range src.names {
		if n == name || strings.HasSuffix(n, "."+name) || strings.HasSuffix(n, "/"+name) {
			return n
		}
	}
	return src.names[otherwise]
}

func listNames(names []string) string {
	const enough = 20
	if len(names) > enough {
		return strings.Join(names[:enough], ", ") + fmt.Sprintf(" and %d more", len(names)-enough)
	}
	return strings.Join(names, ", ")
}

// suggestMesh looks in the file for a vector as long as each axis of the
// functions; nil if there are none.
func (src source) suggestMesh(lengths []int) []mesh.Axis {
	left := src.likely()
	var seen, found []mesh.Axis
	for _, length := range lengths {
		i := -1
		for i < 0 {
			i = slices.IndexFunc(seen, func(a mesh.Axis) bool { return a.Size() == length && !slices.Contains(names(found), a.Names[0]) })
			if i < 0 && len(left) == 0 {
				return nil
			}
			if i < 0 {
				if axis, ok := src.vector(left[0]); ok {
					seen = append(seen, axis)
				}
				left = left[1:]
			}
		}
		found = append(found, seen[i])
	}
	return found
}

// names are those of vectors in the file.
func names(axes []mesh.Axis) (all []string) {
	for _, a := range axes {
		all = append(all, a.Names[0])
	}
	return all
}

// likely lists the arrays that may be axes, the usual names first.
func (src source) likely() []string {
	if src.file == nil {
		return nil
	}
	usual := []string{"x", "y", "z", "t", "s"}
	names := slices.DeleteFunc(slices.Clone(usual), func(name string) bool { return !slices.Contains(src.names, name) })
	for _, name := range src.names {
		if !slices.Contains(usual, name) && name != src.inputName && name != src.outputName {
			names = append(names, name)
		}
	}
	return names
}

// vector is an array that may be an axis: increasing numbers in a row or, as MATLAB has it, a column. Of
// files that are read by rows, no more than one is read of what is none.
func (src source) vector(name string) (axis mesh.Axis, ok bool) {
	if first, of, err := src.file.ReadRows(name, 0, 1); err != nil || first == nil || of > 1 && first.Size() > 1 {
		return axis, false
	}
	a, err := src.file.Read(name)
	if err != nil || a.Size() != slices.Max(a.Shape) {
		return axis, false
	}
	axis, err = mesh.Trapezoid(a.Data, name)
	return axis, err == nil
}
