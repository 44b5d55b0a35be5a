package ode

import "math"

// explicit makes steps by an explicit Runge–Kutta pair.
type explicit struct {
	*run
	pair
	k            [][]float64 // the derivatives at the stages
	stage, next  []float64
	before       []float64  // the argument of the last stage before the end
	last         [2]float64 // size and error of the last step
	ends         bool       // it is the last step, whose derivative at the end nobody needs
	suspect, not int        // steps in a row that looked stiff, or did not
	isStiff      bool
}

// pair is what is particular to a method.
type pair struct {
	nodes []float64   // of the stages
	rows  [][]float64 // coefficients of the stages after the first; the last row gives the solution

	order  float64 // the error of a step is estimated as if it were of this order in h
	edge   float64 // of stability: the largest h × eigenvalue
	ahead  bool    // steps shrink ahead of need
	needed bool    // the estimate needs the derivative at the end of the step

	error       func(e *explicit, h float64) float64
	interpolant func(e *explicit, h float64) piece
}

func newExplicit(r *run, p pair) *explicit {
	e := &explicit{run: r, pair: p}
	n := len(r.y)
	e.k = make([][]float64, len(p.rows)+1)
	for i := range e.k {
		e.k[i] = make([]float64, n)
	}
	e.stage, e.next, e.before = make([]float64, n), make([]float64, n), make([]float64, n)
	return e
}

func (e *explicit) stiff() bool { return e.isStiff }

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
			size = e.error(e, h)
		}
		if e.ends = to == e.end && !e.needed; size <= 1 && !e.needed && !e.ends {
			if ok, err = e.derive(to, e.next, e.atEnd()); err != nil {
				return piece{}, err
			}
			if !ok {
				size = math.Inf(1)
			}
		}
		if math.IsNaN(size) {
			size = math.Inf(1)
		}
		if !(size <= 1) {
			e.sol.Rejected++
			e.lift(e.k[1:]...)
			e.h = math.Abs(h) * max(0.2, 0.9*math.Pow(size, -1/e.order))
			rejected = true
			continue
		}
		return e.accept(h, to, size, rejected), nil
	}
}

// atEnd is the derivative at the end of the step.
func (e *explicit) atEnd() []float64 { return e.k[len(e.k)-1] }

// accept moves to the end of a step.
func (e *explicit) accept(h, to, size float64, rejected bool) piece {
	factor := min(10, 0.9*math.Pow(size, -1/e.order))
	if size == 0 {
		factor = 10
	}
	if e.ahead && e.last[0] > 0 && size > 0 {
		// Where one step had to be smaller than the last, the next one will have to be again.
		factor *= max(0.2, min(1, math.Abs(h)/e.last[0]*math.Pow(e.last[1]/size, 1/e.order)))
	}
	if rejected {
		factor = min(1, factor)
	}
	e.last = [2]float64{math.Abs(h), max(size, 1e-4)}
	p := e.interpolant(e, h)
	if !e.ends {
		e.watch(h)
		copy(e.f, e.atEnd())
	}
	copy(e.y, e.next)
	e.t, e.bad = to, nil
	e.h = min(math.Abs(h)*factor, e.MaxStep)
	return p
}

// stages evaluates F at the stages of a step; ok is false if that is not finite.
func (e *explicit) stages(t, h float64) (ok bool, err error) {
	copy(e.k[0], e.f)
	for s, row := range e.rows {
		to := e.stage
		if s == len(e.rows)-1 {
			e.before, e.stage = e.stage, e.before
			to = e.next
		}
		e.combine(to, h, row)
		if !finite(to) {
			return false, nil
		}
		if s == len(e.rows)-1 && !e.needed {
			return true, nil
		}
		if ok, err := e.derive(t+e.nodes[s+1]*h, to, e.k[s+1]); !ok {
			return false, err
		}
	}
	return true, nil
}

// combine stores y + h Σ row[j] k[j].
func (e *explicit) combine(to []float64, h float64, row []float64) {
	clear(to)
	for j, a := range row {
		if a == 0 {
			continue
		}
		for i, v := range e.k[j] {
			to[i] += a * v
		}
	}
	for i, v := range to {
		to[i] = e.y[i] + h*v
	}
}

// derive evaluates F; ok is false if that is not finite.
func (e *explicit) derive(t float64, y, to []float64) (ok bool, err error) {
	if err := e.call(t, y, to); err != nil {
		return false, err
	}
	if !finite(to) {
		e.bad = e.notFinite(t, y)
		return false, nil
	}
	return true, nil
}

// watch looks for stiffness: steps whose size is that of the edge of stability, by an
// estimate of the largest eigenvalue (Hairer and Wanner, Solving Ordinary Differential
// Equations II, IV.2).
func (e *explicit) watch(h float64) {
	var slope, distance float64
	end := len(e.k) - 1
	for i := range e.y {
		a, b := e.k[end][i]-e.k[end-1][i], e.next[i]-e.before[i]
		t := e.tolerance(i, e.next[i])
		slope, distance = slope+a*a/(t*t), distance+b*b/(t*t)
	}
	const many, few = 15, 6
	if distance > 0 && math.Abs(h)*math.Sqrt(slope/distance) > e.edge {
		e.suspect, e.not = e.suspect+1, 0
		e.isStiff = e.isStiff || e.suspect >= many
		return
	}
	if e.not++; e.not >= few {
		e.suspect = 0
	}
}
