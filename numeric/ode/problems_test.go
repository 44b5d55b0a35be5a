package ode_test

import (
	"math"

	"github.com/greenbench/workbench/numeric/ode"
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

// detest is the set of Hull, Enright, Fellen and Sedgwick (SIAM J. Numer. Anal. 9, 1972)
// without the planets of C5.
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
