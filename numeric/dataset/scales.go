package dataset

import (
	"fmt"
	"slices"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// scales is the mesh that a file gives the functions in an array, one a row: NetCDF and HDF5 name the arrays with the
// coordinates along its axes. It is empty if the file does not.
func (src source) scales(name string, a *array.Array) (m mesh.Mesh, err error) {
	if src.file == nil || !slices.Contains(src.names, name) {
		return m, nil
	}
	described, err := src.file.Axes(name)
	if err != nil || len(described) != len(a.Shape) || len(described) < 2 {
		return m, err
	}
	var axes []mesh.Axis
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
		axis, err := mesh.Trapezoid(x.Data, d.Name)
		if err != nil {
			return m, fmt.Errorf("%s: the coordinates %s along axis %d of %s make no mesh: %w", src.path, d.Coordinates, k+2, name, err)
		}
		axes = append(axes, axis)
	}
	return mesh.New(axes...)
}

// ownMeshes fills in the meshes that a file has and s has not.
func (src source) ownMeshes(s *LoadSpec, input, output *array.Array) (err error) {
	if s.InputMesh.Size() == 0 {
		if s.InputMesh, err = src.scales(orName(s.Input, src.inputName), input); err != nil {
			return err
		}
	}
	if s.OutputMesh.Size() == 0 {
		s.OutputMesh, err = src.scales(orName(s.Output, src.outputName), output)
	}
	return err
}
