package fit

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Interval says what intervals about predictions are to hold.
type Interval struct {
	Level        float64 // the probability: 0.95
	Observation  bool    // a new value with its noise, of the variance that the fit gives it at the point; else the output without it
	Simultaneous bool    // the whole of an output at once; else each of its points
}

// Intervals is half the widths of intervals about the predictions of Predict, with the same
// arguments and shape: the interval is the prediction ± that. Pointwise ones are quantiles of
// normal distributions, simultaneous ones those of the largest deviation along an output, in
// standard deviations, of 4000 draws from the posterior; above 0.995, where fewer than 20 draws are
// beyond, also the pointwise ones of the union bound, 1 - (1 - level)/points.
func (e *Estimate) Intervals(ctx context.Context, f *mat.Dense, xs, ys mesh.Mesh, o Interval) (*mat.Dense, error) {
	of := outputs.Interval{Level: o.Level, Simultaneous: o.Simultaneous}
	if err := of.Check(); err != nil {
		return nil, err
	}
	n, m := f.Dims()
	if _, on, err := e.meshesFor(f, xs, ys); err != nil {
		return nil, err
	} else if err := of.CheckSize(n, on.Size()); err != nil {
		return nil, err
	}
	std, err := e.PredictStd(ctx, f, xs, ys)
	if err != nil {
		return nil, err
	}
	var noise outputs.NewNoise
	if o.Observation {
		if noise, err = e.newNoise(ctx, ys); err != nil {
			return nil, err
		}
	}
	return of.HalfWidths(ctx, std, noise, func(from, to, draws int, seed uint64) (*mat.Dense, error) {
		return e.Deviate(ctx, Draws{F: f.Slice(from, to, 0, m).(*mat.Dense), X: xs, Y: ys, N: draws, Seed: seed, Apart: true})
	})
}

// newNoise is the noise of a new observation on ys.
func (e *Estimate) newNoise(ctx context.Context, ys mesh.Mesh) (n outputs.NewNoise, err error) {
	if e.within != nil && e.within.noise != nil {
		return e.within.noise(ctx, ys)
	}
	own := e.noise()
	if own.Sigma, err = e.NoiseDeviation(ctx); err != nil {
		return n, err
	}
	return own.New(ys)
}

// NoiseDeviation is the standard deviation of the noise in one output value that intervals of new ones have: that of the
// report or, where few data leave λ open, the root of the mean square of what it may be.
func (e *Estimate) NoiseDeviation(ctx context.Context) (float64, error) {
	if w := e.within; w != nil && w.whole.Report.Sigma > 0 {
		own, err := w.whole.NoiseDeviation(ctx)
		return own * e.Report.Sigma / w.whole.Report.Sigma, err
	}
	if e.learned == nil || !e.learned.spec.few() {
		return e.Report.Sigma, nil
	}
	others, err := e.learned.others.get(ctx)
	if len(others) == 0 || err != nil {
		return e.Report.Sigma, err
	}
	left, square := 1.0, 0.0
	for _, o := range others {
		own, err := o.estimate.NoiseDeviation(ctx)
		if err != nil {
			return 0, err
		}
		left, square = left-o.share, square+o.share*own*own
	}
	return math.Sqrt(square + max(left, 0)*e.Report.Sigma*e.Report.Sigma), nil
}
