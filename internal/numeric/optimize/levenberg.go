package optimize

import (
	"fmt"
	"math"
	"slices"
)

// run goes step by step, each no longer than how far the linear model has proved good: longer
// by twice after a good step, shorter after a bad one (Moré 1978).
func (s *squares) run(o Options) error {
	fit, n := s.fit, len(s.fit.X)
	s.scale = make([]float64, n)
	if err := s.jacobian(); err != nil {
		return err
	}
	g, free, radius := make([]float64, n), make([]bool, n), 0.0
	for ; fit.Iterations < o.MaxIterations; fit.Iterations++ {
		s.rescale()
		s.box.m.X = fit.X
		if s.gradient(g); s.flat(g, free) || fit.Cost == 0 {
			return s.finish("the gradient is 0 to rounding", free)
		}
		if fit.Iterations == 0 {
			radius = s.firstRadius()
		}
		step, held, err := s.step(radius, free)
		if err != nil {
			return err
		}
		x, r, cost, err := s.try(step)
		if err != nil {
			return err
		}
		length, promised, small := s.length(step), s.promised(step, g), s.small(step)
		if fit.Iterations == 0 {
			radius = min(radius, length)
		}
		gain := (fit.Cost - cost) / promised
		if cost < fit.Cost && gain > 1e-4 {
			little := promised <= 1e-15*fit.Cost && fit.Cost-cost <= 1e-15*fit.Cost
			fit.X, fit.Residuals, fit.Cost = x, r, cost
			if err := s.jacobian(); err != nil {
				return err
			}
			if little || small && !held {
				return s.finish("a further step would change nothing but rounding", free)
			}
		} else if small || promised <= 1e-15*fit.Cost {
			return s.nothingLower(g, free)
		}
		good := gain >= 0.25
		switch {
		case !good && s.exact():
			return s.finish("the residuals are 0 to rounding", free)
		case !good:
			radius = s.shorter(dot(g, step), cost) * min(radius, 10*length)
		case gain >= 0.75 || !held:
			radius = 2 * length
		}
		if !(radius > 0) {
			break
		}
	}
	fit.Message = fmt.Sprintf("not at a minimum after %d iterations", fit.Iterations)
	if s.bad != "" {
		fit.Message += " (" + s.bad + ")"
	}
	return nil
}

// try evaluates the residuals after a step, which it cuts off at the bounds.
func (s *squares) try(step []float64) (x, r []float64, cost float64, err error) {
	x, r, cost = slices.Clone(s.fit.X), make([]float64, s.N), math.Inf(1)
	for i := range x {
		x[i] += step[i]
	}
	s.box.project(x)
	for i := range x {
		step[i] = x[i] - s.fit.X[i]
	}
	ok, err := s.residuals(x, r)
	if ok {
		cost = half(r)
	}
	return x, r, cost, err
}

// firstRadius is in the units of the residuals, as lengths of steps are.
func (s *squares) firstRadius() float64 {
	const far = 100
	if r := far * s.length(s.fit.X); r > 0 {
		return r
	}
	return far * math.Sqrt(2*s.fit.Cost)
}

// length is that of a step in units of the scale.
func (s *squares) length(step []float64) float64 {
	sum := 0.0
	for j, v := range step {
		sum = math.Hypot(sum, s.scale[j]*v)
	}
	return sum
}

// shorter is the factor by which the radius falls after a step along which the cost began with
// a slope: to the minimum of the parabola through both values.
func (s *squares) shorter(slope, cost float64) float64 {
	const least, most = 0.1, 0.5
	rise := cost - s.fit.Cost
	switch {
	case math.IsInf(cost, 0):
		return least
	case rise <= 0:
		return most
	}
	return min(most, max(least, -slope/(rise-slope)/2))
}

// exact reports whether the residuals are what is left of terms far larger, as the columns of
// the Jacobian tell them.
func (s *squares) exact() bool {
	const left = 1e-12
	terms, n := 0.0, len(s.fit.X)
	for k, v := range s.fit.Jacobian {
		terms = max(terms, math.Abs(v*s.fit.X[k%n]))
	}
	return largest(s.fit.Residuals) <= left*terms
}

// nothingLower ends a search whose last step was rejected, and as small as rounding. That is no
// minimum if the derivatives say that a direction goes down.
func (s *squares) nothingLower(g []float64, free []bool) error {
	const down = 1e-2
	fit := s.fit
	length := math.Sqrt(2 * fit.Cost)
	lengths := s.lengths()
	for j, v := range g {
		if free[j] && math.Abs(v) > down*lengths[j]*length && !s.exact() {
			fit.Message = fmt.Sprintf("the derivative by x[%d] says that the sum falls, but no step lowers it: f jumps there, or jac is not its derivative", j+1)
			return nil
		}
	}
	return s.finish("no lower sum can be told from rounding", free)
}

// idle is a variable that may move, but changes nothing when it does, or -1: a search that has
// come to where an exponential has become 0 sees a gradient of 0, too.
func (s *squares) idle(free []bool) (int, error) {
	const gone, far = 1e-12, 0.1 / cubeRoot
	fit := s.fit
	norms, r := s.lengths(), make([]float64, s.N)
	for j, v := range fit.X {
		if !free[j] || norms[j] > gone*s.scale[j] {
			continue
		}
		changes := false
		for _, h := range []float64{far, -far} {
			x := slices.Clone(fit.X)
			x[j] = v + h*stepAt(v, x)
			s.box.project(x)
			ok, err := s.residuals(x, r)
			if err != nil {
				return -1, err
			}
			for i, v := range r {
				changes = changes || !ok || math.Abs(v-fit.Residuals[i]) > 1e-14*math.Abs(fit.Residuals[i])
			}
		}
		if !changes {
			return j, nil
		}
	}
	return -1, nil
}

// finish makes steps without damping as long as the gradient falls: the sum of squares
// tells where its minimum is only to half of the digits.
func (s *squares) finish(message string, free []bool) error {
	fit, n := s.fit, len(s.fit.X)
	fit.Converged, fit.Message = true, message
	steepness := func() float64 {
		g := make([]float64, n)
		s.gradient(g)
		most := 0.0
		for j, v := range g {
			if free[j] {
				most = max(most, math.Abs(v)/s.scale[j])
			}
		}
		return most
	}
	idle, err := s.idle(free)
	if err != nil {
		return err
	}
	if idle >= 0 {
		fit.Converged = false
		fit.Message = fmt.Sprintf("f does not change with x[%d] around %g: start where it does", idle+1, fit.X[idle])
		return nil
	}
	const most = 3
	before := steepness()
	for again := 0; again < most && before > 0; again++ {
		old := *fit
		step, _, err := s.step(math.Inf(1), free)
		if err != nil {
			return err
		}
		fit.X, fit.Residuals, fit.Jacobian = slices.Clone(fit.X), make([]float64, s.N), slices.Clone(fit.Jacobian)
		for j, d := range step {
			fit.X[j] += d
		}
		s.box.project(fit.X)
		ok, err := s.residuals(fit.X, fit.Residuals)
		if err != nil {
			return err
		}
		fit.Cost = half(fit.Residuals)
		if ok && fit.Cost <= old.Cost*(1+1e-12) {
			if err := s.jacobian(); err != nil {
				return err
			}
			if now := steepness(); now < before/2 {
				before = now
				fit.Iterations++
				continue
			}
		}
		fit.X, fit.Residuals, fit.Jacobian, fit.Cost = old.X, old.Residuals, old.Jacobian, old.Cost
		break
	}
	return nil
}
