package linalg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// pade are the coefficients of the diagonal Padé approximant of degree 13 of the exponential.
var pade = [...]float64{
	64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, 10559470521600, 670442572800,
	33522128640, 1323241920, 40840800, 960960, 16380, 182, 1,
}

// Exp returns the exponential of a square matrix by scaling and squaring (Higham 2005, SIAM J.
// Matrix Anal. Appl. 26): some 6 products, one factorisation, and a product for each doubling
// of the norm above 5.4. Rounding can spoil that of a large matrix, so that above a norm of 1e4
// it is computed by one doubling more, too. The error is the context's, or says that the result
// overflows or that rounding leaves no three digits of it.
func Exp(ctx context.Context, a *mat.Dense) (*mat.Dense, error) {
	const theta, large, digits = 5.371920351148152, 1e4, 1e-3
	norm, doublings := mat.Norm(a, 1), 0
	if norm > theta {
		doublings = int(math.Ceil(math.Log2(min(norm, math.MaxFloat64) / theta)))
	}
	out := diagonalExp(a)
	diagonal := out != nil
	if !diagonal {
		if norm*0x1p-52 > digits {
			return nil, fmt.Errorf("the exponential of a matrix of norm %.3g: the rounding of its numbers alone changes that beyond recognition", norm)
		}
		var err error
		if out, err = squared(ctx, a, doublings); err != nil {
			return nil, err
		}
	}
	if s := mat.Sum(out); math.IsNaN(s) || math.IsInf(s, 0) {
		return nil, fmt.Errorf("the exponential of a matrix of norm %.3g overflows", norm)
	}
	if diagonal || norm <= large {
		return out, nil
	}
	again, err := squared(ctx, a, doublings+1)
	if err != nil {
		return nil, err
	}
	again.Sub(again, out)
	if d := mat.Norm(again, 1); d > digits*mat.Norm(out, 1) {
		return nil, fmt.Errorf("the exponential of a matrix of norm %.3g: rounding changes it by %.2g of itself", norm, d/mat.Norm(out, 1))
	}
	return out, nil
}

// diagonalExp is nil for a matrix that is not diagonal.
func diagonalExp(a *mat.Dense) *mat.Dense {
	n, _ := a.Dims()
	out := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			if i != j && a.At(i, j) != 0 {
				return nil
			}
		}
		out.Set(i, i, math.Exp(a.At(i, i)))
	}
	return out
}

// squared is the exponential of a/2ᵏ, squared k times.
func squared(ctx context.Context, a *mat.Dense, doublings int) (*mat.Dense, error) {
	n, _ := a.Dims()
	x := mat.NewDense(n, n, nil)
	x.Scale(math.Ldexp(1, -doublings), a)
	powers := make([]*mat.Dense, 4) // 1, x², x⁴, x⁶
	for k := 1; k < 4; k++ {
		powers[k] = mat.NewDense(n, n, nil)
		left := x
		if k > 1 {
			left = powers[k-1]
		}
		right := x
		if k > 1 {
			right = powers[1]
		}
		if err := Mul(ctx, powers[k], left, right); err != nil {
			return nil, err
		}
	}
	// even and odd part: high·x⁶ + low, by coefficients from 'from' on.
	part := func(from int) (*mat.Dense, error) {
		high, out := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
		for k := 3; k >= 1; k-- {
			if c := from + 6 + 2*k; c < len(pade) {
				high.Apply(func(i, j int, v float64) float64 { return v + pade[c]*powers[k].At(i, j) }, high)
			}
		}
		if err := Mul(ctx, out, powers[3], high); err != nil {
			return nil, err
		}
		for k := 1; k <= 3; k++ {
			c := pade[from+2*k]
			out.Apply(func(i, j int, v float64) float64 { return v + c*powers[k].At(i, j) }, out)
		}
		for i := range n {
			out.Set(i, i, out.At(i, i)+pade[from])
		}
		return out, nil
	}
	v, err := part(0)
	if err != nil {
		return nil, err
	}
	odd, err := part(1)
	if err != nil {
		return nil, err
	}
	u := mat.NewDense(n, n, nil)
	if err := Mul(ctx, u, x, odd); err != nil {
		return nil, err
	}
	var down, up mat.Dense
	down.Sub(v, u)
	up.Add(v, u)
	lu, err := NewLU(ctx, &down)
	if err != nil {
		return nil, err
	}
	out, err := lu.Solve(ctx, &up)
	for k := 0; err == nil && k < doublings; k++ {
		next := mat.NewDense(n, n, nil)
		err = Mul(ctx, next, out, out)
		out = next
	}
	return out, err
}

// MostEigenvalues bounds the matrices of EigenGeneral.
const MostEigenvalues = 1000

