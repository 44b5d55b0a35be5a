package model

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/internal/outputs"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/model/internal/term"
)

// Fit learns every output by itself: each has its own sizes of terms, λ and ρ. Outputs that
// are coupled have them in common.
func Fit(ctx context.Context, s Spec) (*Estimate, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	e := &Estimate{Data: s.Data, spec: s}
	data := *s.Data
	data.Outputs = nil
	costs, all := s.costs(ctx)
	defer all.Announce(ctx, "fit of the model")()
	for i, outs := range s.blocks() {
		start := time.Now()
		f, err := s.fitNoise(ctx, outs)
		if err != nil {
			return nil, s.inOutput(outs, err)
		}
		for _, o := range f.all {
			o.Report.Seconds, o.Report.Expected = time.Since(start).Seconds(), costs[i]
		}
		e.coupling, e.Outputs = f.b.coupling, append(e.Outputs, f.all...)
		for _, o := range f.given {
			data.Outputs = append(data.Outputs, *o)
		}
	}
	e.spec.Data = &data
	return e, nil
}

// inOutput says in which output an error is.
func (s *Spec) inOutput(outs []*dataset.Field, err error) error {
	if len(s.Data.Outputs) > 1 && len(outs) == 1 {
		return fmt.Errorf("output %s: %w", outs[0].Name, err)
	}
	return err
}

// setSigma takes the deviation of the noise from that of the fit.
func (o *Output) setSigma() { o.Report.Sigma = o.noise * o.fit.Report.Sigma }

func (s *Spec) fitBlock(ctx context.Context, outs []*dataset.Field) (*block, []*Output, error) {
	start := time.Now()
	b, err := s.newBlock(ctx, outs)
	if err != nil {
		return nil, nil, err
	}
	all, err := s.fitSizes(ctx, b)
	for _, o := range all {
		o.Report.Seconds = time.Since(start).Seconds()
	}
	return b, all, err
}

// fitSizes chooses what is open of a block, and fits it.
func (s *Spec) fitSizes(ctx context.Context, b *block) (all []*Output, err error) {
	if s.Coregional {
		b.coupling, err = s.couple(ctx, b)
	} else {
		b.factors, err = s.factors(ctx, b.terms, b.outs[0])
	}
	if err != nil {
		return nil, err
	}
	return s.solve(ctx, b)
}

// solve is the fit of terms whose kernels and sizes are chosen.
func (s *Spec) solve(ctx context.Context, b *block) ([]*Output, error) {
	sum, err := b.sum()
	if err != nil {
		return nil, err
	}
	d, err := b.data(sum, s.Data.Missing)
	if err != nil {
		return nil, err
	}
	e, err := fit.Fit(ctx, s.specOf(b, d, sum))
	if err != nil {
		return nil, err
	}
	if b.coupling != nil && e.Report.REML != nil {
		*e.Report.REML += b.coupling.logUnits(b.outs)
	}
	return s.outputs(ctx, b, e, d, sum)
}

// outputs are the parts of an estimate for the outputs.
func (s *Spec) outputs(ctx context.Context, b *block, e *fit.Estimate, d *dataset.Dataset, sum kernel.DirectSum) (all []*Output, err error) {
	s.widen(b, e, d, sum)
	for number, out := range b.outs {
		o := &Output{Name: out.Name, Mesh: out.Mesh, Report: Report{Report: e.Report}, fit: e, number: number, unit: 1, errors: out.Errors, spec: s, cutOff: b.cutOff, outs: b.outs}
		o.Report.Call = "" // that of the sum, whose kernels a user gives by term
		if o.coupling = b.coupling; o.coupling != nil {
			o.unit, o.centre = o.coupling.Units[number], o.coupling.Centres[number]
		}
		o.noise = o.unit * math.Sqrt(outputs.ShareOfErrors(out, d))
		o.setSigma()
		if o.known = s.Prior[out.Name]; o.known != nil {
			o.prior = b.prior[number]
			o.Report.Prior = &o.prior
		}
		if err := o.setTerms(ctx, b, sum); err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}

// specOf is the fit that the model is. The kernel of β does not depend on the sizes of the
// terms, for its own is chosen. Coupled outputs are without their means: none of them has a
// constant that is free.
func (s *Spec) specOf(b *block, d *dataset.Dataset, sum kernel.DirectSum) fit.Spec {
	spec := fit.Spec{
		Data: d, Kernel: sum, NoBias: s.NoBias, Intercept: s.Intercept, Lambda: s.Lambda, Rho: s.Rho,
		Criterion: s.Criterion, Tolerance: s.Tolerance, MaxIterations: s.MaxIterations, Dense: s.Dense,
		OwnNoise: s.noise() != nil,
	}
	if !s.NoBias {
		spec.Bias = s.biasOr(term.Curve(b.terms, b.mesh()))
	}
	if b.coupling != nil {
		spec.Intercept = fit.NoIntercept
		if !s.NoBias {
			spec.Bias = b.coupling.bias(spec.Bias)
		}
	}
	return spec
}

var errApart = errors.New("no size of the terms can be told from the data: all of them are zero there")

// flat tells whether β may have a free constant.
func (s *Spec) flat() bool { return !s.NoBias && s.Intercept != fit.NoIntercept }

// factors chooses lengthscales that are open, and the factors of the kernels. Those that
// are given keep their ratios; the largest of the others is one.
func (s *Spec) factors(ctx context.Context, terms []*term.Term, out *dataset.Field) ([]float64, error) {
	fixed := map[int]float64{}
	open := false
	for i, t := range terms {
		if a, ok := s.Amplitudes[t.Name]; ok {
			fixed[i] = a
		}
		open = open || len(t.Open) > 0
	}
	factors := make([]float64, len(terms))
	if !open && len(terms) == 1 && len(fixed) == 0 { // λ is its size
		fixed[0] = 1
	}
	if !open && len(fixed) == len(terms) {
		for i, a := range fixed {
			factors[i] = a
		}
		return factors, nil
	}
	r, err := newReduced(ctx, []*dataset.Field{out}, term.Curve(terms, out.Mesh), s.flat())
	if err != nil {
		return nil, err
	}
	c, err := newChoice(ctx, s, r, terms, fixed)
	if err != nil {
		return nil, err
	}
	best, err := c.run(ctx)
	if err != nil {
		return nil, err
	}
	for i, t := range terms {
		if _, ok := fixed[i]; r.whole && !ok {
			t.Tried = t.Variants()
		}
	}
	most := math.Inf(-1)
	for i := range terms {
		factors[i] = criteria.Clamp(best[i]) - math.Log(c.scale[i])
		if c.scale[i] > 0 {
			most = max(most, factors[i])
		}
	}
	if math.IsInf(most, -1) {
		return nil, errApart
	}
	for i := range factors { // given ones keep their numbers, and the others their ratio to those
		if a, ok := fixed[i]; ok && c.scale[i] > 0 {
			most = factors[i] - math.Log(a)
			break
		}
	}
	for i := range factors {
		factors[i] = math.Exp(factors[i] - most)
		if !(c.scale[i] > 0) {
			factors[i] = 1
		}
		if a, ok := fixed[i]; ok {
			factors[i] = a
		}
	}
	return factors, nil
}
