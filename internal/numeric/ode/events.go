package ode

import (
	"fmt"
	"math"

	"github.com/greenbench/workbench/internal/numeric/optimize"
	"github.com/greenbench/workbench/internal/sorting"
)

// startEvents takes the values of the events at the beginning.
func (r *run) startEvents() error {
	r.events = make([]float64, len(r.Options.Events))
	for i := range r.events {
		v, err := r.event(i, r.t, r.y)
		if err != nil {
			return err
		}
		r.events[i] = v
	}
	return nil
}

func (r *run) event(i int, t float64, y []float64) (float64, error) {
	v, err := r.Options.Events[i].G(t, y)
	if err == nil && math.IsNaN(v) {
		err = fmt.Errorf("event %d is NaN at t = %.9g, y = %s", i+1, t, show(y))
	}
	return v, err
}

// found is a zero of an event.
type found struct {
	event int
	t     float64
}

// locate finds the zeros of the events in the newest step, and ends the solution at the
// first that is terminal. Each step is looked at in eighths, so that two zeros in one step
// are mostly seen.
func (r *run) locate(p piece) error {
	const parts = 8
	if len(r.events) == 0 {
		return nil
	}
	var zeros []found
	y := make([]float64, len(r.y))
	from := p.t0
	for k := 1; k <= parts; k++ {
		to := p.t0 + p.h*float64(k)/parts
		if k == parts {
			to = r.t
		}
		if err := p.eval(to, y); err != nil {
			return err
		}
		for i := range r.events {
			v, err := r.event(i, to, y)
			if err != nil {
				return err
			}
			if r.crosses(i, r.events[i], v) {
				t, err := r.zero(i, p, from, to)
				if err != nil {
					return err
				}
				zeros = append(zeros, found{i, t})
			}
			r.events[i] = v
		}
		from = to
	}
	sorting.By(zeros, func(a, b found) int {
		if (a.t-b.t)*p.h < 0 {
			return -1
		}
		return 1
	})
	for _, z := range zeros {
		at := make([]float64, len(r.y))
		if err := p.eval(z.t, at); err != nil {
			return err
		}
		hits := &r.sol.Events[z.event]
		hits.T, hits.Y = append(hits.T, z.t), append(hits.Y, at)
		if r.Options.Events[z.event].Terminal {
			r.sol.Ended, r.sol.Message = true, fmt.Sprintf("event %d ended it at t = %.9g", z.event+1, z.t)
			r.t = z.t
			copy(r.y, at)
			r.cut(p, z.t)
			return nil
		}
	}
	return nil
}

// cut ends the newest piece at t.
func (r *run) cut(p piece, t float64) {
	h := t - p.t0
	share := h / p.h
	r.sol.pieces[len(r.sol.pieces)-1] = piece{p.t0, h, func(x float64, y []float64) { p.at(x*share, y) }, p.ready}
}

// crosses reports whether an event has a zero between two values; one at the first was
// there before.
func (r *run) crosses(i int, a, b float64) bool {
	up, down := a < 0 && b >= 0, a > 0 && b <= 0
	switch d := r.Options.Events[i].Direction; {
	case d > 0:
		return up
	case d < 0:
		return down
	}
	return up || down
}

func (r *run) zero(i int, p piece, from, to float64) (float64, error) {
	y := make([]float64, len(r.y))
	root, err := optimize.Brentq(r.ctx, func(t float64) (float64, error) {
		if err := p.eval(t, y); err != nil {
			return 0, err
		}
		return r.event(i, t, y)
	}, from, to, 0, 0)
	return root.X, err
}
