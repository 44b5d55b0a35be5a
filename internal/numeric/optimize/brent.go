package optimize

import (
	"context"
	"fmt"
	"math"
)

// Scalar is a function of one variable. An error ends what uses it.
type Scalar func(x float64) (float64, error)

// Root is a zero of a function of one variable.
type Root struct {
	X, F       float64 // where, and the value there
	Calls      int
	Iterations int
}

// Brentq finds a zero of f between a and b, where f must have different signs, by inverse
// quadratic interpolation, secants and bisection (Brent, Algorithms for Minimization
// Without Derivatives, 1973, chapter 4). It ends when the zero is known to within abs +
// rel |x|, and to rounding if both are 0. Cost: mostly about ten calls; at a multiple zero
// at 0 a thousand.
func Brentq(ctx context.Context, f Scalar, a, b, abs, rel float64) (Root, error) {
	r := Root{}
	at := func(x float64) (float64, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		r.Calls++
		y, err := f(x)
		if err == nil && math.IsNaN(y) {
			err = fmt.Errorf("f is NaN at x = %.17g", x)
		}
		return y, err
	}
	fa, err := at(a)
	if err != nil {
		return r, err
	}
	fb, err := at(b)
	if err != nil {
		return r, err
	}
	if fa != 0 && fb != 0 && (fa > 0) == (fb > 0) {
		return r, fmt.Errorf("f has the same sign at both ends: f(%g) = %g and f(%g) = %g; want a and b between which it changes its sign", a, fa, b, fb)
	}
	largest := max(math.Abs(fa), math.Abs(fb))
	c, fc := a, fa // b is the best zero, c the other side of it, a the one before
	d := b - a
	e := d
	for ; ; r.Iterations++ {
		if fb != 0 && (fb > 0) == (fc > 0) {
			c, fc, d = a, fa, b-a
			e = d
		}
		if math.Abs(fc) < math.Abs(fb) {
			a, b, c = b, c, b
			fa, fb, fc = fb, fc, fb
		}
		tolerance := 0x1p-52*math.Abs(b) + (abs+rel*math.Abs(b))/2
		half := c/2 - b/2
		if math.Abs(half) <= tolerance || fb == 0 {
			if r.X, r.F = b, fb; math.Abs(fb) > largest {
				return r, fmt.Errorf("f changes sign at x = %.6g without a zero: it is %.6g there and %.6g at %.6g, farther from 0 than at both ends; a pole?", b, fb, fc, c)
			}
			return r, nil
		}
		if math.Abs(e) < tolerance || math.Abs(fa) <= math.Abs(fb) {
			d = half
			e = d
		} else {
			p, q := interpolate(a, b, c, fa/fc, fb/fc, fb/fa, half)
			if 2*p < min(3*half*q-math.Abs(tolerance*q), math.Abs(e*q)) {
				e, d = d, p/q
			} else {
				d = half
				e = d
			}
		}
		a, fa = b, fb
		switch {
		case math.Abs(d) > tolerance:
			b += d
		default:
			b += math.Copysign(max(tolerance, math.Abs(math.Nextafter(b, c)-b)), half)
		}
		if fb, err = at(b); err != nil {
			return r, err
		}
	}
}

// interpolate is the step p/q from b, p >= 0, of the parabola in f through three points, or
// of the secant where two of them are the same; the values come as ratios.
func interpolate(a, b, c, ac, bc, ba, half float64) (p, q float64) {
	if a == c {
		p, q = 2*half*ba, 1-ba
	} else {
		p = ba * (2*half*ac*(ac-bc) - (b-a)*(bc-1))
		q = (ac - 1) * (bc - 1) * (ba - 1)
	}
	if p > 0 {
		q = -q
	}
	return math.Abs(p), q
}
