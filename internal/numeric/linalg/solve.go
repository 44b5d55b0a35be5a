package linalg

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// ErrSingular is the error of a matrix without an inverse.
var ErrSingular = errors.New("the matrix is singular")

// Solve solves A X = B for a square A, and refuses one so near to singular that no digit of X would
// be right. One that is so only in the units of its rows and columns is solved in others. Cost: that
// of [NewLU], twice where the units matter.
func Solve(ctx context.Context, a, b *mat.Dense) (*mat.Dense, error) {
	lu, err := NewLU(ctx, a)
	if err != nil {
		return nil, err
	}
	if lu.Condition() <= mat.ConditionTolerance {
		return lu.Solve(ctx, b)
	}
	rows, columns := units(a)
	shifted := func(m *mat.Dense, shift func(i, j int) int) *mat.Dense {
		out := new(mat.Dense)
		out.Apply(func(i, j int, v float64) float64 { return math.Ldexp(v, shift(i, j)) }, m)
		return out
	}
	if lu, err = NewLU(ctx, shifted(a, func(i, j int) int { return rows[i] + columns[j] })); err != nil {
		return nil, err
	}
	switch condition := lu.Condition(); {
	case math.IsInf(condition, 1):
		return nil, ErrSingular
	case !(condition <= mat.ConditionTolerance):
		return nil, fmt.Errorf("the matrix is singular to working precision (condition %.0e)", condition)
	}
	x, err := lu.Solve(ctx, shifted(b, func(i, _ int) int { return rows[i] }))
	if err != nil {
		return nil, err
	}
	return shifted(x, func(i, _ int) int { return columns[i] }), nil
}

// units are the powers of 2 that bring the largest entries of rows, then of columns, to about 1: without
// rounding.
func units(a *mat.Dense) (rows, columns []int) {
	n, m := a.Dims()
	rows, columns = make([]int, n), make([]int, m)
	exponent := func(k int, entry func(i int) (v float64, shift int)) int {
		most := math.MinInt32
		for i := range k {
			if v, shift := entry(i); v != 0 {
				_, e := math.Frexp(v)
				most = max(most, e+shift)
			}
		}
		if most == math.MinInt32 {
			return 0
		}
		return most
	}
	for i := range rows {
		rows[i] = -exponent(m, func(j int) (float64, int) { return a.At(i, j), 0 })
	}
	for j := range columns {
		columns[j] = -exponent(n, func(i int) (float64, int) { return a.At(i, j), rows[i] })
	}
	return rows, columns
}
