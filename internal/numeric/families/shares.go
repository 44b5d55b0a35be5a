package families

import (
	"cmp"
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/sorting"
)

// plausible is a kernel with the logarithms of its likelihood, and of its probability beforehand, at some λ.
type plausible struct {
	Choice
	lambdas, logs []float64
	moments       func(ctx context.Context, lambdas []float64) ([]moments, error)
	part          float64 // of the variance of G, over the share
}

// likely says whether there is a likelihood.
func likely(logs []float64) bool {
	log := math.Inf(-1)
	if len(logs) > 0 {
		log = floats.LogSumExp(logs)
	}
	return !math.IsNaN(log) && !math.IsInf(log, 0)
}

// add adds to all logarithms.
func (q *search) add(to []plausible, log float64) {
	for _, p := range to {
		floats.AddConst(log, p.logs)
	}
}

// stratified are kernels drawn by their share and their part in the variance, evenly over that part.
func stratified(all []plausible, count int) (out []Choice) {
	sorting.By(all, func(a, b plausible) int { return cmp.Compare(a.part, b.part) })
	sum, kept := 0.0, make([]float64, len(all))
	for i, p := range all {
		kept[i] = p.Share
		all[i].Share *= (1 + p.part) / 2
		sum += all[i].Share
	}
	for i := range all {
		all[i].Share /= sum
	}
	whole := 0.0
	for _, p := range criteria.Systematic(all, count, func(p *plausible) *float64 { return &p.Share }) {
		c := p.Choice
		c.Share /= 1 + p.part
		whole += c.Share
		out = append(out, c)
	}
	for i := range out {
		out[i].Share /= whole
	}
	return out
}

// leastWeighed is the least share of a kernel at a λ of which the variance is computed.
const leastWeighed = 2e-4

// weigh gives kernels their part in the variance of G over their share, a mean over the probed points in units of
// the whole variance there. Those that are too unlikely have one as if they were like the others.
func weigh(ctx context.Context, all []plausible, whole float64) error {
	type weighed struct {
		moments
		of    int
		share float64
	}
	var some []weighed
	for i, p := range all {
		all[i].part = 1
		var lambdas, shares []float64
		for k, log := range p.logs {
			if share := math.Exp(log - whole); share > leastWeighed {
				lambdas, shares = append(lambdas, p.lambdas[k]), append(shares, share)
			}
		}
		if len(lambdas) == 0 {
			continue
		}
		own, err := p.moments(ctx, lambdas)
		if err != nil {
			return err
		}
		for k, m := range own {
			if sum := floats.Sum(m.variance) + floats.Sum(m.mean); !math.IsNaN(sum) && !math.IsInf(sum, 0) {
				some = append(some, weighed{m, i, shares[k]})
			}
		}
	}
	if len(some) == 0 {
		return linop.Stopped(ctx)
	}
	points, known := len(some[0].mean), 0.0
	mean, variance := make([]float64, points), make([]float64, points)
	seen, parts := make([]float64, len(all)), make([]float64, len(all))
	for _, w := range some {
		known += w.share
		seen[w.of] += w.share
		floats.AddScaled(mean, w.share, w.mean)
	}
	floats.Scale(1/known, mean)
	off := func(w weighed, k int) float64 {
		d := w.mean[k] - mean[k]
		return w.share * (w.variance[k] + d*d)
	}
	for k := range points {
		for _, w := range some {
			variance[k] += off(w, k)
		}
		for _, w := range some {
			if variance[k] > 0 {
				parts[w.of] += off(w, k) / variance[k] / float64(points)
			}
		}
	}
	for i, part := range parts {
		if seen[i] > 0 {
			all[i].part = part / seen[i] * known
		}
	}
	return linop.Stopped(ctx)
}
