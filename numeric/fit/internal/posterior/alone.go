package posterior

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// someAlone is how many functionals may be solved for by themselves, besides one in a hundred.
const someAlone = 10

// deviationsFrom is the standard deviations for variances over τ², which are 0 where rounding hides them and one target
// after the other is computed by itself; nil where these are too many.
func (p *Posterior) deviationsFrom(ctx context.Context, t targets, variances, prior []float64) (*mat.Dense, error) {
	if hidden(variances, prior) {
		return nil, nil
	}
	for i, v := range variances {
		if v == 0 && prior[i] > 0 {
			var err error
			if v, err = p.alone(ctx, t, i); err != nil {
				return nil, err
			}
		}
		variances[i] = math.Sqrt(p.Tau2 * v)
	}
	return mat.NewDense(t.count(), t.ys.Size(), variances), nil
}

// hidden reports whether rounding hides more than some of the variances.
func hidden(variances, prior []float64) bool {
	n := 0
	for i, v := range variances {
		if v == 0 && prior[i] > 0 {
			n++
		}
	}
	return n > someAlone+len(prior)/100
}

// alone is the variance over τ² of one target, by CG.
func (p *Posterior) alone(ctx context.Context, t targets, i int) (float64, error) {
	s, err := p.oneOf(ctx, t, i)
	if err != nil {
		return 0, err
	}
	v, err := p.variance(ctx, s.prior, s.with, s.times)
	return v / p.Tau2, err
}

// sample is one of targets.
type sample struct {
	prior, times float64
	with         []float64 // covariances with the data
	variance     float64   // given these, over τ²
}

// oneOf is target i, its variance left out.
func (p *Posterior) oneOf(ctx context.Context, t targets, i int) (*sample, error) {
	y := problem.PointOf(t.ys)
	t.ys.Point(y, i%t.ys.Size())
	i /= t.ys.Size()
	if t.weights != nil {
		l, err := p.points(ctx, t.xs, y, true)
		if err != nil {
			return nil, err
		}
		l = l.combined(ctx, t.weights.Slice(i, i+1, 0, t.xs.Size()).(*mat.Dense))
		if p.q != nil {
			if err := p.addBias(ctx, l, y); err != nil {
				return nil, err
			}
		}
		return &sample{prior: l.prior[0], with: l.with.RawRowView(0), times: l.times}, nil
	}
	x := problem.PointOf(t.xs)
	t.xs.Point(x, i)
	row := make([]float64, len(p.all[0]))
	p.f.Row(row, problem.Beside(x, y), p.all)
	floats.Scale(1/p.at.Lambda, row)
	return &sample{prior: p.f.At(problem.Beside(x, y), problem.Beside(x, y)) / p.at.Lambda, with: p.Respond(ctx, row, nil)}, nil
}
