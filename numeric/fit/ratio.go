package fit

import "math"

// The penalties of G and β have different units, so neither can stand for the other:
// λ grows with the square of the unit of the inputs, ρ does not. Where both are chosen,
// ρ = κ λ × unit, with the unit that makes the two terms of the data's covariance of one
// size (equal traces), and κ, a pure number, is chosen with λ by the criterion.

const (
	ratioDecades = 6.0 // of κ on either side of 1, beyond which one term is nothing beside the other
	ratioStep    = 2.0 // decades, of the first search
	sweeps       = 3   // alternating searches in λ and κ
)

// between finds the minimum of f between lo and hi by golden sections, in steps.
func between(lo, hi float64, steps int, f func(float64) float64) float64 {
	const golden = 0.6180339887498949
	a, b := hi-golden*(hi-lo), lo+golden*(hi-lo)
	fa, fb := f(a), f(b)
	for range steps {
		if fa < fb {
			hi, b, fb = b, a, fa
			a = hi - golden*(hi-lo)
			fa = f(a)
		} else {
			lo, a, fa = a, b, fb
			b = lo + golden*(hi-lo)
			fb = f(b)
		}
	}
	return (a + b) / 2
}

// penalties are decimal logarithms of λ, over its greatest worth trying, and of κ.
type penalties struct{ lambda, ratio float64 }

// leastPenalties finds the minimum of a criterion over 14 decades of λ and 12 of κ: on
// a grid first, then by turns.
func leastPenalties(f func(penalties) float64) penalties {
	best, least := penalties{}, math.Inf(1)
	for ratio := -ratioDecades; ratio <= ratioDecades; ratio += ratioStep {
		for lambda := 0.0; lambda >= -pathDecades; lambda-- {
			p := penalties{lambda, ratio}
			if v := f(p); v < least {
				best, least = p, v
			}
		}
	}
	width := penalties{1, ratioStep}
	for range sweeps {
		at := best
		at.ratio = between(max(best.ratio-width.ratio, -ratioDecades), min(best.ratio+width.ratio, ratioDecades), 10,
			func(r float64) float64 { return f(penalties{best.lambda, r}) })
		at.lambda = between(max(best.lambda-width.lambda, -pathDecades), min(best.lambda+width.lambda, 0), 10,
			func(l float64) float64 { return f(penalties{l, at.ratio}) })
		best = at
		width = penalties{width.lambda / 2, width.ratio / 2}
	}
	return best
}
