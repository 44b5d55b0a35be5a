package model

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/linop"
)

// sizes are the logarithms of s_t, the variances of the terms over that of the noise, of
// mean diagonal one, with the one of β last where there is one.
type sizes []float64

const (
	leastSize  = -16.0 // of log s: a term that is nothing
	mostSize   = 30.0
	sizeSteps  = 40   // of the search, at most
	trialSteps = 8    // the same for a lengthscale that is tried
	enoughGain = 1e-3 // nats
	patience   = 3    // steps
	farBehind  = 5.0  // nats
	longest    = 3.0  // step, of log s
)

// starts are the variances that the search begins from, in all: little noise, as much as
// signal, and more.
func starts() []float64 { return []float64{1e-1, 1e2, 1e5} }

// likelihood is the restricted likelihood of reduced data as a function of the sizes, with
// the noise at its best:
//
//	REML = ½ (N log(⟨t, R t⟩/N) + log det H + log cᵀH⁻¹c),  H = I + Σ_t s_t C_t,
//
// R as in the criteria of a fit, c the data of a free constant.
type likelihood struct {
	ctx context.Context
	c   []*mat.Dense
	t   []float64
	one []float64 // c; nil: there is none
}

// point is the likelihood at some sizes, with its gradient and the average of observed and
// expected information (Gilmour, Thompson and Cullis, Biometrics 51, 1995), both by the
// logarithms of the sizes.
type point struct {
	at          sizes
	value       float64
	gradient    []float64
	information *mat.SymDense
}

// at evaluates the likelihood. Cost: a Cholesky factorisation and an inverse.
func (l *likelihood) at(s sizes) (*point, error) {
	n := len(l.t)
	h := mat.NewSymDense(n, nil)
	raw := h.RawSymmetric()
	for i := range n {
		h.SetSym(i, i, 1)
	}
	for k, c := range l.c {
		size := math.Exp(s[k])
		for i := range n {
			floats.AddScaled(raw.Data[i*raw.Stride+i:i*raw.Stride+n], size, c.RawRowView(i)[i:])
		}
	}
	f, err := linop.Cholesky(l.ctx, h)
	if err != nil {
		return nil, err
	}
	var inverse mat.SymDense
	if err := f.InverseTo(&inverse); err != nil && !isCondition(err) {
		return nil, err
	}
	p := &point{at: slices.Clone(s), value: 0.5 * f.LogDet(), gradient: make([]float64, len(s)), information: mat.NewSymDense(len(s), nil)}
	values := float64(n)
	var hc *mat.VecDense
	size := 0.0
	if l.one != nil {
		hc = mat.NewVecDense(n, nil)
		hc.MulVec(&inverse, mat.NewVecDense(n, l.one))
		size = floats.Dot(l.one, hc.RawVector().Data)
		p.value += 0.5 * math.Log(size)
		values--
	}
	solve := func(v *mat.VecDense) *mat.VecDense { // R v
		z := mat.NewVecDense(n, nil)
		z.MulVec(&inverse, v)
		if hc != nil {
			z.AddScaledVec(z, -mat.Dot(hc, v)/size, hc)
		}
		return z
	}
	z := solve(mat.NewVecDense(n, l.t))
	quad := floats.Dot(l.t, z.RawVector().Data)
	p.value += 0.5 * values * math.Log(quad/values)
	var cz, rcz []*mat.VecDense
	for k, c := range l.c {
		v := mat.NewVecDense(n, nil)
		v.MulVec(c, z)
		cz, rcz = append(cz, v), append(rcz, solve(v))
		p.gradient[k] = 0.5 * math.Exp(s[k]) * (l.trace(&inverse, hc, size, c) - values*mat.Dot(z, v)/quad)
	}
	for j := range l.c {
		for k := range j + 1 {
			p.information.SetSym(j, k, 0.5*math.Exp(s[j]+s[k])*values/quad*mat.Dot(cz[j], rcz[k]))
		}
	}
	if math.IsNaN(p.value) {
		return nil, fmt.Errorf("the likelihood is no number")
	}
	return p, nil
}

// trace is that of R C.
func (l *likelihood) trace(inverse *mat.SymDense, hc *mat.VecDense, size float64, c *mat.Dense) float64 {
	in, sum := inverse.RawSymmetric(), 0.0
	for i := range len(l.t) {
		row := c.RawRowView(i)
		at := in.Data[i*in.Stride+i : i*in.Stride+len(l.t)]
		sum += 2*floats.Dot(at, row[i:]) - at[0]*row[i]
	}
	if hc != nil {
		var ch mat.VecDense
		ch.MulVec(c, hc)
		sum -= mat.Dot(hc, &ch) / size
	}
	return sum
}

func isCondition(err error) bool {
	var c mat.Condition
	return errors.As(err, &c)
}

func clamp(v float64) float64 { return min(max(v, leastSize), mostSize) }

// best finds the sizes of greatest likelihood, from those given or from the starts. Sizes
// that are fixed keep their differences from each other.
func (l *likelihood) best(from sizes, fixed map[int]float64, steps int, hopeless float64) (sizes, float64, error) {
	begin := []sizes{from}
	if from == nil {
		begin = begin[:0]
		for _, all := range starts() {
			s := make(sizes, len(l.c))
			for k := range s {
				s[k] = math.Log(all / float64(len(l.c)))
			}
			begin = append(begin, s)
		}
	}
	var best *point
	var failed error
	free := parameters{len(l.c), fixed}
	for _, s := range begin {
		p, err := l.climb(free, free.sizes(free.free(s)), steps, hopeless)
		if stopped := linop.Stopped(l.ctx); stopped != nil {
			return nil, 0, fmt.Errorf("sizes of the terms: %w", stopped)
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
		return nil, 0, fmt.Errorf("sizes of the terms: %w; give amplitude", failed)
	}
	return best.at, best.value, nil
}

// climb takes damped Newton steps with the average information, a few where these leave the
// likelihood far above a value that is known.
func (l *likelihood) climb(free parameters, s sizes, steps int, hopeless float64) (*point, error) {
	p, err := l.at(s.clamped())
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
		q, err := l.at(next.clamped())
		if err != nil || q.value > p.value {
			if linop.Stopped(l.ctx) != nil || damping > 1e6 {
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

func (s sizes) clamped() sizes {
	out := make(sizes, len(s))
	for k, v := range s {
		out[k] = clamp(v)
	}
	return out
}

// newton is the step of all sizes; nil where there is nothing to gain.
func (p parameters) newton(at *point, damping float64) []float64 {
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
	if most := max(floats.Max(step), -floats.Min(step)); most > longest {
		floats.Scale(longest/most, step)
	}
	floats.Scale(-1, step)
	return p.spread(step)
}

// spread gives every size what its parameter has.
func (p parameters) spread(x []float64) []float64 {
	s := parameters{p.count, nil}.sizes(make([]float64, p.count))
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
}

func (p parameters) sizes(x []float64) sizes {
	s := make(sizes, p.count)
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

func (p parameters) free(s sizes) []float64 {
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
