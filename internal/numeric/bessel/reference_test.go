package bessel

import (
	"math"
	"math/big"
)

// Reference values in 128-bit arithmetic, from integral representations over
// the whole line whose integrands decay double-exponentially. The trapezoidal
// rule then converges geometrically: with the step below its error is under
// 1e-25.

const precision = 128

func bigFloat(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

func newBig() *big.Float { return new(big.Float).SetPrec(precision) }

// bigExp is e^y: Taylor's series at y/2^k, then k squarings.
func bigExp(y *big.Float) *big.Float {
	const guard = 64
	k := max(y.MantExp(nil)+12, 0)
	r := new(big.Float).SetPrec(precision + guard).Set(y)
	r.SetMantExp(r, -k)
	sum := new(big.Float).SetPrec(precision + guard).SetInt64(1)
	term := new(big.Float).SetPrec(precision + guard).SetInt64(1)
	for i := int64(1); term.Sign() != 0 && term.MantExp(nil) > -precision-guard; i++ {
		term.Mul(term, r)
		term.Quo(term, new(big.Float).SetInt64(i))
		sum.Add(sum, term)
	}
	for range k {
		sum.Mul(sum, sum)
	}
	return newBig().Set(sum)
}

// integral sums exp(nu t - p e^t - q e^-t) over the line, in steps of h.
func integral(nu, p, q *big.Float, h float64) *big.Float {
	total := newBig()
	grow := bigExp(bigFloat(h))
	side := func(start float64, factor *big.Float, dt float64) {
		e := bigExp(bigFloat(start))
		for t := start; ; t += dt {
			y := newBig().Mul(nu, bigFloat(t))
			y.Sub(y, newBig().Mul(p, e))
			y.Sub(y, newBig().Quo(q, e))
			term := bigExp(y)
			total.Add(total, term)
			if term.Sign() == 0 || term.MantExp(nil) < total.MantExp(nil)-130 {
				break
			}
			e.Mul(e, factor)
		}
	}
	peak := peakOf(nu, p, q, h)
	side(peak, grow, h)
	side(peak-h, newBig().Quo(bigFloat(1), grow), -h)
	return total.Mul(total, bigFloat(h))
}

// peakOf returns a multiple of h near the maximum of the integrand:
// nu = p e^t - q e^-t.
func peakOf(nu, p, q *big.Float, h float64) float64 {
	n, _ := nu.Float64()
	a, _ := p.Float64()
	b, _ := q.Float64()
	lo, hi := -800.0, 800.0
	for range 100 {
		mid := (lo + hi) / 2
		if a*math.Exp(mid)-b*math.Exp(-mid) < n {
			lo = mid
		} else {
			hi = mid
		}
	}
	return h * float64(int(lo/h))
}

// bigK is K_nu(x) = 1/2 ∫ exp(nu t - x cosh t) dt (DLMF 10.32.9).
func bigK(nu, x float64) *big.Float {
	half := newBig().Quo(bigFloat(x), bigFloat(2))
	sum := integral(bigFloat(nu), half, half, step(max(nu, x)))
	return sum.Quo(sum, bigFloat(2))
}

// bigMatern is the Matérn function as the gamma mixture
// ∫ exp(nu t - e^t - (nu d²/2) e^-t) dt / ∫ exp(nu t - e^t) dt
// (DLMF 10.32.10 with z² = 2 nu d²).
func bigMatern(nu, d float64) *big.Float {
	n, one := bigFloat(nu), bigFloat(1)
	q := newBig().Mul(n, newBig().Mul(bigFloat(d), bigFloat(d)))
	q.Quo(q, bigFloat(2))
	h := step(nu + d*nu)
	top := integral(n, one, q, h)
	return top.Quo(top, integral(n, one, newBig(), h))
}

// step resolves a peak of width 1/sqrt(scale). It is a power of two, so that
// its multiples are exact.
func step(scale float64) float64 {
	return math.Exp2(math.Floor(math.Log2(0.5 / math.Sqrt(max(scale, 16)))))
}

// relativeError returns |got/want - 1|.
func relativeError(got float64, want *big.Float) float64 {
	r := newBig().Quo(bigFloat(got), want)
	r.Sub(r, bigFloat(1))
	e, _ := r.Abs(r).Float64()
	return e
}
