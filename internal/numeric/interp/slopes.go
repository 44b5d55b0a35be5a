package interp

import "math"

// slopes are the derivatives at the points, which with the values determine a cubic
// polynomial between each two; nil for kinds that have none.
func slopes(x, y []float64, o Options) []float64 {
	n := len(x)
	h, m := make([]float64, n-1), make([]float64, n-1)
	for i := range h {
		h[i] = x[i+1] - x[i]
		m[i] = (y[i+1] - y[i]) / h[i]
	}
	switch {
	case o.Kind == Linear || o.Kind == Nearest:
		return nil
	case n == 2 && o.Kind != Clamped:
		return []float64{m[0], m[0]}
	case o.Kind == Pchip:
		return monotonic(h, m)
	case o.Kind == Akima:
		return akima(m)
	}
	return spline(h, m, o)
}

// spline solves for the slopes that make the second derivative continuous (de Boor, A
// Practical Guide to Splines, chapter IV).
func spline(h, m []float64, o Options) []float64 {
	n := len(m) + 1
	if n == 3 && o.Kind == Cubic { // the parabola
		c := (m[1] - m[0]) / (h[0] + h[1])
		return []float64{m[0] - c*h[0], m[0] + c*h[0], m[1] + c*h[1]}
	}
	low, mid, up, b := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := 1; i < n-1; i++ {
		low[i], mid[i], up[i] = h[i], 2*(h[i-1]+h[i]), h[i-1]
		b[i] = 3 * (h[i]*m[i-1] + h[i-1]*m[i])
	}
	e := n - 2
	switch o.Kind {
	case Clamped:
		mid[0], b[0], mid[n-1], b[n-1] = 1, o.Slopes[0], 1, o.Slopes[1]
	case Natural:
		mid[0], up[0], b[0] = 2, 1, 3*m[0]
		mid[n-1], low[n-1], b[n-1] = 2, 1, 3*m[e]
	default:
		d := h[0] + h[1]
		mid[0], up[0], b[0] = h[1], d, ((h[0]+2*d)*h[1]*m[0]+h[0]*h[0]*m[1])/d
		d = h[e] + h[e-1]
		mid[n-1], low[n-1], b[n-1] = h[e-1], d, (h[e]*h[e]*m[e-1]+(2*d+h[e])*h[e-1]*m[e])/d
	}
	for i := 1; i < n; i++ {
		f := low[i] / mid[i-1]
		mid[i] -= f * up[i-1]
		b[i] -= f * b[i-1]
	}
	for i := n - 1; i >= 0; i-- {
		if i < n-1 {
			b[i] -= up[i] * b[i+1]
		}
		b[i] /= mid[i]
	}
	return b
}

// monotonic are the slopes of Fritsch and Butland, which keep the curve between its values.
func monotonic(h, m []float64) []float64 {
	n := len(m) + 1
	s := make([]float64, n)
	for i := 1; i < n-1; i++ {
		if a, b := m[i-1], m[i]; a*b > 0 || a != 0 && b != 0 && (a > 0) == (b > 0) {
			v, w := 2*h[i]+h[i-1], h[i]+2*h[i-1]
			s[i] = (v + w) / (v/a + w/b)
		}
	}
	end := func(h0, h1, m0, m1 float64) float64 {
		d := ((2*h0+h1)*m0 - h0*m1) / (h0 + h1)
		switch {
		case sign(d) != sign(m0):
			return 0
		case sign(m0) != sign(m1) && math.Abs(d) > 3*math.Abs(m0):
			return 3 * m0
		}
		return d
	}
	s[0], s[n-1] = end(h[0], h[1], m[0], m[1]), end(h[n-2], h[n-3], m[n-2], m[n-3])
	return s
}

func sign(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// akima are slopes that weigh the neighbours by how little they bend on the other side.
func akima(m []float64) []float64 {
	n := len(m) + 1
	e := make([]float64, n+3) // two more secants on each side, on a parabola
	copy(e[2:], m)
	e[1] = 2*e[2] - e[3]
	e[0] = 2*e[1] - e[2]
	e[n+1] = 2*e[n] - e[n-1]
	e[n+2] = 2*e[n+1] - e[n]
	most := 0.0
	for i := range n {
		most = max(most, math.Abs(e[i+3]-e[i+2])+math.Abs(e[i+1]-e[i]))
	}
	s := make([]float64, n)
	for i := range s {
		a, b := math.Abs(e[i+3]-e[i+2]), math.Abs(e[i+1]-e[i])
		if s[i] = (e[i+3] + e[i]) / 2; a+b > 1e-9*most {
			s[i] = (a*e[i+1] + b*e[i+2]) / (a + b)
		}
	}
	return s
}
