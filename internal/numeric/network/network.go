package network

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// Estimate is a learned network. It is immutable and safe for concurrent use.
type Estimate struct {
	Data   *dataset.Table
	Layers []*model.Estimate // one of an implicit network; the terms of each are inputs and channels by name
	Report Report

	channels []*channel
	names    [][]string // channels by layer
	curves   map[string]*Coefficient
}

// Fit learns a network. An implicit one costs a fit of all terms with their kernels, six fits
// with these for each round, and some more for each set of terms that is tried; layers cost
// seven fits each, and those of many pairs some factorisations of a matrix of their number
// (shared.go).
func Fit(ctx context.Context, s Spec) (*Estimate, error) {
	start := time.Now()
	if err := s.check(); err != nil {
		return nil, err
	}
	l, err := newLearner(&s)
	if err != nil {
		return nil, err
	}
	e := &Estimate{Data: s.Model.Data, channels: l.channels, curves: map[string]*Coefficient{}, Report: Report{Implicit: s.Layers == 0}}
	if err := e.learn(ctx, l); err != nil {
		return nil, err
	}
	e.Report.Seconds = time.Since(start).Seconds()
	return e, nil
}

func (e *Estimate) learn(ctx context.Context, l *learner) error {
	if input, output, ok := l.spec.sharing(); ok {
		all, err := newShared(l).layers(ctx, l.spec.Layers, input, output)
		if err != nil {
			return err
		}
		e.Report.Linear = all[0].leftOut
		e.Report.note("%d pairs of %d numbers are many: all terms have one kernel on the output, pairs are left out one by one, and coefficients have no bands", l.data.N(), len(l.u.RawRowView(0)))
		return e.finish(ctx, l, all, all[len(all)-1])
	}
	linear, err := l.attempt(ctx, nil, l.u, nil)
	if err != nil {
		return err
	}
	if err := l.finishRound(ctx, linear, l.u); err != nil {
		return err
	}
	r := &e.Report
	r.Linear = linear.leftOut
	names := l.names()
	teacher, err := l.attempt(ctx, names, l.u, nil)
	if err != nil {
		return err
	}
	if l.spec.Choose {
		if names, r.Tried, err = l.choose(ctx, teacher.like); err != nil {
			return err
		}
	}
	all, noisy := []*attempt{linear}, linear
	switch {
	case len(names) == 0:
		r.note("choose: no term gains enough in likelihood: the network is linear")
	case l.spec.Layers == 0:
		if len(names) < len(l.channels) {
			if teacher, err = l.attempt(ctx, names, l.u, teacher.like); err != nil {
				return err
			}
		}
		last, err := l.implicit(ctx, teacher)
		if err != nil {
			return err
		}
		all, noisy = []*attempt{last}, last
	default:
		noisy = teacher // layers have misfits of their own
		if all, err = l.layers(ctx, names, l.spec.Layers, teacher.like, l.noisy(teacher)); err != nil {
			return err
		}
	}
	return e.finish(ctx, l, all, noisy)
}

// finish takes the fits, and what the report says of them; noisy tells of the noise.
func (e *Estimate) finish(ctx context.Context, l *learner, all []*attempt, noisy *attempt) error {
	if spread := l.spread(); spread > 0 {
		e.Report.Noise = noisy.e.Outputs[0].Report.Sigma / spread
	}
	r, last := &e.Report, all[len(all)-1]
	for _, a := range all {
		e.Layers, e.names = append(e.Layers, a.e), append(e.names, a.names)
		r.Layers = append(r.Layers, LayerReport{a.leftOut, a.newton, a.e.Outputs[0].Report.Report})
	}
	r.LeftOut, r.Failed, r.Rounds = last.leftOut, last.failed, last.rounds
	for _, c := range l.channels {
		t := TermReport{Name: c.Name, Text: c.Text, Chosen: slices.Contains(last.names, c.Name), Coefficient: math.NaN(), Band: math.NaN()}
		if t.Chosen {
			t.Deviation = last.e.Outputs[0].Term(c.Name).Deviation
			k, err := l.coefficient(ctx, c, last)
			if err != nil {
				return err
			}
			if k != nil {
				e.curves[c.Name] = k
				t.Coefficient, t.Band = k.Mean, k.MeanBand
			}
		}
		r.Terms = append(r.Terms, t)
	}
	if r.Implicit && len(last.names) > 0 {
		if err := e.setRadius(ctx, l, last); err != nil {
			return err
		}
	}
	r.advise(l)
	return nil
}

