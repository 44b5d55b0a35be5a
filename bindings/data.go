package bindings

import (
	"context"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/prepare"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Data is the Lua module data.
func Data() bind.Module {
	return bind.Module{
		Name: "data",
		Doc:  "Pairs of functions (f, u), input and output of a linear problem, sampled on meshes.",
		Funcs: []bind.Func{
			bind.Fn("new", "Pairs from arrays, or samples of several functions, numbers and labels by name.\n\n"+
				"Curves with points of their own are lists of arrays, {f1, f2, …} at {x1, x2, …}. Inputs are then integrated by trapezoids between the first and the last point of each, or the quadrature of its mesh. "+
				"An output counts where it was measured: it weighs one over the number of values that a curve has a unit length there, in the mean of the curves. "+
				"d.input_mesh and d.output_mesh are all points of all curves; d.input and d.output are NaN where a pair has none. d.integrand has the inputs as the fit integrates them.", func(c *bind.Call, p *newData) (samples, error) {
				return p.make(c)
			}, bind.Example(`m = mesh.uniform(0, 1, 4)
f = random.normal{shape = {3, 4}}
d = data.new{input = f, output = 2 * f, input_mesh = m}
print(d.n, d.output_mesh)  --> 3	mesh.uniform(0, 1, 4)`), bind.Example(`m, my = mesh.uniform(0, 1, 4), mesh.uniform(0, 2, 5, "y")
f, g = random.normal{shape = {6, 4}}, random.normal{shape = {6, 3}, seed = 2}
u = random.normal{shape = {6, 5}, seed = 3}
d = data.new{input = {f = f, g = g, age = {31, 45, 28, 60, 52, 39}}, output = {u = u},
  input_mesh = {f = m, g = mesh.gauss(0, 1, 3)}, output_mesh = my,
  group = {subject = {"anna", "ben", "anna", "ben", "anna", "ben"}}}
print(d)
--> dataset: 6 samples
-->   input      f: on 4 points (mesh.uniform(0, 1, 4))
-->   input      g: on 3 points (mesh.gauss(0, 1, 3))
-->   input      age: numbers from 28 to 60
-->   group      subject: 2 labels
-->   output     u: on 5 points (mesh.uniform(0, 2, 5, "y"))`),
				bind.Example(`-- each pair has points of its own, in any order
d = data.new{
  input = {{1, 2, 4}, {3, 0}}, input_mesh = {{0, 0.2, 1}, {1, 0}},
  output = {{5}, {7, 8}}, output_mesh = {{0.5}, {0, 1}}}
print(d.n, d.input_mesh.size, d.output_mesh.size)  --> 2	3	3`),
				bind.ReturnsAs("dataset|frame", "the pairs, checked; a frame when inputs and outputs have names"), bind.Errors("the shapes do not fit", "a number is NaN or infinite; the first is named", "effects that the data cannot separate: proportional inputs, or labels that have one sample each"),
				bind.See("data.load", "problem:sample", "green.fit")),
			loadFunction(),
		},
		Types: []bind.Type{datasetType(), frameType(), summaryType(), functionSummaryType()},
	}
}

func datasetType() bind.Type {
	type dset = *dataset.Dataset
	return bind.TypeOf[dset]("dataset", "Pairs of functions on meshes.",
		bind.ToString(func(d dset) string { return d.Describe(meshText) }),
		bind.Properties(
			bind.Prop("n", "number of pairs", dset.N),
			bind.Prop("input", "inputs, n × points; NaN where a curve has none", prepare.MeasuredInputs),
			bind.Prop("integrand", "inputs whose integrals over input_mesh are those over each curve by its own quadrature: input, but for curves on points of their own; what est:predict takes", func(d dset) *array.Array { return d.Input }),
			bind.Prop("output", "outputs, n × points; NaN where none was observed", func(d dset) *array.Array { return d.Output }),
			bind.Prop("input_mesh", "where the inputs are sampled", func(d dset) mesh.Mesh { return d.InputMesh }),
			bind.Prop("output_mesh", "where the outputs are sampled", func(d dset) mesh.Mesh { return d.OutputMesh }),
		),
		bind.Methods(
			saveMethod("Writes the pairs and their meshes to a .npz file.", sampleData, `d:save(path)
print(data.load(path).n)  --> 20`, "data.load", func(d dset, _ context.Context, path string) error { return d.Save(path) }),
			bind.Fn("noise", "The same pairs with noise on the outputs: level times their standard deviation, equal everywhere.", func(_ *bind.Call, p *struct {
				Data  dset    `arg:"self"`
				Level float64 `arg:"level" doc:"fraction of the standard deviation of the outputs" allow:">=0"`
				Seed  uint64  `arg:"seed" doc:"of the generator" default:"1"`
			},
			) (dset, error) {
				return p.Data.Noise(p.Level, p.Seed)
			}, bind.Example(sampleData+"noisy = d:noise{level = 0.2}\nprint((noisy.output - d.output):std() > 0)  --> true"), bind.Returns("a new dataset; this one stays clean")),
			bind.Fn("take", "The pairs from a to b.", func(_ *bind.Call, p *struct {
				Data dset `arg:"self"`
				A    int  `arg:"a" pos:"1" doc:"first pair, from 1" allow:">=1"`
				B    int  `arg:"b" pos:"2" doc:"last pair, included" allow:">=1"`
			},
			) (dset, error) {
				return p.Data.Rows(p.A-1, p.B)
			}, bind.Example(sampleData+"print(d:take(11, 20).n)  --> 10"), bind.Returns("a new dataset of b - a + 1 pairs"), bind.See("dataset:split")),
			mapPairs(),
			resampleMethod(), curveMethod(),
		),
		bind.Methods(preparedPairs().methods()...),
	)
}
