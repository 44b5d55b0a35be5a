package sparse

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/linop"
)

// Errors of factorisations; they are wrapped.
var (
	ErrSingular    = errors.New("the matrix is singular")
	ErrNotPositive = errors.New("the matrix is not positive definite")
)

// worstCondition is where a solution has no digit left.
const worstCondition = 1e15

// Factors are those of a square matrix, to be solved with often. They are immutable, and safe
// for concurrent use.
type Factors struct {
	Method    string  // "cholesky" or "lu"
	Fill      int     // entries kept in the factors
	Condition float64 // estimate of that of the matrix, its rows and columns scaled, in the 1-norm

	a              *Matrix
	rowUnit        []float64 // the factors are of the matrix with its rows and columns multiplied by these,
	colUnit        []float64 // powers of two
	factor         triangles
	refinementsMax int
}

// triangles solve with the factored matrix.
type triangles interface {
	solve(x, work []float64)
	solveTransposed(x, work []float64)
	fill() int
}

func checkFactored(a *Matrix) error {
	if a.rows != a.cols {
		return fmt.Errorf("a %d × %d matrix: must be square", a.rows, a.cols)
	}
	for i := range a.rows {
		cols, values := a.Row(i)
		for k, v := range values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("the entry in row %d and column %d is %g: must be finite", i+1, cols[k]+1, v)
			}
		}
	}
	return nil
}

// Cholesky factors a symmetric positive definite matrix, P D A D Pᵀ = L Lᵀ: D makes the
// diagonal about 1, and P orders the unknowns by minimum degree. The time is that of the
// factor's Σ (entries of a column)²; its fill is found, and refused where it does not fit into
// memory, before it is allocated. The error is the context's, or wraps ErrNotPositive or
// ErrSingular.
func Cholesky(ctx context.Context, a *Matrix) (*Factors, error) {
	if err := checkFactored(a); err != nil {
		return nil, err
	}
	if !a.Symmetric(1e-10) {
		return nil, errors.New("the matrix is not symmetric; LU factors take such a matrix")
	}
	unit := make([]float64, a.rows)
	for i := range unit {
		d := a.At(i, i)
		if !(d > 0) {
			return nil, fmt.Errorf("%w: its diagonal has %g in row %d", ErrNotPositive, d, i+1)
		}
		unit[i] = powerOfTwo(1 / math.Sqrt(d))
	}
	p, err := newPlan(ctx, pattern(a), 1.5)
	if err != nil {
		return nil, err
	}
	l, err := factorCholesky(ctx, a, p, unit)
	if err != nil {
		return nil, err
	}
	f := &Factors{Method: "cholesky", a: a, rowUnit: unit, colUnit: unit, factor: l}
	return f, f.estimate(ctx)
}

// LU factors a square matrix, P R A C Q = L U: R and C make the largest entries of rows and
// columns about 1, Q orders the columns by minimum degree of A + Aᵀ, or of AᵀA where the pattern is
// far from symmetric, and P is chosen on the way: threshold partial pivoting. The error is
// the context's, or wraps ErrSingular.
func LU(ctx context.Context, a *Matrix) (*Factors, error) {
	if err := checkFactored(a); err != nil {
		return nil, err
	}
	f := &Factors{Method: "lu", a: a, refinementsMax: 3}
	if err := f.equilibrate(); err != nil {
		return nil, err
	}
	adjacent := pattern(a)
	total := 0
	for _, list := range adjacent {
		total += len(list)
	}
	threshold := 0.1
	if diagonal := a.diagonals(); 2*(len(a.col)-diagonal) < total*3/2 || diagonal < a.rows*9/10 {
		var err error
		if adjacent, err = products(a, max(16, int(10*math.Sqrt(float64(a.rows))))); err != nil {
			return nil, err
		}
		threshold = 1
	}
	p, err := newPlan(ctx, adjacent, 3)
	if err != nil {
		return nil, err
	}
	if f.factor, err = factorLU(ctx, a, p, f.rowUnit, f.colUnit, threshold); err != nil {
		return nil, err
	}
	return f, f.estimate(ctx)
}

// diagonals counts the entries on the diagonal that are not 0.
func (m *Matrix) diagonals() (count int) {
	for i := range m.rows {
		if m.At(i, i) != 0 {
			count++
		}
	}
	return count
}

