package optimize

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Program is the linear program: minimise C·x subject to Upper x <= UpperBound, Equal x =
// EqualBound and Low <= x <= High, elementwise; bounds may be infinite.
type Program struct {
	C          []float64
	Upper      [][]float64
	UpperBound []float64
	Equal      [][]float64
	EqualBound []float64
	Low, High  []float64 // nil: 0, and no upper bound
}

// The errors of a program without a solution.
var (
	ErrInfeasible = errors.New("no x fulfils all conditions")
	ErrUnbounded  = errors.New("the objective falls without bound")
)

// tableau is the dense simplex tableau: rows of conditions, columns of variables that are
// not negative, then the right side.
type tableau struct {
	ctx   context.Context
	rows  [][]float64
	basis []int
	size  float64 // of the numbers, against which others are small
}

// Linear solves a linear program by the simplex method in two phases, with Bland's rule
// once it stands still. Dense: for hundreds of variables and conditions.
func Linear(ctx context.Context, p Program) (x []float64, value float64, err error) {
	n := len(p.C)
	if p.Low == nil {
		p.Low = make([]float64, n)
	}
	if err := p.check(n); err != nil {
		return nil, 0, err
	}
	s := p.standard(n)
	unit := balance(s.rows, s.right, s.columns)
	t, variables := s.tableau(ctx)
	total := variables + len(s.rows)
	artificial := make([]float64, total+1)
	for i := range s.rows {
		artificial[variables+i] = 1
	}
	left, err := t.minimise(artificial, total)
	if err != nil {
		return nil, 0, err
	}
	if left > 1e-9*t.sizeOf(s.right) {
		return nil, 0, ErrInfeasible
	}
	t.drop(variables)
	cost := make([]float64, total+1)
	for i, v := range s.terms {
		cost[v.plus] += p.C[i] * v.sign * unit[v.plus]
		if v.minus >= 0 {
			cost[v.minus] -= p.C[i] * unit[v.minus]
		}
	}
	if _, err := t.minimise(cost, variables); err != nil {
		return nil, 0, err
	}
	z := make([]float64, total)
	for i, b := range t.basis {
		z[b] = t.rows[i][total]
	}
	for j, u := range unit {
		z[j] *= u
	}
	x = make([]float64, n)
	for i, v := range s.terms {
		x[i] = v.of(z)
		value += p.C[i] * x[i]
	}
	return x, value, p.missed(x)
}

// tableau is the one to start from: a slack for each condition that is no equation, and an
// artificial variable for each condition, after the variables that the program has.
func (s *standardForm) tableau(ctx context.Context) (t *tableau, variables int) {
	variables = s.columns
	for _, e := range s.equal {
		if !e {
			variables++
		}
	}
	t = &tableau{ctx: ctx}
	total, slack := variables+len(s.rows), s.columns
	for i, r := range s.rows {
		row := make([]float64, total+1)
		copy(row, r)
		if !s.equal[i] {
			row[slack] = 1
			slack++
		}
		row[total] = s.right[i]
		if s.right[i] < 0 {
			for j := range row {
				row[j] = -row[j]
			}
		}
		row[variables+i] = 1
		t.size = max(t.size, largest(row))
		t.rows, t.basis = append(t.rows, row), append(t.basis, variables+i)
	}
	return t, variables
}

func (t *tableau) sizeOf(right []float64) float64 { return max(largest(right), 1e-300) }

func (p *Program) check(n int) error {
	if n == 0 {
		return errors.New("c is empty: want a number for each variable")
	}
	for _, part := range []struct {
		name  string
		rows  [][]float64
		right []float64
	}{{"a_ub", p.Upper, p.UpperBound}, {"a_eq", p.Equal, p.EqualBound}} {
		if len(part.rows) != len(part.right) {
			return fmt.Errorf("%s has %d rows for %d right sides", part.name, len(part.rows), len(part.right))
		}
		for i, r := range part.rows {
			if len(r) != n {
				return fmt.Errorf("row %d of %s has %d numbers: want %d, as many as c", i+1, part.name, len(r), n)
			}
			for _, v := range append([]float64{part.right[i]}, r...) {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return fmt.Errorf("row %d of %s has %g: want finite numbers", i+1, part.name, v)
				}
			}
		}
	}
	if len(p.Low) != n || p.High != nil && len(p.High) != n {
		return fmt.Errorf("bounds of %d variables: want %d", max(len(p.Low), len(p.High)), n)
	}
	for i, l := range p.Low {
		if p.High != nil && !(l <= p.High[i]) {
			return fmt.Errorf("the bounds of x[%d] are %g and %g: want the lower first", i+1, l, p.High[i])
		}
	}
	return nil
}

