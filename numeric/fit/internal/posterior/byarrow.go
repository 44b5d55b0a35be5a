package posterior

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

const (
	// leastArrow is from how many directions on that matter an arrow is better than to factor them all, and
	// arrowPerFunctional for how many directions a functional is worth it.
	leastArrow          = 1000
	arrowPerFunctional  = 4
	quickPerFunctional  = 100      // where the kernel has factors
	mostArrow           = 50000    // directions in all
	firstHead, moreHead = 0.4, 0.4 // the least weight of the head, in variances of the noise; it is multiplied, choices times

	// arrowSamples are taken of many targets, and at least one of so many, apart, of few.
	arrowSamples, leastSamples, samplesApart = 32, 8, 40
	arrowWidth                               = 0.008 // by which the standard deviation may be too wide at these
	sampleWidth                              = 1e-4  // to which these are known, of a variance
)

// byArrow is the standard deviations of targets by an arrow; nil where that does not pay, or is too wide.
func (p *Posterior) byArrow(ctx context.Context, t targets) (*mat.Dense, error) {
	count := t.count() * t.ys.Size()
	d, ok := p.Regression.(problem.Complete)
	n, _ := p.a.Dims()
	if !ok || n > mostArrow {
		return nil, nil
	}
	diagonal := d.Diagonal(p.at)
	matter := 0
	for _, v := range diagonal {
		if v-1 > leastWeight {
			matter++
		}
	}
	if matter < leastArrow || matter > quickPerFunctional*count {
		return nil, nil
	}
	to, err := p.cross(ctx, t.xs, t.ys)
	if err != nil || gram.Evaluates(to) {
		return nil, err
	}
	c, err := p.newCovariances(ctx, to, t)
	if err == nil {
		err = c.take(ctx, d)
	}
	if err != nil {
		return nil, err
	}
	each := arrowPerFunctional
	if c.quick != nil {
		each = quickPerFunctional
	}
	if matter > each*count {
		return nil, nil
	}
	return c.byArrow(ctx, diagonal)
}

// byArrow is the standard deviations of targets whose covariances with data it has.
func (c *covariances) byArrow(ctx context.Context, diagonal []float64) (*mat.Dense, error) {
	prior, err := c.p.priors(ctx, c.t)
	if err != nil {
		return nil, err
	}
	a, err := c.arrow(ctx, prior, diagonal)
	if a == nil || err != nil {
		return nil, err
	}
	return a.deviations(ctx, c, prior)
}

// arrow is one that is narrow enough at the samples of targets.
func (c *covariances) arrow(ctx context.Context, prior, diagonal []float64) (*arrow, error) {
	s, err := c.sampled(ctx, prior)
	if err != nil {
		return nil, err
	}
	weight := firstHead
	for range choices {
		a, err := c.p.newArrow(ctx, c.t, diagonal, weight)
		if a == nil || err != nil {
			return nil, err
		}
		wide, err := a.width(ctx, s)
		if err != nil {
			return nil, err
		}
		if wide <= arrowWidth {
			return a, nil
		}
		weight *= moreHead
	}
	return nil, nil
}

// sampled are some targets: the corners and random ones, their variances left out.
func (c *covariances) sampled(ctx context.Context, prior []float64) ([]*sample, error) {
	p, t, all := c.p, c.t, len(prior)
	n, my := t.count(), t.ys.Size()
	at := []int{0, my - 1, (n - 1) * my, n*my - 1, n/2*my + my/2}
	for draw := rand.New(rand.NewPCG(1, 7)); len(at) < min(arrowSamples, max(leastSamples, all/samplesApart)); {
		at = append(at, draw.IntN(all))
	}
	slices.Sort(at)
	at = slices.Compact(at)
	out := make([]*sample, len(at))
	failed := make([]error, len(at))
	err := gram.EachProduct(ctx, len(at), 20*len(p.all[0]), func(i int) {
		if c.quick != nil {
			out[i] = &sample{prior: prior[at[i]], with: c.quick.with(ctx, at[i]), times: t.times(p)}
		} else {
			out[i], failed[i] = p.oneOf(ctx, t, at[i])
		}
	})
	return out, errors.Join(append(failed, err)...)
}

