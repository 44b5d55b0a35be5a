package bindings

import (
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
			bind.Fn("new", "Pairs from arrays.", func(_ *bind.Call, p struct {
				Input      *array.Array `lua:"input" doc:"n × points of the input mesh"`
				Output     *array.Array `lua:"output" doc:"n × points of the output mesh" allow:"nan"`
				InputMesh  mesh.Mesh    `lua:"input_mesh" doc:"where the inputs are sampled"`
				OutputMesh mesh.Mesh    `lua:"output_mesh" doc:"where the outputs are sampled; by default the input mesh" default:"nil"`
				Missing    bool         `lua:"missing" doc:"NaN in the outputs means not observed" default:"false"`
			},
			) (*dataset.Dataset, error) {
				if p.OutputMesh.Size() == 0 {
					p.OutputMesh = p.InputMesh
				}
				return dataset.New(dataset.Spec{Input: p.Input, Output: p.Output, InputMesh: p.InputMesh, OutputMesh: p.OutputMesh, Missing: p.Missing})
			}, bind.Example(`m = mesh.uniform(0, 1, 4)
f = random.normal{shape = {3, 4}}
d = data.new{input = f, output = 2 * f, input_mesh = m}
print(d.n, d.output_mesh)  --> 3	mesh.uniform(0, 1, 4)`),
				bind.Returns("the pairs, checked"), bind.Errors("the shapes do not fit", "a number is NaN or infinite; the first is named"),
				bind.See("data.load", "problem:sample", "green.fit")),
			bind.Fn("load", "Pairs from a file: .npz, .npy, .csv, .mat, or one that d:save wrote.", func(c *bind.Call, p struct {
				Path       string    `lua:"path" pos:"1" doc:"the file, or a directory of .npy and .csv files"`
				Input      string    `lua:"input" doc:"name of the array with the inputs; f by default" default:""`
				Output     string    `lua:"output" doc:"name of the array with the outputs; u by default" default:""`
				InputMesh  mesh.Mesh `lua:"input_mesh" doc:"where the inputs are sampled; files of d:save know it" default:"nil"`
				OutputMesh mesh.Mesh `lua:"output_mesh" doc:"where the outputs are sampled; by default the input mesh" default:"nil"`
				Rows       []int     `lua:"rows" doc:"first and last pair, {1, 500}; all by default" default:"nil"`
				Missing    bool      `lua:"missing" doc:"NaN in the outputs means not observed" default:"false"`
			},
			) (*dataset.Dataset, error) {
				if err := mayRead(c, p.Path); err != nil {
					return nil, err
				}
				spec := dataset.LoadSpec{Input: p.Input, Output: p.Output, InputMesh: p.InputMesh, OutputMesh: p.OutputMesh, Missing: p.Missing}
				if spec.OutputMesh.Size() == 0 {
					spec.OutputMesh = spec.InputMesh
				}
				if p.Rows != nil {
					if len(p.Rows) != 2 || p.Rows[0] < 1 || p.Rows[1] < p.Rows[0] {
						return nil, fmt.Errorf("rows: must be {first, last} with 1 <= first <= last, such as {1, 500}")
					}
					spec.Rows = [2]int{p.Rows[0] - 1, p.Rows[1]}
				}
				return dataset.Load(p.Path, spec)
			}, bind.Example(`m = mesh.uniform(0, 1, 100)
d = data.load("scripts/data/poisson.npz", {input_mesh = m, rows = {1, 500}})
print(d.n)  --> 500`),
				bind.Returns("the pairs, checked"), bind.Errors("the file is missing or truncated", "an array is missing from it", "the shapes do not fit the meshes", "a number is NaN or infinite; the first is named"),
				bind.Keywords("read", "open", "npz", "csv", "import"), bind.See("dataset:save", "data.new", "green.fit")),
		},
		Types: []bind.Type{datasetType()},
	}
}

func datasetType() bind.Type {
	type dset = *dataset.Dataset
	return bind.TypeOf[dset]("dataset", "Pairs of functions on meshes.",
		bind.Properties(
			bind.Prop("n", "number of pairs", dset.N),
			bind.Prop("input", "inputs, n × points", func(d dset) *array.Array { return d.Input }),
			bind.Prop("output", "outputs, n × points", func(d dset) *array.Array { return d.Output }),
			bind.Prop("input_mesh", "where the inputs are sampled", func(d dset) mesh.Mesh { return d.InputMesh }),
			bind.Prop("output_mesh", "where the outputs are sampled", func(d dset) mesh.Mesh { return d.OutputMesh }),
		),
		bind.Methods(
			bind.Fn("save", "Writes the pairs and their meshes to a .npz file.", func(c *bind.Call, p struct {
				Data dset   `lua:"self"`
				Path string `lua:"path" pos:"1" doc:"file name ending in .npz"`
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
				Data  dset    `lua:"self"`
				Level float64 `lua:"level" doc:"fraction of the standard deviation of the outputs" allow:">=0"`
				Seed  uint64  `lua:"seed" doc:"of the generator" default:"1"`
			},
			) (dset, error) {
				return p.Data.Noise(p.Level, p.Seed)
			}, bind.Example(sampleData+"noisy = d:noise{level = 0.2}\nprint((noisy.output - d.output):std() > 0)  --> true"), bind.Returns("a new dataset; this one stays clean")),
			bind.Fn("split", "Shuffles the pairs and splits them in two.", func(_ *bind.Call, p struct {
				Data  dset   `lua:"self"`
				Train int    `lua:"train" doc:"pairs of the first part" allow:">=1"`
				Seed  uint64 `lua:"seed" doc:"of the shuffle" default:"1"`
			},
			) (bind.Results, error) {
				a, b, err := p.Data.Split(p.Train, p.Seed)
				return bind.Results{a, b}, err
			}, bind.Example(sampleData+"train, test = d:split{train = 15}\nprint(train.n, test.n)  --> 15\t5"),
				bind.ReturnsAs("dataset", "the first part"), bind.ReturnsAs("dataset", "the others")),
			bind.Fn("take", "The pairs from a to b.", func(_ *bind.Call, p struct {
				Data dset `lua:"self"`
				A    int  `lua:"a" pos:"1" doc:"first pair, from 1" allow:">=1"`
				B    int  `lua:"b" pos:"2" doc:"last pair, included" allow:">=1"`
			},
			) (dset, error) {
				return p.Data.Rows(p.A-1, p.B)
			}, bind.Example(sampleData+"print(d:take(11, 20).n)  --> 10"), bind.Returns("a new dataset of b - a + 1 pairs"), bind.See("dataset:split")),
		),
	)
}

// sampleData begins examples that need some pairs.
const sampleData = `p = pde.poisson{mesh = mesh.uniform(0, 1, 30), left = -0.1, right = 0.1}
d = p:sample{n = 20, input = {kernel = kernel.se{lengthscale = 0.1}}}
`
