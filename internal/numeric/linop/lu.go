package linop

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/parallel"
	"github.com/greenbench/workbench/internal/numeric/simd"
)

// LUFactors are the factors of a square matrix: P A = L U, with L of unit diagonal.
type LUFactors struct {
	lu        simd.Matrix // of A in a unit that keeps its entries from overflow
	unit      float64
	swaps     []int // row k was exchanged with row swaps[k]
	condition float64
}

// farthest is the largest entry of which sums and products do not overflow, and the
// inverse of the least of which they do not vanish.
const farthest = 1e280

// LU factors a square matrix with partial pivoting. 2n³/3 operations, most of them in
// matrix products, and memory for one such matrix. The error is the context's; that the
// matrix is singular is said by Condition.
func LU(ctx context.Context, a mat.Matrix) (*LUFactors, error) {
	n, cols := a.Dims()
	if n != cols {
		panic(mat.ErrShape)
	}
	own, err := copyOf(ctx, strided(a))
	if err != nil {
		return nil, err
	}
	m := strided(own)
	f := &LUFactors{lu: m, swaps: make([]int, n)}
	largest := largestOf(m.Data)
	if f.unit = 1; largest > farthest || largest < 1/farthest {
		f.unit = scaleToUnit(m.Data, largest)
	}
	norm := 0.0
	for i := range n {
		norm = max(norm, floats.Norm(row(m, i), 1))
	}
	for from := 0; from < n; from += factorBlock {
		to := min(from+factorBlock, n)
		if err := Stopped(ctx); err != nil {
			return nil, err
		}
		for k := from; k < to; k++ {
			f.pivot(k, to)
		}
		parallel.Range(n-to, read*float64((to-from)*(to-from)), func(lo, hi int) {
			for i := from + 1; i < to; i++ {
				for k := from; k < i; k++ {
					floats.AddScaled(row(m, i)[to+lo:to+hi], -row(m, i)[k], row(m, k)[to+lo:to+hi])
				}
			}
		})
		if err := gemm(ctx, vector.GemmParallel, -1, part(m, to, n, from, to), part(m, from, to, to, n), 1, part(m, to, n, to, n)); err != nil {
			return nil, err
		}
	}
	for k := range n {
		if row(m, k)[k] == 0 {
			f.condition = math.Inf(1)
			return f, nil
		}
	}
	ending := func(solve func(x []float64)) func(ctx context.Context, x []float64) error {
		return func(ctx context.Context, x []float64) error {
			solve(x)
			return Stopped(ctx)
		}
	}
	inverse, err := InverseNorm(ctx, n, ending(f.solveTransposed), ending(f.solve))
	f.condition = norm * inverse
	return f, err
}

// pivot eliminates column k in the rows below, up to column to.
func (f *LUFactors) pivot(k, to int) {
	m, p := f.lu, k
	for i := k + 1; i < m.Rows; i++ {
		if math.Abs(row(m, i)[k]) > math.Abs(row(m, p)[k]) {
			p = i
		}
	}
	if f.swaps[k] = p; p != k {
		swap(row(m, k), row(m, p))
	}
	own := row(m, k)[k:to]
	if own[0] == 0 {
		return
	}
	parallel.Range(m.Rows-k-1, float64(len(own)), func(lo, hi int) {
		for i := k + 1 + lo; i < k+1+hi; i++ {
			x := row(m, i)[k:to]
			x[0] /= own[0]
			floats.AddScaled(x[1:], -x[0], own[1:])
		}
	})
}

func swap(x, y []float64) {
	for i, v := range x {
		x[i], y[i] = y[i], v
	}
}

// Condition estimates the condition number in the norm of the largest row sum; it is
// infinite for a matrix that is exactly singular.
func (f *LUFactors) Condition() float64 { return f.condition }

// Det returns the determinant.
func (f *LUFactors) Det() float64 {
	mantissa, exponent := 1.0, 0
	_, unit := math.Frexp(f.unit)
	for k := range f.lu.Rows {
		v := row(f.lu, k)[k]
		if f.swaps[k] != k {
			v = -v
		}
		m, e := math.Frexp(mantissa * v)
		mantissa, exponent = m, exponent+e+unit-1
	}
	return math.Ldexp(mantissa, exponent)
}

