package pose

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/fit/internal/bases"
	"github.com/greenbench/workbench/numeric/fit/internal/indata"
	"github.com/greenbench/workbench/numeric/fit/internal/inweights"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// Images is the free problem of the pairs with their images.
type Images struct {
	*indata.Problem
	lattice *lattice.Lattice
}

func newImages(ctx context.Context, q *problem.Question, o *indata.Orbit, parts *indata.BiasParts) (*Images, error) {
	spec := *q.Setting
	spec.Constraint = nil
	var err error
	if spec.Data, err = o.Pairs(q.Setting.Data); err != nil {
		return nil, err
	}
	sys, err := indata.NewSystemOf(ctx, &spec, q.Held, true, parts)
	if err != nil {
		return nil, err
	}
	o.Exact = func(ctx context.Context) (*criteria.Exact, error) {
		w, err := inweights.New(ctx, q)
		if err != nil {
			return nil, err
		}
		return w.Exact(ctx, math.MaxInt)
	}
	sys.Orbit = o
	return &Images{&indata.Problem{Setting: &spec, Sys: sys}, q.Lattice}, nil
}

// Weigh implements problem. The weights of a solution that does not quite obey are projected on
// those that do: with what that takes away, δ, which is orthogonal to the rest.
func (p *Images) Weigh(ctx context.Context, at problem.Penalty, z []float64) (*problem.Weighed, error) {
	w, err := p.Problem.Weigh(ctx, at, z)
	if err != nil {
		return nil, err
	}
	green := w.Green.RawMatrix().Data
	delta, change := slices.Clone(green), make([]float64, len(green))
	p.lattice.Average(green)
	floats.Sub(delta, green)
	w.K.Apply(ctx, change, delta)
	floats.Sub(w.Values, change)
	square := floats.Dot(delta, change)
	w.Green2 -= square
	w.Apart += at.Lambda * square
	floats.Add(w.Misfit, w.Respond(ctx, change, nil))
	return w, linop.Stopped(ctx)
}

// biasParts finds those of the bias of a question for its orbit; ok is false if β has none in the
// modes of the outputs, or its kernel is not invariant.
func biasParts(ctx context.Context, q *problem.Question, o *indata.Orbit) (p *indata.BiasParts, ok bool, err error) {
	s := q.Setting
	if s.Bias == nil {
		return nil, true, nil
	}
	if _, sum := s.Kernel.(kernels.DirectSum); sum {
		return nil, false, nil
	}
	x, y := s.Data.InputMesh, s.Data.OutputMesh
	v, _, err := bases.OfOutput(ctx, s.Kernel, lattice.Space(x, y), lattice.Centre(x, y), y)
	if err != nil {
		return nil, false, err
	}
	if p = o.Parts(v); p == nil {
		return nil, false, nil
	}
	bias, _, err := gram.Output(ctx, s.Bias, y, s.BiasStructure())
	if err != nil {
		return nil, false, fmt.Errorf("bias: %w", err)
	}
	return p, o.CommutesWith(ctx, bias), linop.Stopped(ctx)
}
