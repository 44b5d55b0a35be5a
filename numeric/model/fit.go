package model

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/dataset"
)

// Fit learns every output by itself: each has its own sizes of terms, λ and ρ. Outputs that
// are coupled have them in common. The model has a copy of the data.
func Fit(ctx context.Context, s Spec) (*Estimate, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	s.Data = copied(s.Data)
	s.order = s.orderOfCoupled()
	e := &Estimate{Data: s.Data, spec: s}
	data := *s.Data
	data.Outputs = nil
	costs, all, err := s.affordable(ctx)
	if err != nil {
		return nil, err
	}
	defer all.Announce(ctx, "fit of the model")()
	for i, outs := range s.blocks() {
		start := time.Now()
		f, err := s.fitNoise(ctx, outs)
		if err != nil {
			return nil, s.inOutput(outs, err)
		}
		if err := f.freeConstants(ctx); err != nil {
			return nil, err
		}
		for _, o := range f.all {
			o.Report.Seconds, o.Report.Expected = time.Since(start).Seconds(), costs[i]
		}
		e.coupling, e.Outputs = f.b.coupling, append(e.Outputs, f.all...)
		for _, o := range f.given {
			data.Outputs = append(data.Outputs, *o)
		}
	}
	e.Outputs, data.Outputs = asNamed(s.order, e.Outputs), asNamed(s.order, data.Outputs)
	e.spec.Data = &data
	return e, nil
}

// affordable is what the fits of the blocks will take, and all of them; the error says that there is not the time.
func (s *Spec) affordable(ctx context.Context) (each []progress.Cost, all progress.Cost, err error) {
	ctx, end := progress.During(ctx, "checks")
	defer end()
	each, all = s.costs(ctx)
	return each, all, all.InTime(ctx, "fit of the model", func() []progress.Option { return s.cheaper(ctx) })
}

// inOutput says in which output an error is.
func (s *Spec) inOutput(outs []*dataset.Field, err error) error {
	if len(s.Data.Outputs) > 1 && len(outs) == 1 {
		return fmt.Errorf("output %s: %w", outs[0].Name, err)
	}
	return err
}

// copied is a table with numbers of its own: whoever writes to the arrays that it was made from does not change them.
func copied(t *dataset.Table) *dataset.Table {
	out := *t
	for _, list := range []*[]dataset.Field{&out.Fields, &out.Outputs} {
		*list = slices.Clone(*list)
		for i, f := range *list {
			(*list)[i].Values = f.Values.Copy()
		}
	}
	for _, list := range []*[]dataset.Scalar{&out.Scalars, &out.Parameters} {
		*list = slices.Clone(*list)
		for i, z := range *list {
			(*list)[i].Values = slices.Clone(z.Values)
		}
	}
	return &out
}
