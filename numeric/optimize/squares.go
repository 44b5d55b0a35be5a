package optimize

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Residuals are functions whose squares are summed. An error of either ends the search.
type Residuals struct {
	N int // how many there are
	F func(x, r []float64) error
	// Jacobian stores ∂r/∂x, row by row. nil: it is formed by differences.
	Jacobian func(x, j []float64) error
}

// Fit is a minimum of a sum of squares.
type Fit struct {
	X          []float64
	Residuals  []float64
	Jacobian   []float64 // at X, row by row
	Cost       float64   // half the sum of the squares
	Iterations int
	Calls      int // of F
	Jacobians  int
	Converged  bool
	Message    string
}

// squares is one search.
type squares struct {
	Residuals
	ctx   context.Context
	fit   *Fit
	scale []float64 // of the variables, from the columns of the Jacobian
	box   *counted  // holds the bounds
	bad   string
}

// LeastSquares looks for a minimum of ½ Σ r² near x0 by the method of Levenberg and
// Marquardt, scaled by the columns of the Jacobian (Moré 1978), with bounds by projection.
func LeastSquares(ctx context.Context, f Residuals, x0 []float64, o Options) (*Fit, error) {
	if len(x0) == 0 {
		return nil, errors.New("x0 is empty: want as many numbers as there are variables")
	}
	if f.N < 1 {
		return nil, errors.New("f returns no residuals: want one at least")
	}
	s := &squares{Residuals: f, ctx: ctx, fit: &Fit{X: slices.Clone(x0)}}
	s.box = &counted{m: &Minimum{X: s.fit.X}, lower: o.Lower, upper: o.Upper}
	if err := s.box.checkBounds(); err != nil {
		return nil, err
	}
	s.box.project(s.fit.X)
	if o.MaxIterations == 0 {
		o.MaxIterations = max(1000, 100*len(x0))
	}
	s.fit.Residuals, s.fit.Jacobian = make([]float64, f.N), make([]float64, f.N*len(x0))
	ok, err := s.residuals(s.fit.X, s.fit.Residuals)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errors.New(s.bad + ": start where it is a number")
	}
	s.fit.Cost = half(s.fit.Residuals)
	return s.fit, s.run(o)
}

func half(r []float64) float64 {
	m := largest(r)
	if m == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range r {
		sum += v / m * (v / m)
	}
	return sum / 2 * m * m
}

// residuals evaluates F; ok is false where it is no number.
func (s *squares) residuals(x, r []float64) (ok bool, err error) {
	if err := s.ctx.Err(); err != nil {
		return false, err
	}
	s.fit.Calls++
	if err := s.F(x, r); err != nil {
		return false, err
	}
	for i, v := range r {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			s.bad = fmt.Sprintf("residual %d is %g at x = %s", i+1, v, show(x))
			return false, nil
		}
	}
	return true, nil
}

func (s *squares) jacobian() error {
	s.fit.Jacobians++
	x, n := s.fit.X, len(s.fit.X)
	if s.Residuals.Jacobian != nil {
		if err := s.Residuals.Jacobian(x, s.fit.Jacobian); err != nil {
			return err
		}
	} else if err := s.differences(x, n); err != nil {
		return err
	}
	for k, v := range s.fit.Jacobian {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("the derivative of residual %d by x[%d] is %g at x = %s", k/n+1, k%n+1, v, show(x))
		}
	}
	return nil
}

func (s *squares) differences(x []float64, n int) error {
	moved, a, b := slices.Clone(x), make([]float64, s.N), make([]float64, s.N)
	for j, v := range x {
		h := stepAt(v, x)
		up, down := v+h, v-h
		if s.box.lower != nil {
			up, down = min(up, s.box.upper[j]), max(down, s.box.lower[j])
		}
		if up == down {
			continue
		}
		moved[j] = up
		above, err := s.residuals(moved, a)
		if err != nil {
			return err
		}
		moved[j] = down
		below, err := s.residuals(moved, b)
		if err != nil {
			return err
		}
		switch { // one-sided where the other side is no number
		case !above:
			copy(a, s.fit.Residuals)
			up = v
		case !below:
			copy(b, s.fit.Residuals)
			down = v
		}
		for i := range a {
			s.fit.Jacobian[i*n+j] = (a[i] - b[i]) / (up - down)
		}
		moved[j] = v
	}
	return nil
}

