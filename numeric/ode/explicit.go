package ode

import "math"

// explicit is the pair of Dormand and Prince (J. Comp. Appl. Math. 6, 1980) of order 5(4)
// with its interpolant of order 4 (Hairer, Nørsett and Wanner I, II.6).
type explicit struct {
	*run
	k            [7][]float64
	stage, next  []float64
	before       []float64 // the argument of the last stage but one
	suspect, not int       // steps in a row that looked stiff, or did not
	isStiff      bool
}

func newExplicit(r *run) *explicit {
	e := &explicit{run: r}
	n := len(r.y)
	for i := range e.k {
		e.k[i] = make([]float64, n)
	}
	e.stage, e.next, e.before = make([]float64, n), make([]float64, n), make([]float64, n)
	return e
}

func (e *explicit) stiff() bool { return e.isStiff }

// tableau holds the nodes and coefficients of stages 2 to 7; those of the last are the
// weights of the solution.
func tableau() [6][7]float64 {
	return [6][7]float64{
		{1.0 / 5, 1.0 / 5},
		{3.0 / 10, 3.0 / 40, 9.0 / 40},
		{4.0 / 5, 44.0 / 45, -56.0 / 15, 32.0 / 9},
		{8.0 / 9, 19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
		{1, 9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
		{1, 35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
	}
}

// errorWeights give the difference of the two solutions.
func errorWeights() [7]float64 {
	return [7]float64{71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40}
}

// denseWeights are those of the last term of the interpolant.
func denseWeights() [7]float64 {
	return [7]float64{
		-12715105075.0 / 11282082432, 0, 87487479700.0 / 32700410799, -10690763975.0 / 1880347072,
		701980252875.0 / 199316789632, -1453857185.0 / 822651844, 69997945.0 / 29380423,
	}
}

func (e *explicit) step() (piece, error) {
	rejected := false
	for {
		h, t := e.h, e.t
		if h < e.smallest() {
			return piece{}, e.stuck()
		}
		h = math.Copysign(min(h, e.MaxStep), e.end-t)
		to := t + h
		if (to-e.end)*h >= 0 {
			to = e.end
			h = to - t
		}
		ok, err := e.stages(t, h)
		if err != nil {
			return piece{}, err
		}
		size := math.Inf(1)
		if ok {
			size = e.error(h)
		}
		if !(size <= 1) {
			e.sol.Rejected++
			e.lift(e.k[1:]...)
			e.h = math.Abs(h) * max(0.2, 0.9*math.Pow(size, -0.2))
			rejected = true
			continue
		}
		factor := min(10, 0.9*math.Pow(size, -0.2))
		if size == 0 {
			factor = 10
		}
		if rejected {
			factor = min(1, factor)
		}
		p := e.interpolant(h)
		e.watch(h)
		copy(e.y, e.next)
		copy(e.f, e.k[6])
		e.t, e.bad = to, nil
		e.h = min(math.Abs(h)*factor, e.MaxStep)
		return p, nil
	}
}

// stages evaluates F at the stages of a step; ok is false if that is not finite.
func (e *explicit) stages(t, h float64) (ok bool, err error) {
	copy(e.k[0], e.f)
	table := tableau()
	for s, row := range table {
		if s == 5 {
			copy(e.before, e.stage)
		}
		for i := range e.stage {
			sum := 0.0
			for j, a := range row[1 : s+2] {
				sum += a * e.k[j][i]
			}
			e.stage[i] = e.y[i] + h*sum
		}
		if !finite(e.stage) {
			return false, nil
		}
		if err := e.call(t+row[0]*h, e.stage, e.k[s+1]); err != nil {
			return false, err
		}
		if !finite(e.k[s+1]) {
			e.bad = e.notFinite(t+row[0]*h, e.stage)
			return false, nil
		}
	}
	copy(e.next, e.stage)
	return true, nil
}

func (e *explicit) error(h float64) float64 {
	w := errorWeights()
	off := make([]float64, len(e.y))
	for i := range off {
		for j, a := range w {
			off[i] += h * a * e.k[j][i]
		}
	}
	return e.norm(off, e.y, e.next)
}

func (e *explicit) interpolant(h float64) piece {
	n := len(e.y)
	c := make([]float64, 5*n)
	d := denseWeights()
	for i := range n {
		rise := e.next[i] - e.y[i]
		bend := h*e.k[0][i] - rise
		c[i], c[n+i], c[2*n+i], c[3*n+i] = e.y[i], rise, bend, rise-h*e.k[6][i]-bend
		for j, a := range d {
			c[4*n+i] += h * a * e.k[j][i]
		}
	}
	return piece{e.t, h, func(x float64, y []float64) {
		for i := range y {
			y[i] = c[i] + x*(c[n+i]+(1-x)*(c[2*n+i]+x*(c[3*n+i]+(1-x)*c[4*n+i])))
		}
	}}
}

// watch looks for stiffness: steps whose size is that of the edge of stability, by an
// estimate of the largest eigenvalue (Hairer and Wanner, Solving Ordinary Differential
// Equations II, IV.2).
func (e *explicit) watch(h float64) {
	var slope, distance float64
	for i := range e.y {
		a, b := e.k[6][i]-e.k[5][i], e.next[i]-e.before[i]
		t := e.tolerance(i, e.next[i])
		slope, distance = slope+a*a/(t*t), distance+b*b/(t*t)
	}
	const edge, many, few = 3, 15, 6
	if distance > 0 && math.Abs(h)*math.Sqrt(slope/distance) > edge {
		e.suspect, e.not = e.suspect+1, 0
		e.isStiff = e.isStiff || e.suspect >= many
		return
	}
	if e.not++; e.not >= few {
		e.suspect = 0
	}
}
