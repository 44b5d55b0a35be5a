package criteria

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/linop"
)

const (
	leastSize  = -16.0 // of log s: a term that is nothing
	mostSize   = 30.0
	enoughGain = 1e-3 // nats
	patience   = 3    // steps
	farBehind  = 5.0  // nats
	longest    = 3.0  // step, of log s
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

// within is at for sizes that are kept within what is worth telling apart.
func (l *Components) within(ctx context.Context, s Sizes) (*sized, error) {
	return l.at(ctx, s.clamped())
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

func isCondition(err error) bool {
	var c mat.Condition
	return errors.As(err, &c)
}

// Clamp keeps the logarithm of a size within what is worth telling apart.
func Clamp(v float64) float64 { return min(max(v, leastSize), mostSize) }

// Best finds the sizes of greatest likelihood, and minus its logarithm, in at most so many
// steps from those given, or from several starts where there are none. Sizes that are fixed
// keep their differences from each other. A search that stays far above hopeless ends
// early. Cost: a Cholesky factorisation and an inverse of the matrix for each step.
func (l *Components) Best(ctx context.Context, from Sizes, fixed map[int]float64, steps int, hopeless float64) (Sizes, float64, error) {
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
	best, err := climbAll(ctx, l.within, parameters{count: len(l.C), fixed: fixed}, begin, steps, hopeless)
	switch {
	case linop.Stopped(ctx) != nil:
		return nil, 0, fmt.Errorf("sizes of the terms: %w", err)
	case err != nil:
		return nil, 0, fmt.Errorf("sizes of the terms: %w; give amplitude", err)
	}
	return best.at, best.value, nil
}

// climbAll is the best of the climbs from several places, or the last error of them.
func climbAll(ctx context.Context, at likelihood, free parameters, from []Sizes, steps int, hopeless float64) (best *sized, err error) {
	var failed error
	for _, s := range from {
		p, err := climb(ctx, at, free, free.sizes(free.free(s)), steps, hopeless)
		if stopped := linop.Stopped(ctx); stopped != nil {
			return nil, stopped
		}
		if err != nil {
			failed = err
			continue
		}
		if best == nil || p.value < best.value {
			best = p
		}
	}
	if best == nil {
		return nil, failed
	}
	return best, nil
}

// climb takes damped Newton steps with the average information, a few where these leave the
// likelihood far above a value that is known.
func climb(ctx context.Context, at likelihood, free parameters, s Sizes, steps int, hopeless float64) (*sized, error) {
	p, err := at(ctx, s)
	if err != nil {
		return nil, err
	}
	damping := 1e-3
	for k := range steps {
		if k >= patience && p.value > hopeless+farBehind {
			break
		}
		step := free.newton(p, damping)
		if step == nil {
			break
		}
		next := slices.Clone(p.at)
		floats.Add(next, step)
		q, err := at(ctx, next)
		if err != nil || q.value > p.value {
			if linop.Stopped(ctx) != nil || damping > 1e6 {
				break
			}
			damping *= 10
			continue
		}
		gain := p.value - q.value
		p, damping = q, max(damping/10, 1e-6)
		if gain < enoughGain {
			break
		}
	}
	return p, nil
}

func (s Sizes) clamped() Sizes {
	out := make(Sizes, len(s))
	for k, v := range s {
		out[k] = Clamp(v)
	}
	return out
}

// newton is the step of all sizes; nil where there is nothing to gain.
func (p parameters) newton(at *sized, damping float64) []float64 {
	n := len(p.free(at.at))
	g := make([]float64, n)
	p.gather(g, at.gradient)
	if floats.Norm(g, 2) < 1e-6 {
		return nil
	}
	m := mat.NewDense(n, n, nil)
	for j := range n {
		e := make([]float64, n)
		e[j] = 1
		column := mat.NewVecDense(p.count, nil)
		column.MulVec(at.information, mat.NewVecDense(p.count, p.spread(e)))
		back := make([]float64, n)
		p.gather(back, column.RawVector().Data)
		m.SetCol(j, back)
	}
	for j := range n {
		m.Set(j, j, m.At(j, j)*(1+damping)+damping*1e-3+1e-9)
	}
	x := mat.NewVecDense(n, nil)
	if err := x.SolveVec(m, mat.NewVecDense(n, g)); err != nil && !isCondition(err) {
		return nil
	}
	step := x.RawVector().Data
	if most := max(floats.Max(step), -floats.Min(step)); most > longest && !p.apart {
		floats.Scale(longest/most, step)
	}
	for k := range step {
		step[k] = min(max(step[k], -longest), longest)
	}
	floats.Scale(-1, step)
	return p.spread(step)
}

// spread gives every size what its parameter has.
func (p parameters) spread(x []float64) []float64 {
	s := make(Sizes, p.count)
	at := 0
	for k := range s {
		if _, ok := p.fixed[k]; ok {
			s[k] = x[len(x)-1]
			continue
		}
		s[k] = x[at]
		at++
	}
	return s
}

// parameters are the free logarithms: one for each size, and one for all fixed ones.
type parameters struct {
	count int
	fixed map[int]float64
	apart bool // steps of one that are too long do not shorten those of the others
}

func (p parameters) sizes(x []float64) Sizes {
	s := make(Sizes, p.count)
	at := 0
	for k := range s {
		if offset, ok := p.fixed[k]; ok {
			s[k] = x[len(x)-1] + offset
			continue
		}
		s[k] = x[at]
		at++
	}
	return s
}

// gather is the transpose of sizes.
func (p parameters) gather(x, s []float64) {
	clear(x)
	at := 0
	for k, v := range s {
		if _, ok := p.fixed[k]; ok {
			x[len(x)-1] += v
			continue
		}
		x[at] += v
		at++
	}
}

func (p parameters) free(s Sizes) []float64 {
	var x []float64
	common, fixed := 0.0, 0
	for k, v := range s {
		if offset, ok := p.fixed[k]; ok {
			common += v - offset
			fixed++
			continue
		}
		x = append(x, v)
	}
	if fixed > 0 {
		x = append(x, common/float64(fixed))
	}
	return x
}
