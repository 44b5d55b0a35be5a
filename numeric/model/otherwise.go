package model

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model/internal/term"
)

// Samples are those that the output was learned from, with their inputs.
func (o *Output) Samples() *dataset.Table { return o.spec.Data }

// Columns are what a term makes of the samples, n × points of a mesh: row i times its weights and the
// function of the term is what the term adds to sample i.
func (t *Term) Columns() (*mat.Dense, mesh.Mesh) { return t.term.Columns, t.term.On }

// OutputMesh is where the output was sampled.
func (t *Term) OutputMesh() mesh.Mesh { return t.out.Mesh }

// Residuals are what the output leaves of its data, see [fit.Estimate.Residuals]; of outputs that are
// coupled, each its own, with a sample left out of all of them together. The inputs of their data are the
// columns of all terms.
func (o *Output) Residuals(ctx context.Context) (*fit.Residuals, error) {
	each := o.Mesh.Size()
	r, err := o.fit.ResidualsAt(ctx, o.number*each, (o.number+1)*each)
	if err != nil || o.coupling == nil {
		return r, err
	}
	r.Observed.Errors.Scale(o.unit, r.Observed.Errors)
	own := &dataset.Dataset{Input: o.outs[o.number].Values, InputMesh: o.Mesh, Output: o.outs[o.number].Values, OutputMesh: o.Mesh, Errors: o.errors, Missing: o.spec.Data.Missing}
	if r.Pairs != nil {
		if own, err = own.Select(r.Pairs); err != nil {
			return nil, err
		}
	}
	own.Input, own.InputMesh = r.Data.Input, r.Data.InputMesh
	r.Data = own
	return r, nil
}

// Change is what another fit of the same output assumes.
type Change struct {
	Without string                   // this term is zero; the others keep their kernels, and only their sizes are chosen anew
	Kernels map[string]kernel.Kernel // by term, as in Spec, where Without is empty; λ and ρ are chosen by restricted likelihood
}

// Otherwise fits the output, and those that it is coupled with, under other assumptions, with the noise that
// was found.
func (o *Output) Otherwise(ctx context.Context, c Change) (*Output, error) {
	s := *o.spec
	if s.Intercept = fit.NoIntercept; o.spec.flat() { // whatever else is chosen anew: the two are compared
		s.Intercept = fit.Flat
	}
	if c.Without != "" {
		if o.Term(c.Without) == nil {
			return nil, fmt.Errorf("term: there is no %s", c.Without)
		}
		if len(o.predicted()) < 2 {
			return nil, fmt.Errorf("%s: is the only term, without which there is nothing to fit", c.Without)
		}
		s.without = c.Without
	} else {
		s.Kernels, s.Lambda, s.Rho, s.Criterion, s.Dense = c.Kernels, 0, 0, fit.REML, false
	}
	b := &block{outs: o.outs, prior: make([]float64, len(o.outs))}
	b.prior[o.number] = o.prior
	var err error
	if b.terms, err = s.given().Terms(ctx, o.Mesh); err != nil {
		return nil, err
	}
	for _, t := range b.terms {
		if t.AsLoud(b.outs); c.Without == "" && t.Kind != term.Noise {
			continue
		}
		if err := t.Take(term.AsSaved(o.Term(t.Name).term.Kernel)); err != nil {
			return nil, err
		}
	}
	all, err := s.fitSizes(ctx, b)
	if err != nil {
		return nil, err
	}
	return all[o.number], nil
}
