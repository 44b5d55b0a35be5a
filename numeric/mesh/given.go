package mesh

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/remedy"
)

// Trapezoid returns the given increasing points with trapezoid weights
// (degree 1). Points that are equispaced to rounding make a uniform axis.
func Trapezoid(points []float64, name string) (Axis, error) {
	n := len(points)
	if n < 2 {
		return Axis{}, fmt.Errorf("points: got %d, must be at least 2", n)
	}
	if err := checkIncreasing(points); err != nil {
		return Axis{}, err
	}
	a, b := points[0], points[n-1]
	if isEquispaced(points) {
		if ax, err := Uniform(a, b, n, name); err == nil {
			return ax, nil
		}
	}
	w := make([]float64, n)
	for i := 1; i < n; i++ {
		d := (points[i] - points[i-1]) / 2
		w[i-1] += d
		w[i] += d
	}
	return interval(a, b, name, TrapezoidRule, append([]float64(nil), points...), w), nil
}

// Right returns the points of an interval, ends included, with the weights of right
// Riemann sums (degree 0): each the step before it, the first 0. By this rule
// backward Euler sums its forcing, so that what it computes is an integral of it.
func (a Axis) Right() (Axis, error) {
	if a.Rule != TrapezoidRule && a.Rule != simpsonRule && a.Rule != rightRule {
		return Axis{}, remedy.OrderedPoints.For(fmt.Errorf("%s: right Riemann sums are of points of an interval, both ends included", a))
	}
	w := make([]float64, a.Size())
	for i := 1; i < len(w); i++ {
		w[i] = a.Coordinates[i] - a.Coordinates[i-1]
		if a.Step > 0 {
			w[i] = a.Step
		}
	}
	a.Weights, a.Rule = w, rightRule
	return a, nil
}

// isEquispaced allows for the rounding of float32 coordinates in files.
func isEquispaced(x []float64) bool {
	n := len(x)
	h := (x[n-1] - x[0]) / float64(n-1)
	tol := 1e-7 * max(math.Abs(x[0]), math.Abs(x[n-1]))
	for i, v := range x {
		if math.Abs(v-(x[0]+float64(i)*h)) > min(tol, 1e-4*h) {
			return false
		}
	}
	return true
}

// Scattered returns n = len(coordinates)/dim points in dim dimensions,
// row-major. With nil weights each point carries the volume of the bounding
// box over n (Monte Carlo quadrature); given weights must be finite and not
// negative.
func Scattered(coordinates []float64, dim int, weights []float64, names ...string) (Axis, error) {
	if len(coordinates) == 0 {
		return Axis{}, errors.New("points: there are none, must be at least 1")
	}
	if dim < 1 || len(coordinates)%dim != 0 {
		return Axis{}, fmt.Errorf("points: got %d numbers, must be a multiple of the dimension %d", len(coordinates), dim)
	}
	n := len(coordinates) / dim
	if weights != nil && len(weights) != n {
		return Axis{}, fmt.Errorf("weights: got %d, must be one per point (%d)", len(weights), n)
	}
	ax := Axis{
		Names: make([]string, dim), Coordinates: append([]float64(nil), coordinates...), Rule: userRule,
		Lower: append([]float64(nil), coordinates[:dim]...), Upper: append([]float64(nil), coordinates[:dim]...),
	}
	copy(ax.Names, names)
	for i := range n {
		for k, v := range coordinates[i*dim : (i+1)*dim] {
			if v-v != 0 {
				return Axis{}, fmt.Errorf("points[%d][%d] is %g: must be finite", i+1, k+1, v)
			}
			ax.Lower[k], ax.Upper[k] = min(ax.Lower[k], v), max(ax.Upper[k], v)
		}
	}
	for i, w := range weights {
		if !(w >= 0) || math.IsInf(w, 0) {
			return Axis{}, fmt.Errorf("weights[%d] is %g: must be finite and not negative", i+1, w)
		}
	}
	ax.Weights = append([]float64(nil), weights...)
	if weights == nil {
		ax.Rule = MonteCarloRule
		ax.Weights = slices.Repeat([]float64{ax.Length() / float64(n)}, n)
	}
	return ax, nil
}

// OfCurves is the axis of all the points, each once, that curves with points of their own have: n =
// len(coordinates)/dim of them, increasing where dim is 1, with weights that are finite and
// not negative.
func OfCurves(coordinates []float64, dim int, weights []float64, names ...string) (Axis, error) {
	if dim == 1 {
		if err := checkIncreasing(coordinates); err != nil {
			return Axis{}, err
		}
	}
	a, err := Scattered(coordinates, dim, weights, names...)
	a.Rule = CurvesRule
	return a, err
}