// term says how a variable is made of those that are not negative: shift + sign × plus, less
// minus if that is not -1.
type term struct {
	shift, sign float64
	plus, minus int
}

// of is the variable, of the values z of those that are not negative.
func (t term) of(z []float64) float64 {
	x := t.shift + t.sign*z[t.plus]
	if t.minus >= 0 {
		x -= z[t.minus]
	}
	return x
}

// A standardForm has the conditions for variables that are not negative, and how those of
// the program are made of them.
type standardForm struct {
	terms   []term
	columns int
	rows    [][]float64
	right   []float64
	equal   []bool
}

func (p *Program) standard(n int) *standardForm {
	s, next := &standardForm{}, 0
	var ranges []int // variables with two finite bounds
	for i := range n {
		low, high := p.Low[i], math.Inf(1)
		if p.High != nil {
			high = p.High[i]
		}
		t := term{low, 1, next, -1}
		switch {
		case !math.IsInf(low, 0):
			if !math.IsInf(high, 0) {
				ranges = append(ranges, i)
			}
		case !math.IsInf(high, 0):
			t.shift, t.sign = high, -1
		default:
			t.shift, t.minus = 0, next+1
			next++
		}
		next++
		s.terms = append(s.terms, t)
	}
	s.columns = next
	add := func(row []float64, b float64, isEqual bool) {
		out := make([]float64, next)
		for i, a := range row {
			t := s.terms[i]
			b -= a * t.shift
			out[t.plus] += a * t.sign
			if t.minus >= 0 {
				out[t.minus] -= a
			}
		}
		s.rows, s.right, s.equal = append(s.rows, out), append(s.right, b), append(s.equal, isEqual)
	}
	for i, r := range p.Upper {
		add(r, p.UpperBound[i], false)
	}
	for i, r := range p.Equal {
		add(r, p.EqualBound[i], true)
	}
	for _, i := range ranges {
		row := make([]float64, n)
		row[i] = 1
		add(row, p.High[i], false)
	}
	return s
}

// minimise pivots until no column of the first ones lowers the cost, whose value it returns.
func (t *tableau) minimise(cost []float64, columns int) (float64, error) {
	last := len(cost) - 1
	z := append([]float64(nil), cost...)
	for i, b := range t.basis { // reduced costs
		if f := z[b]; f != 0 {
			for j, v := range t.rows[i] {
				z[j] -= f * v
			}
		}
	}
	small := 1e-11 * max(largest(cost), 1e-300)
	still := 0
	for {
		if err := t.ctx.Err(); err != nil {
			return 0, err
		}
		enter := -1
		for j := range columns {
			if z[j] < -small && (enter < 0 || still < 50 && z[j] < z[enter]) {
				enter = j
			}
		}
		if enter < 0 {
			return -z[last], nil
		}
		leave := -1
		for i, row := range t.rows {
			if row[enter] <= 1e-11*t.size {
				continue
			}
			a := math.Inf(1)
			if leave >= 0 {
				a = t.rows[leave][last] / t.rows[leave][enter]
			}
			b := row[last] / row[enter]
			if leave < 0 || b < a || b == a && t.basis[i] < t.basis[leave] {
				leave = i
			}
		}
		if leave < 0 {
			return 0, ErrUnbounded
		}
		if t.rows[leave][last] > 0 {
			still = 0
		} else {
			still++
		}
		t.pivot(leave, enter)
		if f := z[enter]; f != 0 {
			for j, v := range t.rows[leave] {
				z[j] -= f * v
			}
		}
	}
}

func (t *tableau) pivot(leave, enter int) {
	row := t.rows[leave]
	f := row[enter]
	for j := range row {
		row[j] /= f
	}
	row[enter] = 1
	for i, other := range t.rows {
		if f := other[enter]; i != leave && f != 0 {
			for j, v := range row {
				other[j] -= f * v
			}
			other[enter] = 0
			if last := len(other) - 1; other[last] < 0 && other[last] > -1e-12*t.size { // rounding
				other[last] = 0
			}
		}
	}
	t.basis[leave] = enter
}

// drop takes variables from the given one on out of the basis, with the conditions that
// others make superfluous.
func (t *tableau) drop(from int) {
	for i := 0; i < len(t.rows); i++ {
		if t.basis[i] < from {
			continue
		}
		best := -1
		for j := range from {
			if a := math.Abs(t.rows[i][j]); a > 1e-9 && (best < 0 || a > math.Abs(t.rows[i][best])) {
				best = j
			}
		}
		if best >= 0 {
			t.pivot(i, best)
			continue
		}
		t.rows = append(t.rows[:i], t.rows[i+1:]...)
		t.basis = append(t.basis[:i], t.basis[i+1:]...)
		i--
	}
}
