package dataset

import (
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// scales is the mesh that a file gives the functions in an array, one a row: NetCDF and HDF5 name the arrays with the
// coordinates along its axes. It is empty if the file does not. Along coordinates that decrease the array is turned round.
func (src source) scales(name string, a *array.Array, columns bool) (m mesh.Mesh, err error) {
	described, err := src.axes(name, columns)
	if err != nil || len(described) != len(a.Shape) || len(described) < 2 {
		return m, err
	}
	var axes []mesh.Axis
	var turned []int
	for k, d := range described[1:] {
		if d.Coordinates == "" {
			return m, nil
		}
		x, err := src.file.Read(d.Coordinates)
		if err != nil {
			return m, err
		}
		if len(x.Shape) != 1 || x.Size() != a.Shape[k+1] {
			return m, nil
		}
		if decreasing(x.Data) { // as latitudes and depths often are
			x = array.Vector(slices.Clone(x.Data))
			slices.Reverse(x.Data)
			turned = append(turned, k+1)
		}
		axis, err := mesh.Trapezoid(x.Data, d.Name)
		if err != nil {
			return m, remedy.OrderAxis.For(fmt.Errorf("%s: the coordinates %s along axis %d of %s make no mesh: %w", src.path, d.Coordinates, k+2, name, err), d.Coordinates)
		}
		axes = append(axes, axis)
	}
	for _, axis := range turned {
		flip(a, axis)
	}
	return mesh.New(axes...)
}

func decreasing(x []float64) bool {
	for i := 1; i < len(x); i++ {
		if !(x[i] < x[i-1]) {
			return false
		}
	}
	return len(x) > 1
}

// flip turns an array round along an axis.
func flip(a *array.Array, axis int) {
	n, inner := a.Shape[axis], 1
	for _, d := range a.Shape[axis+1:] {
		inner *= d
	}
	for begin := 0; begin < len(a.Data); begin += n * inner {
		block := a.Data[begin : begin+n*inner]
		for i, j := 0, n-1; i < j; i, j = i+1, j-1 {
			for k := range inner {
				block[i*inner+k], block[j*inner+k] = block[j*inner+k], block[i*inner+k]
			}
		}
	}
}

// ownMeshes fills in the meshes that a file has and s has not, and refuses those of s that the file contradicts.
func (src source) ownMeshes(s *LoadSpec, input, output *array.Array) (err error) {
	inputName, outputName := orName(s.Input, src.inputName), orName(s.Output, src.outputName)
	given := s.InputMesh.Size() > 0
	if given {
		err = src.agrees("input_mesh", inputName, s.InputMesh, input, s.Columns)
	} else {
		s.InputMesh, err = src.scales(inputName, input, s.Columns)
	}
	if err != nil {
		return err
	}
	if s.OutputMesh.Size() > 0 {
		return src.agrees("output_mesh", outputName, s.OutputMesh, output, s.Columns)
	}
	s.OutputMesh, err = src.scales(outputName, output, s.Columns)
	if err == nil && !given && s.InputMesh.Size() > 0 && s.OutputMesh.Size() > 0 {
		err = src.oneUnit(s)
	}
	return err
}

// axes are what the file says about the axes of an array, that of the pairs first; nil if it says nothing.
func (src source) axes(name string, columns bool) ([]arrays.Axis, error) {
	if src.file == nil || !slices.Contains(src.names, name) {
		return nil, nil
	}
	axes, err := src.file.Axes(name)
	if columns && len(axes) == 2 {
		axes[0], axes[1] = axes[1], axes[0]
	}
	return axes, err
}

// checkPairs refuses inputs and outputs of which the file says that their rows are not the same pairs: dimensions
// the other way round, which nothing else shows if there are as many pairs as points, or other coordinates.
func (src source) checkPairs(s LoadSpec) error {
	inputName, outputName := orName(s.Input, src.inputName), orName(s.Output, src.outputName)
	input, err := src.axes(inputName, s.Columns)
	if err != nil {
		return err
	}
	output, err := src.axes(outputName, s.Columns)
	if err != nil || len(input) == 0 || len(output) == 0 {
		return err
	}
	p, q := input[0], output[0]
	if p == q {
		return nil
	}
	if along(p.Name, output[1:]) || along(q.Name, input[1:]) {
		return fmt.Errorf("%s: the pairs of %s are along its dimension %s, those of %s along %s: one of them is transposed",
			src.path, inputName, orName(p.Name, "without a name"), outputName, orName(q.Name, "without a name"))
	}
	if p.Coordinates == "" || q.Coordinates == "" || p.Coordinates == q.Coordinates {
		return nil
	}
	a, err := src.file.Read(p.Coordinates)
	if err != nil {
		return err
	}
	b, err := src.file.Read(q.Coordinates)
	if err != nil || a.Size() != b.Size() {
		return err
	}
	for i, x := range a.Data {
		if y := b.Data[i]; x != y && !(math.IsNaN(x) && math.IsNaN(y)) {
			return fmt.Errorf("%s: row %d of %s is of %s = %g, that of %s of %s = %g: want the same pairs in the same order",
				src.path, i+1, inputName, p.Coordinates, x, outputName, q.Coordinates, y)
		}
	}
	return nil
}

func along(name string, axes []arrays.Axis) bool {
	return name != "" && slices.ContainsFunc(axes, func(a arrays.Axis) bool { return a.Name == name })
}
