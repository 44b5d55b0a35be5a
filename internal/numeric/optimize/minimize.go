package optimize

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Minimize looks for a minimum of f near x0, a local one. The gradient methods end where the
// next step promises no change of f beyond rounding, NelderMead where the simplex is as
// small. The error is that of a function that is no number at x0, or has none; a search that
// did not come to its end says so in Converged and Message.
func Minimize(ctx context.Context, f Objective, x0 []float64, o Options) (*Minimum, error) {
	if len(x0) == 0 {
		return nil, errors.New("x0 is empty: want as many numbers as f has variables")
	}
	if o.MaxIterations == 0 {
		o.MaxIterations = max(5000, 1000*len(x0))
	}
	m := &Minimum{X: slices.Clone(x0)}
	c := &counted{Objective: f, ctx: ctx, m: m, lower: o.Lower, upper: o.Upper}
	if err := c.checkBounds(); err != nil {
		return nil, err
	}
	c.project(m.X)
	var err error
	if m.F, err = c.value(m.X); err != nil {
		return nil, err
	}
	if math.IsInf(m.F, 0) {
		if c.bad == "" {
			c.bad = "f is inf at x = " + show(m.X)
		}
		return nil, errors.New(c.bad + ": start where it is a number")
	}
	switch {
	case o.Method == NelderMead:
		return m, c.nelderMead(o, m.F)
	case o.Method == BFGS && c.lower != nil:
		return nil, fmt.Errorf("method %s takes no bounds: %s does, and %s", BFGS, LBFGS, NelderMead)
	}
	const many = 200 // variables from which a matrix is slower than its last changes
	dense := o.Method == BFGS || o.Method == "" && c.lower == nil && len(x0) <= many
	return m, c.quasiNewton(o, dense)
}

func (o *counted) checkBounds() error {
	n := len(o.m.X)
	if o.lower == nil && o.upper == nil {
		return nil
	}
	fill := func(b []float64, v float64) []float64 {
		if b == nil {
			return slices.Repeat([]float64{v}, n)
		}
		return b
	}
	o.lower, o.upper = fill(o.lower, math.Inf(-1)), fill(o.upper, math.Inf(1))
	if len(o.lower) != n || len(o.upper) != n {
		return fmt.Errorf("bounds of %d and %d variables: want %d", len(o.lower), len(o.upper), n)
	}
	for i, l := range o.lower {
		if !(l <= o.upper[i]) {
			return fmt.Errorf("the bounds of x[%d] are %g and %g: want the lower first", i+1, l, o.upper[i])
		}
	}
	return nil
}

// bounds are those of a variable.
func (o *counted) bounds(i int) (lower, upper float64) {
	if o.lower == nil {
		return math.Inf(-1), math.Inf(1)
	}
	return o.lower[i], o.upper[i]
}

func (o *counted) project(x []float64) {
	for i := range x {
		if o.lower != nil {
			x[i] = min(max(x[i], o.lower[i]), o.upper[i])
		}
	}
}

// free tells which variables may move: not those at a bound that the gradient pushes
// against.
func (o *counted) free(x, g []float64, free []bool) {
	for i := range x {
		free[i] = o.lower == nil || !(x[i] <= o.lower[i] && g[i] >= 0 || x[i] >= o.upper[i] && g[i] <= 0)
	}
}

// metric approximates the inverse of the Hessian by what steps have shown.
type metric interface {
	// direction stores -H g, of the free variables only.
	direction(g, d []float64, free []bool)
	update(s, y []float64)
	reset(unit []float64) // it begins with this diagonal
	known() bool          // steps have shown something
}

// promise is the change of f, relative to its size, below which a step is not worth making.
const promise = 1e-16

