// Package poly is the algebra of polynomials in powers of x, given by their coefficients,
// that of the lowest power first: {1, 0, 3} is 1 + 3x².
package poly

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linalg"
	"github.com/greenbench/workbench/internal/sorting"
)

// Eval returns the value at x, by Horner's rule.
func Eval(c []float64, x float64) float64 {
	if len(c) == 0 {
		return 0
	}
	sum := c[len(c)-1] // not 0 times x, which may be infinite
	for k := len(c) - 2; k >= 0; k-- {
		sum = sum*x + c[k]
	}
	return sum
}

// Mul returns the product, at a cost of len(a) len(b).
func Mul(ctx context.Context, a, b []float64) ([]float64, error) {
	out := make([]float64, max(0, len(a)+len(b)-1))
	for i, x := range a {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("stopped: %w", context.Cause(ctx))
		}
		for j, y := range b {
			out[i+j] += x * y
		}
	}
	return out, nil
}

// Derivative returns the m-th derivative; that of a constant is {0}.
func Derivative(c []float64, m int) []float64 {
	for ; m > 0; m-- {
		if len(c) <= 1 {
			return []float64{0}
		}
		d := make([]float64, len(c)-1)
		for k := range d {
			d[k] = float64(k+1) * c[k+1]
		}
		c = d
	}
	return c
}

// Integral returns the integral that is constant at 0.
func Integral(c []float64, constant float64) []float64 {
	out := make([]float64, len(c)+1)
	out[0] = constant
	for k, v := range c {
		out[k+1] = v / float64(k+1)
	}
	return out
}

// FromRoots returns the polynomial of leading coefficient 1 with the given roots, at a cost
// of the square of their number.
func FromRoots(ctx context.Context, roots []complex128) ([]complex128, error) {
	c := make([]complex128, 1, len(roots)+1)
	c[0] = 1
	for _, r := range roots {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("stopped: %w", context.Cause(ctx))
		}
		c = append(c, c[len(c)-1])
		for k := len(c) - 2; k > 0; k-- {
			c[k] = c[k-1] - r*c[k]
		}
		c[0] *= -r
	}
	for _, v := range c {
		if cmplx.IsNaN(v) || cmplx.IsInf(v) {
			return nil, errors.New("the coefficients overflow: take roots in a larger unit")
		}
	}
	return c, nil
}

// Roots returns the complex roots, as often as they are multiple, by real and then imaginary
// part: the eigenvalues of the companion matrix. A root of multiplicity m has about 1/m of
// the digits. Leading zeros are left out; the zero polynomial is refused.
func Roots(ctx context.Context, c []float64) ([]complex128, error) {
	for len(c) > 0 && c[len(c)-1] == 0 {
		c = c[:len(c)-1]
	}
	if len(c) == 0 {
		return nil, errors.New("all coefficients are 0: every number is a root")
	}
	zeros := 0
	for c[zeros] == 0 {
		zeros++
	}
	c = c[zeros:]
	out := make([]complex128, zeros, zeros+len(c)-1)
	for _, part := range apart(c) {
		values, err := companionRoots(ctx, part)
		if err != nil {
			return nil, err
		}
		out = append(out, values...)
	}
	return sorted(out), nil
}

// apart cuts a polynomial where its roots are so different in size that rounding does not tell it
// from the product of the parts: at corners of the Newton polygon, the upper hull of log|c[k]|, whose
// sides have the slopes -log|x|. One matrix for all would have no digits of the smaller roots.
func apart(c []float64) [][]float64 {
	size := func(i, k int) float64 { // of the roots between two corners
		return (math.Log(math.Abs(c[i])) - math.Log(math.Abs(c[k]))) / float64(k-i)
	}
	var corners []int
	for k, v := range c {
		if v == 0 {
			continue
		}
		for n := len(corners); n > 1 && size(corners[n-2], corners[n-1]) >= size(corners[n-1], k); n = len(corners) {
			corners = corners[:n-1]
		}
		corners = append(corners, k)
	}
	const far = 42 // e^far is 2e18
	var parts [][]float64
	from := 0
	for i := 1; i < len(corners)-1; i++ {
		if k := corners[i]; size(k, corners[i+1])-size(corners[i-1], k) > far {
			parts, from = append(parts, c[from:k+1]), k
		}
	}
	if from == len(c)-1 {
		return parts
	}
	return append(parts, c[from:])
}

// companionRoots are the eigenvalues of the companion matrix of a polynomial whose first and last
// coefficients are not 0.
func companionRoots(ctx context.Context, c []float64) ([]complex128, error) {
	n := len(c) - 1
	// With x = s y the first and the last coefficient are as large as each other.
	s := math.Exp((math.Log(math.Abs(c[0])) - math.Log(math.Abs(c[n]))) / float64(n))
	companion := mat.NewDense(n, n, nil)
	for k := range n {
		if k > 0 {
			companion.Set(k, k-1, 1)
		}
		// -c[k]/c[n] s^(k-n), of which the parts may overflow.
		v := math.Exp(math.Log(math.Abs(c[k])) - math.Log(math.Abs(c[n])) + float64(k-n)*math.Log(s))
		if math.Signbit(c[k]) == math.Signbit(c[n]) {
			v = -v
		}
		companion.Set(k, n-1, v)
	}
	for _, v := range companion.RawMatrix().Data {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, errors.New("the coefficients differ too much: the roots overflow")
		}
	}
	values, _, err := linalg.EigenGeneral(ctx, companion)
	if err != nil {
		return nil, err
	}
	for i, v := range values {
		values[i] = polish(c, v*complex(s, 0), 1e-13*s*max(1, mat.Max(companion), -mat.Min(companion)))
	}
	return values, nil
}

