package ode

// order5 is the pair of Dormand and Prince (J. Comp. Appl. Math. 6, 1980) of order 5(4)
// with its interpolant of order 4 (Hairer, Nørsett and Wanner I, II.6).
func order5() pair {
	return pair{
		nodes: []float64{0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1},
		rows: [][]float64{
			{1.0 / 5},
			{3.0 / 40, 9.0 / 40},
			{44.0 / 45, -56.0 / 15, 32.0 / 9},
			{19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
			{9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
			{35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
		},
		order: 5, edge: 3, needed: true, error: error5, interpolant: interpolant5,
	}
}

// error5 is the size of the difference of the two solutions.
func error5(e *explicit, h float64) float64 {
	w := [7]float64{71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40}
	off := make([]float64, len(e.y))
	for i := range off {
		for j, a := range w {
			off[i] += h * a * e.k[j][i]
		}
	}
	return e.norm(off, e.y, e.next)
}

func interpolant5(e *explicit, h float64) piece {
	n := len(e.y)
	c := make([]float64, 5*n)
	d := [7]float64{
		-12715105075.0 / 11282082432, 0, 87487479700.0 / 32700410799, -10690763975.0 / 1880347072,
		701980252875.0 / 199316789632, -1453857185.0 / 822651844, 69997945.0 / 29380423,
	}
	for i := range n {
		rise := e.next[i] - e.y[i]
		bend := h*e.k[0][i] - rise
		c[i], c[n+i], c[2*n+i], c[3*n+i] = e.y[i], rise, bend, rise-h*e.k[6][i]-bend
		for j, a := range d {
			c[4*n+i] += h * a * e.k[j][i]
		}
	}
	return piece{t0: e.t, h: h, at: func(x float64, y []float64) {
		for i := range y {
			y[i] = c[i] + x*(c[n+i]+(1-x)*(c[2*n+i]+x*(c[3*n+i]+(1-x)*c[4*n+i])))
		}
	}}
}