// EigenGeneral returns the eigenvalues of a square matrix, by real and then imaginary part, and
// unit eigenvectors in columns: A v = λ v. About 25 n³ operations; larger matrices than
// MostEigenvalues are refused.
func EigenGeneral(ctx context.Context, a *mat.Dense) ([]complex128, *mat.CDense, error) {
	n, _ := a.Dims()
	if n > MostEigenvalues {
		return nil, nil, fmt.Errorf("eigenvalues of a %d × %d matrix that is not symmetric: at most %d rows", n, n, MostEigenvalues)
	}
	if err := linop.Stopped(ctx); err != nil {
		return nil, nil, err
	}
	// In a unit in which nothing overflows on the way, nor squares of the largest entry vanish; not in one
	// of 1, in which much smaller entries would vanish.
	const most = 300
	_, e := math.Frexp(max(mat.Max(a), -mat.Min(a)))
	shift := min(max(e, -most), most) - e
	own := mat.NewDense(n, n, nil)
	own.Apply(func(_, _ int, v float64) float64 { return math.Ldexp(v, shift) }, a)
	values, vectors, ok, err := linop.GeneralEigen(ctx, own)
	switch {
	case err != nil:
		return nil, nil, err
	case !ok:
		return nil, nil, errors.New("the eigenvalues have not converged")
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(real(values[i]), real(values[j])), cmp.Compare(imag(values[i]), imag(values[j])))
	})
	sorted, columns := make([]complex128, n), mat.NewCDense(n, n, nil)
	for q, i := range order {
		sorted[q] = complex(math.Ldexp(real(values[i]), -shift), math.Ldexp(imag(values[i]), -shift))
		for r := range n {
			columns.Set(r, q, vectors.At(r, i))
		}
	}
	return sorted, columns, linop.Stopped(ctx)
}

// Power returns the k-th power of a square matrix, of its inverse for negative k. The error is
// the context's, or says that the matrix has no inverse or that the power overflows.
func Power(ctx context.Context, a *mat.Dense, k int) (*mat.Dense, error) {
	n, _ := a.Dims()
	out := linop.Identity(n)
	base := mat.DenseCopyOf(a)
	if k < 0 {
		var err error
		if base, err = Solve(ctx, a, out); err != nil {
			return nil, fmt.Errorf("%w: it has no negative powers", err)
		}
		k = -k
	}
	for ; k > 0; k /= 2 {
		next := mat.NewDense(n, n, nil)
		if k%2 == 1 {
			if err := Mul(ctx, next, out, base); err != nil {
				return nil, err
			}
			out, next = next, mat.NewDense(n, n, nil)
		}
		if k > 1 {
			if err := Mul(ctx, next, base, base); err != nil {
				return nil, err
			}
			base = next
		}
	}
	if s := mat.Sum(out); math.IsNaN(s) || math.IsInf(s, 0) {
		return nil, errors.New("the power overflows")
	}
	return out, nil
}

// SolveToeplitz solves T X = B for the Toeplitz matrix of the given first column and row,
// whose first number is the column's, by Levinson's recursion: 4 n² operations and no matrix.
// The recursion is not stable for every matrix, so that its residual is looked at, and the
// condition of the matrix, of whose inverse it knows two columns; where the one is not that of a
// stable method, or the other leaves few digits, the matrix is factored, in 2n³/3 operations.
func SolveToeplitz(ctx context.Context, column, row []float64, b *mat.Dense) (*mat.Dense, error) {
	n, cols := b.Dims()
	x := mat.NewDense(n, cols, nil)
	entry := func(i, j int) float64 {
		if i >= j {
			return column[i-j]
		}
		return row[j-i]
	}
	size := floats.Norm(column, 1) + floats.Norm(row[1:], 1)
	stable := true
	for j := 0; j < cols && stable; j++ {
		right := mat.Col(nil, j, b)
		y, inverse, err := levinson(ctx, column, row, right)
		if err != nil {
			return nil, err
		}
		worst := 0.0
		for i := range n {
			r := right[i]
			for k, v := range y {
				r -= entry(i, k) * v
			}
			worst = max(worst, math.Abs(r))
			if math.IsNaN(r) {
				worst = math.Inf(1)
			}
		}
		stable = size*inverse < wellConditioned && (worst == 0 || worst < 1e-14*float64(n)*(size*floats.Norm(y, math.Inf(1))+floats.Norm(right, math.Inf(1))))
		x.SetCol(j, y)
	}
	if stable {
		return x, nil
	}
	full := mat.NewDense(n, n, nil)
	full.Apply(func(i, j int, _ float64) float64 { return entry(i, j) }, full)
	return Solve(ctx, full, b)
}

// wellConditioned is the condition up to which Levinson's recursion is trusted.
const wellConditioned = 1e9

// levinson extends the solution for the leading blocks, with f and g those for the first and
// the last unit vector (Golub and Van Loan 2013, section 4.7): columns of the inverse, whose
// 1-norm is at least theirs.
func levinson(ctx context.Context, column, row, b []float64) (x []float64, inverse float64, err error) {
	n := len(b)
	f, g := make([]float64, n), make([]float64, n)
	x = make([]float64, n)
	f2, g2 := make([]float64, n), make([]float64, n)
	f[0], g[0], x[0] = 1/column[0], 1/column[0], b[0]/column[0]
	for m := 1; m < n; m++ {
		if m%256 == 0 && ctx.Err() != nil {
			return nil, 0, linop.Stopped(ctx)
		}
		ef, eg, ex := 0.0, 0.0, 0.0
		for i := range m {
			ef += column[m-i] * f[i]
			eg += row[i+1] * g[i]
			ex += column[m-i] * x[i]
		}
		d := 1 - ef*eg
		f[m] = 0
		f2[0], g2[0] = f[0]/d, -eg*f[0]/d
		for i := 1; i <= m; i++ {
			f2[i] = (f[i] - ef*g[i-1]) / d
			g2[i] = (g[i-1] - eg*f[i]) / d
		}
		f, f2, g, g2 = f2, f, g2, g
		floats.AddScaled(x[:m+1], b[m]-ex, g[:m+1])
	}
	return x, max(floats.Norm(f, 1), floats.Norm(g, 1)), nil
}
