package model

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/internal/gram"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/noise"
	"github.com/greenbench/workbench/numeric/progress"
)

// What is usual in the choice of lengthscales and sizes.
const (
	perCube       = 10   // flops of the likelihood and its slopes, times the cube of the numbers it is of
	perEntry      = 1e-9 // seconds of a slope, times the square of these numbers
	usualStarts   = 30   // likelihoods of the first sizes
	usualTrial    = 5    // of a lengthscale that is tried
	usualSweeps   = 1.5
	fitsDiagonal  = 16 // of a block whose noise is found along the outputs, times one with white noise
	fitsAuto      = 8  // and whose noise may be random curves, times one with these
	fitsHuber     = 5
	copiesOfNoise = 2
)

// costs are what fits of the blocks will take, and all of them; 0 where that cannot be told, as where they will be
// refused. Costs some products of small matrices.
func (s *Spec) costs(ctx context.Context) (each []progress.Cost, all progress.Cost) {
	for _, outs := range s.blocks() {
		c, err := s.expected(ctx, outs)
		if err != nil {
			c = progress.Cost{}
		}
		each, all = append(each, c), all.And(c)
	}
	return each, all
}

// expected is the cost of a block with its noise.
func (s *Spec) expected(ctx context.Context, outs []*dataset.Field) (all progress.Cost, err error) {
	own := s.withNoise(nil)
	if s.Noise.Kind == noise.Curves {
		own = s.withNoise(s.Noise.Kernel)
	}
	if all, err = own.expectedOnce(ctx, outs); err != nil {
		return all, err
	}
	switch s.Noise.Kind {
	case noise.Auto:
		curves, err := s.withNoise(kernel.Exponential{Lengthscale: kernel.Auto}).expectedOnce(ctx, outs)
		if err != nil {
			return all, err
		}
		all.Seconds = fitsDiagonal*all.Seconds + fitsAuto*curves.Seconds
		all.Bytes = copiesOfNoise * curves.Bytes
	case noise.Diagonal:
		all.Seconds, all.Bytes = fitsDiagonal*all.Seconds, copiesOfNoise*all.Bytes
	}
	if s.Noise.Huber {
		all.Seconds, all.Bytes = fitsHuber*all.Seconds, copiesOfNoise*all.Bytes
	}
	return all, nil
}

// expectedOnce is the cost of a fit of a block.
func (s *Spec) expectedOnce(ctx context.Context, outs []*dataset.Field) (all progress.Cost, err error) {
	b := &block{outs: outs}
	if b.terms, err = s.given().Terms(ctx, b.mesh()); err != nil {
		return all, err
	}
	choosing, err := s.choosing(b)
	if err != nil {
		return all, err
	}
	b.factors = linop.Ones(len(b.terms))
	if s.Coregional {
		b.coupling = evenly(len(b.terms), len(outs))
	}
	sum, err := b.sum()
	if err != nil {
		return all, err
	}
	d, err := b.data(sum, s.Data.Missing)
	if err != nil {
		return all, err
	}
	return linop.Here(ctx, progress.Cost{Seconds: choosing}).And(fit.Expected(ctx, s.specOf(b, d, sum))), nil
}

// evenly is a coupling of outputs that are alike.
func evenly(terms, outs int) *coupling {
	c := &coupling{Centres: make([]float64, outs), Units: linop.Ones(outs), Spreads: linop.Ones(outs)}
	c.Bias = make([]float64, outs*outs)
	for o := range outs {
		c.Bias[o*outs+o] = 1
	}
	for range terms {
		c.Terms = append(c.Terms, c.Bias)
	}
	return c
}

// choosing is the seconds of the choice of lengthscales and sizes.
func (s *Spec) choosing(b *block) (seconds float64, err error) {
	open := 0
	for _, t := range b.terms {
		if _, given := s.Amplitudes[t.Name]; !given || len(t.Open) > 0 {
			open++
		}
	}
	if !s.Coregional && (open == 0 || len(b.terms) == 1 && len(b.terms[0].Open) == 0) {
		return 0, nil
	}
	my, outs := b.mesh().Size(), float64(len(b.outs))
	n := len(b.outs[0].Values.Data) / my
	most := min(mostReduced, mostCoupled/len(b.outs))
	modes := min(my, max(fewestModes, most/n))
	samples := min(n, max(most/modes, 1))
	numbers := float64(samples*modes) * outs
	likelihood := perCube*numbers*numbers*numbers*linop.PerFlop + perEntry*numbers*numbers*float64(len(b.terms)+1)*outs*(outs+1)/2
	seconds = usualStarts * likelihood
	for _, t := range b.terms {
		space := kernel.DirectSum{Output: b.mesh(), Parts: []kernel.Summand{{Kernel: t.Kernel, On: t.On}}}.Space(0)
		f, err := kernel.Compile(t.Kernel, space)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", t.Name, err)
		}
		covariance, tried := gram.CongruenceTime(f, t.On, b.mesh(), float64(samples), float64(modes)), 0
		for _, o := range t.Open {
			tried += len(o.Tried)
		}
		seconds += covariance + usualSweeps*float64(tried)*(covariance+usualTrial*likelihood)
	}
	return seconds, nil
}
