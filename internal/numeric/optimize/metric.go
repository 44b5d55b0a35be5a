package optimize

import "math"

// inverse is the matrix of BFGS (Nocedal and Wright, Numerical Optimization, eq. 6.17).
type inverse struct {
	n    int
	h    []float64 // nil: none yet
	unit []float64 // the diagonal that it begins with
}

func (m *inverse) reset(unit []float64) { m.h, m.unit = nil, unit }

func (m *inverse) known() bool { return m.h != nil }

func (m *inverse) direction(g, d []float64, _ []bool) {
	for i := range d {
		if m.h == nil {
			d[i] = -m.unit[i] * g[i]
		} else {
			d[i] = -dot(m.h[i*m.n:(i+1)*m.n], g)
		}
	}
}

func (m *inverse) update(s, y []float64) {
	sy := dot(s, y)
	if !bent(s, y, sy, m.unit) {
		return
	}
	if m.h == nil {
		m.h = make([]float64, m.n*m.n)
		size := 0.0
		for i, v := range y {
			size += v * m.unit[i] * v
		}
		for i, u := range m.unit {
			m.h[i*m.n+i] = u * sy / size
		}
	}
	hy := make([]float64, m.n)
	for i := range hy {
		hy[i] = dot(m.h[i*m.n:(i+1)*m.n], y)
	}
	c := 1 + dot(y, hy)/sy
	for i := range m.n {
		for j := range m.n {
			m.h[i*m.n+j] += (c*s[i]*s[j] - hy[i]*s[j] - s[i]*hy[j]) / sy
		}
	}
}

// bent reports whether a step shows enough of a positive curvature.
func bent(s, y []float64, sy float64, unit []float64) bool {
	length, change := 0.0, 0.0
	for i, u := range unit {
		u = math.Sqrt(u)
		length, change = math.Hypot(length, s[i]/u), math.Hypot(change, y[i]*u)
	}
	return sy > 1e-14*length*change && !math.IsInf(1/sy, 0)
}

// recent is the matrix of L-BFGS: what the last steps make of a multiple of a diagonal, of the
// free variables only (Nocedal and Wright, algorithm 7.4).
type recent struct {
	s, y [][]float64
	unit []float64
}

// kept is how many steps recent remembers.
const kept = 20

func (m *recent) reset(unit []float64) { m.s, m.y, m.unit = nil, nil, unit }

func (m *recent) known() bool { return len(m.s) > 0 }

func (m *recent) update(s, y []float64) {
	if !bent(s, y, dot(s, y), m.unit) {
		return
	}
	m.s, m.y = append(m.s, s), append(m.y, y)
	if len(m.s) > kept {
		m.s, m.y = m.s[1:], m.y[1:]
	}
}

func (m *recent) direction(g, d []float64, free []bool) {
	for i, v := range g {
		if d[i] = -v; !free[i] {
			d[i] = 0
		}
	}
	inner := func(a, b []float64) (sum float64) {
		for i, v := range a {
			if free[i] {
				sum += v * b[i]
			}
		}
		return sum
	}
	add := func(f float64, v []float64) {
		for i := range d {
			if free[i] {
				d[i] += f * v[i]
			}
		}
	}
	a := make([]float64, len(m.s))
	scale := 0.0
	for k := len(m.s) - 1; k >= 0; k-- {
		sy := inner(m.s[k], m.y[k])
		if !(sy > 0) {
			continue
		}
		if scale == 0 {
			size := 0.0
			for i, v := range m.y[k] {
				if free[i] {
					size += v * m.unit[i] * v
				}
			}
			scale = sy / size
		}
		a[k] = inner(m.s[k], d) / sy
		add(-a[k], m.y[k])
	}
	if scale == 0 {
		scale = 1
	}
	for i, u := range m.unit {
		d[i] *= u * scale
	}
	for k := range m.s {
		if sy := inner(m.s[k], m.y[k]); sy > 0 {
			add(a[k]-inner(m.y[k], d)/sy, m.s[k])
		}
	}
}
