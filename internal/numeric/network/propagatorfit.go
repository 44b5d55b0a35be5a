package network

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
)

// choose takes the memory and λ that run left-out pairs best, and reports their error.
func (p *Propagator) choose(ctx context.Context, s *PropagatorSpec, h history) error {
	train, left := h.split()
	r := &p.Report
	r.LeftOut = math.Inf(1)
	lambdas, memories := []float64{s.Lambda}, []int{s.Memory}
	if s.Lambda == 0 {
		lambdas = []float64{1e-12, 1e-9, 1e-6, 1e-3}
	}
	if s.Memory == 0 {
		memories = nil
		for k := 1; k <= min(mostMemory, p.Time.Size()-1); k++ {
			memories = append(memories, k)
		}
	}
	try := func(memory int, lambda float64, most int) (float64, []float64, error) {
		progress.Report(ctx, progress.Step{Task: "propagators", Label: "memory", Value: float64(memory)})
		var err error
		if p.stages, err = p.learn(ctx, train, memory, lambda); err != nil {
			return 0, nil, err
		}
		return p.test(ctx, left, most)
	}
	for _, memory := range memories {
		if memory > memories[0] {
			lambdas = []float64{r.Lambda}
		}
		for _, lambda := range lambdas {
			e, _, err := try(memory, lambda, triedPairs)
			if err != nil {
				return err
			}
			if r.Memory == 0 || e < worthWhile*r.LeftOut {
				r.Memory, r.Lambda, r.LeftOut = memory, lambda, e
			}
		}
	}
	if math.IsInf(r.LeftOut, 1) {
		return errors.New("left-out pairs cannot be run: a step has no solution, or u grows without bound, whatever lambda and the memory; take other terms, shorter steps, or more pairs")
	}
	var err error
	r.LeftOut, r.ByTime, err = try(r.Memory, r.Lambda, reportedLeft)
	return err
}

// split leaves every fifth pair out.
func (h history) split() (train, left history) {
	for _, u := range h {
		n, m := u.Dims()
		a, b := mat.NewDense(n-n/5, m, nil), mat.NewDense(n/5, m, nil)
		for i := range n {
			if i%5 == 4 {
				b.SetRow(i/5, u.RawRowView(i))
			} else {
				a.SetRow(i-i/5, u.RawRowView(i))
			}
		}
		train, left = append(train, a), append(left, b)
	}
	return train, left
}

// test runs pairs, at most so many; the error is infinite where one cannot be run.
func (p *Propagator) test(ctx context.Context, h history, most int) (float64, []float64, error) {
	n, m := h[0].Dims()
	n = min(n, most)
	steps := len(h) - 1
	u, _, err := p.Run(ctx, h[0].Slice(0, n, 0, m).(*mat.Dense), steps)
	if stopped := linop.Stopped(ctx); stopped != nil {
		return 0, nil, stopped
	}
	if err != nil {
		if u == nil {
			return math.Inf(1), nil, nil
		}
		return 0, nil, err
	}
	byTime := make([]float64, steps)
	all, total := 0.0, 0.0
	for k := 1; k <= steps; k++ {
		above, below := 0.0, 0.0
		for i := range n {
			for x, v := range h[k].RawRowView(i) {
				d := u.At(i, x*(steps+1)+k) - v
				above, below = above+d*d, below+v*v
			}
		}
		all, total = all+above, total+below
		byTime[k-1] = math.Sqrt(above / max(below, math.SmallestNonzeroFloat64))
	}
	return math.Sqrt(all / max(total, math.SmallestNonzeroFloat64)), byTime, nil
}

