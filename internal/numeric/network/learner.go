package network

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/sorting"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// learner fits models of channels to the data.
type learner struct {
	spec     *Spec
	data     *dataset.Table
	u        *mat.Dense // of the data
	channels []*channel
	in       inputs
}

func newLearner(s *Spec) (*learner, error) {
	l := &learner{spec: s, data: s.Model.Data, u: rows(&s.Model.Data.Outputs[0])}
	for _, c := range s.Channels {
		p, err := newChannel(c, l.data)
		if err != nil {
			return nil, fmt.Errorf("terms.%s: %w", c.Name, err)
		}
		in, err := p.inputs(l.data)
		if err != nil {
			return nil, fmt.Errorf("terms.%s: %w", c.Name, err)
		}
		if err := p.finite(p.values(in, l.u)); err != nil {
			return nil, fmt.Errorf("terms.%s: %w", c.Name, err)
		}
		if s.Layers == 0 {
			if err := p.notLinear(in, l.u, "G"); err != nil {
				return nil, fmt.Errorf("terms.%s: %w", c.Name, err)
			}
		}
		l.channels, l.in = append(l.channels, p), append(l.in, in)
	}
	return l, l.distinguishable()
}

// distinguishable refuses channels that change in the same way from pair to pair.
func (l *learner) distinguishable() error {
	s := dataset.TableSpec{
		Input: map[string]*array.Array{}, Output: map[string]*array.Array{},
		InputMesh: dataset.Meshes{Of: map[string]mesh.Mesh{}}, OutputMesh: dataset.Meshes{Of: map[string]mesh.Mesh{}},
	}
	for _, f := range l.data.Fields {
		s.Input[f.Name], s.InputMesh.Of[f.Name] = f.Values, f.Mesh
	}
	for i, c := range l.channels {
		s.Input[c.Name], s.InputMesh.Of[c.Name] = array.FromMatrix(c.values(l.in[i], l.u)), c.on
	}
	o := l.data.Outputs[0]
	s.Output[o.Name], s.OutputMesh.Of[o.Name] = o.Values, o.Mesh
	if _, err := dataset.NewTable(s); err != nil {
		return l.ofTerms(err)
	}
	return nil
}

// ofTerms is an error of a table that has channels among its inputs, with their names as terms.
func (l *learner) ofTerms(err error) error {
	text := err.Error()
	for _, c := range l.channels {
		input := regexp.MustCompile(`\binput\.` + regexp.QuoteMeta(c.Name) + `\b`)
		text = input.ReplaceAllString(text, "terms."+c.Name)
	}
	if !strings.HasPrefix(text, "terms.") {
		text = "terms: " + text
	}
	return errors.New(text)
}

// named are the channels of names.
func (l *learner) named(names []string) (all []*channel, in inputs) {
	for i, c := range l.channels {
		if slices.Contains(names, c.Name) {
			all, in = append(all, c), append(in, l.in[i])
		}
	}
	return all, in
}

// table are the data with channels of u beside the inputs.
func (l *learner) table(names []string, u *mat.Dense) (*dataset.Table, error) {
	return l.tableOf(names, func(c *channel, in []*mat.Dense) *mat.Dense { return c.values(in, u) })
}

// tableOf are the data with values of channels beside the inputs.
func (l *learner) tableOf(names []string, values func(c *channel, in []*mat.Dense) *mat.Dense) (*dataset.Table, error) {
	t := *l.data
	t.Fields = slices.Clone(t.Fields)
	channels, in := l.named(names)
	for i, c := range channels {
		v := values(c, in[i])
		if err := c.finite(v); err != nil {
			return nil, fmt.Errorf("terms.%s: %w", c.Name, err)
		}
		t.Fields = append(t.Fields, dataset.Field{Name: c.Name, Values: array.FromMatrix(v), Mesh: c.on})
	}
	sorting.By(t.Fields, func(a, b dataset.Field) int { return strings.Compare(a.Name, b.Name) })
	all, err := t.Checked()
	if err != nil {
		return nil, l.ofTerms(err)
	}
	return all, nil
}

// choices are what a fit has chosen.
type choices struct {
	kernels    map[string]kernel.Kernel
	amplitudes map[string]float64 // nil: to be chosen
	lambda     float64            // 0: to be chosen
	rho        float64
}

