package model

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/known"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model/internal/sizes"
	"github.com/greenbench/workbench/numeric/model/internal/term"
)

// block is what is fitted at once: one output, or all of them where they are coupled.
type block struct {
	outs     []*dataset.Field // without what was known of them beforehand
	cutOff   *dataset.Field   // the one output with residuals as large as Huber's loss counts them; nil: as it is
	prior    []float64        // what that is multiplied by
	terms    []*term.Term
	factors  []float64       // of the kernels of one output
	coupling *sizes.Coupling // of several; nil: there is one

	deviations []float64 // of the terms, where they are known; nil: they are computed
}

// blocks are the outputs that are fitted together, as they are.
func (s *Spec) blocks() [][]*dataset.Field {
	all := make([][]*dataset.Field, 0, len(s.Data.Outputs))
	for i := range s.Data.Outputs {
		o := &s.Data.Outputs[i]
		if s.order != nil {
			o = &s.Data.Outputs[s.order[i]]
		}
		if s.Coregional && i > 0 {
			all[0] = append(all[0], o)
			continue
		}
		all = append(all, []*dataset.Field{o})
	}
	return all
}

// newBlock has terms whose kernels and sizes are open.
func (s *Spec) newBlock(ctx context.Context, outs []*dataset.Field) (*block, error) {
	b := &block{}
	for _, out := range outs {
		rest, factor, err := s.withoutPrior(ctx, out)
		if err != nil {
			return nil, err
		}
		b.outs, b.prior = append(b.outs, rest), append(b.prior, factor)
	}
	var err error
	b.terms, err = s.given().Terms(ctx, b.mesh())
	for _, t := range b.terms {
		t.AsLoud(b.outs)
	}
	return b, err
}

// withoutPrior takes off an output what was known of it, times a factor.
func (s *Spec) withoutPrior(ctx context.Context, out *dataset.Field) (*dataset.Field, float64, error) {
	before := s.Prior[out.Name]
	if before == nil {
		return out, 0, nil
	}
	f := s.Data.Fields[0]
	d, err := dataset.New(dataset.Spec{Input: f.Values, Output: out.Values, InputMesh: f.Mesh, OutputMesh: out.Mesh, Missing: s.Data.Missing})
	if err != nil {
		return nil, 0, err
	}
	d, factor, err := known.Without(ctx, d, before)
	if err != nil {
		return nil, 0, err
	}
	return &dataset.Field{Name: out.Name, Values: d.Output, Mesh: out.Mesh, Errors: out.Errors}, factor, nil
}

// mesh is that of each output.
func (b *block) mesh() mesh.Mesh { return b.outs[0].Mesh }

// sum is the kernel of all terms.
func (b *block) sum() (kernels.DirectSum, error) {
	if b.coupling == nil {
		return term.Sum(b.terms, b.factors, b.mesh()), nil
	}
	return b.coupling.Sum(b.terms, b.mesh())
}

// data are the columns of all terms as one input, and all outputs as one.
func (b *block) data(sum kernels.DirectSum, missing bool) (*dataset.Dataset, error) {
	union, err := sum.Mesh()
	if err != nil {
		return nil, err
	}
	n, _ := b.terms[0].Columns.Dims()
	all := mat.NewDense(n, union.Size(), nil)
	at := 0
	for _, t := range b.terms {
		_, m := t.Columns.Dims()
		all.Slice(0, n, at, at+m).(*mat.Dense).Copy(t.Columns)
		at += m
	}
	values := b.outs[0].Values
	if b.coupling != nil {
		values = b.coupling.Values(b.outs, n)
	}
	d, err := dataset.New(dataset.Spec{Input: array.FromMatrix(all), Output: values, InputMesh: union, OutputMesh: sum.Output, Missing: missing})
	if err != nil {
		return nil, err
	}
	d.Errors, err = outputs.Stacked(b.outs)
	return d, err
}

// question asks for the sizes of the terms of a block.
func (s *Spec) question(b *block) *sizes.Question {
	q := &sizes.Question{Terms: b.terms, Outs: b.outs, Bias: s.Bias, NoBias: s.NoBias, Flat: s.flat(), Given: map[int]float64{}, Lambda: s.Lambda, Rho: s.Rho}
	for i, t := range b.terms {
		if a, ok := s.Amplitudes[t.Name]; ok {
			q.Given[i] = a
		}
	}
	return q
}

// specOf is the fit that the model is. The kernel of β does not depend on the sizes of the
// terms, for its own is chosen. Coupled outputs are without their means: none of them has a
// constant that is free.
func (s *Spec) specOf(b *block, d *dataset.Dataset, sum kernels.DirectSum) fit.Spec {
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
			spec.Bias = b.coupling.OnBias(spec.Bias)
		}
	}
	return spec
}
