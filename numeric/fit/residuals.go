package fit

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/known"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/posterior"
)

// Residue is what is left of one set of data.
type Residue = posterior.Residue

// Residuals are what an estimate leaves of its data, and what it would leave of data for which
// its model is true, with its kernel, λ and ρ. Those of a smoother are neither independent nor
// of one size: in the scaled outputs T, whose covariance is τ² C with C = S K̄ Sᵀ + I, they are
// M T, M = C⁻¹, of covariance τ² M. With a free constant of β, in the data as e,
// M = C⁻¹ - C⁻¹e eᵀC⁻¹ / eᵀC⁻¹e.
type Residuals struct {
	Data     *dataset.Dataset // the pairs, without what was known beforehand; all, or some of them
	Given    *dataset.Dataset // the same pairs as they were given
	Beyond   Beyond           // what their outputs are without, where they are on landmarks
	Of       int              // pairs of the estimate
	Pairs    []int            // which of them these are; nil: all
	Observed *Residue
	DF       float64 // effective degrees of freedom, the trace of the matrix that takes outputs to predictions, of these pairs
	// Shares are the parts of the noise of each value that its residual keeps, in the mean: the diagonal of R, where R u are
	// the residuals of data u in units of their noise, pairs × points of the output; 0 where there is no output. They are of
	// values as they are where their noise is not correlated.
	Shares *mat.Dense
	// Block is that of R of one of these pairs, points × points of the output; 0 where there is no output.
	Block func(ctx context.Context, pair int) *mat.Dense
	model posterior.Model
	at    posterior.Span
}

const (
	leastPairs = 4    // that residuals and what is left out tell anything of
	mostDense  = 3000 // values whose covariance is inverted, where it has no closed form
)

// Residuals computes the residuals, exactly. Cost: the set-up of a fit; where the kernel is no
// product, or outputs are missing, the inverse of the covariance of at most 3000 values, which
// are those of some of the pairs, evenly chosen, where there are more.
func (e *Estimate) Residuals(ctx context.Context) (*Residuals, error) {
	if e.learned == nil && e.within != nil && e.within.bias {
		return e.within.whole.Residuals(ctx)
	}
	y := e.OutputMesh
	if _, on := e.landmarkMeshes(); on.Size() > 0 {
		y = on
	}
	return e.ResidualsAt(ctx, 0, y.Size())
}

// ResidualsAt are those at the points lo, …, hi - 1 of the output alone, left out with all of their
// pair: of one of several outputs that make one on their disjoint union. The data are all of them.
func (e *Estimate) ResidualsAt(ctx context.Context, lo, hi int) (*Residuals, error) {
	if e.learned == nil {
		return nil, e.noData("residuals need the data")
	}
	if err := e.learned.spec.intact(); err != nil {
		return nil, err
	}
	s, err := e.learned.spec.alone(ctx)
	if err != nil {
		return nil, err
	}
	n := s.Data.N()
	if n < leastPairs {
		return nil, fmt.Errorf("residuals: %d pairs say nothing about a model; there must be at least %d", n, leastPairs)
	}
	r := &Residuals{Data: s.Data, Given: e.learned.spec.Data, Beyond: e.learned.spec.beyond, Of: n, at: posterior.Span{Lo: lo, Hi: hi}}
	rep := e.Report
	p, err := newPosterior(ctx, s, &rep)
	if err != nil {
		return nil, err
	}
	if r.model, err = p.SplitModel(ctx, r.at); r.model == nil && err == nil {
		err = r.denseOfSome(ctx, p, s, rep)
	}
	if err != nil {
		return nil, err
	}
	z, form := r.model.Observed(ctx)
	r.Observed = r.model.Residue(ctx, z, form/r.model.Freedom())
	if err := posterior.InUnits(ctx, r.Observed.Errors, r.Data); err != nil {
		return nil, err
	}
	r.Observed.Cut(r.at)
	r.Shares, r.Block = r.model.Shares(), r.model.Block
	r.DF = -r.model.Trace(r.at)
	posterior.Each(r.Observed.Values, func(_, _ int, _ float64) { r.DF++ })
	return r, linop.Stopped(ctx)
}

