package fit

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/internal/lattice"
	"github.com/greenbench/workbench/numeric/internal/linop"
)

// images is the free problem of the pairs with their images.
type images struct {
	*inData
	lattice *lattice.Lattice
}

func newImages(ctx context.Context, q *question) (*images, error) {
	spec := *q.spec
	spec.Constraint = nil
	var err error
	if spec.Data, err = q.orbit.pairs(q.spec.Data); err != nil {
		return nil, err
	}
	sys, err := newSystemWith(ctx, &spec, q.held, true)
	if err != nil {
		return nil, err
	}
	q.orbit.exact = func(ctx context.Context) (*criteria.Exact, error) {
		w, err := newInWeights(ctx, q)
		if err != nil {
			return nil, err
		}
		return w.exactCriteria(ctx)
	}
	sys.orbit = q.orbit
	return &images{&inData{spec: &spec, sys: sys}, q.lattice}, nil
}

// weigh implements problem. The weights of a solution that does not quite obey are projected on
// those that do: with what that takes away, δ, which is orthogonal to the rest.
func (p *images) weigh(ctx context.Context, at penalty, z []float64) (*weighed, error) {
	w, err := p.inData.weigh(ctx, at, z)
	if err != nil {
		return nil, err
	}
	green := w.green.RawMatrix().Data
	delta, change := slices.Clone(green), make([]float64, len(green))
	p.lattice.Average(green)
	floats.Sub(delta, green)
	w.k.Apply(ctx, change, delta)
	floats.Sub(w.values, change)
	square := floats.Dot(delta, change)
	w.green2 -= square
	w.apart += at.lambda * square
	floats.Add(w.misfit, w.respond(ctx, change, nil))
	return w, linop.Stopped(ctx)
}
