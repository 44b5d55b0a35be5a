package families

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/internal/criteria"
)

// Plausible are kernels that stand for their posterior, at most count of them, each with its share: a mean over the
// posterior is about the mean over them. That there is a kink and that there is none are as probable beforehand, and of either
// all families and lengthscales of a grid, one lengthscale for all coordinates of a side; kinks on one side are among them where
// the one that was chosen is on one. The likelihood is the mean over λ, with the shares of G, of its kink and of the noise in the
// variance of the data as in [criteria.Components.Plausible]. For few data: each of some hundred kernels takes two eigenproblems,
// and with a kink one for each λ.
func Plausible(ctx context.Context, d Data, chosen Choice, count int) ([]Choice, error) {
	s, err := newSample(ctx, d)
	if err != nil {
		return nil, err
	}
	q := newSearch(s)
	all, logs, err := q.plausibleSmooth(ctx)
	if err != nil {
		return nil, err
	}
	kinks, kinkLogs, err := q.plausibleKinks(ctx, chosen.oneSided)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, nil
	}
	if len(kinks) > 0 { // sums over grids of the logarithms of shares, and what the densities of these are divided by
		floats.AddConst(math.Log((1-kinkProbability)*math.Ln10*halfDecade/math.Pi/float64(len(logs))), logs)
		floats.AddConst(math.Log(kinkProbability*math.Ln10*math.Ln10/(2*math.Pi)*ratios/float64(len(kinkLogs))), kinkLogs)
		all, logs = append(all, kinks...), append(logs, kinkLogs...)
	}
	whole := floats.LogSumExp(logs)
	for i := range all {
		all[i].Share = math.Exp(logs[i] - whole)
	}
	return criteria.Systematic(all, count, func(c *Choice) *float64 { return &c.Share }), nil
}

// plausibleSmooth are kernels without a kink and the logarithms of their likelihoods.
func (q *search) plausibleSmooth(ctx context.Context) (all []Choice, logs []float64, err error) {
	for f := half; f < smoothnesses; f++ {
		for x := firstStep; x <= lastStep; x += coarse / 2 {
			for y := firstStep; y <= lastStep; y += coarse / 2 {
				steps := slices.Concat(slices.Repeat([]int{x}, q.x.mesh.Dim()), slices.Repeat([]int{y}, q.y.mesh.Dim()))
				c := candidate{family: f, steps: q.moveOne(steps, len(steps), 0)}
				p, err := q.product(ctx, c)
				if err != nil {
					return nil, nil, err
				}
				if log := p.marginal(); !math.IsNaN(log) && !math.IsInf(log, 0) {
					all, logs = append(all, Choice{Kernel: q.kernel(c), REML: -log}), append(logs, log)
				}
			}
		}
	}
	return all, logs, nil
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