// Draw returns the residue of data for which the model is true.
func (r *Residuals) Draw(ctx context.Context, rng *rand.Rand) (*Residue, error) {
	z, form := r.model.Draw(ctx, rng)
	d := r.model.Residue(ctx, z, form/r.model.Freedom())
	d.Cut(r.at)
	return d, linop.Stopped(ctx)
}

// alone is a spec without what was known beforehand, and without the mean that a free constant
// takes.
func (s Spec) alone(ctx context.Context) (*Spec, error) {
	if s.Prior != nil {
		var err error
		if s.Data, _, err = known.Without(ctx, s.Data, s.Prior); err != nil {
			return nil, err
		}
		s.Prior = nil
	}
	if s.flat() {
		s.Data, _ = outputs.WithoutMean(s.Data)
	}
	return &s, nil
}

// denseOfSome inverts the covariance of as many pairs as there is room for: those have
// the λ and ρ of all, of which the noise is a larger part.
func (r *Residuals) denseOfSome(ctx context.Context, p *posterior.Posterior, s *Spec, rep Report) error {
	n, each := s.Data.N(), float64(p.Observed())/float64(s.Data.N())
	most := int(mostDense / each)
	if most < leastPairs {
		return fmt.Errorf("residuals: a pair has %.0f output values; without a kernel that is a product, residuals of at most %d values can be compared with the model, of %d pairs or more", each, mostDense, leastPairs)
	}
	var err error
	if most < n {
		some := *s
		r.Pairs = evenly(n, most)
		if some.Data, err = s.Data.Select(r.Pairs); err != nil {
			return err
		}
		share := float64(n) / float64(some.Data.N())
		rep.Lambda, rep.Rho = rep.Lambda*share, rep.Rho*share
		if p, err = newPosterior(ctx, &some, &rep); err != nil {
			return err
		}
		r.Data = some.Data
		if r.Given, err = r.Given.Select(r.Pairs); err != nil {
			return err
		}
	}
	r.model, err = p.DenseModel(ctx, r.at)
	return err
}

// Learned returns the spec an estimate was learned with, its choices of kernels made and its data
// included; false where it is a part of another, or was read from a file without its data.
func (e *Estimate) Learned() (Spec, bool) {
	if e.learned == nil {
		return Spec{}, false
	}
	return e.learned.spec, true
}

// learnedFrom returns the pairs an estimate was learned from; nil where it is not known.
func (e *Estimate) learnedFrom() (*dataset.Dataset, error) {
	switch {
	case e.learned != nil:
		return e.learned.spec.Data, e.learned.spec.intact()
	case e.within == nil || !e.within.bias || e.within.whole.learned == nil:
		return nil, e.noData("its pairs are not known: this needs the data")
	}
	d := e.within.whole.learned.spec.Data // of a term that is the first
	own := array.New(d.N(), e.InputMesh.Size())
	for i := range d.N() {
		m := d.InputMesh.Size()
		copy(own.Data[i*e.InputMesh.Size():(i+1)*e.InputMesh.Size()], d.Input.Data[i*m:])
	}
	return dataset.New(dataset.Spec{Input: own, Output: d.Output, InputMesh: e.InputMesh, OutputMesh: e.OutputMesh, Missing: d.Missing})
}

// Fitted are the pairs that an estimate was learned from, with its predictions of them: on landmarks where it is on these, and
// what they are without then.
func (e *Estimate) Fitted(ctx context.Context) (d *dataset.Dataset, of *mat.Dense, beyond Beyond, err error) {
	if d, err = e.learnedFrom(); err != nil {
		return nil, nil, beyond, err
	}
	if e.learned != nil {
		beyond = e.learned.spec.beyond
	}
	f, _ := d.Matrices()
	x, y := e.landmarkMeshes()
	of, err = e.Predict(ctx, f, x, y)
	return d, of, beyond, err
}
