package families

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Plausible are kernels that stand for their posterior, at most count of them, each with its share: means and variances of G
// over the posterior are about those over them. That there is a kink and that there is none are as probable beforehand, and of either
// all families and lengthscales of a grid, one lengthscale for all coordinates of a side; kinks on one side are among them where
// the one that was chosen is on one. The likelihood is the mean over λ, with the shares of G, of its kink and of the noise in the
// variance of the data as in [criteria.Components.Plausible].
//
// They are drawn half by their share and half by their part in the variance of G, at some of its points, which a kernel that is
// not likely but leaves G open may be most of, and have shares that make up for that. For few data: each of some hundred kernels
// takes two eigenproblems, and with a kink one for some λ.
func Plausible(ctx context.Context, d Data, chosen Choice, count int) ([]Choice, error) {
	s, err := newSample(ctx, d)
	if err != nil {
		return nil, err
	}
	q := newSearch(s)
	all, err := q.plausibleSmooth(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	kinks, err := q.plausibleKinks(ctx, chosen.oneSided)
	if err != nil {
		return nil, err
	}
	if len(kinks) > 0 { // sums over grids of the logarithms of shares, and what the densities of these are divided by
		q.add(all, math.Log((1-kinkProbability)*math.Ln10*halfDecade/math.Pi/float64(len(all))))
		q.add(kinks, math.Log(kinkProbability*math.Ln10*math.Ln10/(2*math.Pi)*ratios/float64(len(kinks))))
		all = append(all, kinks...)
	}
	logs := make([]float64, len(all))
	for i, p := range all {
		logs[i] = floats.LogSumExp(p.logs)
	}
	whole := floats.LogSumExp(logs)
	for i := range all {
		all[i].Share = math.Exp(logs[i] - whole)
	}
	if count < len(all) {
		if err := weigh(ctx, all, whole); err != nil {
			return nil, err
		}
	}
	return stratified(all, count), nil
}

// plausibleSmooth are kernels without a kink.
func (q *search) plausibleSmooth(ctx context.Context) (all []plausible, err error) {
	for _, f := range q.families() {
		for x := firstStep; x <= lastStep; x += coarse / 2 {
			for y := firstStep; y <= lastStep; y += coarse / 2 {
				steps := slices.Concat(slices.Repeat([]int{x}, q.x.mesh.Dim()), slices.Repeat([]int{y}, q.y.mesh.Dim()))
				c := candidate{family: f, steps: q.moveOne(steps, len(steps), 0)}
				p, err := q.product(ctx, c)
				if err != nil {
					return nil, err
				}
				own := plausible{Choice: Choice{Kernel: q.kernel(c)}, moments: func(_ context.Context, lambdas []float64) (all []moments, err error) {
					for _, l := range lambdas {
						all = append(all, p.moments(l))
					}
					return all, nil
				}}
				if own.lambdas, own.logs = p.marginal(); likely(own.logs) {
					own.REML = -floats.LogSumExp(own.logs)
					all = append(all, own)
				}
			}
		}
	}
	return all, nil
}

// marginal is the logarithms of the likelihood and of the density of λ, up to a constant that all kernels share, at some λ.
func (p *product) marginal() (lambdas, logs []float64) {
	mean := floats.Sum(p.d) / float64(len(p.d))
	if !(mean > 0) || math.IsInf(mean, 0) {
		return nil, nil
	}
	for log := -decades; log <= decades/2; log += halfDecade {
		signal := math.Pow(10, -log) // over the noise
		lambdas, logs = append(lambdas, mean/signal), append(logs, math.Log(signal)/2-math.Log1p(signal)-p.at(mean/signal).reml)
	}
	return lambdas, logs
}