// Solve returns the solution of A X = B, of no use where the condition number is above
// 1e16. The error is the context's.
func (f *LUFactors) Solve(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
	out, err := copyOf(ctx, strided(b))
	if err != nil {
		return nil, err
	}
	x, n, own := strided(out), f.lu.Rows, 1.0
	if largest := largestOf(x.Data); largest > farthest || largest < 1/farthest {
		own = scaleToUnit(x.Data, largest)
	}
	for k, p := range f.swaps {
		if p != k {
			swap(row(x, k), row(x, p))
		}
	}
	for from := 0; from < n; from += factorBlock {
		to := min(from+factorBlock, n)
		if err := gemm(ctx, vector.GemmParallel, -1, part(f.lu, from, to, 0, from), part(x, 0, from, 0, x.Cols), 1, part(x, from, to, 0, x.Cols)); err != nil {
			return nil, err
		}
		for i := from; i < to; i++ {
			for k := from; k < i; k++ {
				floats.AddScaled(row(x, i), -row(f.lu, i)[k], row(x, k))
			}
		}
	}
	for from := (n - 1) / factorBlock * factorBlock; from >= 0; from -= factorBlock {
		to := min(from+factorBlock, n)
		if err := gemm(ctx, vector.GemmParallel, -1, part(f.lu, from, to, to, n), part(x, to, n, 0, x.Cols), 1, part(x, from, to, 0, x.Cols)); err != nil {
			return nil, err
		}
		for i := to - 1; i >= from; i-- {
			for k := i + 1; k < to; k++ {
				floats.AddScaled(row(x, i), -row(f.lu, i)[k], row(x, k))
			}
			floats.Scale(1/row(f.lu, i)[i], row(x, i))
		}
	}
	if f.unit != 1 || own != 1 {
		_, e := math.Frexp(f.unit)
		_, to := math.Frexp(own)
		out.Apply(func(_, _ int, v float64) float64 { return math.Ldexp(v, to-e) }, out)
	}
	return out, Stopped(ctx)
}

// solve replaces x by the solution of A y = x in the unit of the factors.
func (f *LUFactors) solve(x []float64) {
	for k, p := range f.swaps {
		x[k], x[p] = x[p], x[k]
	}
	for i := range x {
		x[i] -= vector.Dot(row(f.lu, i)[:i], x[:i])
	}
	for i := len(x) - 1; i >= 0; i-- {
		u := row(f.lu, i)
		x[i] = (x[i] - vector.Dot(u[i+1:], x[i+1:])) / u[i]
	}
}

// solveTransposed replaces x by the z with Aᵀ z = x.
func (f *LUFactors) solveTransposed(x []float64) {
	for i := range x {
		u := row(f.lu, i)
		x[i] /= u[i]
		floats.AddScaled(x[i+1:], -x[i], u[i+1:])
	}
	for i := len(x) - 1; i >= 0; i-- {
		floats.AddScaled(x[:i], -x[i], row(f.lu, i)[:i])
	}
	for k := len(x) - 1; k >= 0; k-- {
		p := f.swaps[k]
		x[k], x[p] = x[p], x[k]
	}
}

// InverseNorm estimates ‖A⁻¹‖ in the 1-norm from below, most often exactly, with a few
// solves with A and Aᵀ: Higham, Accuracy and Stability of Numerical Algorithms (2002),
// algorithm 15.1.
func InverseNorm(ctx context.Context, n int, solve, solveTransposed func(ctx context.Context, x []float64) error) (float64, error) {
	v := make([]float64, n)
	for i := range v {
		v[i] = 1 / float64(n)
	}
	estimate := 0.0
	for round := range 5 {
		if err := solve(ctx, v); err != nil {
			return 0, err
		}
		norm := floats.Norm(v, 1)
		if !(norm > estimate) && round > 0 {
			break
		}
		estimate = norm
		for i, y := range v {
			v[i] = math.Copysign(1, y)
		}
		if err := solveTransposed(ctx, v); err != nil {
			return 0, err
		}
		j := 0
		for i, z := range v {
			if math.Abs(z) > math.Abs(v[j]) {
				j = i
			}
		}
		clear(v)
		v[j] = 1
	}
	for i := range v {
		v[i] = 1 + float64(i)/float64(max(1, n-1))
		if i%2 == 1 {
			v[i] = -v[i]
		}
	}
	if err := solve(ctx, v); err != nil {
		return 0, err
	}
	return max(estimate, 2*floats.Norm(v, 1)/(3*float64(n))), nil
}

// Parts returns L and U, and the row of A that each row of L U is: A[rows[k]] = (L U)[k].
func (f *LUFactors) Parts() (rows []int, l, u *mat.Dense) {
	n := f.lu.Rows
	rows, l, u = make([]int, n), mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	for k := range rows {
		rows[k] = k
	}
	for k, p := range f.swaps {
		rows[k], rows[p] = rows[p], rows[k]
	}
	for i := range n {
		from := row(f.lu, i)
		copy(l.RawRowView(i)[:i], from[:i])
		l.Set(i, i, 1)
		to := u.RawRowView(i)
		for j := i; j < n; j++ {
			to[j] = from[j] * f.unit
		}
	}
	return rows, l, u
}
