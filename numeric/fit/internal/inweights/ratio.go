package inweights

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

const (
	ratioStep    = 0.5  // decades of ρ/λ, by which a change of sign of the derivative is looked for
	ratioReach   = 3.0  // decades that ρ/λ moves in one space, in which less is known of others
	ratioDecades = 6.0  // on either side of its unit, beyond which one term is nothing beside the other
	ratioTo      = 0.01 // decades, far below what the data can tell
	mostTurns    = 8    // of ρ/λ and λ
)

// rhoSlope is the derivative of REML by log ρ at fixed λ, where the space is, of so many values:
//
//	½ [N ρ bᵀQ̃b / quad - tr (A_β (A + λ)⁻¹)] .
func (s *galerkin) rhoSlope(values int) float64 {
	quad := s.w.RSS0 + s.rule(0).Integral(func(x float64) float64 { return s.w.Lambda / (x + s.w.Lambda) })
	df := 0.0
	for i := range s.rhs[1:] {
		df += floats.Dot(s.y[1+i], s.cb[1+i])
	}
	return 0.5 * (float64(values)*s.w.Rho*form(s.q, s.y[0])/quad - df/float64(len(s.rhs)-1))
}

// form is yᵀ Q y, of a lower triangle.
func form(q [][]float64, y []float64) float64 {
	sum := 0.0
	for i, row := range q {
		sum += y[i] * (2*floats.Dot(row, y[:len(row)]) - row[i]*y[i])
	}
	return sum
}

// zeroNear is where a function that falls before its minimum's derivative does, from at on and
// between lo and hi, changes from negative to positive: an end where it does nowhere that way.
func zeroNear(at, lo, hi float64, f func(x float64) (float64, error)) (float64, error) {
	v, err := f(at)
	if err != nil || v == 0 {
		return at, err
	}
	other, step := at, ratioStep
	if v > 0 {
		step = -step
	}
	w := v
	for (v > 0) == (w > 0) {
		if at, v = other, w; at == lo && step < 0 || at == hi && step > 0 {
			return at, nil
		}
		other = min(max(at+step, lo), hi)
		if w, err = f(other); err != nil || w == 0 {
			return other, err
		}
	}
	for math.Abs(other-at) > ratioTo { // by secants, halved where one end stays
		next := at - v*(other-at)/(w-v)
		z, err := f(next)
		switch {
		case err != nil || z == 0:
			return next, err
		case (z > 0) == (w > 0):
			v /= 2
		default:
			at, v = other, w
		}
		if other, w = next, z; math.Abs(other-at) <= ratioTo {
			break
		}
	}
	return other, nil
}
