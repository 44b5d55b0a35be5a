package optimize

import (
	"context"
	"fmt"
	"math"
	"strings"
)

// Objective is a function to minimise. An error of either ends the search.
type Objective struct {
	F func(x []float64) (float64, error)
	// Gradient stores the derivatives. nil: they are formed by central differences.
	Gradient func(x, g []float64) error
}

// Options say how a minimum is searched for.
type Options struct {
	Method        string    // "": BFGS, with bounds or more than 200 variables LBFGS
	Lower, Upper  []float64 // bounds of the variables, infinite where there are none; nil: none
	Gradient      float64   // end where no component of the gradient is larger, besides the usual ends
	MaxIterations int       // 0: 1000 times the number of variables, 5000 at least
}

// The methods of Minimize.
const (
	BFGS       = "BFGS"
	LBFGS      = "L-BFGS"
	NelderMead = "Nelder-Mead"
)

// Minimum is what was found.
type Minimum struct {
	X          []float64
	F          float64
	Gradient   []float64 // at X; nil for NelderMead
	Iterations int
	Calls      int // of F
	Gradients  int
	Converged  bool
	Message    string
}

// counted evaluates an objective.
type counted struct {
	Objective
	ctx          context.Context
	m            *Minimum
	lower, upper []float64
	slopes       []float64 // largest components of gradients so far
	bad          string    // where F was last no number
}

// value is F, +Inf where it is no number.
func (o *counted) value(x []float64) (float64, error) {
	if err := o.ctx.Err(); err != nil {
		return 0, err
	}
	o.m.Calls++
	v, err := o.F(x)
	if err != nil {
		return 0, err
	}
	if math.IsInf(v, -1) {
		return 0, fmt.Errorf("f is -inf at x = %s: it has no minimum", show(x))
	}
	if math.IsNaN(v) {
		o.bad, v = "f is NaN at x = "+show(x), math.Inf(1)
	}
	return v, nil
}

// gradient stores the derivatives at x, where the value is f.
func (o *counted) gradient(x, g []float64) error {
	o.m.Gradients++
	if o.Objective.Gradient != nil {
		if err := o.Objective.Gradient(x, g); err != nil {
			return err
		}
	} else if err := o.differences(x, g); err != nil {
		return err
	}
	if o.slopes == nil {
		o.slopes = make([]float64, len(g))
	}
	for i, v := range g {
		o.slopes[i] = max(o.slopes[i], math.Abs(v))
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("the derivative of f by x[%d] is %g at x = %s", i+1, v, show(x))
		}
	}
	return nil
}

// differences are central, one-sided at bounds.
func (o *counted) differences(x, g []float64) error {
	moved := append([]float64(nil), x...)
	for i, v := range x {
		h := stepAt(v, x)
		up, down := v+h, v-h
		if o.lower != nil {
			up, down = min(up, o.upper[i]), max(down, o.lower[i])
		}
		if up == down {
			g[i] = 0
			continue
		}
		moved[i] = up
		a, err := o.value(moved)
		if err != nil {
			return err
		}
		moved[i] = down
		b, err := o.value(moved)
		if err != nil {
			return err
		}
		g[i] = (a - b) / (up - down)
		moved[i] = v
	}
	return nil
}

// stepAt is how far a variable moves for a difference: of itself, or of the others where it
// is small.
func stepAt(v float64, x []float64) float64 {
	switch size := largest(x); {
	case v == 0 && size > tiny:
		return cubeRoot * 1e-3 * size
	case size > tiny:
		return cubeRoot * max(math.Abs(v), 1e-9*size)
	}
	return cubeRoot
}

const (
	cubeRoot = 0x1p-17 // of the precision
	tiny     = 1e-150  // smaller variables count as 0
)

func largest(x []float64) float64 {
	m := 0.0
	for _, v := range x {
		m = max(m, math.Abs(v))
	}
	return m
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

func show(x []float64) string {
	const most = 6
	var parts []string
	for _, v := range x[:min(most, len(x))] {
		parts = append(parts, fmt.Sprintf("%.6g", v))
	}
	if len(x) > most {
		parts = append(parts, "…")
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
