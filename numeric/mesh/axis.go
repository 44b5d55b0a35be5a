package mesh

import (
	"fmt"
	"math"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/spelling"
)

// The names of weights that are not of a [Rule] alone.
const (
	TrapezoidRule  = "trapezoid"   // of uniform points, and of given ones
	MonteCarloRule = "monte-carlo" // of scattered points: the volume of their box over their number
	CurvesRule     = "curves"      // of all the points that curves have, each its own: see [OfCurves]
	rightRule      = "right"       // right Riemann sums
	userRule       = "user"        // given by the caller; nothing is promised
	simpsonRule    = "simpson"
)

// Axis is one block of coordinates: Size points in Dim dimensions, with one
// quadrature weight each. The fields are to be read, not written.
type Axis struct {
	Names       []string  // one per coordinate; "" takes the next of x, y, z in a mesh
	Coordinates []float64 // Size × Dim, row-major; increasing when Dim is 1 and the axis is an interval
	Weights     []float64 // length Size
	Rule        string    // how the weights were made: the Name of a [Rule], or of weights for given points
	Lower       []float64 // box that holds the axis, length Dim
	Upper       []float64
	Step        float64 // spacing of a uniform axis; 0 when the spacing varies
	Period      float64 // length of a periodic axis; 0 when it is not periodic
}

// Size is the number of points.
func (a Axis) Size() int { return len(a.Weights) }

// Dim is the number of coordinates.
func (a Axis) Dim() int { return len(a.Names) }

// Scattered reports whether the axis is a cloud of points, not an interval.
func (a Axis) Scattered() bool { return a.Rule == MonteCarloRule || a.Rule == userRule || a.Dim() > 1 }

// OfCurves reports whether the axis is that of curves on points of their own.
func (a Axis) OfCurves() bool { return a.Rule == CurvesRule }

// Degree is the highest degree of the polynomials that the weights integrate
// exactly, or -1 when nothing is promised.
func (a Axis) Degree() int {
	if r, ok := ruleOf(a); ok {
		return r.Degree(a.Size())
	}
	switch a.Rule {
	case TrapezoidRule:
		return 1
	case MonteCarloRule, rightRule:
		return 0
	}
	return -1
}

// Length is the length of the interval, or the volume of the box.
func (a Axis) Length() float64 {
	v := 1.0
	for i := range a.Lower {
		v *= a.Upper[i] - a.Lower[i]
	}
	return v
}

// String is the axis as its points with their interval and number, or a description of it
// when its points were given.
func (a Axis) String() string {
	name := ""
	if a.Dim() == 1 && a.Names[0] != "" {
		name = fmt.Sprintf(", %q", a.Names[0])
	}
	if r, ok := ruleOf(a); ok {
		return fmt.Sprintf("%s(%v, %v, %d%s)", r.Points, a.Lower[0], a.Upper[0], a.Size(), name)
	}
	switch a.Rule {
	case rightRule:
		a.Rule = TrapezoidRule
		return "right(" + a.String() + ")"
	case TrapezoidRule:
		return fmt.Sprintf("trapezoid of %d points on [%g, %g]", a.Size(), a.Lower[0], a.Upper[0])
	case CurvesRule:
		return spelling.Count(a.Size(), "point of curves on "+a.box())
	}
	if a.Dim() == 1 {
		return spelling.Count(a.Size(), "point on a line")
	}
	return fmt.Sprintf("%s in %d dimensions", spelling.Count(a.Size(), "point"), a.Dim())
}

// box is the intervals that hold the axis.
func (a Axis) box() string {
	text := ""
	for i := range a.Lower {
		if i > 0 {
			text += " × "
		}
		text += fmt.Sprintf("[%g, %g]", a.Lower[i], a.Upper[i])
	}
	return text
}

// checkInterval refuses an interval that is empty, reversed or not finite, and
// more points than memory has room for.
func checkInterval(a, b float64, n, least int) error {
	if n < least {
		return fmt.Errorf("n %d: must be at least %d", n, least)
	}
	if math.IsNaN(a) || math.IsInf(a, 0) {
		return fmt.Errorf("a %g: must be finite", a)
	}
	if math.IsNaN(b) || math.IsInf(b, 0) {
		return fmt.Errorf("b %g: must be finite", b)
	}
	if !(a < b) {
		return fmt.Errorf("b %g: must be greater than a = %g", b, a)
	}
	if h := (b - a) / float64(n); a+h <= a || b-h >= b {
		return fmt.Errorf("n %d: the points of [%g, %g] would coincide in double precision", n, a, b)
	}
	return dense.CheckSize(fmt.Sprintf("n %d: a mesh of %d points", n, n), 2*float64(n))
}

// checkIncreasing refuses points that do not increase, naming the first.
func checkIncreasing(x []float64) error {
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("points[%d] is %g: must be finite", i+1, v)
		}
		if i > 0 && v <= x[i-1] {
			return fmt.Errorf("points[%d] = %g does not increase on points[%d] = %g: the points of an axis must increase",
				i+1, v, i, x[i-1])
		}
	}
	return nil
}

// interval fills in what every axis on [a, b] shares.
func interval(a, b float64, name, rule string, x, w []float64) Axis {
	return Axis{
		Names: []string{name}, Coordinates: x, Weights: w, Rule: rule,
		Lower: []float64{a}, Upper: []float64{b},
	}
}
