package bindings

import (
	"errors"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/prepare"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// resampleMethod is dataset:resample.
func resampleMethod() bind.Func {
	return bind.Fn("resample", "The pairs on other meshes: curves on points of their own on one mesh, or from one mesh to another.\n\n"+
		"linear and cubic (a spline, not-a-knot) go through the values. kernel smooths them: by a Matérn kernel (ν = 5/2) about a constant of each curve, "+
		"whose lengthscale, variance and noise are chosen by REML for all curves of a side together. "+
		"An estimate takes what was resampled for exact: the bands say how far that is so.",
		func(c *bind.Call, p *struct {
			Data    *dataset.Dataset `arg:"self"`
			Mesh    mesh.Mesh        `arg:"mesh" doc:"where inputs and outputs are wanted" default:"nil"`
			X       mesh.Mesh        `arg:"input_mesh" doc:"where the inputs are wanted; by default mesh, or they stay as they are" default:"nil"`
			Y       mesh.Mesh        `arg:"output_mesh" doc:"where the outputs are wanted, likewise" default:"nil"`
			Method  string           `arg:"method" doc:"how" default:"linear" allow:"linear|cubic|kernel"`
			Outside string           `arg:"outside" doc:"beyond the points of a curve: refuse; extend, by the last value, or as the kernel has it; missing: outputs are left out there" default:"refuse" allow:"refuse|extend|missing"`
		},
		) (bind.Results, error) {
			if p.X.Size() == 0 {
				p.X = p.Mesh
			}
			if p.Y.Size() == 0 {
				p.Y = p.Mesh
			}
			if p.X.Size()+p.Y.Size() == 0 {
				return nil, errors.New("mesh: missing; say where the functions are wanted: mesh, input_mesh or output_mesh")
			}
			d, input, output, err := prepare.Resample(c, p.Data, prepare.ResampleSpec{Input: p.X, Output: p.Y, Method: p.Method, Outside: p.Outside})
			if err != nil {
				return nil, err
			}
			if input == nil && output == nil {
				return bind.Results{d}, nil
			}
			bands := make(map[string]*array.Array)
			if input != nil {
				bands["input"] = input
			}
			if output != nil {
				bands["output"] = output
			}
			return bind.Results{d, bands}, nil
		},
		bind.Example(`d = data.new{
  input = {{0, 1, 4}, {1, 0}}, input_mesh = {{0, 0.5, 1}, {0, 1}},
  output = {{5, 7}, {7, 8}}, output_mesh = {{0, 1}, {0, 1}}}
even = d:resample{mesh = mesh.uniform(0, 1, 5)}
print(even.input[1], even.output_mesh)
--> array 5, min 0, max 4, norm 4.848
-->   0  0.5  1  2.5  4	mesh.uniform(0, 1, 5)`),
		bind.ReturnsAs("dataset", "the pairs on the meshes"),
		bind.ReturnsAs("{input=, output=}|nil", "of kernel: standard deviations of what was smoothed, pairs × points, without the noise"),
		bind.Errors("a mesh that goes beyond the points of a curve, unless outside says what stands there", "functions of several coordinates"),
		bind.Keywords("interpolate", "smooth", "regrid", "irregular", "align", "common mesh"), bind.See("data.new", "interp.interp1d", "dataset:window"))
}