// known sets the variances of samples, once: a says nearly what they are. The columns of data are
// their covariances with the data.
func (a *arrow) known(ctx context.Context, samples []*sample, data *mat.Dense) error {
	if !slices.ContainsFunc(samples, (*sample).isOpen) {
		return nil
	}
	x, _, err := a.solve(ctx, data)
	if err != nil {
		return err
	}
	failed := make([]error, len(samples))
	err = gram.EachProduct(ctx, len(samples), 20*len(a.m), func(i int) {
		if s := samples[i]; s.isOpen() {
			s.variance, failed[i] = a.p.varianceFrom(ctx, mat.Col(nil, i, x), s.prior, s.with, s.times, sampleWidth)
		}
	})
	return errors.Join(append(failed, err)...)
}

// isOpen reports whether the variance is still to be found.
func (s *sample) isOpen() bool { return s.variance == 0 }

// width is by how much the standard deviation is too wide at the samples, at most.
func (a *arrow) width(ctx context.Context, samples []*sample) (float64, error) {
	if a.factor == nil {
		return math.Inf(1), nil
	}
	data := mat.NewDense(len(a.m), len(samples), nil)
	for i, s := range samples {
		data.SetCol(i, s.with)
	}
	if err := a.known(ctx, samples, data); err != nil {
		return 0, err
	}
	head, tails := a.reduced(ctx, data)
	if err := linop.ForwardSolve(ctx, a.factor, head); err != nil {
		return 0, fmt.Errorf("std: %w", err)
	}
	wide, explained := 0.0, linop.SquaresOfColumns(head)
	for i, s := range samples {
		if s.prior == 0 {
			continue
		}
		v := s.prior - tails[i] - explained[i]
		if !(v > a.least*s.prior) {
			return math.Inf(1), nil
		}
		v += a.constant.add(s.times, s.with)
		wide = max(wide, math.Sqrt(v/s.variance)-1)
	}
	return wide, linop.Stopped(ctx)
}

// deviations are the standard deviations of targets of some prior variances.
func (a *arrow) deviations(ctx context.Context, c *covariances, prior []float64) (*mat.Dense, error) {
	left := slices.Clone(prior) // without the tail
	step, steps := 0, len(a.m)+a.heads()
	report := func(more int) {
		step += more
		progress.Report(ctx, progress.Step{Task: "std", Done: float64(step), Total: float64(steps)})
	}
	k, together := a.heads(), c.together()
	f := mat.NewDense(k, len(prior), nil)
	block := mat.NewDense(tailTogether, len(prior), nil)
	for from := 0; from < len(a.m); from += tailTogether {
		rows := min(tailTogether, len(a.m)-from)
		err := gram.EachProduct(ctx, rows, len(a.m)+len(prior), func(i int) {
			if together || a.m[from+i] > 0 {
				c.direction(ctx, block.RawRowView(i), from+i)
			}
		})
		if err != nil {
			return nil, fmt.Errorf("std: %w", err)
		}
		if together {
			if err := linop.AddProduct(ctx, f, a.rows.Slice(0, k, from, from+rows), block.Slice(0, rows, 0, len(prior))); err != nil {
				return nil, err
			}
		}
		for i := range rows {
			if m := a.m[from+i]; m > 0 {
				for t, v := range block.RawRowView(i) {
					left[t] -= v * v / m
				}
			}
		}
		report(rows)
	}
	for from := 0; from < k && !together; from += tailTogether {
		rows := min(tailTogether, k-from)
		err := gram.EachProduct(ctx, rows, len(a.m)+len(prior), func(i int) { c.data(ctx, f.RawRowView(from+i), a.rows.RawRowView(from+i)) })
		if err != nil {
			return nil, fmt.Errorf("std: %w", err)
		}
		report(rows)
	}
	std, err := a.rest(ctx, c, left, prior, f, c.t.times(a.p))
	if err != nil {
		return nil, err
	}
	return a.p.deviationsFrom(ctx, c.t, std, prior)
}

// rest is the variances of what the tail left of priors; 0 where rounding hides them.
func (a *arrow) rest(ctx context.Context, c *covariances, left, prior []float64, f *mat.Dense, times float64) ([]float64, error) {
	var known []float64 // of the free constant
	if a.constant != nil {
		known = make([]float64, len(prior))
		c.data(ctx, known, a.constant.me)
	}
	if err := linop.ForwardSolve(ctx, a.factor, f); err != nil {
		return nil, fmt.Errorf("std: %w", err)
	}
	floats.Sub(left, linop.SquaresOfColumns(f))
	for i, v := range left {
		switch {
		case !(v > a.least*prior[i]):
			left[i] = 0
		case a.constant != nil:
			left[i] += (times - known[i]) * (times - known[i]) / a.constant.size
		}
	}
	return left, linop.Stopped(ctx)
}
