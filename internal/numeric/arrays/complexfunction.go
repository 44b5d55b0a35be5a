package arrays

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/cmplx"
	"slices"
)

// complexFunctions are the functions of complex numbers: principal values, with the cuts of C and the signs of zero that
// choose a side of them (Kahan, Branch cuts for complex elementary functions, 1987).
func complexFunctions() map[string]func(complex128) complex128 {
	return map[string]func(complex128) complex128{
		"exp": cmplx.Exp, "log": logarithm, "log10": func(z complex128) complex128 {
			w := logarithm(z)
			return complex(real(w)*math.Log10E, imag(w)*math.Log10E)
		},
		"sqrt": cmplx.Sqrt, "sin": cmplx.Sin, "cos": cmplx.Cos, "tan": tangent, "sinh": cmplx.Sinh, "cosh": cmplx.Cosh,
		"tanh": hyperbolicTangent, "asin": arcSine, "acos": arcCosine, "atan": arcTangent,
	}
}

// ComplexFunctions are the names that [Complex.Function] takes.
func ComplexFunctions() []string { return slices.Sorted(maps.Keys(complexFunctions())) }

// Function returns a function of every number, by its name in C. The context can stop it.
func (z *Complex) Function(ctx context.Context, name string) (*Complex, error) {
	f, ok := complexFunctions()[name]
	if !ok {
		return nil, fmt.Errorf("function %q of complex numbers: want one of %v", name, ComplexFunctions())
	}
	return z.Map(ctx, f)
}

// logarithm is ln |z| + i arg z; near |z| = 1, where ln |z| is small, from x² + y² − 1.
func logarithm(z complex128) complex128 {
	x, y := math.Abs(real(z)), math.Abs(imag(z))
	if x < y {
		x, y = y, x
	}
	if size := x*x + y*y; size > 0.5 && size < 2 {
		// (x−1)(x+1) + y² with the rounding errors of the products.
		p, q := (x-1)*(x+1), y*y
		rest := math.FMA(x-1, x+1, -p) + math.FMA(y, y, -q)
		return complex(math.Log1p(p+q+rest)/2, cmplx.Phase(z))
	}
	return cmplx.Log(z)
}

// hyperbolicTangent is (sinh 2x + i sin 2y)/(cosh 2x + cos 2y) by Kahan's form, which neither overflows nor cancels.
func hyperbolicTangent(z complex128) complex128 {
	x, y := real(z), imag(z)
	if math.Abs(x) > 22 && !math.IsNaN(y) && !math.IsInf(y, 0) {
		return complex(math.Copysign(1, x), 4*math.Sin(y)*math.Cos(y)*math.Exp(-2*math.Abs(x)))
	}
	if math.IsInf(x, 0) || math.IsInf(y, 0) || x != x || y != y {
		return cmplx.Tanh(z)
	}
	t := math.Tan(y)
	beta := 1 + t*t
	s := math.Sinh(x)
	rho := math.Sqrt(1 + s*s)
	if math.IsInf(t, 0) {
		return complex(rho/s, 1/t)
	}
	d := 1 + beta*s*s
	return complex(beta*rho*s/d, t/d)
}

// tangent is −i tanh iz.
func tangent(z complex128) complex128 {
	w := hyperbolicTangent(complex(-imag(z), real(z)))
	return complex(imag(w), -real(w))
}

// roots are √(1−z) and √(1+z), whose signs of zero are those of the cut that z is on.
func roots(z complex128) (minus, plus complex128) {
	x, y := real(z), imag(z)
	return cmplx.Sqrt(complex(1-x, -y)), cmplx.Sqrt(complex(1+x, y))
}

func arcSine(z complex128) complex128 {
	if far(z) {
		return cmplx.Asin(z)
	}
	minus, plus := roots(z)
	return complex(math.Atan2(real(z), real(minus)*real(plus)-imag(minus)*imag(plus)),
		math.Asinh(real(minus)*imag(plus)-imag(minus)*real(plus)))
}

func arcCosine(z complex128) complex128 {
	if far(z) {
		return cmplx.Acos(z)
	}
	minus, plus := roots(z)
	return complex(2*math.Atan2(real(minus), real(plus)), math.Asinh(real(plus)*imag(minus)-imag(plus)*real(minus)))
}

// far says that squares overflow, or that something is no number.
func far(z complex128) bool { return !(math.Abs(real(z)) < 1e150 && math.Abs(imag(z)) < 1e150) }

// arcTangent is −i artanh iz.
func arcTangent(z complex128) complex128 {
	if far(z) || z == 1i || z == -1i {
		return cmplx.Atan(z)
	}
	x, y := real(z), imag(z)
	size := math.Abs(y)
	near := x*x + (1-size)*(1-size) // the lesser of |1 ± iz|², the logarithm of whose quotient is 4 times the imaginary part
	re := math.Atan2(2*x, (1-y)*(1+y)-x*x) / 2
	if x == 0 && math.Abs(y) > 1 { // on the cut, on the side of the sign of x
		re = math.Copysign(math.Pi/2, x)
	}
	return complex(re, math.Copysign(math.Log1p(4*size/near)/4, y))
}
