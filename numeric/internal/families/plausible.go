package families

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/internal/criteria"
)

// Plausible are kernels that stand for their posterior, at most count of them, each with its share: a mean over the
// posterior is about the mean over them. All families and lengthscales of a grid are as probable beforehand, one lengthscale for all
// coordinates of a side, and the likelihood is the mean over λ, with the shares of G and of the noise in the variance of the data as in
// [criteria.Components.Plausible]. For few data: each of some hundred kernels takes two eigenproblems.
func Plausible(ctx context.Context, d Data, count int) ([]Choice, error) {
	s, err := newSample(ctx, d)
	if err != nil {
		return nil, err
	}
	q := newSearch(s)
	var all []Choice
	var logs []float64
	for f := half; f < smoothnesses; f++ {
		for x := firstStep; x <= lastStep; x += coarse / 2 {
			for y := firstStep; y <= lastStep; y += coarse / 2 {
				steps := slices.Concat(slices.Repeat([]int{x}, q.x.mesh.Dim()), slices.Repeat([]int{y}, q.y.mesh.Dim()))
				c := candidate{family: f, steps: q.moveOne(steps, len(steps), 0)}
				p, err := q.product(ctx, c)
				if err != nil {
					return nil, err
				}
				if log := p.marginal(); !math.IsNaN(log) && !math.IsInf(log, 0) {
					all, logs = append(all, Choice{Kernel: q.kernel(c), REML: -log}), append(logs, log)
				}
			}
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	whole := floats.LogSumExp(logs)
	for i := range all {
		all[i].Share = math.Exp(logs[i] - whole)
	}
	return criteria.Systematic(all, count, func(c *Choice) *float64 { return &c.Share }), nil
}

// marginal is the logarithm of the likelihood, up to a constant that all kernels share, as a mean over λ.
func (p *product) marginal() float64 {
	mean := floats.Sum(p.d) / float64(len(p.d))
	if !(mean > 0) || math.IsInf(mean, 0) {
		return math.Inf(-1)
	}
	var logs []float64
	for log := -decades; log <= decades/2; log += halfDecade {
		signal := math.Pow(10, -log) // over the noise
		logs = append(logs, math.Log(signal)/2-math.Log1p(signal)-p.at(mean/signal).reml)
	}
	return floats.LogSumExp(logs)
}
