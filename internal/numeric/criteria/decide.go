package criteria

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/solve"
)

const (
	mostKnots    = 8
	lambdaStep   = 0.03
	fineStep     = 1e-3 // the same for small matrices
	fineRows     = 600
	probedStep   = 0.2 // the same where it costs a solve
	trust        = 1.4 // of log λ, beyond the outermost knots
	firstStep    = 0.5
	directTo     = 1e-4 // of log λ, where the least value is looked for without a model
	decideSteps  = 20   // in the interval of trust
	slopeSpacing = 1e-3
)

// Decide returns the criteria where the one asked for is least by an evaluator, beginning at
// the choice of a model; λ and ρ that are both free are moved together at last, where the
// evaluator has a small matrix. One with errors is asked twice at most, for its derivative
// says where, and one of a closed form or of a huge system once, at the choice. Where
// rounding keeps it from any value it is asked at greater λ; the error is
// solve.ErrNotPositive where that does not help.
func (s Search) Decide(ctx context.Context, ch Choice, e Evaluator) (Sheet, error) {
	p, probed := e.(*Probed)
	_, closed := e.(*Closed)
	_, eigen := e.(*Eigenvectors)
	if closed || (probed || eigen) && s.By == LOO || probed && len(p.T) > ManyUnknowns {
		return e.At(ctx, ch.Lambda, ch.Penalty.At(ch.Lambda))
	}
	s.Decades = ch.Decades
	d := &decision{Search: s, Choice: ch, step: lambdaStep}
	d.lo, d.hi = d.bounds(ch.Curve)
	x, exact := e.(*Exact)
	if exact && len(x.T) <= fineRows {
		d.step = fineStep
	}
	find := d.run
	if s.By == LOO && exact && ch.Curve.Reach(LOO) == 0 && len(x.T) <= fineRows {
		find = d.direct // GCV stands for it, and may be in another valley
	}
	v, err := find(ctx, e)
	switch {
	case err != nil || !exact || len(x.T) > fineRows:
		return v, err
	case s.By != REML:
		return d.settle(ctx, e, v)
	case ch.Unit > 0 && x.Bias != nil && len(x.T) <= mostOther:
		return otherBias(ctx, x, v, ch.Unit, d.lo, d.hi)
	case ch.Unit > 0 && x.Bias != nil:
		return polish(ctx, x, v, d.lo, d.hi)
	}
	return v, nil
}

// direct looks for the least value without a model, and not where it is lost in rounding.
func (d *decision) direct(ctx context.Context, e Evaluator) (Sheet, error) {
	var best Sheet
	lowest := math.Inf(1)
	_, value, err := least(d.lo, d.hi, coarseStep, directTo, func(l float64) (float64, error) {
		lambda := math.Exp(l)
		v, err := e.At(ctx, lambda, d.Choice.Penalty.At(lambda))
		if errors.Is(err, solve.ErrNotPositive) {
			return math.Inf(1), nil
		}
		value := d.nats(v.Of(d.By)) + d.rounding(l)
		if best.Lambda == 0 || value < lowest {
			best, lowest = v, value
		}
		return value, err
	})
	if err == nil && math.IsInf(value, 1) {
		err = solve.ErrNotPositive
	}
	return best, err
}

func (d *decision) run(ctx context.Context, e Evaluator) (Sheet, error) {
	l := math.Log(d.Lambda)
	for range mostKnots {
		lambda := math.Exp(l)
		v, err := e.At(ctx, lambda, d.Choice.Penalty.At(lambda))
		if errors.Is(err, solve.ErrNotPositive) && len(d.knots) == 0 && l+math.Ln10 < d.hi {
			l += math.Ln10
			continue
		}
		if err != nil {
			return Sheet{}, err
		}
		if math.IsNaN(d.nats(v.Of(d.By))) {
			break
		}
		if err := d.add(ctx, l, v); err != nil {
			return Sheet{}, err
		}
		next, err := d.next(ctx)
		if err != nil {
			return Sheet{}, err
		}
		if v.REMLErr > 0 && (!d.knots[0].sloped || len(d.knots) == 2 || math.Abs(next-l) < probedStep) || d.near(next) {
			break
		}
		l = next
	}
	if len(d.sheets) == 0 {
		return Sheet{}, solve.ErrNotPositive
	}
	return d.best(), nil
}

// best is the sheet of the least value: of estimates the last, unless another is less beyond
// their errors.
func (d *decision) best() Sheet {
	best := d.sheets[len(d.sheets)-1]
	for _, v := range d.sheets {
		if d.nats(v.Of(d.By)) < d.nats(best.Of(d.By))-decisive*(v.REMLErr+best.REMLErr) {
			best = v
		}
	}
	return best
}

// add takes a sheet.
func (d *decision) add(ctx context.Context, l float64, v Sheet) error {
	model, err := d.model(ctx, l)
	if err != nil {
		return err
	}
	k := knot{at: l, off: d.nats(v.Of(d.By)) - model}
	if d.By == REML {
		slope := v.Slope
		if d.Choice.Penalty.Rho > 0 {
			slope -= v.RhoSlope
		}
		up, err := d.model(ctx, l+slopeSpacing)
		if err != nil {
			return err
		}
		down, err := d.model(ctx, l-slopeSpacing)
		if err != nil {
			return err
		}
		k.sloped, k.slope = !math.IsNaN(slope), slope-(up-down)/(2*slopeSpacing)
	}
	d.knots, d.sheets = append(d.knots, k), append(d.sheets, v)
	return nil
}

func (d *decision) near(l float64) bool {
	return slices.ContainsFunc(d.knots, func(k knot) bool { return math.Abs(k.at-l) < d.step })
}

// next is where the curve with the interpolated difference is least, in the interval of
// trust.
func (d *decision) next(ctx context.Context) (float64, error) {
	first := d.knots[0]
	if len(d.knots) == 1 && !first.sloped {
		if first.at+firstStep < d.hi {
			return first.at + firstStep, nil
		}
		return first.at - firstStep, nil
	}
	lo, hi := first.at, first.at
	for _, k := range d.knots {
		lo, hi = min(lo, k.at), max(hi, k.at)
	}
	lo, hi = max(d.lo, lo-trust), min(d.hi, hi+trust)
	off := interpolation(d.knots[max(0, len(d.knots)-3):])
	step := (hi - lo) / decideSteps
	at, _, err := least(lo, hi, step, d.step/10, func(l float64) (float64, error) {
		v, err := d.model(ctx, l)
		return v + off(l), err
	})
	return at, err
}

// Fall is what REML is above its minimum by, from its slope at a sheet and the curvature of a
// curve.
func (ch Choice) Fall(ctx context.Context, v Sheet) (float64, error) {
	slope := v.Slope
	if ch.Penalty.Rho > 0 {
		slope -= v.RhoSlope
	}
	const h = 0.2 // of log λ
	var at [3]float64
	for i := range at {
		var err error
		if at[i], err = ch.Curve.Value(ctx, REML, v.Lambda*math.Exp(h*float64(i-1))); err != nil {
			return 0, err
		}
	}
	curvature := (at[0] + at[2] - 2*at[1]) / (h * h)
	if !(curvature > 0) || math.IsNaN(slope) {
		return 0, nil
	}
	step := min(math.Abs(slope)/curvature, trust)
	return step * (math.Abs(slope) - curvature*step/2), nil
}
