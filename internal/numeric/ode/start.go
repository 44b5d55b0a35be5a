package ode

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// check refuses what cannot be solved and fills in what was left open.
func (r *run) check() error {
	switch {
	case len(r.y) == 0:
		return errors.New("the initial state is empty")
	case !finite(r.y):
		return fmt.Errorf("the initial state %s: want finite numbers", show(r.y))
	case !finite([]float64{r.t, r.end}):
		return fmt.Errorf("the range from %g to %g: want finite ends", r.t, r.end)
	case len(r.Abs) > 1 && len(r.Abs) != len(r.y):
		return fmt.Errorf("%d absolute tolerances for %d components: want one, or one for each", len(r.Abs), len(r.y))
	}
	if r.Rel == 0 {
		r.Rel = defaultRel
	}
	r.Rel = max(r.Rel, leastRel)
	if r.share == 0 {
		r.share = 1
	}
	r.part = r.share
	if r.MaxStep == 0 {
		r.MaxStep = math.Inf(1)
	}
	if r.MaxSteps == 0 {
		r.MaxSteps = 500000
	}
	for i, t := range r.Times {
		if !(t >= min(r.t, r.end) && t <= max(r.t, r.end)) {
			return fmt.Errorf("time %g: must be in the range from %g to %g", t, r.t, r.end)
		}
		if i > 0 && !((t-r.Times[i-1])*r.direction() > 0) {
			return fmt.Errorf("the times must go from %g to %g: %g comes after %g", r.t, r.end, t, r.Times[i-1])
		}
	}
	r.scales, r.sizes = make([]float64, len(r.y)), make([]float64, len(r.y))
	r.grow()
	return nil
}

// begin evaluates F at the beginning and chooses the first step, as far as an earlier pass has
// not done that.
func (r *run) begin() error {
	if r.start != nil {
		r.first = r.start.first
		r.f = slices.Clone(r.first)
	} else {
		r.f = make([]float64, len(r.y))
		if err := r.call(r.t, r.y, r.f); err != nil {
			return err
		}
		if !finite(r.f) {
			return r.notFinite(r.t, r.y)
		}
		r.first = slices.Clone(r.f)
	}
	if err := r.firstStep(); err != nil {
		return err
	}
	if r.start != nil {
		for i, v := range r.start.sizes {
			if r.y[i] == 0 {
				r.scales[i] = max(r.scales[i], v)
			}
		}
	}
	return r.lookAhead()
}

// firstStep guesses the size of the first step from the first two derivatives (Hairer,
// Nørsett and Wanner, Solving Ordinary Differential Equations I, II.4).
func (r *run) firstStep() error {
	span := math.Abs(r.end - r.t)
	if r.h = r.FirstStep; r.h > 0 || span == 0 {
		r.h = min(r.h, span)
		for i, v := range r.f {
			if r.scales[i] == 0 {
				r.scales[i] = math.Abs(v) * r.h
			}
		}
		return nil
	}
	slope, err := r.slopes(span)
	if err != nil {
		return err
	}
	for i, v := range slope { // a component that is 0 has its size from its slope
		if r.scales[i] == 0 {
			r.scales[i] = v * span
		}
	}
	if !(slices.Max(r.scales) > 0) { // it stays 0, as far as one can see
		r.h = min(span/100, r.MaxStep)
		return nil
	}
	d0, d1 := r.norm(r.y, r.y, r.y), r.norm(r.f, r.y, r.y)
	h := 0.01 * d0 / d1
	if d0 < 1e-5 || d1 < 1e-5 || !(h > 0) {
		h = 1e-6 * span
	}
	h = min(h, span)
	y, f := make([]float64, len(r.y)), make([]float64, len(r.y))
	for i := range y {
		y[i] = r.y[i] + r.direction()*h*r.f[i]
	}
	if err := r.call(r.t+r.direction()*h, y, f); err != nil {
		return err
	}
	for i := range f {
		f[i] -= r.f[i]
	}
	d2 := r.norm(f, r.y, r.y) / h
	next := math.Pow(0.01/max(d1, d2), 1/r.power())
	if max(d1, d2) <= 1e-15 {
		next = max(1e-6*span, 1e-3*h)
	}
	if r.h = min(100*h, next, span, r.MaxStep); !(r.h > 0) {
		r.h = min(h, r.MaxStep)
	}
	for i := range r.scales {
		r.scales[i] = math.Abs(r.y[i])
		if r.scales[i] == 0 {
			r.scales[i] = slope[i] * r.h
		}
	}
	return nil
}

// slopes are the sizes of the derivatives, looked at a little later too where there are none.
func (r *run) slopes(span float64) ([]float64, error) {
	slope := make([]float64, len(r.f))
	for i, v := range r.f {
		slope[i] = math.Abs(v)
	}
	if slices.Max(slope) > 0 || slices.Max(r.scales) > 0 {
		return slope, nil
	}
	later := make([]float64, len(r.f))
	if err := r.call(r.t+r.direction()*span/1000, r.y, later); err != nil {
		return nil, err
	}
	for i, v := range later {
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			slope[i] = math.Abs(v)
		}
	}
	return slope, nil
}

// power is the order of the estimates of the errors of steps.
func (r *run) power() float64 {
	if r.Method == DOP853 {
		return 8
	}
	return 5
}

// lookAhead takes the sizes of the components at the end of the step that an earlier pass made
// here. Further ahead would be wrong, but for what begins at 0 and has none: errors that are small
// beside what a solution grows to grow with it.
func (r *run) lookAhead() error {
	if r.start == nil {
		return nil
	}
	pieces, y := r.start.sol.pieces, make([]float64, len(r.y))
	for ; r.seen < len(pieces) && (r.t-pieces[r.seen].t0)*r.direction() >= 0; r.seen++ {
		copy(y, r.start.y)
		if next := r.seen + 1; next < len(pieces) {
			if err := pieces[next].eval(pieces[next].t0, y); err != nil {
				return err
			}
		}
		for i, v := range y {
			r.scales[i] = max(r.scales[i], math.Abs(v))
		}
	}
	return nil
}
