package criteria

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// starts are the variances that the search begins from, in all: little noise, as much as
// signal, and more.
func starts() []float64 { return []float64{1e-1, 1e2, 1e5} }

// at evaluates the likelihood. Cost: a Cholesky factorisation and an inverse.
func (l *Components) at(ctx context.Context, s Sizes) (*sized, error) {
	slopes := make([]derivative, len(s))
	for k, c := range l.C {
		slopes[k] = derivative{math.Exp(s[k]), c}
	}
	return l.evaluate(ctx, s, l.matrix(s), slopes)
}

// matrix is the lower triangle of H.
func (l *Components) matrix(s Sizes) *mat.Dense {
	n := len(l.T)
	h := mat.NewDense(n, n, nil)
	for i := range n {
		row := h.RawRowView(i)
		for k, c := range l.C {
			floats.AddScaled(row[:i+1], math.Exp(s[k]), c.RawRowView(i)[:i+1])
		}
		row[i]++
	}
	return h
}

// value is the likelihood alone. Cost: a Cholesky factorisation.
func (l *Components) value(ctx context.Context, s Sizes) (float64, error) {
	n := len(l.T)
	h := l.matrix(s)
	d := make([]float64, n)
	for i := range d {
		d[i] = h.At(i, i)
	}
	f, err := factor(ctx, h, d)
	if err != nil {
		return 0, err
	}
	half := func(v []float64) []float64 { // D^½ L half = v
		x := slices.Clone(v)
		floats.Div(x, f.root)
		for i := range x {
			row := f.l.RawRowView(i)
			x[i] = (x[i] - floats.Dot(row[:i], x[:i])) / row[i]
		}
		return x
	}
	sum, values, along := f.logs, float64(n), [][]float64{}
	t := half(l.T)
	for _, c := range l.Contrast {
		own := half(c)
		for _, other := range along {
			floats.AddScaled(own, -floats.Dot(own, other), other)
		}
		size := floats.Dot(own, own)
		floats.Scale(1/math.Sqrt(size), own)
		floats.AddScaled(t, -floats.Dot(t, own), own)
		along, sum, values = append(along, own), sum+math.Log(size), values-1
	}
	return 0.5 * (sum + values*math.Log(floats.Dot(t, t)/values)), nil
}

// within is at for sizes that are kept within what is worth telling apart, without the derivatives that point
// beyond.
func (l *Components) within(ctx context.Context, s Sizes) (*sized, error) {
	p, err := l.at(ctx, s.clamped())
	if err == nil {
		p.holdOutward(Sizes.clamped)
	}
	return p, err
}

// Upper is how much larger the size of term k may be, as its logarithm: to where minus the
// logarithm of the likelihood is half a nat above its least value on the way, as it is a
// standard deviation off. The other sizes stay.
func (l *Components) Upper(ctx context.Context, s Sizes, k int) (float64, error) {
	return upper(ctx, l.at, s.clamped(), k, k+1)
}

// upper is Upper for sizes lo … hi-1 together.
func upper(ctx context.Context, at likelihood, s Sizes, lo, hi int) (float64, error) {
	from, least := 0.0, math.Inf(1)
	for step := 1.0; step > 0.05 && slices.Max(s[lo:hi])+from+step < mostSize; {
		larger := slices.Clone(s)
		floats.AddConst(from+step, larger[lo:hi])
		p, err := at(ctx, larger)
		if err != nil {
			return 0, err
		}
		if least = min(least, p.value); p.value > least+0.5 {
			step /= 2
		} else {
			from += step
		}
	}
	return from, nil
}

// Clamp keeps the logarithm of a size within what is worth telling apart.
func Clamp(v float64) float64 { return min(max(v, leastSize), mostSize) }

// Best finds the sizes of greatest likelihood, and minus its logarithm, in at most so many
// steps from those given, or from several starts where there are none. A search that stays far
// above hopeless ends early; one that may not, hopeless being infinite, also tries every size at nothing,
// or one that is nothing as large as the noise. Cost: a Cholesky factorisation and an inverse of the matrix for each step.
func (l *Components) Best(ctx context.Context, from Sizes, limits Limits, steps int, hopeless float64) (Sizes, float64, error) {
	begin := []Sizes{from}
	if from == nil {
		begin = begin[:0]
		for _, all := range starts() {
			s := make(Sizes, len(l.C))
			for k := range s {
				s[k] = math.Log(all / float64(len(l.C)))
			}
			begin = append(begin, s)
		}
	}
	best, err := limits.climb(ctx, l.within, parameters{count: len(l.C), apart: true}, begin, steps, hopeless)
	switch {
	case linop.Stopped(ctx) != nil:
		return nil, 0, fmt.Errorf("sizes of the terms: %w", err)
	case err != nil:
		return nil, 0, fmt.Errorf("sizes of the terms: %w; give amplitude", err)
	}
	return best.at, best.value, nil
}

func (s Sizes) clamped() Sizes {
	out := make(Sizes, len(s))
	for k, v := range s {
		out[k] = Clamp(v)
	}
	return out
}