func (s *squares) run(o Options) error {
	fit, n := s.fit, len(s.fit.X)
	s.scale = make([]float64, n)
	damping, grow := 0.0, 2.0
	if err := s.jacobian(); err != nil {
		return err
	}
	g, free := make([]float64, n), make([]bool, n)
	for ; fit.Iterations < o.MaxIterations; fit.Iterations++ {
		s.rescale()
		s.box.m.X = fit.X
		if s.gradient(g); s.flat(g, free) || fit.Cost == 0 {
			return s.finish("the gradient is 0 to rounding", free)
		}
		if fit.Iterations == 0 {
			damping = 1e-3
		}
		step, err := s.step(damping, free)
		if err != nil {
			return err
		}
		x, r := slices.Clone(fit.X), make([]float64, s.N)
		for i := range x {
			x[i] += step[i]
		}
		s.box.project(x)
		for i := range x {
			step[i] = x[i] - fit.X[i]
		}
		promised := s.promised(step, g)
		small := s.small(step)
		ok, err := s.residuals(x, r)
		if err != nil {
			return err
		}
		cost := math.Inf(1)
		if ok {
			cost = half(r)
		}
		gain := (fit.Cost - cost) / promised
		if cost < fit.Cost && gain > 1e-4 {
			little := promised <= 1e-15*fit.Cost && fit.Cost-cost <= 1e-15*fit.Cost
			fit.X, fit.Residuals, fit.Cost = x, r, cost
			if err := s.jacobian(); err != nil {
				return err
			}
			if little || small && damping < 1e-6 {
				return s.finish("a further step would change nothing but rounding", free)
			}
			damping, grow = damping*max(1.0/10, 1-math.Pow(2*gain-1, 3)), 2
			continue
		}
		if small || promised <= 1e-15*fit.Cost {
			return s.finish("no lower sum can be told from rounding", free)
		}
		damping, grow = max(damping, 1e-12)*grow, grow*2
		if damping > 1e100 {
			break
		}
	}
	fit.Message = fmt.Sprintf("not at a minimum after %d iterations", fit.Iterations)
	if s.bad != "" {
		fit.Message += " (" + s.bad + ")"
	}
	return nil
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
	const most = 3
	before := steepness()
	for again := 0; again < most && before > 0; again++ {
		old := *fit
		step, err := s.step(0, free)
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

// rescale keeps the largest norms of the columns so far.
func (s *squares) rescale() {
	n := len(s.scale)
	for j := range s.scale {
		sum := 0.0
		for i := range s.N {
			sum = math.Hypot(sum, s.fit.Jacobian[i*n+j])
		}
		if s.scale[j] = max(s.scale[j], sum); s.scale[j] == 0 {
			s.scale[j] = math.SmallestNonzeroFloat64
		}
	}
}

func (s *squares) gradient(g []float64) {
	clear(g)
	n := len(g)
	for i, r := range s.fit.Residuals {
		for j := range g {
			g[j] += r * s.fit.Jacobian[i*n+j]
		}
	}
}

// flat reports whether the residuals are orthogonal to the columns of the variables that
// may move, which it tells.
func (s *squares) flat(g []float64, free []bool) bool {
	s.box.free(s.fit.X, g, free)
	norm := math.Sqrt(2 * s.fit.Cost)
	for j, v := range g {
		if free[j] && math.Abs(v) > 1e-15*s.scale[j]*norm {
			return false
		}
	}
	return true
}

// small reports whether a step changes the variables by rounding.
func (s *squares) small(step []float64) bool {
	for j, v := range step {
		if math.Abs(v) > 1e-14*max(math.Abs(s.fit.X[j]), 1e-10*largest(s.fit.X)) {
			return false
		}
	}
	return true
}

// promised is by how much the linear model says that a step lowers the cost.
func (s *squares) promised(step, g []float64) float64 {
	n, sum := len(step), 0.0
	for i := range s.N {
		d := dot(s.fit.Jacobian[i*n:(i+1)*n], step)
		sum += d * d
	}
	return -dot(g, step) - sum/2
}

// Solve looks for a zero of as many functions as there are variables near x0, by the
// method of LeastSquares. It is an error if the nearest it gets is no zero.
func Solve(ctx context.Context, f Residuals, x0 []float64) (*Fit, error) {
	if f.N != len(x0) {
		return nil, fmt.Errorf("%d equations for %d unknowns: want as many", f.N, len(x0))
	}
	start := make([]float64, f.N)
	if err := f.F(x0, start); err != nil {
		return nil, err
	}
	fit, err := LeastSquares(ctx, f, x0, Options{})
	if err != nil {
		return nil, err
	}
	n := len(x0)
	for i, r := range fit.Residuals {
		size := math.Abs(start[i])
		for j, x := range fit.X {
			size = max(size, math.Abs(fit.Jacobian[i*n+j]*x))
		}
		if math.Abs(r) > 1e-8*size {
			return fit, fmt.Errorf("no zero found: nearest at x = %s, where f = %s; start elsewhere", show(fit.X), show(fit.Residuals))
		}
	}
	return fit, nil
}
