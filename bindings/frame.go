package bindings

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/spelling"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// make is a dataset of one field to one field, or a table of named ones.
func (p newData) make(c *bind.Call) (samples, error) {
	switch named := p.Input.IsB && !p.Input.B.IsB || p.noInput(); {
	case named && (!p.Output.IsB || p.Output.B.IsB):
		return samples{}, errors.New("output: want names, since the inputs have them, such as output = {u = U}")
	case !named && p.Output.IsB && !p.Output.B.IsB:
		return samples{}, errors.New("input: want names, since the outputs have them, such as input = {f = F}")
	case named:
		return p.table()
	case len(p.Group)+len(p.Parameter) > 0:
		return samples{}, errors.New("group and parameter go with named inputs and outputs: input = {f = F}, output = {u = U}")
	case p.ofCurves():
		return p.curves()
	case p.InputMesh.A.Size() == 0 && !p.InputMesh.IsB:
		a := p.Input.A
		return samples{}, fmt.Errorf("input_mesh: missing; want a mesh of %s", spelling.Count(a.Size()/max(a.Shape[0], 1), "point"))
	case p.InputMesh.IsB || p.OutputMesh.IsB:
		return samples{}, errors.New("input_mesh, output_mesh: names go with named inputs and outputs: input = {f = F}, output = {u = U}")
	}
	outputMesh := p.OutputMesh.A
	if outputMesh.Size() == 0 {
		outputMesh = p.InputMesh.A
	}
	build := dataset.New
	if p.Axis == "columns" {
		build = func(s dataset.Spec) (*dataset.Dataset, error) { return dataset.NewColumns(c, s) }
	}
	d, err := build(dataset.Spec{Input: p.Input.A, Output: p.Output.A, InputMesh: p.InputMesh.A, OutputMesh: outputMesh, Missing: p.Missing})
	return bind.First[*dataset.Dataset, frame](d), err
}

// noInput tells the empty table, which has no names to be told by, from an array.
func (p newData) noInput() bool { return p.Input.A != nil && p.Input.A.Size() == 0 && p.Output.IsB }

func (p newData) table() (samples, error) {
	if isPlaces(p.InputMesh) || isPlaces(p.OutputMesh) {
		return samples{}, errors.New("input_mesh, output_mesh: inputs and outputs by name are on common meshes; curves on points of their own go without names, input = {f1, f2, …}")
	}
	if p.Axis == "columns" {
		return samples{}, errors.New("axis: is for inputs and outputs without names; of these give the transposes")
	}
	s := dataset.TableSpec{
		Input: p.Input.B.A, Output: p.Output.B.A, Parameter: p.Parameter, Missing: p.Missing, Group: make(map[string][]string),
		InputMesh:  dataset.Meshes{All: p.InputMesh.A, Of: p.InputMesh.B.A},
		OutputMesh: dataset.Meshes{All: p.OutputMesh.A, Of: p.OutputMesh.B.A},
	}
	if s.OutputMesh.All.Size() == 0 && s.OutputMesh.Of == nil {
		s.OutputMesh.All = s.InputMesh.All
	}
	for name, l := range p.Group {
		s.Group[name] = texts(l)
	}
	if err := cmp.Or(utterable("input", s.Input), utterable("output", s.Output), utterable("group", s.Group), utterable("parameter", s.Parameter)); err != nil {
		return samples{}, err
	}
	t, err := dataset.NewTable(s)
	return bind.Second[*dataset.Dataset](t), err
}

// frameType is what data.new makes of named inputs and outputs.
func frameType() bind.Type {
	return bind.TypeOf[frame]("frame", "Samples of several functions, numbers and labels by name: what a model of several terms is learned from.",
		bind.ToString(func(t frame) string { return t.Describe(meshText) }),
		bind.Properties(
			bind.Prop("n", "number of samples", frame.N),
			bind.Prop("input", "inputs by name: functions, n × points, and covariates, n numbers", func(d frame) map[string]*array.Array {
				all := valuesOf(d.Fields)
				for _, s := range d.Scalars {
					all[s.Name] = array.Vector(s.Values)
				}
				return all
			}),
			bind.Prop("output", "outputs by name, n × points", func(d frame) map[string]*array.Array { return valuesOf(d.Outputs) }),
			bind.Prop("input_mesh", "meshes of the inputs that are functions, by name", func(d frame) map[string]mesh.Mesh { return meshesOf(d.Fields) }),
			bind.Prop("output_mesh", "meshes of the outputs, by name", func(d frame) map[string]mesh.Mesh { return meshesOf(d.Outputs) }),
			bind.Prop("group", "the label of each sample, by name of the grouping", func(d frame) map[string][]string {
				all := make(map[string][]string)
				for _, g := range d.Groups {
					for _, k := range g.Of {
						all[g.Name] = append(all[g.Name], g.Labels[k])
					}
				}
				return all
			}),
			bind.Prop("parameter", "parameters by name, n numbers", func(d frame) map[string]*array.Array {
				all := make(map[string]*array.Array)
				for _, s := range d.Parameters {
					all[s.Name] = array.Vector(s.Values)
				}
				return all
			}),
		),
		bind.Methods(
			bind.Fn("pair", "One input field and one output as pairs, for an estimate of one operator.", func(_ *bind.Call, p *struct {
				Data   frame  `arg:"self"`
				Input  string `arg:"input" pos:"1" doc:"name of an input that is a function"`
				Output string `arg:"output" pos:"2" doc:"name of an output"`
			},
			) (*dataset.Dataset, error) {
				if err := nameIn("input", p.Input, names(p.Data.Fields)); err != nil {
					return nil, err
				}
				if err := nameIn("output", p.Output, names(p.Data.Outputs)); err != nil {
					return nil, err
				}
				return p.Data.Pair(p.Input, p.Output)
			}, bind.Example(sampleFrame+"print(d:pair(\"f\", \"u\").n)  --> 15"), bind.Returns("a dataset that shares the numbers")),
			saveMethod("Writes the samples and their meshes to a .npz file.", sampleFrame, `d:save(path)
print(data.load(path).n)  --> 15`, "data.load", func(d frame, _ context.Context, path string) error { return d.Save(path) }),
			bind.Fn("noise", "The same samples with noise on every output: level times the standard deviation of that output.", func(_ *bind.Call, p *struct {
				Data  frame   `arg:"self"`
				Level float64 `arg:"level" doc:"fraction of the standard deviation of the output" allow:">=0"`
				Seed  uint64  `arg:"seed" doc:"of the generator" default:"1"`
			},
			) (frame, error) {
				return p.Data.Noise(p.Level, p.Seed)
			}, bind.Example(sampleFrame+"noisy = d:noise{level = 0.2}\nprint((noisy.output.u - d.output.u):std() > 0)  --> true"), bind.Returns("a new frame; this one stays clean")),
			bind.Fn("take", "The samples from a to b.", func(_ *bind.Call, p *struct {
				Data frame `arg:"self"`
				A    int   `arg:"a" pos:"1" doc:"first sample, from 1" allow:">=1"`
				B    int   `arg:"b" pos:"2" doc:"last sample, included" allow:">=1"`
			},
			) (frame, error) {
				return selectRows(p.Data, p.A, p.B)
			}, bind.Example(sampleFrame+"print(d:take(6, 15).n)  --> 10"), bind.Returns("a new frame of b - a + 1 samples"), bind.See("frame:split")),
			mapFrame(),
		),
		bind.Methods(preparedFrames().methods()...),
	)
}
