package ode_test

import (
	"math"

	"github.com/greenbench/workbench/internal/numeric/ode"
)

// problem is one of a test set, from 0 to end.
type problem struct {
	name string
	f    func(t float64, y, d []float64)
	y0   []float64
	end  float64
}

func (p problem) system() ode.System {
	return ode.System{F: func(t float64, y, d []float64) error {
		p.f(t, y, d)
		return nil
	}}
}

func unit(n int) []float64 {
	y := make([]float64, n)
	y[0] = 1
	return y
}

func kepler(_ float64, y, d []float64) {
	r3 := math.Pow(y[0]*y[0]+y[1]*y[1], 1.5)
	d[0], d[1], d[2], d[3] = y[2], y[3], -y[0]/r3, -y[1]/r3
}

func orbit(name string, e float64) problem {
	return problem{name, kepler, []float64{1 - e, 0, 0, math.Sqrt((1 + e) / (1 - e))}, 20}
}

func heat(_ float64, y, d []float64) {
	n := len(y)
	for i := range y {
		d[i] = -2 * y[i]
		if i > 0 {
			d[i] += y[i-1]
		}
		if i < n-1 {
			d[i] += y[i+1]
		}
	}
}

// planets are the five outer ones: 15 positions in astronomical units, and velocities in those
// in 100 days.
func planets(_ float64, y, d []float64) {
	const gravity = 2.95912208286
	mass := [6]float64{1.00000597682, 0.000954786104043, 0.000285583733151, 0.0000437273164546, 0.0000517759138449, 0.00000277777777778}
	cube := func(x []float64) float64 { return math.Pow(x[0]*x[0]+x[1]*x[1]+x[2]*x[2], 1.5) }
	copy(d, y[15:])
	for j := range 5 {
		p, a := y[3*j:3*j+3], d[15+3*j:18+3*j]
		for i, r3 := 0, cube(p); i < 3; i++ {
			a[i] = -gravity * (mass[0] + mass[j+1]) * p[i] / r3
		}
		for k := range 5 {
			if k == j {
				continue
			}
			q := y[3*k : 3*k+3]
			near, far := cube([]float64{q[0] - p[0], q[1] - p[1], q[2] - p[2]}), cube(q)
			for i := range a {
				a[i] += gravity * mass[k+1] * ((q[i]-p[i])/near - q[i]/far)
			}
		}
	}
}

// planetsAtFirst are their states at the beginning.
func planetsAtFirst() []float64 {
	return []float64{
		3.42947415189, 3.35386959711, 1.35494901715, 6.64145542550, 5.97156957878, 2.18231499728,
		11.2630437207, 14.6952576794, 6.27960525067, -30.1552268759, 1.65699966404, 1.43785752721,
		-21.1238353380, 28.4465098142, 15.3882659679,
		-0.557160570446, 0.505696783289, 0.230578543901, -0.415570776342, 0.365682722812, 0.169143213293,
		-0.325325669158, 0.189706021964, 0.0877265322780, -0.0240476254170, -0.287659532608, -0.117219543175,
		-0.176860753121, -0.216393453025, -0.0148647893090,
	}
}

// detest is the set of Hull, Enright, Fellen and Sedgwick (SIAM J. Numer. Anal. 9, 1972).
func detest() []problem {
	return []problem{
		{"A1", func(_ float64, y, d []float64) { d[0] = -y[0] }, []float64{1}, 20},
		{"A2", func(_ float64, y, d []float64) { d[0] = -y[0] * y[0] * y[0] / 2 }, []float64{1}, 20},
		{"A3", func(t float64, y, d []float64) { d[0] = y[0] * math.Cos(t) }, []float64{1}, 20},
		{"A4", func(_ float64, y, d []float64) { d[0] = y[0] / 4 * (1 - y[0]/20) }, []float64{1}, 20},
		{"A5", func(t float64, y, d []float64) { d[0] = (y[0] - t) / (y[0] + t) }, []float64{4}, 20},
		{"B1", func(_ float64, y, d []float64) { d[0], d[1] = 2*(y[0]-y[0]*y[1]), -(y[1] - y[0]*y[1]) }, []float64{1, 3}, 20},
		{"B2", func(_ float64, y, d []float64) {
			d[0], d[1], d[2] = -y[0]+y[1], y[0]-2*y[1]+y[2], y[1]-y[2]
		}, []float64{2, 0, 1}, 20},
		{"B3", func(_ float64, y, d []float64) { d[0], d[1], d[2] = -y[0], y[0]-y[1]*y[1], y[1]*y[1] }, []float64{1, 0, 0}, 20},
		{"B4", func(_ float64, y, d []float64) {
			r := math.Hypot(y[0], y[1])
			d[0], d[1], d[2] = -y[1]-y[0]*y[2]/r, y[0]-y[1]*y[2]/r, y[0]/r
		}, []float64{3, 0, 0}, 20},
		{"B5", func(_ float64, y, d []float64) { d[0], d[1], d[2] = y[1]*y[2], -y[0]*y[2], -0.51*y[0]*y[1] }, []float64{0, 1, 1}, 20},
		{"C1", func(_ float64, y, d []float64) {
			for i := range y {
				d[i] = -y[i]
				if i > 0 {
					d[i] += y[i-1]
				}
			}
			d[9] = y[8]
		}, unit(10), 20},
		{"C2", func(_ float64, y, d []float64) {
			for i := range y {
				d[i] = -float64(i+1) * y[i]
				if i > 0 {
					d[i] += float64(i) * y[i-1]
				}
			}
			d[9] = 9 * y[8]
		}, unit(10), 20},
		{"C3", heat, unit(10), 20},
		{"C4", heat, unit(51), 20},
		{"C5", planets, planetsAtFirst(), 20},
		orbit("D1", 0.1), orbit("D2", 0.3), orbit("D3", 0.5), orbit("D4", 0.7), orbit("D5", 0.9),
		{"E1", func(t float64, y, d []float64) {
			d[0], d[1] = y[1], -(y[1]/(t+1) + (1-0.25/((t+1)*(t+1)))*y[0])
		}, []float64{0.6713967071418030, 0.09540051444747446}, 20},
		{"E2", func(_ float64, y, d []float64) { d[0], d[1] = y[1], (1-y[0]*y[0])*y[1]-y[0] }, []float64{2, 0}, 20},
		{"E3", func(t float64, y, d []float64) { d[0], d[1] = y[1], y[0]*y[0]*y[0]/6-y[0]+2*math.Sin(2.78535*t) }, []float64{0, 0}, 20},
		{"E4", func(_ float64, y, d []float64) { d[0], d[1] = y[1], 0.032-0.4*y[1]*y[1] }, []float64{30, 0}, 20},
		{"E5", func(t float64, y, d []float64) { d[0], d[1] = y[1], math.Sqrt(1+y[1]*y[1])/(25-t) }, []float64{0, 0}, 20},
	}
}

func robertson(_ float64, y, d []float64) {
	d[0] = -0.04*y[0] + 1e4*y[1]*y[2]
	d[2] = 3e7 * y[1] * y[1]
	d[1] = -d[0] - d[2]
}

func vanDerPol(_ float64, y, d []float64) {
	d[0], d[1] = y[1], 1000*(1-y[0]*y[0])*y[1]-y[0]
}
