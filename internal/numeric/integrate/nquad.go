package integrate

import (
	"context"
	"fmt"
	"math"
)

// Range gives the ends of the range of one variable; outer holds the values of the
// variables after it.
type Range func(outer []float64) (a, b float64, err error)

// Between is a range with fixed ends.
func Between(a, b float64) Range {
	return func([]float64) (float64, float64, error) { return a, b, nil }
}

// NQuad integrates f over a region of any number of variables, one integral inside the
// other: x[0] is the innermost variable, whose range may depend on x[1], x[2], …. The
// integrals inside are ten times as exact as those around them, but look for what is narrow only
// between their ends and their points: of a region that a function cuts out by being 0 outside of it, slices that
// narrow to nothing are missed, and the error is not known. Ranges cut it out exactly. Cost: the product of the
// calls of each; three variables are many.
func NQuad(ctx context.Context, f func(x []float64) (float64, error), ranges []Range, o Options) (Result, error) {
	if len(ranges) == 0 {
		return Result{}, fmt.Errorf("no ranges: want one for each variable")
	}
	if o.Rel == 0 {
		o.Rel = 1e-8
	}
	x := make([]float64, len(ranges))
	calls := 0
	var within func(k int, o Options) (Result, error)
	within = func(k int, o Options) (Result, error) {
		a, b, err := ranges[k](x[k+1:])
		if err != nil {
			return Result{}, err
		}
		inner := o
		inner.Rel, inner.Abs, inner.Points, inner.inner = max(o.Rel/10, 1e-13), o.Abs/10, nil, true
		return integrate(ctx, func(t float64) (float64, float64, error) {
			x[k] = t
			if k == 0 {
				calls++
				y, err := f(x)
				return y, math.Abs(y), err
			}
			r, err := within(k-1, inner)
			return r.Value, r.size, err
		}, a, b, o)
	}
	r, err := within(len(ranges)-1, o)
	r.Calls = calls
	return r, err
}
