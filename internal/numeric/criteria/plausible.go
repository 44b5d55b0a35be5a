package criteria

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/solve"
)

// A Plausible is sizes that may be the true ones, with a probability.
type Plausible struct {
	Sizes    Sizes
	Variants []int // which of the covariances that each term may have
	Share    float64
}

// Plausible are at most count sizes that stand for their posterior, from those of greatest
// likelihood: a mean over it is about the mean over them. The likelihood is the restricted one, and
// beforehand the shares of the terms and of the noise in the variance of the data, of covariances whose
// mean diagonal is one, have Dirichlet's distribution with ½ for each (Fuglstad et al., Bayesian Analysis 15,
// 2020), which is half a Cauchy distribution for the ratio of two standard deviations: a term that
// the likelihood puts at nothing may be as large as the data allow, and so may noise. Sizes
// that are held, or keep their differences, do. Terms of which variants are given have each of these with the same
// probability beforehand. There are none where the data tell all sizes. They are drawn, always
// alike, from Student's distribution about the most probable ones, and weighed. Cost: some steps
// of Best, and some dozens of Cholesky factorisations.
func (l *Components) Plausible(ctx context.Context, best Sizes, limits Limits, variants [][]*mat.Dense, count int) ([]Plausible, error) {
	p := posterior{likelihood: l, variants: variants, free: parameters{count: len(l.C), fixed: limits.Apart, held: limits.Held, apart: true}}
	begin := []Sizes{make(Sizes, len(best)), make(Sizes, len(best))}
	for k, v := range best.clamped() {
		begin[0][k], begin[1][k] = max(v, modestStart), min(max(v, modestStart), 0)
	}
	mode, err := climbAll(ctx, p.at, p.free, begin, modeSteps, math.Inf(1))
	var draws []Plausible
	if err == nil {
		draws, err = p.draw(ctx, mode)
	}
	switch {
	case errors.Is(err, solve.ErrNotPositive), errors.Is(err, linop.ErrNotPositive):
		return nil, errors.New("the data do not tell how large the terms and the noise are, as where all outputs are the same, so that there are no bands; give lambda")
	case err != nil:
		return nil, fmt.Errorf("sizes of the terms: %w", err)
	}
	widest, deviation := leastTold(draws)
	if deviation < told && len(variants) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(draws, func(a, b Plausible) int { return cmp.Compare(a.Sizes[widest], b.Sizes[widest]) })
	return Systematic(draws, count, func(p *Plausible) *float64 { return &p.Share }), nil
}

// at is minus the logarithm of the density, up to a constant, with its derivatives. Sizes that are fixed
// count as one, the first of them.
func (p *posterior) at(ctx context.Context, s Sizes) (*sized, error) {
	q, err := p.likelihood.at(ctx, s.clamped())
	if err != nil {
		return nil, err
	}
	q.at = slices.Clone(s)
	value, shares, times := p.beforehand(s)
	q.value += value
	for k, v := range shares {
		q.gradient[k] += times * v
		for j := range k + 1 {
			q.information.SetSym(j, k, q.information.At(j, k)-times*v*shares[j])
		}
		q.information.SetSym(k, k, q.information.At(k, k)+times*v)
	}
	for k := range p.each {
		q.gradient[k] -= 0.5
	}
	return q, nil
}

// draw is sizes with their weights, whose sum is one. Of few data the posterior is far from normal: sizes are also drawn
// from far around the most probable ones, and then about what is found, all weighed by the mean of the densities.
func (p *posterior) draw(ctx context.Context, mode *sized) ([]Plausible, error) {
	d := len(p.free.free(mode.at))
	root, inverse, err := p.root(ctx, mode, d)
	if err != nil {
		return nil, err
	}
	q := drawn{posterior: p, rng: rand.New(rand.NewPCG(1, 1))}
	err = q.from(ctx, student{p.free.free(mode.at), root, inverse, q.even()})
	if len(p.likelihood.T) <= fewData && err == nil {
		err = q.fromFar(ctx)
	}
	if err != nil {
		return nil, err
	}
	if len(q.values) == 0 {
		return []Plausible{{mode.at.clamped(), nil, 1}}, nil
	}
	var out []Plausible
	for i, share := range q.shares() {
		out = append(out, Plausible{p.free.sizes(q.x[i]).clamped(), q.chosen[i], share})
	}
	return out, nil
}

