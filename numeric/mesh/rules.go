package mesh

import (
	"fmt"
	"math"
)

// equispaced returns n points with spacing h from a; the last one is set to b.
func equispaced(a, b float64, n int) (x []float64, h float64) {
	x = make([]float64, n)
	h = (b - a) / float64(n-1)
	for i := range x {
		x[i] = a + (b-a)*(float64(i)/float64(n-1))
	}
	x[n-1] = b
	return x, h
}

// Uniform returns n equispaced points on [a, b], both ends included, with
// trapezoid weights (degree 1). n must be at least 2.
func Uniform(a, b float64, n int, name string) (Axis, error) {
	if err := checkInterval(a, b, n, 2); err != nil {
		return Axis{}, err
	}
	x, h := equispaced(a, b, n)
	w := make([]float64, n)
	for i := range w {
		w[i] = h
	}
	w[0], w[n-1] = h/2, h/2
	ax := interval(a, b, name, TrapezoidRule, x, w)
	ax.Step = h
	return ax, nil
}

// Periodic returns n equispaced points a, a+h, …, b-h of a circle of length
// b-a, with equal weights: exact for trigonometric polynomials of degree below
// n. n must be at least 2.
func Periodic(a, b float64, n int, name string) (Axis, error) {
	if err := checkInterval(a, b, n, 2); err != nil {
		return Axis{}, err
	}
	x, w := make([]float64, n), make([]float64, n)
	h := (b - a) / float64(n)
	for i := range x {
		x[i], w[i] = a+(b-a)*(float64(i)/float64(n)), h
	}
	ax := interval(a, b, name, PeriodicRule, x, w)
	ax.Step, ax.Period = h, b-a
	return ax, nil
}

// Gauss returns the n Gauss–Legendre points of [a, b] (degree 2n-1), by Newton's
// method on the Legendre polynomial, O(n²). n must be at least 1.
// Gonum's quad.Legendre is not used: its table for n = 26 integrates 1 to 0.989
// of the length (gonum v0.17.0).
func Gauss(a, b float64, n int, name string) (Axis, error) {
	if err := checkInterval(a, b, n, 1); err != nil {
		return Axis{}, err
	}
	if err := checkQuadratic(n); err != nil {
		return Axis{}, err
	}
	x, w := make([]float64, n), make([]float64, n)
	ratio := make([]float64, n)
	for k := range ratio {
		ratio[k] = float64(k) / float64(k+1)
	}
	for from := 0; from < (n+1)/2; from += together {
		var t [together]float64
		for q := range t {
			t[q] = math.Cos(math.Pi * (float64(min(from+q, n/2)) + 0.75) / (float64(n) + 0.5)) // Tricomi's first term
		}
		for range 100 {
			p, slope := legendre(ratio, t)
			largest := 0.0
			for q := range t {
				step := p[q] / slope[q]
				t[q] -= step
				largest = max(largest, math.Abs(step))
			}
			if largest <= 1e-15 {
				break
			}
		}
		if q := n/2 - from; n%2 == 1 && q < together {
			t[q] = 0
		}
		_, slope := legendre(ratio, t)
		for q := range min(together, (n+1)/2-from) {
			i := from + q
			x[i], x[n-1-i] = a+(b-a)*(1-t[q])/2, a+(b-a)*(1+t[q])/2
			w[i] = (b - a) / ((1 - t[q]*t[q]) * slope[q] * slope[q])
			w[n-1-i] = w[i]
		}
	}
	return interval(a, b, name, GaussRule, x, w), nil
}

// mostQuadratic bounds the points of rules whose weights cost O(n²): a quarter of a second.
const mostQuadratic = 10_000

func checkQuadratic(n int) error {
	if n > mostQuadratic {
		return fmt.Errorf("n %d: must be at most %d for this rule, which is accurate with few points", n, mostQuadratic)
	}
	return nil
}

// together is how many points the recurrence is followed for at a time: each step waits
// for the one before.
const together = 4

// legendre returns the Legendre polynomial P_n and its derivative at points |t| < 1, by the
// three-term recurrence P_k = t P_{k-1} + (k-1)/k (t P_{k-1} - P_{k-2}); ratio holds
// (k-1)/k.
func legendre(ratio []float64, t [together]float64) (p, slope [together]float64) {
	p0, p1, p2, p3 := 1., 1., 1., 1.
	b0, b1, b2, b3 := 0., 0., 0., 0.
	for _, r := range ratio {
		t0, t1, t2, t3 := t[0]*p0, t[1]*p1, t[2]*p2, t[3]*p3
		p0, b0 = t0+r*(t0-b0), p0
		p1, b1 = t1+r*(t1-b1), p1
		p2, b2 = t2+r*(t2-b2), p2
		p3, b3 = t3+r*(t3-b3), p3
	}
	p, n := [together]float64{p0, p1, p2, p3}, float64(len(ratio))
	for q, before := range [together]float64{b0, b1, b2, b3} {
		slope[q] = n * (before - t[q]*p[q]) / (1 - t[q]*t[q])
	}
	return p, slope
}