// mostRadii is for how many pairs the spectral radius is computed.
const mostRadii = 20

func (e *Estimate) setRadius(ctx context.Context, l *learner, a *attempt) error {
	own, err := l.layer(ctx, a.e, a.names)
	if err != nil {
		return err
	}
	_, in := l.named(a.names)
	n := l.data.N()
	for k := range min(n, mostRadii) {
		pair := k * n / min(n, mostRadii)
		e.Report.Radius = max(e.Report.Radius, own.op.radius(in, pair, a.out.RawRowView(pair)))
	}
	return ctx.Err()
}

// Output is the last layer, whose terms have the Green's functions of inputs and channels.
func (e *Estimate) Output() *model.Output { return e.Layers[len(e.Layers)-1].Outputs[0] }

// Prediction is what a network makes of new samples.
type Prediction struct {
	U      *mat.Dense // n × points
	Steps  int        // of Newton's method, most of a sample
	Radius float64    // largest spectral radius of the map at a solution; 0 of layers
	Notes  []string   // samples that are beyond the data
}

// Predict returns the outputs of new samples on ys, or on the mesh of the data where ys has no
// points. The table holds the inputs by name, on any meshes with their coordinates. An implicit
// network solves its equation by Newton's method to 1e-10, and fails where that finds no
// solution. Cost: m³ for each step and sample, m points of the output.
func (e *Estimate) Predict(ctx context.Context, in *dataset.Table, ys mesh.Mesh) (*Prediction, error) {
	on := e.Output().Mesh
	elsewhere := ys.Size() > 0 && !ys.Equal(on)
	p := &Prediction{}
	h := mat.NewDense(in.N(), on.Size(), nil) // of the layer before
	for k, layer := range e.Layers {
		at := on
		if k == len(e.Layers)-1 && elsewhere && !e.solved(k) {
			at = ys
		}
		step, err := e.applied(ctx, layer.Outputs[0], e.names[k], in, at)
		if err != nil {
			return nil, err
		}
		if e.Report.Implicit {
			err = e.solve(ctx, step, in, p)
		} else {
			err = e.advance(ctx, step, in, h, k)
		}
		if err != nil {
			return nil, err
		}
		if k < len(e.Layers)-1 {
			h = step.out
		}
		p.U = step.out
	}
	p.Notes = e.beyond(in, h, p.U)
	last := len(e.Layers) - 1
	if !elsewhere || !e.solved(last) {
		return p, nil
	}
	step, err := e.applied(ctx, e.Output(), e.names[last], in, ys)
	if err != nil {
		return nil, err
	}
	u := p.U
	p.U = step.out
	if e.Report.Implicit {
		h = u
	}
	for i := range p.U.RawMatrix().Rows {
		step.op.addTangent(p.U.RawRowView(i), step.in, i, h.RawRowView(i), u.RawRowView(i))
	}
	return p, linop.Stopped(ctx)
}

// solved tells whether u of a layer is on both sides of its equation, and has to be known on the
// mesh of the data first.
func (e *Estimate) solved(layer int) bool { return e.Report.Implicit || e.Report.Layers[layer].Newton }

// applied is a layer that is applied to samples: out begins as what does not depend on channels.
type applied struct {
	op  *operator
	in  inputs
	out *mat.Dense
}