func powerOfTwo(x float64) float64 {
	_, e := math.Frexp(x)
	return math.Ldexp(1, e-1)
}

// equilibrate makes the largest entry of each row, and then of each column, about 1.
func (f *Factors) equilibrate() error {
	a := f.a
	rows, cols := make([]float64, a.rows), make([]float64, a.cols)
	for i := range a.rows {
		for _, v := range a.val[a.start[i]:a.start[i+1]] {
			rows[i] = max(rows[i], math.Abs(v))
		}
		if rows[i] == 0 {
			return fmt.Errorf("%w: row %d is zero", ErrSingular, i+1)
		}
		rows[i] = powerOfTwo(1 / rows[i])
		for p := a.start[i]; p < a.start[i+1]; p++ {
			cols[a.col[p]] = max(cols[a.col[p]], math.Abs(a.val[p]*rows[i]))
		}
	}
	for j, v := range cols {
		if v == 0 {
			return fmt.Errorf("%w: column %d is zero", ErrSingular, j+1)
		}
		cols[j] = powerOfTwo(1 / v)
	}
	f.rowUnit, f.colUnit = rows, cols
	return nil
}

// estimate finds the condition number, and refuses matrices without a digit left.
func (f *Factors) estimate(ctx context.Context) error {
	f.Fill = f.factor.fill()
	n := f.a.rows
	work := make([]float64, n)
	inverse, err := linop.InverseNorm(ctx, n,
		func(ctx context.Context, x []float64) error { f.factor.solve(x, work); return linop.Stopped(ctx) },
		func(ctx context.Context, x []float64) error {
			f.factor.solveTransposed(x, work)
			return linop.Stopped(ctx)
		})
	if err != nil {
		return err
	}
	sums := make([]float64, n)
	for i := range n {
		for p := f.a.start[i]; p < f.a.start[i+1]; p++ {
			j := f.a.col[p]
			sums[j] += math.Abs(f.rowUnit[i] * f.a.val[p] * f.colUnit[j])
		}
	}
	if f.Condition = floats.Max(sums) * inverse; !(f.Condition < worstCondition) {
		return fmt.Errorf("%w to working precision (condition %.0e)", ErrSingular, f.Condition)
	}
	return nil
}

// Size is the number of unknowns.
func (f *Factors) Size() int { return f.a.rows }

// Solve returns the solution of A X = B.
func (f *Factors) Solve(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
	rows, cols := b.Dims()
	if rows != f.a.rows {
		return nil, fmt.Errorf("%d numbers on the right side: must be %d, as the matrix has rows", rows, f.a.rows)
	}
	if err := dense.CheckMatrix("the solution", 1, rows, cols); err != nil {
		return nil, err
	}
	x := mat.NewDense(rows, cols, nil)
	column, right := make([]float64, rows), make([]float64, rows)
	for j := range cols {
		mat.Col(right, j, b)
		if err := f.solveVector(ctx, column, right); err != nil {
			return nil, err
		}
		x.SetCol(j, column)
	}
	return x, nil
}

// solveVector stores the solution of A x = b in x, which must not overlap b.
func (f *Factors) solveVector(ctx context.Context, x, b []float64) error {
	if err := linop.Stopped(ctx); err != nil {
		return err
	}
	work := make([]float64, len(b))
	f.once(x, b, work)
	if f.refinementsMax == 0 {
		return nil
	}
	// Iterative refinement makes up for pivots that are not the largest.
	rest, correction := make([]float64, len(b)), make([]float64, len(b))
	before := math.Inf(1)
	for range f.refinementsMax {
		f.a.Apply(ctx, rest, x)
		worst := 0.0
		for i, v := range rest {
			rest[i] = b[i] - v
			worst = max(worst, math.Abs(rest[i]*f.rowUnit[i]))
		}
		if !(worst < before/2) || worst == 0 {
			break
		}
		before = worst
		f.once(correction, rest, work)
		if slices.ContainsFunc(correction, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
			break
		}
		floats.Add(x, correction)
	}
	return linop.Stopped(ctx)
}

func (f *Factors) once(x, b, work []float64) {
	for i, v := range b {
		x[i] = v * f.rowUnit[i]
	}
	f.factor.solve(x, work)
	for j := range x {
		x[j] *= f.colUnit[j]
	}
}
