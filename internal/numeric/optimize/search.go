package optimize

import (
	"fmt"
	"math"
)

// search goes from the minimum so far along d, whose slope is given, to a point that fulfils
// the strong conditions of Wolfe, or with bounds that of Armijo along the projected line.
// x is nil if there is no lower value.
func (o *counted) search(d []float64, slope float64, fresh bool) (x []float64, f float64, g []float64, err error) {
	step := 1.0
	if fresh && o.m.F != 0 { // nothing is known but curvatures along the variables
		step = min(step, max(2*math.Abs(o.m.F)/-slope, 1e-10*step))
	}
	if o.lower != nil {
		return o.armijo(d, slope, step)
	}
	return o.wolfe(d, slope, step)
}

// trial is a point on the line.
type trial struct {
	step, f, slope float64
	x, g           []float64
}

// try evaluates f and its slope at a step.
func (o *counted) try(d []float64, step float64) (t trial, err error) {
	t = trial{step: step, x: make([]float64, len(d)), slope: math.NaN()}
	for i := range d {
		t.x[i] = o.m.X[i] + step*d[i]
	}
	o.project(t.x)
	if t.f, err = o.value(t.x); err != nil || math.IsInf(t.f, 0) {
		return t, err
	}
	return t, nil
}

func (o *counted) slopeAt(t *trial, d []float64) error {
	t.g = make([]float64, len(d))
	err := o.gradient(t.x, t.g)
	t.slope = dot(t.g, d)
	return err
}

const (
	decrease  = 1e-4 // of the slope that f must follow
	curvature = 0.9  // of the slope that may be left
	trials    = 40
)

// wolfe is algorithm 3.5 of Nocedal and Wright: it widens until an interval is known that
// holds a good step, and narrows it then.
func (o *counted) wolfe(d []float64, slope, step float64) ([]float64, float64, []float64, error) {
	low := trial{f: o.m.F, slope: slope, x: o.m.X, g: o.m.Gradient}
	high := trial{step: math.Inf(1), f: math.Inf(1), slope: math.NaN()}
	for range trials {
		t, err := o.try(d, step)
		if err != nil {
			return nil, 0, nil, err
		}
		switch {
		case t.f > o.m.F+decrease*step*slope || t.f >= low.f && low.step > 0 || same(t.x, o.m.X):
			high = t
		default:
			if err := o.slopeAt(&t, d); err != nil {
				return nil, 0, nil, err
			}
			if math.Abs(t.slope) <= -curvature*slope {
				return t.x, t.f, t.g, nil
			}
			if t.slope*(high.step-low.step) >= 0 {
				high = low
			}
			low = t
		}
		if math.IsInf(high.step, 1) {
			step *= 4
			continue
		}
		if step = between(low, high); same2(o.m.X, d, low.step, high.step) {
			break
		}
	}
	if math.IsInf(high.step, 1) {
		return nil, 0, nil, fmt.Errorf("f falls without bound: it is %.6g at x = %s; it has no minimum there", low.f, show(low.x))
	}
	if low.step > 0 && low.f < o.m.F { // lower, if not flat
		return low.x, low.f, low.g, nil
	}
	return nil, 0, nil, nil
}

// same reports whether a step moved nothing.
func same(x, y []float64) bool {
	for i, v := range x {
		if v != y[i] {
			return false
		}
	}
	return true
}

// same2 reports whether two steps end in the same point.
func same2(x, d []float64, a, b float64) bool {
	for i, v := range x {
		if v+a*d[i] != v+b*d[i] {
			return false
		}
	}
	return true
}

// between is the minimum of the cubic, or the parabola, through what is known at the ends of
// an interval, kept off them.
func between(low, high trial) float64 {
	h := high.step - low.step
	best := low.step + h/2
	if !math.IsInf(high.f, 0) {
		if math.IsNaN(high.slope) {
			if c := 2 * (high.f - low.f - low.slope*h); c > 0 {
				best = low.step - low.slope*h*h/c
			}
		} else {
			a := low.slope + high.slope - 3*(low.f-high.f)/(low.step-high.step)
			if r := a*a - low.slope*high.slope; r >= 0 {
				b := math.Copysign(math.Sqrt(r), h)
				if q := high.step - h*(high.slope+b-a)/(high.slope-low.slope+2*b); !math.IsNaN(q) {
					best = q
				}
			}
		}
	} else {
		best = low.step + h/10
	}
	share := (best - low.step) / h
	return low.step + h*min(max(share, 0.05), 0.9)
}

// armijo shortens steps along the line projected on the bounds until f follows its slope,
// and lengthens one that is at once good.
func (o *counted) armijo(d []float64, slope, step float64) ([]float64, float64, []float64, error) {
	var best trial
	for range trials {
		t, err := o.try(d, step)
		if err != nil {
			return nil, 0, nil, err
		}
		if same(t.x, o.m.X) {
			break
		}
		promised := 0.0
		for i, v := range t.x {
			promised += o.m.Gradient[i] * (v - o.m.X[i])
		}
		if promised > 0 {
			promised = step * slope
		}
		if t.f <= o.m.F+decrease*promised && t.f < o.m.F {
			best = t
			break
		}
		shorter := 0.1
		if c := 2 * (t.f - o.m.F - promised); !math.IsInf(t.f, 0) && c > 0 {
			shorter = min(max(-promised/c, 0.1), 0.5)
		}
		step *= shorter
	}
	if best.x == nil {
		return nil, 0, nil, nil
	}
	for longer := 2 * best.step; longer <= 1e6*step; longer *= 2 { // the line may go on falling
		if err := o.slopeAt(&best, d); err != nil {
			return nil, 0, nil, err
		}
		if o.pathSlope(best, d) >= curvature*slope {
			return best.x, best.f, best.g, nil
		}
		t, err := o.try(d, longer)
		if err != nil {
			return nil, 0, nil, err
		}
		if !(t.f < best.f) || same(t.x, best.x) {
			break
		}
		best = t
	}
	err := o.slopeAt(&best, d)
	return best.x, best.f, best.g, err
}

// pathSlope is the slope along the projected line.
func (o *counted) pathSlope(t trial, d []float64) float64 {
	s := 0.0
	for i, v := range d {
		if t.x[i] > o.lower[i] && t.x[i] < o.upper[i] {
			s += v * t.g[i]
		}
	}
	return s
}
