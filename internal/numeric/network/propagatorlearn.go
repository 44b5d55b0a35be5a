package network

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/dataset"
	"gonum.org/v1/gonum/mat"
)

const (
	mostMemory   = 3  // that is tried
	triedPairs   = 24 // left-out pairs that choices are made with
	reportedLeft = 60 // left-out pairs that the error is reported of
)

// LearnPropagator learns the evolution of the data: a least-squares problem with a ridge for
// each number of steps to look back at, of all pairs and times at once; on a circle, where it
// is the same at all points, one for each wave number. Choices are made by running a fifth of
// the pairs that is left out. Cost: pairs × times × points × (terms)², and off a circle
// pairs × times × (points × terms)².
func LearnPropagator(ctx context.Context, s PropagatorSpec) (*Propagator, error) {
	start := time.Now()
	p, h, err := newPropagator(&s)
	if err != nil {
		return nil, err
	}
	if err := p.choose(ctx, &s, h); err != nil {
		return nil, err
	}
	if p.stages, err = p.learn(ctx, h, p.Report.Memory, p.Report.Lambda); err != nil {
		return nil, err
	}
	p.advise()
	p.Report.Seconds = time.Since(start).Seconds()
	return p, nil
}

func newPropagator(s *PropagatorSpec) (*Propagator, history, error) {
	d := s.Data
	switch {
	case d == nil:
		return nil, nil, errors.New("data: missing")
	case d.Curves != nil:
		return nil, nil, errors.New("data: inputs have points of their own: a propagator needs them on one mesh")
	case d.Input.Shape[0] < fewestPairs:
		return nil, nil, fmt.Errorf("data: %d pairs: a fifth is left out, and at least %d are needed", d.Input.Shape[0], fewestPairs)
	case s.Memory < 0 || s.Lambda < 0 || math.IsNaN(s.Lambda) || math.IsInf(s.Lambda, 0):
		return nil, nil, fmt.Errorf("memory %d, lambda %g: must not be negative", s.Memory, s.Lambda)
	}
	if err := outputs.NeedAll(d.Output, d.OutputMesh, "a propagator"); err != nil {
		return nil, nil, err
	}
	space, times, err := splitTime(d)
	if err != nil {
		return nil, nil, err
	}
	p := &Propagator{Space: space, Time: times}
	if s.Memory >= times.Size() {
		return nil, nil, fmt.Errorf("memory %d: the data have %d steps", s.Memory, times.Size()-1)
	}
	h, err := p.read(d)
	if err != nil {
		return nil, nil, err
	}
	table, err := stateTable(space, h[1])
	if err != nil {
		return nil, nil, err
	}
	if err := p.takeChannels(s.Channels, table); err != nil {
		return nil, nil, err
	}
	for _, c := range p.channels {
		for _, u := range h {
			if err := c.finite(c.values(nil, u)); err != nil {
				return nil, nil, fmt.Errorf("terms.%s: %w", c.Name, err)
			}
		}
		if c.notLinear(nil, h[1], "P") == nil {
			continue // nor at all times together
		}
		if err := c.notLinear(nil, h.stacked(), "P"); err != nil {
			return nil, nil, fmt.Errorf("terms.%s: %w", c.Name, err)
		}
	}
	a := space.Axes()
	p.Report.Invariant = len(a) == 1 && a[0].Period > 0 && a[0].Step > 0
	p.Report.Largest, p.Report.Pairs = largest(d.Output.Data), d.Input.Shape[0]
	return p, h, nil
}

// takeChannels puts channels on the mesh of space.
func (p *Propagator) takeChannels(channels []Channel, table *dataset.Table) error {
	for _, c := range channels {
		if err := c.check(); err != nil {
			return fmt.Errorf("terms.%s: %w", c.Name, err)
		}
		own, err := newChannel(c, table)
		if err != nil {
			return fmt.Errorf("terms.%s: %w", c.Name, err)
		}
		if len(own.other) > 0 {
			return fmt.Errorf("terms.%s: has the input in it, which is u at the first time only: terms are of u", c.Name)
		}
		p.channels = append(p.channels, own)
		p.Report.Terms = append(p.Report.Terms, c.Name+" = "+c.Text)
	}
	return nil
}

func (p *Propagator) advise() {
	r := &p.Report
	note := func(format string, args ...any) {
		if r.Advice != "" {
			r.Advice += "\n"
		}
		r.Advice += fmt.Sprintf(format, args...)
	}
	rows := r.Pairs * (p.Time.Size() - r.Memory)
	if !r.Invariant {
		if per := r.Unknowns / p.Space.Size(); rows < 2*per {
			note("%d pairs and steps are few for %d unknowns at each point: want twice as many", rows, per)
		}
	}
	const bad = 0.1
	if r.LeftOut > bad {
		note("left-out pairs are run with an error of %.2g: terms may be missing, or the mesh of space too coarse for what u does", r.LeftOut)
	}
	if last := r.ByTime[len(r.ByTime)-1]; last > 3*r.ByTime[0] && last > bad {
		note("the error grows from %.2g to %.2g along the times of the data: expect more beyond them", r.ByTime[0], last)
	}
}

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
