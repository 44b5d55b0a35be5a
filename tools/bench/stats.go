package main

import (
	"math"
	"slices"
)

// times are seconds by the clock, and of all processors.
type times struct {
	Wall      float64 `json:"wall"`
	Processor float64 `json:"processor"`
}

func walls(t []times) []float64      { return each(t, func(t times) float64 { return t.Wall }) }
func processors(t []times) []float64 { return each(t, func(t times) float64 { return t.Processor }) }

func each(t []times, f func(times) float64) []float64 {
	x := make([]float64, len(t))
	for i := range t {
		x[i] = f(t[i])
	}
	return x
}

// median is the middle of the values, NaN of none.
func median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	x = slices.Sorted(slices.Values(x))
	k := len(x) / 2
	if len(x)%2 == 0 {
		return (x[k-1] + x[k]) / 2
	}
	return x[k]
}

// least is the smallest value, NaN of none.
func least(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	return slices.Min(x)
}

// pairs are the ratios of what was measured one after the other.
func pairs(a, b []float64) []float64 {
	r := make([]float64, min(len(a), len(b)))
	for i := range r {
		r[i] = a[i] / b[i]
	}
	return r
}

// spread is the standard error of the median of logarithms, from the median of their distances from it (normal errors:
// 1.4826 for the deviation, √(π/2) for the median), +Inf of fewer than three.
func spread(x []float64) float64 {
	if len(x) < 3 {
		return math.Inf(1)
	}
	logs := make([]float64, len(x))
	for i, v := range x {
		logs[i] = math.Log(v)
	}
	m := median(logs)
	for i := range logs {
		logs[i] = math.Abs(logs[i] - m)
	}
	return 1.4826 * median(logs) * math.Sqrt(math.Pi/2/float64(len(x)))
}

const (
	smallest = 0.03 // relative change that is worth a word
	beyond   = 3    // standard errors that a change has to exceed
)

// differs says whether a ratio with a standard error of its logarithm is one.
func differs(ratio, se float64) bool {
	change := math.Abs(math.Log(ratio))
	return change > smallest && change > beyond*se
}

// power is the exponent p of y ∝ xᵖ by least squares of logarithms, NaN of fewer than two.
func power(x, y []float64) float64 {
	var n, sx, sy, sxx, sxy float64
	for i := range x {
		a, b := math.Log(x[i]), math.Log(y[i])
		n, sx, sy, sxx, sxy = n+1, sx+a, sy+b, sxx+a*a, sxy+a*b
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// apart is the largest difference of two answers relative to the largest number of the second, +Inf for other lengths.
func apart(a, b []float64) float64 {
	if len(a) != len(b) || len(a) == 0 {
		return math.Inf(1)
	}
	var most, size float64
	for i := range a {
		most, size = max(most, math.Abs(a[i]-b[i])), max(size, math.Abs(b[i]))
	}
	if most == 0 {
		return 0
	}
	return most / size
}
