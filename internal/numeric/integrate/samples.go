package integrate

import (
	"fmt"
)

// Samples are values of a function at points that increase or decrease; without X they
// are Step apart.
type Samples struct {
	Y, X []float64
	Step float64
}

func (s Samples) check() error {
	if s.X == nil {
		return nil
	}
	if len(s.X) != len(s.Y) {
		return fmt.Errorf("x has %d points and y %d values: want as many", len(s.X), len(s.Y))
	}
	up := len(s.X) > 1 && s.X[1] > s.X[0]
	for i := 1; i < len(s.X); i++ {
		if h := s.X[i] - s.X[i-1]; !(h > 0) && up || !(h < 0) && !up {
			return fmt.Errorf("x must increase or decrease: x[%d] = %g and x[%d] = %g", i, s.X[i-1], i+1, s.X[i])
		}
	}
	return nil
}

// step is from point i to the next.
func (s Samples) step(i int) float64 {
	if s.X == nil {
		return s.Step
	}
	return s.X[i+1] - s.X[i]
}

// Trapezoid integrates the piecewise linear function through the samples.
func Trapezoid(s Samples) (float64, error) { return last(CumulativeTrapezoid(s)) }

// CumulativeTrapezoid is the integral up to each point, 0 at the first.
func CumulativeTrapezoid(s Samples) ([]float64, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	return s.sum(func(i int) float64 { return s.step(i) * (s.Y[i]/2 + s.Y[i+1]/2) }), nil
}

// Simpson integrates parabolas through three neighbouring samples each: exact for cubic
// functions where the points are equally spaced and odd in number, for quadratic ones
// otherwise. Two samples give the trapezoid.
func Simpson(s Samples) (float64, error) {
	if err := s.check(); err != nil {
		return 0, err
	}
	n := len(s.Y)
	if n < 3 {
		return Trapezoid(s)
	}
	sum := 0.0
	for i := 0; i+2 < n; i += 2 {
		sum += s.parabola(i, false) + s.parabola(i, true)
	}
	if n%2 == 0 {
		sum += s.parabola(n-3, true)
	}
	return sum, nil
}

// CumulativeSimpson is the integral up to each point, 0 at the first, of parabolas through
// neighbouring samples: exact for quadratic functions.
func CumulativeSimpson(s Samples) ([]float64, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	n := len(s.Y)
	if n < 3 {
		return CumulativeTrapezoid(s)
	}
	return s.sum(func(i int) float64 {
		if i%2 == 1 || i == n-2 {
			return s.parabola(i-1, true)
		}
		return s.parabola(i, false)
	}), nil
}

// parabola integrates the parabola through samples i, i+1, i+2 over the first or the
// second of its two intervals.
func (s Samples) parabola(i int, second bool) float64 {
	h, k := s.step(i), s.step(i+1)
	a, b, c := s.Y[i], s.Y[i+1], s.Y[i+2]
	if second {
		h, k, a, c = k, h, c, a
	}
	slope := (b - a) / h
	curve := ((c-b)/k - slope) / (h + k) // divided differences
	return h*(a/2+b/2) - curve*h*h*h/6
}

func (s Samples) sum(part func(i int) float64) []float64 {
	out := make([]float64, len(s.Y))
	for i := range len(s.Y) - 1 {
		out[i+1] = out[i] + part(i)
	}
	return out
}

func last(v []float64, err error) (float64, error) {
	if err != nil || len(v) == 0 {
		return 0, err
	}
	return v[len(v)-1], nil
}
