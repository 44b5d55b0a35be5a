package dataset

import (
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/internal/numeric/units"
	"github.com/greenbench/workbench/numeric/mesh"
)

// A scaled axis has coordinates in a file, which says in which unit.
type scaled struct {
	coordinates, text string
	unit              units.Unit // without a kind: not known
}

// unitsOf are the units of the coordinates of an array, but for those of the pairs.
func (src source) unitsOf(name string, columns bool) (all []scaled, err error) {
	axes, err := src.axes(name, columns)
	for _, a := range axes[min(1, len(axes)):] {
		s := scaled{coordinates: a.Coordinates, text: src.file.Attribute(a.Coordinates, "units")}
		s.unit, _ = units.Parse(s.text, src.file.Attribute(a.Coordinates, "calendar"))
		all = append(all, s)
	}
	return all, err
}

// oneUnit puts moments of the output on the clock of the input, and refuses other coordinates of one kind in several
// units: whatever compares them, as causality does, would take them for one. The meshes of s are those of the file.
func (src source) oneUnit(s *LoadSpec) error {
	in, err := src.unitsOf(orName(s.Input, src.inputName), s.Columns)
	if err != nil {
		return err
	}
	out, err := src.unitsOf(orName(s.Output, src.outputName), s.Columns)
	if err != nil {
		return err
	}
	if err := src.oneClock(s, in, out); err != nil {
		return err
	}
	i, j, differ := units.Differ(unitsAlone(in), unitsAlone(out))
	if !differ {
		return nil
	}
	return remedy.OneUnit.For(fmt.Errorf("%s: %s of the input is in %s and %s of the output in %s: want one unit",
		src.path, in[i].coordinates, in[i].text, out[j].coordinates, out[j].text))
}

func unitsAlone(axes []scaled) (all []units.Unit) {
	for _, a := range axes {
		all = append(all, a.unit)
	}
	return all
}

// oneClock puts moments of the output into the unit of those of the input, where it can, and says so.
func (src source) oneClock(s *LoadSpec, in, out []scaled) error {
	i, j, differ := units.Differ(unitsAlone(in), unitsAlone(out))
	if !differ || in[i].unit.Kind != "moment" {
		return nil
	}
	axes := s.OutputMesh.Axes()
	moments, ok := units.Moments(axes[j].Coordinates, out[j].unit, in[i].unit)
	if !ok {
		return nil
	}
	snap(moments, s.InputMesh.Axes()[i].Coordinates)
	axis, err := mesh.Trapezoid(moments, axes[j].Names[0])
	if err != nil {
		return fmt.Errorf("%s: %s in %s: %w", src.path, out[j].coordinates, in[i].text, err)
	}
	axes[j] = axis
	if s.OutputMesh, err = mesh.New(axes...); err != nil {
		return err
	}
	if s.Note != nil {
		s.Note(fmt.Sprintf("%s: in %s, as %s; the file has it in %s", out[j].coordinates, in[i].text, in[i].coordinates, out[j].text))
	}
	out[j].text, out[j].unit = in[i].text, in[i].unit
	return nil
}

// snap takes numbers that differ by rounding from one of to, which increases, as equal to it.
func snap(x, to []float64) {
	within := 1e-12 * max(math.Abs(to[0]), math.Abs(to[len(to)-1]))
	for i, v := range x {
		k, _ := slices.BinarySearch(to, v-within)
		if k < len(to) && to[k] <= v+within {
			x[i] = to[k]
		}
	}
}
