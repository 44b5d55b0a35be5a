package bindings

import (
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// newSamples are samples to predict for, as green.fit's data or by name.
type newSamples struct {
	Inputs bind.Either[frame, map[string]inputValues] `arg:"inputs" pos:"1" doc:"what the model was learned from, by name: {f = F, age = z, subject = \"anna\"}, of one sample or of n; or a frame"`
	Y      mesh.Mesh                                  `arg:"ymesh" doc:"where outputs are wanted; by default the meshes of the data" default:"nil"`
	X      meshes                                     `arg:"input_mesh" doc:"where the inputs are sampled: one mesh, or one for each by name; by default those of the data" default:"nil"`
	Std    bool                                       `arg:"std" doc:"also the posterior standard deviation of the outputs without their noise" default:"false"`
	intervals
}

// of is an output for the samples and, if asked for, its standard deviation.
func (p newSamples) of(c *bind.Call, o learnedOutput) (bind.Results, error) {
	if err := p.check(p.Std); err != nil {
		return nil, err
	}
	t, single, err := p.table(o.of)
	if err != nil {
		return nil, err
	}
	noteOutside(c, "predict", o.of.Estimate, t.Parameters)
	var half *mat.Dense
	if p.Level != nil { // first, as what does not fit into memory is refused
		if half, err = o.Intervals(c, t, p.Y, p.interval()); err != nil {
			return nil, err
		}
	}
	u, err := o.Predict(c, t, p.Y)
	switch {
	case err != nil:
		return nil, err
	case p.Level != nil:
		return limits(u, half, single), nil
	case !p.Std:
		return bind.Results{asArray(u, single)}, nil
	}
	s, err := o.PredictStd(c, t, p.Y)
	if err != nil {
		return nil, err
	}
	return bind.Results{asArray(u, single), asArray(s, single)}, nil
}

// table is the samples as a table, and whether it is one sample given as vectors.
func (p newSamples) table(l learned) (t *dataset.Table, single bool, err error) {
	if !p.Inputs.IsB {
		if p.X.IsB || p.X.A.Size() > 0 {
			return nil, false, errors.New("input_mesh: a frame knows its meshes")
		}
		return p.Inputs.A, false, nil
	}
	r := reader{data: l.Data, x: p.X, n: 1, single: true}
	r.spec = dataset.TableSpec{
		Input: map[string]*array.Array{}, Group: map[string][]string{}, Parameter: map[string][]float64{},
		InputMesh: dataset.Meshes{Of: map[string]mesh.Mesh{}},
	}
	if err := r.read(p.Inputs.B); err != nil {
		return nil, false, err
	}
	for i, name := range parameterNames(l.Data) {
		if r.spec.Parameter[name] == nil && l.theta != nil {
			r.spec.Parameter[name] = []float64{l.theta[i]}
		}
	}
	r.repeat()
	t, err = dataset.NewInputs(r.spec)
	return t, r.single, err
}

// drawOutput draws predictions of an output of a model.
func drawOutput() bind.Func {
	return bind.Fn("draw", "Draws predictions of this output from the posterior, all samples and points together, without the noise of outputs.", func(c *bind.Call, p *struct {
		Output learnedOutput                              `arg:"self"`
		Inputs bind.Either[frame, map[string]inputValues] `arg:"inputs" pos:"1" doc:"samples, as of predict"`
		N      int                                        `arg:"n" doc:"how many" allow:">=1"`
		Y      mesh.Mesh                                  `arg:"ymesh" doc:"where outputs are wanted; by default the mesh of the data" default:"nil"`
		X      meshes                                     `arg:"input_mesh" doc:"where the inputs are sampled: one mesh, or one for each by name; by default those of the data" default:"nil"`
		Seed   uint64                                     `arg:"seed" doc:"of the generator" default:"1"`
	},
	) (*array.Array, error) {
		t, single, err := newSamples{Inputs: p.Inputs, Y: p.Y, X: p.X}.table(p.Output.of)
		if err != nil {
			return nil, err
		}
		drawn, err := p.Output.Draw(c, t, p.Y, p.N, p.Seed)
		if err != nil {
			return nil, err
		}
		shape := []int{p.N}
		if !single {
			shape = append(shape, t.N())
		}
		return &array.Array{Shape: append(shape, sizeOr(p.Y, p.Output.Mesh)), Data: drawn.RawMatrix().Data}, nil
	}, bind.Example(sampleModel+"u = est.u:draw({f = a.input[1], g = b.input[1], age = 0}, {n = 50})\nprint(table.concat(u.shape, \" × \"))  --> 50 × 12"),
		bind.Returns("n × points of ymesh for one sample, n × samples × points of ymesh for several"), bind.See("estimate:draw"))
}