// learn fits the stages.
func (p *Propagator) learn(ctx context.Context, h history, memory int, lambda float64) ([]*stage, error) {
	phi := make([][]*mat.Dense, len(p.channels))
	for c, own := range p.channels {
		for _, u := range h {
			phi[c] = append(phi[c], own.values(nil, u))
		}
	}
	p.Report.Unknowns, p.Report.Residual = 0, 0
	var all []*stage
	fit := p.fitStage
	if p.Report.Invariant {
		fit = p.fitWaves
		m := p.Space.Size()
		f := newFourier(m)
		h, phi = f.all(ctx, h), f.channels(ctx, phi)
	}
	for back := 1; back <= memory; back++ {
		from, to := back, back // while there is no more to look back at
		if back == memory {
			to = len(h) - 1
		}
		s, err := fit(ctx, h, phi, back, from, to, lambda)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// features are what a step is made of, in the order of unknowns: the state it looks back to,
// and the channels by lag.
func features(h history, phi [][]*mat.Dense, k, back int) []*mat.Dense {
	all := []*mat.Dense{h[k-back]}
	for _, c := range phi {
		for lag := range back + 1 {
			all = append(all, c[k-lag])
		}
	}
	return all
}

// fitStage fits matrices for times from … to.
func (p *Propagator) fitStage(ctx context.Context, h history, phi [][]*mat.Dense, back, from, to int, lambda float64) (*stage, error) {
	n, m := h[0].Dims()
	parts := 1 + len(phi)*(back+1)
	size := parts*m + 1 // and the bias
	if err := dense.CheckMatrix("propagator", 4, size, max(size, n)); err != nil {
		return nil, err
	}
	normal, right := mat.NewDense(size, size, nil), mat.NewDense(size, m, nil)
	x := mat.NewDense(n, size, nil)
	for k := from; k <= to; k++ {
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		for f, v := range features(h, phi, k, back) {
			x.Slice(0, n, f*m, (f+1)*m).(*mat.Dense).Copy(v)
		}
		for i := range n {
			x.Set(i, size-1, 1)
		}
		normal.Add(normal, linop.Product(ctx, x.T(), x))
		right.Add(right, linop.Product(ctx, x.T(), h[k]))
	}
	w, err := p.ridge(ctx, normal, right, lambda)
	if err != nil {
		return nil, err
	}
	return newStage(len(phi), back, m, func(part int) *mat.Dense {
		return mat.DenseCopyOf(w.Slice(part*m, (part+1)*m, 0, m))
	}, w.RawRowView(size-1)), nil
}

// newStage takes the unknowns in the order of features.
func newStage(channels, back, m int, part func(k int) *mat.Dense, bias []float64) *stage {
	s := &stage{from: part(0), bias: append(make([]float64, 0, m), bias...)}
	for c := range channels {
		var lags []*mat.Dense
		for lag := range back + 1 {
			lags = append(lags, part(1+c*(back+1)+lag))
		}
		s.terms = append(s.terms, lags)
	}
	return s
}

// ridge solves the normal equations with λ times their diagonal added, scaled to a unit diagonal.
func (p *Propagator) ridge(ctx context.Context, normal, right *mat.Dense, lambda float64) (*mat.Dense, error) {
	n, m := right.Dims()
	scale := make([]float64, n)
	for i := range scale {
		if v := normal.At(i, i); v > 0 {
			scale[i] = 1 / math.Sqrt(v)
		}
	}
	a, b := mat.NewSymDense(n, nil), mat.NewDense(n, m, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, normal.At(i, j)*scale[i]*scale[j])
		}
		for j := range m {
			b.Set(i, j, right.At(i, j)*scale[i])
		}
	}
	for added := max(lambda, 1e-15); ; added *= 10 { // rounding may leave the matrix indefinite
		for i := range n {
			a.SetSym(i, i, 1+added)
			if scale[i] == 0 {
				a.SetSym(i, i, 1)
			}
		}
		c, err := linop.Cholesky(ctx, a)
		if err != nil && linop.Stopped(ctx) == nil && added < 1 {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("propagator: %w", err)
		}
		w := mat.NewDense(n, m, nil)
		if err := c.SolveTo(w, b); err != nil {
			var condition mat.Condition
			if !errors.As(err, &condition) {
				return nil, fmt.Errorf("propagator: %w", err)
			}
		}
		rest := linop.Product(ctx, a, w)
		rest.Sub(rest, b)
		p.Report.Residual = max(p.Report.Residual, largest(rest.RawMatrix().Data)/max(largest(b.RawMatrix().Data), math.SmallestNonzeroFloat64))
		for i := range n {
			floats.Scale(scale[i], w.RawRowView(i))
		}
		p.Report.Unknowns += n * m
		return w, nil
	}
}
