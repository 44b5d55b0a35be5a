package fit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/internal/gram"
	"github.com/greenbench/workbench/numeric/internal/lattice"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/kernel"
)

// images is the free problem of the pairs with their images.
type images struct {
	*inData
	lattice *lattice.Lattice
}

func newImages(ctx context.Context, q *question, parts *biasParts) (*images, error) {
	spec := *q.spec
	spec.Constraint = nil
	var err error
	if spec.Data, err = q.orbit.pairs(q.spec.Data); err != nil {
		return nil, err
	}
	sys, err := newSystemOf(ctx, &spec, q.held, true, parts)
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

// biasParts finds those of the bias of a question for its orbit; ok is false if β has none in the
// modes of the outputs, or its kernel is not invariant.
func (q *question) biasParts(ctx context.Context) (p *biasParts, ok bool, err error) {
	s := q.spec
	kernelOf := s.biasKernel()
	if kernelOf == nil {
		return nil, true, nil
	}
	if _, sum := s.Kernel.(kernel.DirectSum); sum {
		return nil, false, nil
	}
	x, y := s.Data.InputMesh, s.Data.OutputMesh
	v, _, err := onOutput(ctx, s.Kernel, lattice.Space(x, y), lattice.Centre(x, y), y)
	if err != nil {
		return nil, false, err
	}
	if p = q.orbit.parts(v); p == nil {
		return nil, false, nil
	}
	bias, _, err := gram.Output(ctx, kernelOf, y, s.biasStructure())
	if err != nil {
		return nil, false, fmt.Errorf("bias: %w", err)
	}
	return p, q.orbit.commutesWith(ctx, bias), linop.Stopped(ctx)
}

// commutesWith reports whether Q is invariant under the maps of the outputs: by its products with
// a random function and with its images.
func (o *orbit) commutesWith(ctx context.Context, q gram.Product) bool {
	v := linop.Normal(rand.New(rand.NewPCG(13, 14)), len(o.y[0]))
	qv, image, got := make([]float64, len(v)), make([]float64, len(v)), make([]float64, len(v))
	q.Apply(ctx, qv, v)
	for _, y := range o.y {
		for k, at := range y {
			image[at] = v[k]
		}
		q.Apply(ctx, got, image)
		off, size := 0.0, 0.0
		for k, at := range y {
			off, size = max(off, math.Abs(got[at]-qv[k])), max(size, math.Abs(qv[k]))
		}
		if !(off <= commuting*size) {
			return false
		}
	}
	return true
}
