package inweights

import (
	"cmp"
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

const (
	ratioStep    = 0.5  // decades of ρ/λ, by which a change of sign of the derivative is looked for
	ratioReach   = 3.0  // decades that ρ/λ moves in one space, in which less is known of others
	ratioDecades = 6.0  // on either side of its unit, beyond which one term is nothing beside the other
	ratioTo      = 0.01 // decades, far below what the data can tell
	mostTurns    = 8    // of ρ/λ and λ
)

// balance moves ρ/λ, with λ, to where REML is least, by derivatives in the present space: values at
// other ratios would need what the space does not have, determinants at other λ. Of the derivatives,
//
//	∂REML/∂log ρ = ½ [N ρ bᵀQ̃b / quad - tr (A_β (A + λ)⁻¹)],
//
// all is known in a space that has settled at λ. λ itself stays.
func (s *spectrum) balance(ctx context.Context, spec *problem.Setting, q criteria.Search, unit float64) error {
	lambda, begin := s.lambda, math.Log10(s.Ratio/unit)
	lo, hi := max(-ratioDecades, begin-ratioReach), min(ratioDecades, begin+ratioReach)
	for range mostTurns {
		before := s.Ratio
		at, err := zeroNear(math.Log10(before/unit), lo, hi, func(decade float64) (float64, error) {
			ratio := unit * math.Pow(10, decade)
			err := s.space.at(ctx, lambda, ratio*lambda)
			return s.rhoSlope(), err
		})
		if err != nil {
			return err
		}
		s.Ratio = unit * math.Pow(10, at)
		if math.Abs(math.Log10(s.Ratio/before)) <= ratioTo {
			break
		}
		if err := s.at(ctx, s.penalties(spec, lambda)); err != nil {
			return err
		}
		ch, err := q.Along(ctx, fixed{s})
		if err != nil {
			return err
		}
		lambda = cmp.Or(spec.Lambda, max(ch.REML, lambda/mostStep))
	}
	return s.at(ctx, s.penalties(spec, s.lambda))
}

// rhoSlope is the derivative of REML by log ρ at fixed λ, where the space is.
func (s *spectrum) rhoSlope() float64 {
	g := s.space
	quad := s.RSS0 + g.rule(0).Integral(func(x float64) float64 { return g.w.Lambda / (x + g.w.Lambda) })
	df := 0.0
	for i := range g.rhs[1:] {
		df += floats.Dot(g.y[1+i], g.cb[1+i])
	}
	return 0.5 * (float64(s.Values)*g.w.Rho*form(g.q, g.y[0])/quad - df/float64(len(g.rhs)-1))
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