func (e *Estimate) applied(ctx context.Context, o *model.Output, names []string, in *dataset.Table, ys mesh.Mesh) (*applied, error) {
	var own []*channel
	s := &applied{}
	for _, c := range e.channels {
		if slices.Contains(names, c.Name) {
			atoms, err := c.inputs(in)
			if err != nil {
				return nil, err
			}
			own, s.in = append(own, c), append(s.in, atoms)
		}
	}
	var err error
	if s.out, err = fixed(ctx, o, own, in, ys); err != nil {
		return nil, err
	}
	s.op, err = newOperator(ctx, o, own, ys)
	return s, err
}

// advance is layer k after h.
func (e *Estimate) advance(ctx context.Context, s *applied, in *dataset.Table, h *mat.Dense, k int) error {
	for i := range s.out.RawMatrix().Rows {
		err := s.op.advance(ctx, s.out.RawRowView(i), s.in, i, h.RawRowView(i), e.Report.Layers[k].Newton)
		if err == errNoFixedPoint {
			return fmt.Errorf("sample %d: %w: the equation of layer %d has no solution; %s", i+1, err, k+1, e.howLarge(in, i))
		}
		if err != nil {
			return err
		}
		if err := linop.Stopped(ctx); err != nil {
			return err
		}
	}
	return nil
}

// solve solves for every sample.
func (e *Estimate) solve(ctx context.Context, s *applied, in *dataset.Table, p *Prediction) error {
	if len(s.op.channels) == 0 {
		return nil
	}
	for i := range s.out.RawMatrix().Rows {
		row := s.out.RawRowView(i)
		u, err := s.op.solve(ctx, row, s.in, i, row)
		if err == errNoFixedPoint {
			return fmt.Errorf("sample %d: %w: u = G f + β + (terms of u) has no solution that Newton's method finds, and one to only %.0f %% of the terms; %s", i+1, err, 100*u.reached, e.howLarge(in, i))
		}
		if err != nil {
			return err
		}
		copy(row, u.u)
		p.Steps, p.Radius = max(p.Steps, u.steps), max(p.Radius, s.op.radius(s.in, i, u.u))
	}
	return nil
}

// howLarge says how large the inputs of a sample are beside those of the data.
func (e *Estimate) howLarge(in *dataset.Table, sample int) string {
	worst, name := 0.0, ""
	for _, f := range e.Data.Fields {
		g := in.Field(f.Name)
		if g == nil {
			continue
		}
		if r := largest(rows(g).RawRowView(sample)) / largest(f.Values.Data); name == "" || r > worst {
			worst, name = r, f.Name
		}
	}
	if worst <= 1 {
		return fmt.Sprintf("the input %s is no larger than those of the data", name)
	}
	return fmt.Sprintf("the input %s is %.2g times as large as the largest of the data", name, worst)
}

// amplitudeMargin is by how much predictions may exceed the outputs of the data.
const amplitudeMargin = 1.1

// beyond says which predictions are of an amplitude that no output of the data has.
func (e *Estimate) beyond(in *dataset.Table, all ...*mat.Dense) []string {
	if slices.IndexFunc(e.names, func(names []string) bool { return len(names) > 0 }) < 0 {
		return nil
	}
	most, worst := largest(e.Data.Outputs[0].Values.Data), 0.0
	var samples []string
	for i := range in.N() {
		own := 0.0
		for _, u := range all {
			if u != nil {
				own = max(own, largest(u.RawRowView(i)))
			}
		}
		if own > amplitudeMargin*most {
			samples, worst = append(samples, strconv.Itoa(i+1)), max(worst, own)
		}
	}
	if samples == nil {
		return nil
	}
	return []string{fmt.Sprintf("the largest |u| is up to %.3g times that of the data, in the samples %s: what the terms do there is extrapolated", worst/most, listed(samples))}
}

// Coefficient returns that of a term; nil where there is none: the term was not chosen, or
// there is not one input with its coordinates.
func (e *Estimate) Coefficient(term string) *Coefficient { return e.curves[term] }
