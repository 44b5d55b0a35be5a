package bindings

import (
	"errors"
	"fmt"

	"github.com/greenbench/workbench/bindings/bind"
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
			bind.Fn("new", "Pairs from arrays, or samples of several functions, numbers and labels by name.", func(_ *bind.Call, p newData) (samples, error) {
				return p.make()
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
				bind.ReturnsAs("dataset|frame", "the pairs, checked; a frame when inputs and outputs have names"), bind.Errors("the shapes do not fit", "a number is NaN or infinite; the first is named", "effects that the data cannot separate: proportional inputs, or labels that have one sample each"),
				bind.See("data.load", "problem:sample", "green.fit")),
			bind.Fn("load", "Pairs from a file: .npz, .npy, .csv, .mat, or one that d:save wrote.", func(c *bind.Call, p loadData) (samples, error) {
				if err := mayRead(c, p.Path); err != nil {
					return samples{}, err
				}
				return p.load()
			}, bind.Example(`m = mesh.uniform(0, 1, 100)
d = data.load("scripts/data/poisson.npz", {input_mesh = m, rows = {1, 500}})
print(d.n)  --> 500`),
				bind.ReturnsAs("dataset|frame", "the pairs, checked; a frame if d:save wrote the file from one"), bind.Errors("the file is missing or truncated", "an array is missing from it", "the shapes do not fit the meshes", "a number is NaN or infinite; the first is named"),
				bind.Keywords("read", "open", "npz", "csv", "import"), bind.See("dataset:save", "data.new", "green.fit")),
		},
		Types: []bind.Type{datasetType(), frameType(), summaryType(), functionSummaryType()},
	}
}

// loadData is what data.load is called with.
type loadData struct {
	Path       string    `arg:"path" pos:"1" doc:"the file, or a directory of .npy and .csv files"`
	Input      string    `arg:"input" doc:"name of the array with the inputs; f by default" default:""`
	Output     string    `arg:"output" doc:"name of the array with the outputs; u by default" default:""`
	InputMesh  mesh.Mesh `arg:"input_mesh" doc:"where the inputs are sampled; files written by d:save contain it" default:"nil"`
	OutputMesh mesh.Mesh `arg:"output_mesh" doc:"where the outputs are sampled; by default the input mesh" default:"nil"`
	Rows       []int     `arg:"rows" doc:"first and last pair, {1, 500}; all by default" default:"nil"`
	Missing    bool      `arg:"missing" doc:"NaN in the outputs means not observed" default:"false"`
}

func (p loadData) load() (samples, error) {
	if p.Rows != nil && (len(p.Rows) != 2 || p.Rows[0] < 1 || p.Rows[1] < p.Rows[0]) {
		return samples{}, errors.New("rows: must be {first, last} with 1 <= first <= last, such as {1, 500}")
	}
	if t, err := dataset.LoadTable(p.Path); t != nil || err != nil {
		return p.rowsOf(t, err)
	}
	spec := dataset.LoadSpec{Input: p.Input, Output: p.Output, InputMesh: p.InputMesh, OutputMesh: p.OutputMesh, Missing: p.Missing}
	if spec.OutputMesh.Size() == 0 {
		spec.OutputMesh = spec.InputMesh
	}
	if p.Rows != nil {
		spec.Rows = [2]int{p.Rows[0] - 1, p.Rows[1]}
	}
	d, err := dataset.Load(p.Path, spec)
	return bind.First[*dataset.Dataset, frame](d), err
}

// rowsOf takes the rows asked for of a file of named samples.
func (p loadData) rowsOf(t frame, err error) (samples, error) {
	switch {
	case err != nil:
	case p.Input != "" || p.Output != "" || p.InputMesh.Size() > 0 || p.OutputMesh.Size() > 0:
		err = fmt.Errorf("%s: holds samples by name with their meshes; of the arguments only rows is of use", p.Path)
	case p.Rows != nil:
		t, err = selectRows(t, p.Rows[0], p.Rows[1])
	}
	return bind.Second[*dataset.Dataset](t), err
}

func datasetType() bind.Type {
	type dset = *dataset.Dataset
	return bind.TypeOf[dset]("dataset", "Pairs of functions on meshes.",
		bind.ToString(func(d dset) string { return d.Describe(meshText) }),
		bind.Properties(
			bind.Prop("n", "number of pairs", dset.N),
			bind.Prop("input", "inputs, n × points", func(d dset) *array.Array { return d.Input }),
			bind.Prop("output", "outputs, n × points", func(d dset) *array.Array { return d.Output }),
			bind.Prop("input_mesh", "where the inputs are sampled", func(d dset) mesh.Mesh { return d.InputMesh }),
			bind.Prop("output_mesh", "where the outputs are sampled", func(d dset) mesh.Mesh { return d.OutputMesh }),
		),
		bind.Methods(
			bind.Fn("save", "Writes the pairs and their meshes to a .npz file.", func(c *bind.Call, p struct {
				Data dset   `arg:"self"`
				Path string `arg:"path" pos:"1" doc:"file name ending in .npz"`
			},
			) (bind.None, error) {
				if err := mayWrite(c, p.Path); err != nil {
					return bind.None{}, err
				}
				return bind.None{}, p.Data.Save(p.Path)
			}, bind.Example(sampleData+`path = os.tmpname() .. ".npz"
d:save(path)
print(data.load(path).n)  --> 20
os.remove(path)`), bind.See("data.load")),
			bind.Fn("noise", "The same pairs with noise on the outputs: level times their standard deviation, equal everywhere.", func(_ *bind.Call, p struct {
				Data  dset    `arg:"self"`
				Level float64 `arg:"level" doc:"fraction of the standard deviation of the outputs" allow:">=0"`
				Seed  uint64  `arg:"seed" doc:"of the generator" default:"1"`
			},
			) (dset, error) {
				return p.Data.Noise(p.Level, p.Seed)
			}, bind.Example(sampleData+"noisy = d:noise{level = 0.2}\nprint((noisy.output - d.output):std() > 0)  --> true"), bind.Returns("a new dataset; this one stays clean")),
			bind.Fn("take", "The pairs from a to b.", func(_ *bind.Call, p struct {
				Data dset `arg:"self"`
				A    int  `arg:"a" pos:"1" doc:"first pair, from 1" allow:">=1"`
				B    int  `arg:"b" pos:"2" doc:"last pair, included" allow:">=1"`
			},
			) (dset, error) {
				return p.Data.Rows(p.A-1, p.B)
			}, bind.Example(sampleData+"print(d:take(11, 20).n)  --> 10"), bind.Returns("a new dataset of b - a + 1 pairs"), bind.See("dataset:split")),
			mapPairs(),
		),
		bind.Methods(preparedPairs().methods()...),
	)
}

// sampleData begins examples that need some pairs.
const sampleData = `p = pde.poisson{mesh = mesh.uniform(0, 1, 30), left = -0.1, right = 0.1}
d = p:sample{n = 20, input = {kernel = kernel.se{lengthscale = 0.1}}}
`