func (o *counted) quasiNewton(opts Options, dense bool) error {
	m, n := o.m, len(o.m.X)
	var h metric = &recent{}
	if dense {
		h = &inverse{n: n}
	}
	m.Gradient = make([]float64, n)
	if err := o.gradient(m.X, m.Gradient); err != nil {
		return err
	}
	d, free := make([]float64, n), make([]bool, n)
	start, fresh := m.F, true
	again := func() error {
		unit, err := o.units()
		h.reset(unit)
		fresh = true
		return err
	}
	if err := again(); err != nil {
		return err
	}
	for ; m.Iterations < opts.MaxIterations; m.Iterations++ {
		o.free(m.X, m.Gradient, free)
		h.direction(m.Gradient, d, free)
		slope := dot(m.Gradient, d)
		if !(slope < 0) && !fresh {
			if err := again(); err != nil {
				return err
			}
			h.direction(m.Gradient, d, free)
			slope = dot(m.Gradient, d)
		}
		size := max(math.Abs(m.F), 1e-10*(start-m.F))
		if steepest := o.steepest(free); steepest == 0 || steepest <= opts.Gradient {
			return o.done("the gradient is 0 within the tolerance")
		}
		done := !fresh && h.known() && -slope/2 <= promise*size
		var x, g []float64
		var f float64
		if !done {
			var err error
			if x, f, g, err = o.search(d, slope, fresh); err != nil {
				return err
			}
		}
		if x == nil && !done && !fresh {
			if err := again(); err != nil {
				return err
			}
			continue
		}
		if x == nil {
			farther, err := o.farther(size, free)
			switch {
			case err != nil:
				return err
			case farther:
				if err := again(); err != nil {
					return err
				}
				continue
			case done:
				return o.done("a further step would change f by rounding only")
			}
			return o.stopped(size, free)
		}
		s, y := make([]float64, n), make([]float64, n)
		for i := range s {
			s[i], y[i] = x[i]-m.X[i], g[i]-m.Gradient[i]
		}
		h.update(s, y)
		m.X, m.F, m.Gradient, fresh = x, f, g, false
	}
	m.Message = fmt.Sprintf("not at a minimum after %d iterations", m.Iterations)
	return nil
}

func (o *counted) steepest(free []bool) float64 {
	most := 0.0
	for i, v := range o.m.Gradient {
		if free[i] {
			most = max(most, math.Abs(v))
		}
	}
	return most
}

func (o *counted) done(message string) error {
	o.m.Converged, o.m.Message = true, message
	return nil
}

// farther goes along a variable by as much as changes f by more than rounding if f is as steep as here,
// and says whether it is: then x was only far from a minimum, in a unit of another size than x.
func (o *counted) farther(size float64, free []bool) (bool, error) {
	const enough, many = 1e-8, 200 // of f
	m := o.m
	if len(m.X) > many {
		return false, nil
	}
	for i, g := range m.Gradient {
		if !free[i] || g == 0 {
			continue
		}
		x := slices.Clone(m.X)
		x[i] -= enough * size / g
		o.project(x)
		f, err := o.value(x)
		if err != nil {
			return false, err
		}
		if less := (m.F - f) / (enough * size); less > 0.5 && less < 2 {
			m.X, m.F = x, f
			return true, o.gradient(x, m.Gradient)
		}
	}
	return false, nil
}

// stopped says why no lower value was found along the gradient: rounding of f, if the
// gradient is small enough for that.
func (o *counted) stopped(size float64, free []bool) error {
	flat := true // each variable by itself: they may have any units
	for i, g := range o.m.Gradient {
		g = math.Abs(g)
		x := math.Abs(o.m.X[i])
		flat = flat && (!free[i] || g <= 1e-6*o.slopes[i] || x > 0 && g*x <= 1e-8*max(size, math.Abs(o.m.F)))
	}
	if flat {
		return o.done("no lower value can be told from rounding")
	}
	o.m.Message = "no lower value was found along the gradient: is it that of f, and is f smooth?"
	if o.bad != "" {
		o.m.Message += " (" + o.bad + ")"
	}
	return nil
}