// chosen are the choices of an output.
func chosen(o *model.Output) *choices {
	c := &choices{kernels: map[string]kernel.Kernel{}, amplitudes: map[string]float64{}, lambda: o.Report.Lambda, rho: o.Report.Rho}
	for _, t := range o.Terms {
		k := t.Kernel
		if s, ok := k.(kernel.Scaled); ok && t.Factor != 1 {
			k = s.Kernel
		}
		c.kernels[t.Name], c.amplitudes[t.Name] = k, t.Factor
	}
	return c
}

// shapes are the kernels alone.
func (c *choices) shapes() *choices {
	if c == nil {
		return nil
	}
	return &choices{kernels: c.kernels}
}

// with is c with another λ, and ρ changed alike.
func (c *choices) with(lambda float64) *choices {
	d := *c
	d.lambda, d.rho = lambda, c.rho*lambda/c.lambda
	return &d
}

// fit learns a table with the terms of the spec and channels; like are choices that were made
// before, nil: all are made now.
func (l *learner) fit(ctx context.Context, t *dataset.Table, names []string, like *choices) (*model.Estimate, error) {
	s := l.spec.Model
	s.Data, s.Terms = t, slices.Concat(l.spec.names(), names)
	s.Kernels = only(s.Kernels, s.Terms)
	s.Constraints = only(s.Constraints, s.Terms)
	s.Amplitudes = only(s.Amplitudes, s.Terms)
	if s.Intercept == "" && s.Lambda == 0 && s.Rho == 0 && !s.NoBias { // as it is where λ and ρ are chosen, and not in the first fit alone
		s.Intercept = fit.Flat
	}
	if like != nil {
		for _, name := range s.Terms {
			k, known := like.kernels[name]
			if !known {
				continue
			}
			s.Kernels[name] = k
			delete(s.Constraints, name) // the kernel has it
			if a, ok := like.amplitudes[name]; ok {
				s.Amplitudes[name] = a
			}
		}
		if like.lambda > 0 {
			s.Lambda, s.Rho = like.lambda, like.rho
		}
	}
	return model.Fit(ctx, s)
}

// only are the entries of some names.
func only[V any](m map[string]V, names []string) map[string]V {
	out := map[string]V{}
	for name, v := range m {
		if slices.Contains(names, name) {
			out[name] = v
		}
	}
	return out
}

// layer is a fit that predicts.
type layer struct {
	output *model.Output
	op     *operator
	names  []string // of its channels
}

func (l *learner) layer(ctx context.Context, e *model.Estimate, names []string) (*layer, error) {
	channels, _ := l.named(names)
	o := e.Outputs[0]
	op, err := newOperator(ctx, o, channels, o.Mesh)
	return &layer{o, op, names}, err
}

// fixed is what the layer makes of everything but its channels.
func fixed(ctx context.Context, o *model.Output, channels []*channel, in *dataset.Table, ys mesh.Mesh) (*mat.Dense, error) {
	var names []string
	for _, c := range channels {
		names = append(names, c.Name)
	}
	return o.Predict(ctx, in, ys, names...)
}

// folded are the fits of the folds, and the pairs that each leaves out.
type folded struct {
	layers []*layer
	out    [][]int
	fixed  []*mat.Dense // of the pairs left out
}

// parted are the folds of the pairs.
func (l *learner) parted() (in, out [][]int) {
	var numbers []func(pair int) []float64
	for _, f := range l.data.Fields {
		numbers = append(numbers, rows(&f).RawRowView)
	}
	return criteria.FoldsOf(l.data.N(), append(numbers, l.u.RawRowView)...)
}

// folds fits a table again with every fold left out, with the same choices.
func (l *learner) folds(ctx context.Context, t *dataset.Table, names []string, like *choices) (*folded, error) {
	in, out := l.parted()
	f := &folded{out: out}
	for k := range in {
		part, err := t.Select(in[k])
		if err != nil {
			return nil, err
		}
		e, err := l.fit(ctx, part, names, like)
		if err != nil {
			return nil, err
		}
		own, err := l.layer(ctx, e, names)
		if err != nil {
			return nil, err
		}
		rest, err := l.data.Select(out[k])
		if err != nil {
			return nil, err
		}
		rest.Outputs = nil
		values, err := fixed(ctx, own.output, own.op.channels, rest, mesh.Mesh{})
		if err != nil {
			return nil, err
		}
		f.layers, f.fixed = append(f.layers, own), append(f.fixed, values)
	}
	return f, nil
}

// inputsOnly are the data without their output.
func (l *learner) inputsOnly() *dataset.Table {
	t := *l.data
	t.Outputs = nil
	return &t
}

// names are those of all channels.
func (l *learner) names() (all []string) {
	for _, c := range l.channels {
		all = append(all, c.Name)
	}
	return all
}
