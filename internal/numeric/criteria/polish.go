package criteria

import (
	"context"
	"errors"
	"math"

	"github.com/greenbench/workbench/internal/numeric/solve"
)

const (
	polishSteps = 12    // evaluations
	polishGain  = 1e-11 // nats, that are not worth another
	polishEnd   = 1e-9  // of log λ, nearer than which to an end of its range it is there
	polishReach = 1.5   // of log λ and log ρ, in one step
	polishShift = 0.05  // that second derivatives are taken with, at first
)

// polish moves λ and ρ together to where REML is least, by Newton's method from its exact
// derivatives, with BFGS updates of the second ones, log λ between lo and hi. It returns the best Sheet there was.
func polish(ctx context.Context, x *Exact, v Sheet, lo, hi float64) (Sheet, error) {
	at := func(p [2]float64) (Sheet, error) { return x.At(ctx, math.Exp(p[0]), math.Exp(p[1])) }
	point := [2]float64{math.Log(v.Lambda), math.Log(v.Rho)}
	h, err := bends(at, point, v)
	if err != nil {
		return v, unlessNotPositive(err)
	}
	for range polishSteps {
		step, gain := newton(h, v.gradient())
		if !(gain > polishGain) {
			break
		}
		next := [2]float64{min(max(point[0]+step[0], lo), hi), point[1] + step[1]}
		if clipped := next[0] - point[0]; clipped != step[0] {
			if step[0] = clipped; math.Abs(clipped) < polishEnd { // not by the rounding of an end
				break
			}
		}
		w, err := at(next)
		if err != nil {
			return v, unlessNotPositive(err)
		}
		y := [2]float64{w.gradient()[0] - v.gradient()[0], w.gradient()[1] - v.gradient()[1]}
		update(&h, step, y)
		if w.REML < v.REML {
			point, v = next, w
		}
	}
	return v, nil
}

// bends are the second derivatives of REML at a point where it is v, from differences of its gradient to the side.
func bends(at func(p [2]float64) (Sheet, error), point [2]float64, v Sheet) (h [2][2]float64, err error) {
	for i := range 2 {
		moved := point
		moved[i] += polishShift
		w, err := at(moved)
		if err != nil {
			return h, err
		}
		for j := range 2 {
			d := (w.gradient()[j] - v.gradient()[j]) / polishShift / 2
			h[i][j] += d
			h[j][i] += d
		}
	}
	return h, nil
}

// gradient is that of REML by log λ and log ρ.
func (v Sheet) gradient() [2]float64 { return [2]float64{v.Slope - v.RhoSlope, v.RhoSlope} }

// unlessNotPositive leaves out that rounding ate a matrix up, where a better value was
// only hoped for.
func unlessNotPositive(err error) error {
	if errors.Is(err, solve.ErrNotPositive) {
		return nil
	}
	return err
}

// newton is the step to the minimum of a quadratic function, shortened to the reach, and
// what it gains; nothing where the function has no minimum.
func newton(h [2][2]float64, g [2]float64) (step [2]float64, gain float64) {
	det := h[0][0]*h[1][1] - h[0][1]*h[1][0]
	if !(h[0][0] > 0 && det > 1e-10*h[0][0]*h[0][0]) {
		return step, 0
	}
	step[0] = -(h[1][1]*g[0] - h[0][1]*g[1]) / det
	step[1] = -(h[0][0]*g[1] - h[1][0]*g[0]) / det
	if size := max(math.Abs(step[0]), math.Abs(step[1])); size > polishReach {
		step[0], step[1] = step[0]*polishReach/size, step[1]*polishReach/size
	}
	return step, -(g[0]*step[0] + g[1]*step[1]) / 2
}

// update is that of Broyden, Fletcher, Goldfarb and Shanno, which keeps h positive.
func update(h *[2][2]float64, s, y [2]float64) {
	hs := [2]float64{h[0][0]*s[0] + h[0][1]*s[1], h[1][0]*s[0] + h[1][1]*s[1]}
	sy, shs := s[0]*y[0]+s[1]*y[1], s[0]*hs[0]+s[1]*hs[1]
	if !(sy > 0 && shs > 0) {
		return
	}
	for i := range 2 {
		for j := range 2 {
			h[i][j] += y[i]*y[j]/sy - hs[i]*hs[j]/shs
		}
	}
}
