package criteria

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

const (
	proposals       = 64  // sizes that are weighed
	freedom         = 4.0 // degrees, of Student's distribution that they are drawn from
	fewData         = 240 // for which more is drawn
	moreForVariants = 4   // times
	far             = 5.0 // of log s, how far around
)

// student is Student's distribution about a middle, of the scale of a root, with the inverse of that.
type student struct {
	middle        []float64
	root, inverse *mat.Dense  // triangular
	variants      [][]float64 // probabilities of those of each term
}

// logDensity is that at x with variants, up to a constant of all of them.
func (s student) logDensity(x []float64, variants []int) float64 {
	off, logDet := mat.NewVecDense(len(x), slices.Clone(x)), 0.0
	floats.Sub(off.RawVector().Data, s.middle)
	for k := range x {
		logDet += math.Log(s.root.At(k, k))
	}
	for k, v := range variants {
		if s.variants[k] != nil {
			logDet -= math.Log(s.variants[k][v])
		}
	}
	var z mat.VecDense
	z.MulVec(s.inverse, off)
	return -(freedom+float64(len(x)))/2*math.Log1p(mat.Dot(&z, &z)/freedom) - logDet
}

// drawn are parameters that were drawn, with minus the logarithm of their posterior.
type drawn struct {
	*posterior
	rng    *rand.Rand
	by     []student
	x      [][]float64
	chosen [][]int // variants
	values []float64
}

// from draws from a distribution, in pairs on either side of its middle.
func (q *drawn) from(ctx context.Context, s student) error {
	q.by = append(q.by, s)
	chi, d := distuv.ChiSquared{K: freedom, Src: q.rng}, len(s.middle)
	times := proposals / 2
	if len(q.variants) > 0 {
		times *= moreForVariants
	}
	for range times {
		z := mat.NewVecDense(d, nil)
		for k := range d {
			z.SetVec(k, q.rng.NormFloat64())
		}
		z.ScaleVec(math.Sqrt(freedom/chi.Rand()), z)
		z.MulVec(s.root, mat.VecDenseCopyOf(z))
		for _, sign := range []float64{1, -1} {
			own := slices.Clone(s.middle)
			floats.AddScaled(own, sign, z.RawVector().Data)
			sizes, variants := q.free.sizes(own), s.draw(q.rng)
			value, err := q.of(variants).value(ctx, sizes.clamped())
			if stopped := linop.Stopped(ctx); stopped != nil {
				return stopped
			}
			if err != nil || math.IsNaN(value) {
				continue // no matrix that can be factored: of no weight
			}
			prior, _, _ := q.beforehand(sizes)
			q.x, q.chosen, q.values = append(q.x, own), append(q.chosen, variants), append(q.values, value+prior)
		}
	}
	return nil
}

// even are variants that are all as probable.
func (q *drawn) even() (all [][]float64) {
	for _, variants := range q.variants {
		var own []float64
		for range variants {
			own = append(own, 1/float64(len(variants)))
		}
		all = append(all, own)
	}
	return all
}

// likely are variants half by what was drawn.
func (q *drawn) likely() [][]float64 {
	all := q.even()
	for _, own := range all {
		floats.Scale(0.5, own)
	}
	for i, share := range q.shares() {
		for k, v := range q.chosen[i] {
			if all[k] != nil {
				all[k][v] += share / 2
			}
		}
	}
	return all
}

// draw is a variant of each term.
func (s student) draw(rng *rand.Rand) (variants []int) {
	for _, shares := range s.variants {
		v, left := 0, rng.Float64()
		for v < len(shares)-1 && left > shares[v] {
			left -= shares[v]
			v++
		}
		variants = append(variants, v)
	}
	return variants
}

// shares are the weights of what was drawn.
func (q *drawn) shares() []float64 {
	logs, each := make([]float64, len(q.x)), make([]float64, len(q.by))
	for i, x := range q.x {
		for k, s := range q.by {
			each[k] = s.logDensity(x, q.chosen[i])
		}
		logs[i] = -q.values[i] - floats.LogSumExp(each)
	}
	all := floats.LogSumExp(logs)
	for i := range logs {
		logs[i] = math.Exp(logs[i] - all)
	}
	return logs
}

// fromFar draws from far around, then by the mean and the covariance of what was drawn.
func (q *drawn) fromFar(ctx context.Context) error {
	middle := q.by[0].middle
	d := len(middle)
	wide, back := linop.Identity(d), linop.Identity(d)
	wide.Scale(far, wide)
	back.Scale(1/far, back)
	if err := q.from(ctx, student{middle, wide, back, q.even()}); err != nil || len(q.x) == 0 {
		return err
	}
	shares, mean, covariance := q.shares(), make([]float64, d), mat.NewSymDense(d, nil)
	for i, share := range shares {
		floats.AddScaled(mean, share, q.x[i])
	}
	for i, share := range shares {
		off := slices.Clone(q.x[i])
		floats.Sub(off, mean)
		covariance.SymRankOne(covariance, share, mat.NewVecDense(d, off))
	}
	for k := range d {
		covariance.SetSym(k, k, covariance.At(k, k)+leastInformation)
	}
	f, err := linop.Cholesky(ctx, covariance)
	if err != nil {
		return err
	}
	var lower, inverse mat.TriDense
	f.LTo(&lower)
	if err := inverse.InverseTri(&lower); err != nil && !isCondition(err) {
		return err
	}
	return q.from(ctx, student{mean, mat.DenseCopyOf(&lower), mat.DenseCopyOf(&inverse), q.likely()})
}
