package interp

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/internal/numeric/spelling"
)

// The kinds of a curve.
const (
	Linear  = "linear"
	Nearest = "nearest"
	Cubic   = "cubic"   // spline whose third derivative is continuous next to the ends too (not-a-knot)
	Natural = "natural" // spline without curvature at the ends
	Clamped = "clamped" // spline with given slopes at the ends
	Pchip   = "pchip"   // monotonic where the values are (Fritsch and Carlson 1980)
	Akima   = "akima"   // without the wiggles of splines (Akima 1970)
)

// What a curve does outside its points.
const (
	Refuse   = "refuse"
	Extend   = "extend"   // the outermost polynomial goes on
	Constant = "constant" // the outermost value goes on
)

// Options choose a curve. Slopes are those at the ends of Clamped.
type Options struct {
	Kind, Outside string // "": Cubic, Refuse
	Slopes        [2]float64
}

// Curve is a function through given values. Its slopes are in units of x in which the largest
// of the points is about 1, so that products of their distances are numbers.
type Curve struct {
	Options
	x, y, slope []float64
	unit        float64 // a power of two
}

// New interpolates y at the increasing points x. Linear cost.
func New(x, y []float64, o Options) (*Curve, error) {
	if o.Kind == "" {
		o.Kind = Cubic
	}
	if o.Outside == "" {
		o.Outside = Refuse
	}
	if len(x) != len(y) {
		return nil, fmt.Errorf("x has %s and y %s: want as many", spelling.Count(len(x), "point"), spelling.Count(len(y), "value"))
	}
	if err := increasing("x", x); err != nil {
		return nil, err
	}
	for i, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("y[%d] is %g: want finite numbers", i+1, v)
		}
	}
	c := &Curve{Options: o, x: x, y: y, unit: unitOf(x)}
	for i := range o.Slopes {
		o.Slopes[i] *= c.unit
	}
	if o.Kind == Nearest {
		return c, nil
	}
	at := make([]float64, len(x))
	for i, v := range x {
		at[i] = v / c.unit
	}
	for i := range len(x) - 1 {
		slope := y[i+1] - y[i]
		if o.Kind != Linear {
			slope /= at[i+1] - at[i]
		}
		if math.IsNaN(slope) || math.IsInf(slope, 0) {
			return nil, fmt.Errorf("x[%d] = %g and x[%d] = %g, beside points up to %g, are too close for values of %g and %g: the slope is no number; take other units, or points farther apart",
				i+1, x[i], i+2, x[i+1], largest(x), y[i], y[i+1])
		}
	}
	c.slope = slopes(at, y, o)
	for i, s := range c.slope {
		if math.IsNaN(s) || math.IsInf(s, 0) {
			return nil, fmt.Errorf("the slope of the %s curve at x[%d] = %g is no number: the points are too close there, or the values too large; take other units", o.Kind, i+1, x[i])
		}
	}
	return c, nil
}

// largest is the largest size of points that increase.
func largest(x []float64) float64 { return max(math.Abs(x[0]), math.Abs(x[len(x)-1])) }

// unitOf is the power of two above the largest of the points.
func unitOf(x []float64) float64 {
	_, exponent := math.Frexp(largest(x))
	return math.Ldexp(1, min(max(exponent, -1000), 1000))
}

func increasing(name string, x []float64) error {
	if len(x) < 2 {
		return fmt.Errorf("%s has %d points: want two at least", name, len(x))
	}
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%s[%d] is %g: want finite numbers", name, i+1, v)
		}
		if i > 0 && !(v > x[i-1]) {
			return fmt.Errorf("%s must increase: %s[%d] = %g and %s[%d] = %g", name, name, i, x[i-1], name, i+1, v)
		}
	}
	return nil
}

// cell is the interval of t: x[i] <= t < x[i+1], or the outermost.
func cell(x []float64, t float64) int {
	i := sort.Search(len(x), func(i int) bool { return x[i] > t }) - 1
	return min(max(i, 0), len(x)-2)
}

// place is t where the curve is evaluated, or why it is not.
func place(name string, x []float64, t float64, outside string) (float64, error) {
	if math.IsNaN(t) {
		return t, fmt.Errorf("%s is NaN: want a number", name)
	}
	first, last := x[0], x[len(x)-1]
	if t < first || t > last {
		switch outside {
		case Refuse:
			return t, remedy.AllowOutside.For(fmt.Errorf("%s = %.9g is outside the points, which go from %g to %g", name, t, first, last))
		case Constant:
			return min(max(t, first), last), nil
		}
	}
	return t, nil
}

// At is the value at t, or the derivative of that order: 0 to 3.
func (c *Curve) At(t float64, order int) (float64, error) {
	at, err := place("x", c.x, t, c.Outside)
	if err != nil {
		return 0, err
	}
	if at != t && order > 0 {
		return 0, nil
	}
	i := cell(c.x, at)
	if c.Kind == Nearest {
		switch {
		case order > 0:
			return 0, nil
		case at-c.x[i] <= c.x[i+1]-at:
			return c.y[i], nil
		}
		return c.y[i+1], nil
	}
	if order == 0 && at == c.x[i+1] {
		return c.y[i+1], nil
	}
	h := c.x[i+1]/c.unit - c.x[i]/c.unit
	a, b, d := c.local(i, h)
	t = (at/c.unit - c.x[i]/c.unit) / h
	v := []float64{c.y[i] + t*(a+t*(b+t*d)), a + t*(2*b+3*t*d), 2*b + 6*t*d, 6 * d}[order]
	for range order {
		v = v / h / c.unit
	}
	return v, nil
}

// local are the coefficients of the first three powers of (x - x[i]) / (x[i+1] - x[i]); h is
// the width of the cell in the unit of the curve.
func (c *Curve) local(i int, h float64) (a, b, d float64) {
	rise := c.y[i+1] - c.y[i]
	if c.slope == nil {
		return rise, 0, 0
	}
	a = c.slope[i] * h
	d = a + c.slope[i+1]*h - 2*rise
	return a, rise - a - d, d
}

// Integral is the integral of the curve from a to b.
func (c *Curve) Integral(a, b float64) (float64, error) {
	if a > b {
		v, err := c.Integral(b, a)
		return -v, err
	}
	for _, t := range []float64{a, b} {
		if _, err := place("x", c.x, t, c.Outside); err != nil {
			return 0, err
		}
	}
	cuts := []float64{a}
	for _, v := range c.x {
		if v > a && v < b {
			cuts = append(cuts, v)
		}
	}
	cuts = append(cuts, b)
	if c.Kind == Nearest {
		for i := range len(c.x) - 1 {
			if m := c.x[i]/2 + c.x[i+1]/2; m > a && m < b {
				cuts = append(cuts, m)
			}
		}
		slices.Sort(cuts)
	}
	sum := 0.0
	for i := range len(cuts) - 1 { // two points of Gauss are exact for cubic polynomials
		h, m := cuts[i+1]-cuts[i], cuts[i]/2+cuts[i+1]/2
		for _, s := range []float64{-1, 1} {
			v, err := c.At(m+s*h/(2*math.Sqrt(3)), 0)
			if err != nil {
				return 0, err
			}
			sum += h / 2 * v
		}
	}
	return sum, nil
}
