package optimize

import (
	"fmt"
	"math"
)

// balance changes the units of the conditions and of the variables, which it returns, to powers
// of two that bring the numbers near 1, so that small ones are rounding and not units: rows and
// columns in turn by the geometric mean of their largest and smallest number, then the right side
// as a whole.
func balance(rows [][]float64, right []float64, columns int) (unit []float64) {
	const passes = 5
	unit = make([]float64, columns)
	for j := range unit {
		unit[j] = 1
	}
	for range passes {
		for i, row := range rows {
			least, most := ends(len(row), func(j int) float64 { return row[j] })
			if largest(row) == 0 && right[i] != 0 { // no variable can help, however little is missing
				least, most = math.Abs(right[i]), math.Abs(right[i])
			}
			f := power(least, most)
			for j := range row {
				row[j] *= f
			}
			right[i] *= f
		}
		for j := range unit {
			least, most := ends(len(rows), func(i int) float64 { return rows[i][j] })
			f := power(least, most)
			for i := range rows {
				rows[i][j] *= f
			}
			unit[j] *= f
		}
	}
	most := largest(right)
	if most == 0 {
		return unit
	}
	f := power(most, most)
	for i := range right {
		right[i] *= f
	}
	for j := range unit {
		unit[j] /= f
	}
	return unit
}

// ends are the smallest and the largest size of n numbers that are not 0; 1 if all are.
func ends(n int, of func(i int) float64) (least, most float64) {
	least, most = math.Inf(1), 0
	for i := range n {
		if a := math.Abs(of(i)); a > 0 {
			least, most = min(least, a), max(most, a)
		}
	}
	if most == 0 {
		return 1, 1
	}
	return least, most
}

// power is the power of two next to one over the geometric mean.
func power(least, most float64) float64 {
	_, a := math.Frexp(least)
	_, b := math.Frexp(most)
	return math.Ldexp(1, -(a+b)/2)
}

// missed is an error if x does not fulfil a condition, as rounding may have it where numbers
// differ by more orders of magnitude than floats have digits.
func (p *Program) missed(x []float64) error {
	const enough = 1e-7
	check := func(name string, i int, row []float64, right float64, equal bool) error {
		off, size := -right, math.Abs(right)
		for j, a := range row {
			off += a * x[j]
			size += math.Abs(a * x[j])
		}
		if off > enough*size || equal && off < -enough*size {
			return fmt.Errorf("row %d of %s is missed by %.3g of %.3g: its numbers differ by too many orders of magnitude from the others; choose units in which they are nearer to 1", i+1, name, off, size)
		}
		return nil
	}
	for i, row := range p.Upper {
		if err := check("a_ub", i, row, p.UpperBound[i], false); err != nil {
			return err
		}
	}
	for i, row := range p.Equal {
		if err := check("a_eq", i, row, p.EqualBound[i], true); err != nil {
			return err
		}
	}
	return nil
}
