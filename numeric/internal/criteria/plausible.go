package criteria

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/greenbench/workbench/numeric/internal/linop"
)

const (
	proposals   = 64   // sizes that are weighed
	freedom     = 4.0  // degrees, of Student's distribution that they are drawn from
	modestStart = -3.0 // of log s, for the search for what is most probable
	modeSteps   = 25   // of that search
	told        = 0.4  // standard deviation of log s up to which a size is as good as known

	leastInformation = 1e-2 // about log s: that of a standard deviation of 10
)

// A Plausible is sizes that may be the true ones, with a probability.
type Plausible struct {
	Sizes Sizes
	Share float64
}

// Plausible are at most count sizes that stand for their posterior, from those of greatest
// likelihood: a mean over it is about the mean over them. The likelihood is the restricted one, and
// beforehand a term has any standard deviation up to about that of the data alike, and larger ones
// less and less (half a Cauchy distribution; Gelman, Bayesian Analysis 1, 2006): a term that
// the likelihood puts at nothing may be as large as the data allow. Sizes that are fixed keep
// their differences. There are none where the data tell all sizes. They are drawn, always alike,
// from Student's distribution about the most probable ones, and weighed. Cost: some steps of
// Best, and some dozens of Cholesky factorisations.
func (l *Components) Plausible(ctx context.Context, best Sizes, fixed map[int]float64, count int) ([]Plausible, error) {
	p := posterior{likelihood: l, free: parameters{count: len(l.C), fixed: fixed, apart: true}}
	start := best.clamped()
	for k, v := range start {
		p.most += math.Exp(v)
		start[k] = max(v, modestStart)
	}
	mode, err := climb(ctx, p.at, p.free, p.free.sizes(p.free.free(start)), modeSteps, math.Inf(1))
	if err != nil {
		return nil, fmt.Errorf("sizes of the terms: %w", err)
	}
	draws, err := p.draw(ctx, mode)
	if err != nil {
		return nil, fmt.Errorf("sizes of the terms: %w", err)
	}
	widest, deviation := spread(draws)
	if deviation < told {
		return nil, nil
	}
	slices.SortStableFunc(draws, func(a, b Plausible) int { return cmp.Compare(a.Sizes[widest], b.Sizes[widest]) })
	return systematic(draws, count), nil
}

// posterior is that of the free sizes.
type posterior struct {
	likelihood *Components
	free       parameters
	most       float64 // size beyond which larger ones are less likely
}

// beforehand is minus the logarithm of the density of log s, with its first two derivatives.
func (p *posterior) beforehand(v float64) (value, slope, curvature float64) {
	x := v - math.Log(p.most)
	share := 1 / (1 + math.Exp(-x))
	return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) - v/2, share - 0.5, share * (1 - share)
}

// at is minus the logarithm of the density, up to a constant, with its derivatives. Sizes that are fixed
// count as one, the first of them.
func (p *posterior) at(ctx context.Context, s Sizes) (*sized, error) {
	q, err := p.likelihood.at(ctx, s.clamped())
	if err != nil {
		return nil, err
	}
	q.at = slices.Clone(s)
	for k := range p.each {
		value, slope, curvature := p.beforehand(s[k])
		q.value, q.gradient[k] = q.value+value, q.gradient[k]+slope
		q.information.SetSym(k, k, q.information.At(k, k)+curvature)
	}
	return q, nil
}

// each yields a size for each parameter.
func (p *posterior) each(yield func(k int) bool) {
	seen := false
	for k := range p.free.count {
		_, fixed := p.free.fixed[k]
		if fixed && seen {
			continue
		}
		if seen = seen || fixed; !yield(k) {
			return
		}
	}
}

// draw is sizes with their weights, whose sum is one.
func (p *posterior) draw(ctx context.Context, mode *sized) ([]Plausible, error) {
	x := p.free.free(mode.at)
	d := len(x)
	root, err := p.root(ctx, mode, d)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(1, 1))
	chi := distuv.ChiSquared{K: freedom, Src: rng}
	var out []Plausible
	var logs []float64
	for range proposals / 2 {
		z := mat.NewVecDense(d, nil)
		for k := range d {
			z.SetVec(k, rng.NormFloat64())
		}
		z.ScaleVec(math.Sqrt(freedom/chi.Rand()), z)
		density := -(freedom + float64(d)) / 2 * math.Log1p(mat.Dot(z, z)/freedom)
		step := mat.NewVecDense(d, nil)
		step.MulVec(root, z)
		for _, sign := range []float64{1, -1} {
			own := slices.Clone(x)
			floats.AddScaled(own, sign, step.RawVector().Data)
			s := p.free.sizes(own)
			value, err := p.likelihood.value(ctx, s.clamped())
			if stopped := linop.Stopped(ctx); stopped != nil {
				return nil, stopped
			}
			if err != nil || math.IsNaN(value) {
				continue // no matrix that can be factored: of no weight
			}
			for k := range p.each {
				prior, _, _ := p.beforehand(s[k])
				value += prior
			}
			out, logs = append(out, Plausible{Sizes: s.clamped()}), append(logs, -value-density)
		}
	}
	if len(out) == 0 {
		return []Plausible{{mode.at.clamped(), 1}}, nil
	}
	all := floats.LogSumExp(logs)
	for i := range out {
		out[i].Share = math.Exp(logs[i] - all)
	}
	return out, nil
}

// root is R with R Rᵀ the inverse of the information about the parameters.
func (p *posterior) root(ctx context.Context, mode *sized, d int) (*mat.Dense, error) {
	information := mat.NewSymDense(d, nil)
	e, back := make([]float64, d), make([]float64, d)
	for j := range d {
		clear(e)
		e[j] = 1
		column := mat.NewVecDense(p.free.count, nil)
		column.MulVec(mode.information, mat.NewVecDense(p.free.count, p.free.spread(e)))
		p.free.gather(back, column.RawVector().Data)
		for i := range j + 1 {
			information.SetSym(i, j, back[i])
		}
		information.SetSym(j, j, back[j]+leastInformation)
	}
	f, err := linop.Cholesky(ctx, information)
	if err != nil {
		return nil, err
	}
	var upper mat.TriDense
	f.UTo(&upper)
	if err := upper.InverseTri(&upper); err != nil && !isCondition(err) {
		return nil, err
	}
	return mat.DenseCopyOf(&upper), nil
}

// spread is the size that is least told, and its standard deviation.
func spread(draws []Plausible) (widest int, deviation float64) {
	for k := range draws[0].Sizes {
		mean, square := 0.0, 0.0
		for _, d := range draws {
			mean += d.Share * d.Sizes[k]
		}
		for _, d := range draws {
			square += d.Share * (d.Sizes[k] - mean) * (d.Sizes[k] - mean)
		}
		if own := math.Sqrt(square); own > deviation {
			widest, deviation = k, own
		}
	}
	return widest, deviation
}

// systematic takes count draws by their shares, evenly through the list; what is taken
// more than once is there once, with so much of a share.
func systematic(draws []Plausible, count int) (out []Plausible) {
	sum, taken := 0.0, 0
	for _, d := range draws {
		sum += d.Share
		times := 0
		for taken < count && (float64(taken)+0.5)/float64(count) <= sum {
			taken, times = taken+1, times+1
		}
		if times > 0 {
			out = append(out, Plausible{d.Sizes, float64(times) / float64(count)})
		}
	}
	return out
}
