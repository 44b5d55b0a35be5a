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
	// Differences tells that Jacobian was formed by them: to about 10 digits.
	Differences bool
	Converged   bool
	Message     string
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
	s := &squares{Residuals: f, ctx: ctx, fit: &Fit{X: slices.Clone(x0), Differences: f.Jacobian == nil}}
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
	err = s.run(o)
	if size := largest(s.fit.Residuals); err == nil && s.fit.Iterations == 0 && (s.fit.Cost == 0 && size > 0 || math.IsInf(s.fit.Cost, 0)) {
		s.fit.Converged, s.fit.Message = false, fmt.Sprintf("residuals of %.3g: their squares over- or underflow; take another unit", size)
	}
	return s.fit, err
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
	norm, lengths := math.Sqrt(2*s.fit.Cost), s.lengths()
	for j, v := range g {
		if free[j] && math.Abs(v) > 1e-15*lengths[j]*norm {
			return false
		}
	}
	return true
}

// lengths are those of the columns of the Jacobian.
func (s *squares) lengths() []float64 {
	lengths := make([]float64, len(s.fit.X))
	for k, v := range s.fit.Jacobian {
		j := k % len(lengths)
		lengths[j] = math.Hypot(lengths[j], v)
	}
	return lengths
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
