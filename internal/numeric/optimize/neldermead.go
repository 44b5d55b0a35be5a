package optimize

import (
	"fmt"
	"math"
	"slices"
)

// corner is a point of the simplex.
type corner struct {
	x []float64
	f float64
}

// nelderMead moves a simplex downhill, with the coefficients that suit many variables (Gao
// and Han, Comput. Optim. Appl. 51, 2012). It starts anew from where it ends until that
// changes nothing, because a flat simplex may end anywhere.
func (o *counted) nelderMead(opts Options, start float64) error {
	m := o.m
	const anew = 60
	for again := range anew {
		before := m.F
		ended, err := o.simplex(opts, again, start)
		if err != nil {
			return err
		}
		if !ended {
			m.Message = fmt.Sprintf("not at a minimum after %d iterations", m.Iterations)
			return nil
		}
		if again > 0 && before-m.F <= 1e-13*max(math.Abs(before), 1e-10*(start-m.F)) {
			lower, err := o.around()
			if err != nil {
				return err
			}
			if !lower {
				return o.done("the simplex is as small as rounding lets it be")
			}
		}
	}
	m.Message = fmt.Sprintf("not at a minimum after %d simplices, each of which ended lower", anew)
	return nil
}

// simplex moves one simplex until it is small; ended is false where the iterations run out.
func (o *counted) simplex(opts Options, again int, start float64) (ended bool, err error) {
	n, m := len(o.m.X), o.m
	simplex, err := o.corners(again)
	if err != nil {
		return false, err
	}
	dim := float64(max(2, n))
	shrink := 1 - 1/dim
	for ; m.Iterations < opts.MaxIterations; m.Iterations++ {
		slices.SortStableFunc(simplex, func(a, b corner) int {
			switch {
			case a.f < b.f:
				return -1
			case a.f > b.f:
				return 1
			}
			return 0
		})
		m.X, m.F = slices.Clone(simplex[0].x), simplex[0].f
		if o.small(simplex, start) {
			return true, nil
		}
		next, better, err := o.instead(simplex, 1+2/dim, 0.75-1/(2*dim))
		if err != nil {
			return false, err
		}
		if better {
			simplex[n] = next
			continue
		}
		for k := 1; k <= n; k++ {
			for i, best := range simplex[0].x {
				simplex[k].x[i] = best + shrink*(simplex[k].x[i]-best)
			}
			if simplex[k].f, err = o.value(simplex[k].x); err != nil {
				return false, err
			}
		}
	}
	return false, nil
}

// corners is a simplex about the best point so far, of one of several sizes and directions.
func (o *counted) corners(again int) ([]corner, error) {
	const sizes = 5
	m := o.m
	simplex := []corner{{slices.Clone(m.X), m.F}}
	for i := range m.X {
		x := slices.Clone(m.X)
		lower, upper := o.bounds(i)
		step := 0.05 * math.Pow(-0.5, float64(again%sizes)) * o.extent(i, max(math.Abs(x[i]), 0.005*largest(m.X)))
		if step == 0 {
			step = 0.00025
		}
		if x[i]+step > upper || x[i]+step < lower {
			step = -step
		}
		x[i] += step
		o.project(x)
		f, err := o.value(x)
		if err != nil {
			return nil, err
		}
		simplex = append(simplex, corner{x, f})
	}
	return simplex, nil
}

// instead is the point to put in the place of the worst corner, which comes last: on the line
// from it through the centre of the others. It may be no better than that.
func (o *counted) instead(simplex []corner, expand, contract float64) (next corner, better bool, err error) {
	n := len(simplex) - 1
	centre, worst := make([]float64, n), simplex[n]
	for _, c := range simplex[:n] {
		for i, v := range c.x {
			centre[i] += v / float64(n)
		}
	}
	at := func(share float64) (corner, error) {
		x := make([]float64, n)
		for i := range x {
			x[i] = centre[i] + share*(worst.x[i]-centre[i])
		}
		o.project(x)
		f, err := o.value(x)
		return corner{x, f}, err
	}
	reflected, err := at(-1)
	if err != nil {
		return next, false, err
	}
	next = reflected
	switch {
	case reflected.f < simplex[0].f:
		if next, err = at(-expand); err == nil && !(next.f < reflected.f) {
			next = reflected
		}
	case reflected.f < simplex[n-1].f:
	case reflected.f < worst.f:
		next, err = at(-contract)
	default:
		next, err = at(contract)
	}
	return next, next.f < worst.f && !(next.f > reflected.f), err
}

// around goes to a lower point that is a step along one variable away, if there is one: a simplex
// that bounds have pressed flat may have ended beside it.
func (o *counted) around() (lower bool, err error) {
	const nearest, enough = 1e-5, 1e-9
	m := o.m
	for part := 0.1; part >= nearest; part /= 10 {
		for i := range m.X {
			for _, sign := range []float64{1, -1} {
				x := slices.Clone(m.X)
				x[i] += sign * part * o.extent(i, max(math.Abs(x[i]), 0.005*largest(x)))
				o.project(x)
				f, err := o.value(x)
				if err != nil {
					return false, err
				}
				if f < m.F-enough*math.Abs(m.F) {
					m.X, m.F, lower = x, f, true
				}
			}
		}
	}
	return lower, nil
}

// extent is the size of a variable: that of its box where one that other variables suggest, in
// their units, is far larger.
func (o *counted) extent(i int, size float64) float64 {
	const far = 3
	lower, upper := o.bounds(i)
	if size > far*(upper-lower) {
		return upper - lower
	}
	return size
}

// small reports whether a simplex is a point, or its values are the same, to rounding.
func (o *counted) small(s []corner, start float64) bool {
	const x, f = 1e-9, 1e-15
	best := s[0]
	for _, c := range s[1:] {
		for i, v := range c.x {
			if math.Abs(v-best.x[i]) > x*o.extent(i, max(math.Abs(best.x[i]), 1e-3*largest(best.x))) && !(c.f-best.f <= f*max(math.Abs(best.f), 1e-10*(start-best.f))) {
				return false
			}
		}
	}
	return true
}
