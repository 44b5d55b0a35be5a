package model

import (
	"context"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/model/internal/sizes"
)

// What finding the noise takes.
const (
	fitsDiagonal = 16 // of a block whose noise is found along the outputs, with kernels and sizes that are known
	fitsAuto     = 3  // with random curves, whose kernels and sizes are chosen each time
	fitsLoud     = 60 // to find how loud curves are, with kernels and sizes that are known
	fitsHuber    = 5

	// What it holds, over what a fit does that knows it.
	copiesDiagonal = 2
	copiesHuber    = 1.4
	copiesCoupled  = 1.5
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

// cheaper is what a fit takes that chooses less than this one does.
func (s *Spec) cheaper(ctx context.Context) (options []progress.Option) {
	known := *s
	add := func(words string) {
		_, all := known.costs(ctx)
		options = append(options, progress.Option{Words: words, Cost: all})
	}
	if s.Noise.Kind != noise.White || s.Noise.Huber {
		known.Noise = noise.Choice{}
		add("with white noise")
	}
	if s.Coregional {
		known.Coregional = false
		add("with outputs that are not coupled")
	}
	return options
}

// expected is the cost of a block with its noise.
func (s *Spec) expected(ctx context.Context, outs []*dataset.Field) (all progress.Cost, err error) {
	own := s.withNoise(nil)
	if s.Noise.Kind == noise.Curves {
		own = s.withNoise(s.Noise.Kernel)
	}
	choosing, once, err := own.expectedOnce(ctx, outs)
	if err != nil {
		return all, err
	}
	white, plain := choosing.And(once), once
	if all = white; s.Noise.Kind == noise.Diagonal || s.Noise.Kind == noise.Auto {
		all.Seconds = (1+varyRounds)*choosing.Seconds + fitsDiagonal*once.Seconds
		all.Bytes *= copiesDiagonal
	}
	if s.Noise.Kind == noise.Auto {
		choosing, once, err := s.withNoise(kernel.Exponential{Lengthscale: kernel.Auto}).expectedOnce(ctx, outs)
		if err != nil {
			return all, err
		}
		curves := choosing.And(once)
		all = all.And(progress.Cost{Seconds: fitsAuto * curves.Seconds, Bytes: curves.Bytes})
		if !s.Coregional {
			all.Seconds += varyRounds * (white.Seconds + fitsLoud*plain.Seconds)
		}
	}
	if s.Noise.Huber {
		all.Seconds, all.Bytes = fitsHuber*all.Seconds, copiesHuber*all.Bytes
	}
	return all, nil
}

// expectedOnce are the costs of choosing the kernels and sizes of a block, and of a fit with them.
func (s *Spec) expectedOnce(ctx context.Context, outs []*dataset.Field) (choosing, once progress.Cost, err error) {
	b := &block{outs: outs}
	if b.terms, err = s.given().Terms(ctx, b.mesh()); err != nil {
		return choosing, once, err
	}
	if choosing.Seconds, err = s.question(b).Seconds(); err != nil {
		return choosing, once, err
	}
	b.factors = linop.Ones(len(b.terms))
	if s.Coregional {
		b.coupling = sizes.Evenly(len(b.terms), len(outs))
	}
	sum, err := b.sum()
	if err != nil {
		return choosing, once, err
	}
	d, err := b.data(sum, s.Data.Missing)
	if err != nil {
		return choosing, once, err
	}
	spec := s.specOf(b, d, sum)
	once = fit.Expected(ctx, spec)
	if s.Coregional && s.flat() { // see freeConstants
		spec.Lambda = 1
		once.Seconds += float64(len(outs)) * fit.Expected(ctx, spec).Seconds
		once.Bytes *= copiesCoupled
	}
	return linop.Here(ctx, choosing), once, nil
}