// Chebyshev returns the n Chebyshev extreme points of [a, b], both ends
// included, with Clenshaw–Curtis weights (degree n-1). n must be at least 2.
// Weights by the explicit cosine sum, O(n²): Davis & Rabinowitz (1984), §2.5.5.
func Chebyshev(a, b float64, n int, name string) (Axis, error) {
	if err := checkInterval(a, b, n, 2); err != nil {
		return Axis{}, err
	}
	if err := checkQuadratic(n); err != nil {
		return Axis{}, err
	}
	m := n - 1
	x, w := make([]float64, n), make([]float64, n)
	cos := make([]float64, m)
	for k := range cos {
		cos[k] = math.Cos(2 * math.Pi * float64(k) / float64(m))
	}
	for i := range x {
		x[i] = a + (b-a)*math.Pow(math.Sin(math.Pi*float64(i)/float64(2*m)), 2)
		s := 1.0
		for j := 1; 2*j <= m; j++ {
			t := 2 * cos[i*j%m] / float64(4*j*j-1)
			if 2*j == m {
				t /= 2
			}
			s -= t
		}
		w[i] = s * (b - a) / float64(m)
	}
	x[m] = b
	w[0], w[m] = w[0]/2, w[m]/2
	return interval(a, b, name, ClenshawCurtisRule, x, w), nil
}

// Simpson returns n equispaced points on [a, b] with composite Simpson weights
// (degree 3). With an even number of points the last four carry the 3/8 rule.
// Two points have room for the trapezoid only (degree 1).
func Simpson(a, b float64, n int, name string) (Axis, error) {
	if err := checkInterval(a, b, n, 2); err != nil {
		return Axis{}, err
	}
	x, h := equispaced(a, b, n)
	w := make([]float64, n)
	last := n - 1
	if n == 2 {
		w[0], w[1] = h/2, h/2
	} else if n%2 == 0 {
		last = n - 4
		for i, c := range [4]float64{3, 9, 9, 3} {
			w[last+i] += c * h / 8
		}
	}
	for i := 0; i+2 <= last; i += 2 {
		w[i] += h / 3
		w[i+1] += 4 * h / 3
		w[i+2] += h / 3
	}
	ax := interval(a, b, name, SimpsonRule, x, w)
	ax.Step = h
	return ax, nil
}

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
	if a.Rule != TrapezoidRule && a.Rule != SimpsonRule && a.Rule != RightRule {
		return Axis{}, fmt.Errorf("%s: right Riemann sums are of points of an interval, both ends included; make them by mesh.uniform or mesh.trapezoid", a)
	}
	w := make([]float64, a.Size())
	for i := 1; i < len(w); i++ {
		w[i] = a.Coordinates[i] - a.Coordinates[i-1]
		if a.Step > 0 {
			w[i] = a.Step
		}
	}
	a.Weights, a.Rule = w, RightRule
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
	if dim < 1 || len(coordinates) == 0 || len(coordinates)%dim != 0 {
		return Axis{}, fmt.Errorf("points: got %d numbers, must be a positive multiple of the dimension %d", len(coordinates), dim)
	}
	n := len(coordinates) / dim
	if weights != nil && len(weights) != n {
		return Axis{}, fmt.Errorf("weights: got %d, must be one per point (%d)", len(weights), n)
	}
	ax := Axis{
		Names: make([]string, dim), Coordinates: append([]float64(nil), coordinates...), Rule: UserRule,
		Lower: append([]float64(nil), coordinates[:dim]...), Upper: append([]float64(nil), coordinates[:dim]...),
	}
	copy(ax.Names, names)
	for i, v := range coordinates {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return Axis{}, fmt.Errorf("points[%d][%d] is %g: must be finite", i/dim+1, i%dim+1, v)
		}
		ax.Lower[i%dim], ax.Upper[i%dim] = min(ax.Lower[i%dim], v), max(ax.Upper[i%dim], v)
	}
	for i, w := range weights {
		if !(w >= 0) || math.IsInf(w, 0) {
			return Axis{}, fmt.Errorf("weights[%d] is %g: must be finite and not negative", i+1, w)
		}
	}
	ax.Weights = append([]float64(nil), weights...)
	if weights == nil {
		ax.Rule = MonteCarloRule
		ax.Weights = make([]float64, n)
		for i := range ax.Weights {
			ax.Weights[i] = ax.Length() / float64(n)
		}
	}
	return ax, nil
}
