package bindings

import (
	"context"
	"errors"
	"fmt"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/numeric/dataset"
)

func loadFunction() bind.Func {
	return bind.Fn("load", "Pairs from a file: .npz, .npy, .csv, .mat, .h5, .nc, Zarr, or one that d:save wrote; with x = or pair = from a table with named "+
		"columns: one measurement a row (x = \"depth\"), or one function a row and the positions above (pair alone).",
		func(c *bind.Call, p *loadData) (bind.Results, error) {
			if p.ofTable() {
				r, err := p.measured(c)
				return r, p.suggested(c, err)
			}
			if p.Path == "" {
				return nil, errors.New("path: missing; want a file, as in data.load(\"pairs.npz\", {input_mesh = m})")
			}
			if err := mayRead(c, p.Path); err != nil {
				return nil, err
			}
			d, notes, err := p.load(c.Context)
			if notes != nil {
				return bind.Results{d, nil, notes}, nil
			}
			return bind.Results{d}, p.suggested(c, err)
		}, bind.Example(`m = mesh.uniform(0, 1, 100)
d = data.load("scripts/data/poisson.npz", {input_mesh = m, rows = {1, 500}})
print(d.n)  --> 500`), bind.Example(sheetText+`d, names = data.load(path, {pair = "run", x = "depth"})
print(d.n, names[2], d.input_mesh)  --> 2	b	mesh.uniform(0.5, 2.5, 3, "depth")
os.remove(path)`),
		bind.ReturnsAs("dataset|frame", "the pairs, checked; a frame if inputs have names, or d:save wrote the file from one"),
		bind.ReturnsAs("string[]", "of a table: what the pairs are called"), bind.ReturnsAs("string[]", "notes on what was decided, of a table, or of times in two units"),
		bind.Errors("the file is missing or truncated", "an array is missing from it", "the shapes do not fit the meshes", "a number is NaN or infinite; the first is named",
			"of a table: a line that cannot be read; two values in one place; a pair without inputs or outputs; units that differ"),
		bind.Keywords("read", "open", "npz", "csv", "import", "long", "wide", "runs"), bind.See("dataset:save", "data.new", "sheet:pairs", "sheet.load", "green.fit"))
}

func (p loadData) load(ctx context.Context) (d samples, notes []string, err error) {
	if p.Rows != nil && (len(p.Rows) != 2 || p.Rows[0] < 1 || p.Rows[1] < p.Rows[0]) {
		return d, nil, errors.New("rows: must be {first, last} with 1 <= first <= last, such as {1, 500}")
	}
	if t, err := dataset.LoadTable(ctx, p.Path); t != nil || err != nil {
		d, err = p.rowsOf(t, err)
		return d, nil, err
	}
	spec := dataset.LoadSpec{Input: p.Input.A, Output: p.Output.A, InputMesh: p.InputMesh, OutputMesh: p.OutputMesh, Missing: p.Missing, Columns: p.Axis == "columns"}
	if spec.OutputMesh.Size() == 0 {
		spec.OutputMesh = spec.InputMesh
	}
	if p.Rows != nil {
		spec.Rows = [2]int{p.Rows[0] - 1, p.Rows[1]}
	}
	spec.Note = func(text string) { notes = append(notes, text) }
	pairs, err := dataset.Load(ctx, p.Path, spec)
	return bind.First[*dataset.Dataset, frame](pairs), notes, err
}

// rowsOf takes the rows asked for of a file of named samples.
func (p loadData) rowsOf(t frame, err error) (samples, error) {
	switch {
	case err != nil:
	case p.Input.A != "" || p.Output.A != "" || p.InputMesh.Size() > 0 || p.OutputMesh.Size() > 0:
		err = fmt.Errorf("%s: holds samples by name with their meshes; of the arguments only rows is of use", p.Path)
	case p.Rows != nil:
		t, err = selectRows(t, p.Rows[0], p.Rows[1])
	}
	return bind.Second[*dataset.Dataset](t), err
}
