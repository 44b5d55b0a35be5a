package model

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model/internal/term"
)

// Hypothesis is a model among others of the same data.
type Hypothesis struct {
	Name string
	Spec Spec // whose data are those that all models have, perhaps with errors of their own; nil stands for these
}

// Compare ranks models as [fit.Compare] does: with and without a term, a constraint, or
// with other kernels. Kernels and factors are chosen from all samples, λ and ρ for each
// fifth that is left out anew. Of several outputs the likelihoods are added, and the
// errors are those relative to the spread of each.
func Compare(ctx context.Context, d *dataset.Table, models []Hypothesis) (*fit.Comparison, error) {
	switch {
	case d == nil:
		return nil, fmt.Errorf("data: missing")
	case len(models) < 2:
		return nil, fmt.Errorf("models: got %d, need at least 2 to compare", len(models))
	case d.N() < 4:
		return nil, fmt.Errorf("data: has %d samples; comparing leaves some of them out, and needs at least 4", d.N())
	}
	spread, scales := spreads(d)
	var all []fit.Candidate
	for i, m := range models {
		progress.Report(ctx, progress.Step{Task: "model", Done: float64(i), Total: float64(len(models))})
		s := m.Spec
		if s.Data == nil {
			s.Data = d
		}
		c, err := s.candidate(ctx, scales)
		if err != nil {
			return nil, fmt.Errorf("models.%s: %w", m.Name, err)
		}
		c.Name = m.Name
		all = append(all, c)
	}
	return fit.Rank(all, spread), nil
}

// spreads are the spread that errors are relative to, and what the errors of each output
// are multiplied by first.
func spreads(d *dataset.Table) (spread float64, scales []float64) {
	for _, o := range d.Outputs {
		own := outputs.Spread2(&dataset.Dataset{Input: o.Values, Output: o.Values, OutputMesh: o.Mesh})
		scales = append(scales, 1/(own*float64(len(d.Outputs))))
	}
	if len(scales) == 1 {
		return 1 / scales[0], []float64{1}
	}
	return 1, scales
}

// candidate is the model with its likelihood and the errors of samples left out.
func (s *Spec) candidate(ctx context.Context, scales []float64) (fit.Candidate, error) {
	c := fit.Candidate{Errors: make([]float64, s.Data.N())}
	e, err := Fit(ctx, *s)
	if err != nil {
		return c, err
	}
	total, variance, known := 0.0, 0.0, true
	for i, o := range e.Outputs {
		if e.coupling != nil && i > 0 {
			break // they have one likelihood
		}
		c.Flat = interceptOf(o.fit) == fit.Flat || e.coupling != nil && o.spec.flat()
		if o.Report.REML == nil {
			known = false
			continue
		}
		total += *o.Report.REML
		if o.Report.REMLError != nil {
			variance += *o.Report.REMLError * *o.Report.REMLError
		}
	}
	if known {
		c.REML = &total
	}
	if variance > 0 {
		deviation := math.Sqrt(variance)
		c.REMLError = &deviation
	}
	in, out := criteria.Folds(s.Data.N())
	for k := range in {
		if err := s.leaveOut(ctx, e, in[k], out[k], scales, c.Errors); err != nil {
			return c, err
		}
	}
	return c, nil
}

// leaveOut adds the errors of the samples out, predicted from the samples in with the
// kernels and factors of e.
func (s *Spec) leaveOut(ctx context.Context, e *Estimate, in, out []int, scales, errors []float64) error {
	learn, err := e.spec.Data.Select(in) // with the errors found
	if err != nil {
		return err
	}
	rest, err := s.Data.Select(out)
	if err != nil {
		return err
	}
	at := 0
	parts := *s
	parts.Data, parts.order = learn, e.spec.order
	for _, outs := range parts.blocks() {
		first := e.Outputs[at]
		part := *first.spec
		part.Data = learn
		b, err := part.newBlock(ctx, outs)
		if err != nil {
			return err
		}
		for i, t := range b.terms {
			if err := t.Take(term.AsSaved(first.Terms[i].term.Kernel)); err != nil {
				return err
			}
			b.factors = append(b.factors, first.Terms[i].Factor)
		}
		b.coupling = e.coupling
		all, err := part.solve(ctx, b)
		if err != nil {
			return err
		}
		for j, o := range all {
			u, err := o.Predict(ctx, rest, mesh.Mesh{})
			if err != nil {
				return err
			}
			named := at + j
			if parts.order != nil {
				named = parts.order[j]
			}
			for i, sample := range out {
				errors[sample] += scales[named] * misfit(rest.Outputs[named].Values.Data, u, i, o.Mesh.Weights())
			}
		}
		at += len(outs)
	}
	return nil
}

// misfit is the squared error of sample i, integrated over what was observed.
func misfit(truth []float64, u *mat.Dense, i int, dy []float64) (sum float64) {
	row := u.RawRowView(i)
	for k, w := range dy {
		if diff := truth[i*len(dy)+k] - row[k]; !math.IsNaN(diff) {
			sum += w * diff * diff
		}
	}
	return sum
}