// polish takes steps of Newton's method while they make the value smaller, and are about as
// small as the rounding of an eigenvalue, and while there is more to the value than rounding:
// the roots of a cluster are right together, and each alone would leave the others. A real
// root stays real, and roots that are conjugate stay so.
func polish(c []float64, x complex128, rounding float64) complex128 {
	at := func(x complex128) (value, slope complex128, noise float64) {
		size := cmplx.Abs(x)
		for k := len(c) - 1; k >= 0; k-- {
			slope = slope*x + value
			value = value*x + complex(c[k], 0)
			noise = noise*size + math.Abs(c[k])
		}
		return value, slope, noise * float64(len(c)) * 0x1p-52
	}
	value, slope, noise := at(x)
	for range 3 {
		if cmplx.Abs(value) <= noise {
			break
		}
		next := x - value/slope
		v, s, _ := at(next)
		if !(cmplx.Abs(v) < cmplx.Abs(value)) || cmplx.Abs(next-x) > 1e-3*cmplx.Abs(x)+rounding {
			break
		}
		x, value, slope = next, v, s
	}
	return x
}

// Fit returns the coefficients of the polynomial of a degree that fits y at x in the least
// squares, by Chebyshev's polynomials of the variable that maps x to [-1, 1]. The error is the
// context's, or says that there are too few different x, or that powers of x cannot hold it.
func Fit(ctx context.Context, x, y []float64, degree int) ([]float64, error) {
	if len(x) != len(y) || len(x) <= degree {
		return nil, fmt.Errorf("%d x and %d y for degree %d: must be as many, and at least %d", len(x), len(y), degree, degree+1)
	}
	lo, hi := x[0], x[0]
	for _, v := range x {
		lo, hi = min(lo, v), max(hi, v)
	}
	centre, half := lo/2+hi/2, hi/2-lo/2
	if half == 0 {
		half = 1
	}
	// Chebyshev's polynomials of t, which are nearly orthogonal on most meshes.
	a := mat.NewDense(len(x), degree+1, nil)
	for i, v := range x {
		t := (v - centre) / half
		before, now := 1.0, t
		for k := range degree + 1 {
			a.Set(i, k, before)
			before, now = now, 2*t*now-before
		}
	}
	u, values, v, err := linalg.SVD(ctx, a)
	if err != nil {
		return nil, err
	}
	if linalg.Rank(values, 1e-14) <= degree {
		return nil, fmt.Errorf("the %d values of x are too few different ones for degree %d", len(x), degree)
	}
	fit, err := linalg.LeastSquares(ctx, u, values, v, mat.NewDense(len(y), 1, append([]float64(nil), y...)))
	if err != nil {
		return nil, err
	}
	// From T_k(t) to powers of t, and with t = (x - centre)/half to powers of x.
	out := make([]float64, degree+1)
	before, now := []float64{1}, []float64{-centre / half, 1 / half}
	for k := range degree + 1 {
		for j, c := range before {
			out[j] += fit.At(k, 0) * c
		}
		next, err := Mul(ctx, now, []float64{-2 * centre / half, 2 / half})
		if err != nil {
			return nil, err
		}
		for j, c := range before {
			next[j] -= c
		}
		before, now = now, next
	}
	fitted := mat.NewDense(len(x), 1, nil)
	if err := linalg.Mul(ctx, fitted, a, fit); err != nil {
		return nil, err
	}
	return out, keepsDigits(out, x, fitted.RawMatrix().Data)
}

// keepsDigits refuses coefficients whose terms cancel, or overflow, at points that are far from
// 0 for their distance from each other.
func keepsDigits(c, x, fitted []float64) error {
	const allowed = 1e-6
	largest, worst := 0.0, 0.0
	lo, hi := math.Inf(1), math.Inf(-1)
	for i, v := range x {
		lo, hi = min(lo, v), max(hi, v)
		largest = max(largest, math.Abs(fitted[i]))
		worst = max(worst, math.Abs(Eval(c, v)-fitted[i]))
	}
	if !(worst <= allowed*largest) {
		return fmt.Errorf("degree %d in powers of x from %g to %g: the coefficients lose their digits (the values are off by %.2g of %.2g); fit in t = (x - %g) / %g, which is near 0 and of size 1",
			len(c)-1, lo, hi, worst, largest, lo/2+hi/2, max(hi/2-lo/2, math.SmallestNonzeroFloat64))
	}
	return nil
}

// sorted orders numbers by real and then imaginary part.
func sorted(z []complex128) []complex128 {
	sorting.By(z, func(a, b complex128) int {
		return cmp.Or(cmp.Compare(real(a), real(b)), cmp.Compare(imag(a), imag(b)))
	})
	return z
}
