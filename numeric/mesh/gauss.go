package mesh

import "math"

// Gauss returns the n Gauss–Legendre points of [a, b] (degree 2n-1). n must be from 1 to
// 10,000.
func Gauss(a, b float64, n int, name string) (Axis, error) {
	return gaussLegendre().Axis(a, b, n, name)
}

func gaussLegendre() Rule {
	return Rule{
		Points: "gauss", Name: "gauss",
		Doc:   "Gauss-Legendre points on [a, b] (degree 2n - 1).",
		Least: 1, Most: mostQuadratic,
		Degree: func(n int) int { return 2*n - 1 },
		Nodes:  gaussNodes,
	}
}

// mostQuadratic bounds the points of rules whose weights cost O(n²): a quarter of a second.
const mostQuadratic = 10_000

// gaussNodes finds the roots of the Legendre polynomial by Newton's method, O(n²).
// Gonum's quad.Legendre is not used: its table for n = 26 integrates 1 to 0.989
// of the length (gonum v0.17.0).
func gaussNodes(a, b float64, n int) (x, w []float64) {
	x, w = make([]float64, n), make([]float64, n)
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
	return x, w
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
