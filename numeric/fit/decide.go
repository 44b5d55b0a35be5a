package fit

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/greenbench/workbench/numeric/solve"
)

// evaluator gives the criteria at any λ and ρ, exactly or with their standard errors.
type evaluator interface {
	at(ctx context.Context, lambda, rho float64) (sheet, error)
}

// search looks for the λ where a criterion is least. The model, by log λ, is near the
// criterion in nats but for a part that varies slowly; that is interpolated between the
// λ where the evaluator was asked, so that few are.
type search struct {
	by     Criterion
	rho    func(lambda float64) float64
	model  func(log float64) float64
	lo, hi float64 // of log λ
	step   float64 // of log λ, that is not worth another evaluation; 0: lambdaStep
	knots  []knot
	sheets []sheet
}

// knot is a value of the evaluator less the model's, and the derivative if it is known.
type knot struct {
	at, off, slope float64
	sloped         bool
}

const (
	mostKnots    = 8
	lambdaStep   = 0.03
	fineStep     = 1e-3 // the same for small matrices
	fineRows     = 600
	probedStep   = 0.2 // the same where it costs a solve
	trust        = 1.4 // of log λ, beyond the outermost knots
	firstStep    = 0.5
	decideSteps  = 60 // in the interval of trust
	slopeSpacing = 1e-3
)

// nats is a criterion in units of the logarithm of a likelihood, N being the outputs.
func (s *search) nats(v sheet, outputs float64) float64 {
	if s.by == GCV || s.by == LOO {
		return 0.5 * outputs * math.Log(v.of(s.by))
	}
	return v.reml
}

// run returns the criteria where the one asked for is least, beginning at a λ near that.
// An evaluator with errors is asked twice at most: its derivative says where. Where
// rounding keeps it from any value it is asked at greater λ.
func (s *search) run(ctx context.Context, e evaluator, outputs, lambda float64) (sheet, error) {
	l := math.Log(lambda)
	for range mostKnots {
		v, err := e.at(ctx, math.Exp(l), s.rho(math.Exp(l)))
		if errors.Is(err, solve.ErrNotPositive) && len(s.knots) == 0 && l+math.Ln10 < s.hi {
			l += math.Ln10
			continue
		}
		if err != nil {
			return sheet{}, err
		}
		value := s.nats(v, outputs)
		if math.IsNaN(value) {
			break
		}
		s.sheets = append(s.sheets, v)
		k := knot{at: l, off: value - s.model(l)}
		if s.by == REML {
			slope := v.slope
			if s.rho(1) == s.rho(2) {
				slope -= v.rhoSlope
			}
			k.sloped = !math.IsNaN(slope)
			k.slope = slope - (s.model(l+slopeSpacing)-s.model(l-slopeSpacing))/(2*slopeSpacing)
		}
		s.knots = append(s.knots, k)
		next := s.next()
		if v.remlErr > 0 && (!k.sloped || len(s.knots) == 2 || math.Abs(next-l) < probedStep) || s.near(next) {
			break
		}
		l = next
	}
	if len(s.sheets) == 0 {
		return sheet{}, solve.ErrNotPositive
	}
	last := s.sheets[len(s.sheets)-1]
	if last.remlErr > 0 {
		return last, nil
	}
	return slices.MinFunc(s.sheets, func(a, b sheet) int {
		if s.nats(a, outputs) < s.nats(b, outputs) {
			return -1
		}
		return 1
	}), nil
}

func (s *search) near(l float64) bool {
	return slices.ContainsFunc(s.knots, func(k knot) bool { return math.Abs(k.at-l) < orDefault(s.step, lambdaStep) })
}

// next is where the model with the interpolated difference is least, in the interval of
// trust.
func (s *search) next() float64 {
	first := s.knots[0]
	if len(s.knots) == 1 && !first.sloped {
		if first.at+firstStep < s.hi {
			return first.at + firstStep
		}
		return first.at - firstStep
	}
	lo, hi := first.at, first.at
	for _, k := range s.knots {
		lo, hi = min(lo, k.at), max(hi, k.at)
	}
	lo, hi = max(s.lo, lo-trust), min(s.hi, hi+trust)
	off := interpolation(s.nearest())
	total := func(l float64) float64 { return s.model(l) + off(l) }
	step, best, at := (hi-lo)/decideSteps, math.Inf(1), lo
	for i := range decideSteps + 1 {
		if v := total(lo + float64(i)*step); v < best {
			best, at = v, lo+float64(i)*step
		}
	}
	if a, b := total(at-step), total(at+step); at > lo && at < hi && a > best && b > best {
		at += step * (a - b) / (2 * (a - 2*best + b))
	}
	return at
}

// nearest is the last knots, from which the difference is interpolated.
func (s *search) nearest() []knot {
	return s.knots[max(0, len(s.knots)-3):]
}

// interpolation is the polynomial of least degree through the knots (Hermite's, where
// derivatives are known), by divided differences.
func interpolation(knots []knot) func(l float64) float64 {
	var at, c []float64
	var known []knot
	for _, k := range knots {
		at, c, known = append(at, k.at), append(c, k.off), append(known, k)
		if k.sloped {
			at, c, known = append(at, k.at), append(c, k.off), append(known, k)
		}
	}
	for order := 1; order < len(c); order++ {
		for i := len(c) - 1; i >= order; i-- {
			if d := at[i] - at[i-order]; d != 0 {
				c[i] = (c[i] - c[i-1]) / d
			} else {
				c[i] = known[i].slope
			}
		}
	}
	return func(l float64) float64 {
		sum := 0.0
		for i := len(c) - 1; i >= 0; i-- {
			sum = sum*(l-at[i]) + c[i]
		}
		return sum
	}
}