// root is R with R Rᵀ the inverse of the information about the parameters, and its inverse.
func (p *posterior) root(ctx context.Context, mode *sized, d int) (root, inverse *mat.Dense, err error) {
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
		return nil, nil, err
	}
	var upper mat.TriDense
	f.UTo(&upper)
	inverse = mat.DenseCopyOf(&upper)
	if err := upper.InverseTri(&upper); err != nil && !isCondition(err) {
		return nil, nil, err
	}
	return mat.DenseCopyOf(&upper), inverse, nil
}

// leastTold is the size that is least told, and its standard deviation.
func leastTold(draws []Plausible) (widest int, deviation float64) {
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

// Systematic takes count draws by their shares, whose sum is one, evenly through the list; what is taken
// more than once is there once, with so much of a share.
func Systematic[T any](draws []T, count int, share func(d *T) *float64) (out []T) {
	sum, taken := 0.0, 0
	for _, d := range draws {
		sum += *share(&d)
		times := 0
		for taken < count && (float64(taken)+0.5)/float64(count) <= sum {
			taken, times = taken+1, times+1
		}
		if times > 0 {
			*share(&d) = float64(times) / float64(count)
			out = append(out, d)
		}
	}
	return out
}

// Wider is how much larger a variance of Student's distribution is, whose amplitude is known from so many values, than
// that of the normal one.
func Wider(values float64) float64 {
	if values > 2 {
		return values / (values - 2)
	}
	return 1
}

// A Penalties is λ and ρ that may be the true ones, with a probability.
type Penalties struct{ Lambda, Rho, Share float64 }

// Plausible are λ and ρ that stand for their posterior, as [Components.Plausible] are sizes.
func (x *Exact) Plausible(ctx context.Context, lambda, rho float64, count int) ([]Penalties, error) {
	l, unit := x.components(ctx)
	if len(l.C) == 0 {
		return nil, nil
	}
	at := Sizes{math.Log(unit[0] / lambda)}
	if len(unit) > 1 {
		at = append(at, math.Log(unit[1]/rho))
	}
	all, err := l.Plausible(ctx, at.clamped(), Limits{}, nil, count)
	if err != nil {
		return nil, err
	}
	var out []Penalties
	for _, p := range all {
		own := Penalties{unit[0] / math.Exp(p.Sizes[0]), rho, p.Share}
		if len(unit) > 1 {
			own.Rho = unit[1] / math.Exp(p.Sizes[1])
		}
		out = append(out, own)
	}
	return out, nil
}

// components are the covariances of G and of β, where it is there, of unit mean diagonal, and what that was. What T
// does not see of the outputs is noise alone. None, where G is nothing.
func (x *Exact) components(ctx context.Context) (l *Components, unit []float64) {
	n := max(int(x.Outputs), len(x.T))
	padded := func(v []float64) []float64 { return append(slices.Clone(v), make([]float64, n-len(v))...) }
	l = &Components{T: padded(x.T)}
	if n > len(x.T) {
		l.T[len(x.T)] = math.Sqrt(x.RSS0)
	}
	if x.Contrast != nil {
		l.Contrast = [][]float64{padded(x.Contrast)}
	}
	terms := []*mat.Dense{x.green(ctx)}
	if x.Bias != nil {
		terms = append(terms, linop.Product(ctx, x.Bias, x.Bias.T()))
	}
	for _, c := range terms {
		size := mat.Trace(c) / float64(n)
		if !(size > 0) {
			break
		}
		own := mat.NewDense(n, n, nil)
		own.Slice(0, len(x.T), 0, len(x.T)).(*mat.Dense).Scale(1/size, c)
		l.C, unit = append(l.C, own), append(unit, size)
	}
	return l, unit
}
