package criteria

import (
	"context"
	"errors"
	"math"

	"github.com/greenbench/workbench/internal/numeric/solve"
)

const (
	tellApart  = 5e-4    // nats, less than any data can tell
	settleStep = 1.0     // of log λ, the first
	settleTo   = 1e-4    // where the search for an edge ends: coarser, it would hang on where it began
	settleMost = 60      // evaluations
	lostDigits = 1.8e-15 // of a criterion for each value, times the greatest eigenvalue over λ
)

// settle chooses among the λ that GCV or leaving out pairs does not tell apart, as where the data
// have hardly any noise and all small λ predict alike: that nearest to the least of REML, which
// tells more there. Otherwise rounding would choose, which other units of the data have another
// of. Where the least is sharp, it stays.
func (d *decision) settle(ctx context.Context, e Evaluator, v Sheet) (Sheet, error) {
	if !(d.Choice.REML > 0) || !(v.Of(d.By) > 0) {
		return v, nil
	}
	l := math.Log(v.Lambda)
	to := min(max(math.Log(d.Choice.REML), d.lo), d.hi)
	level := math.Inf(1) // that a value may have
	for _, known := range append(d.sheets, v) {
		level = min(level, d.nats(known.Of(d.By))+d.rounding(math.Log(known.Lambda))+tellApart)
	}
	at := func(l float64) (Sheet, float64, error) {
		lambda := math.Exp(l)
		w, err := e.At(ctx, lambda, d.Choice.Penalty.At(lambda))
		value := d.nats(w.Of(d.By))
		if errors.Is(err, solve.ErrNotPositive) || err == nil && math.IsNaN(value) {
			return w, math.Inf(1), nil
		}
		return w, value, err
	}
	inside, own := l, d.nats(v.Of(d.By))
	for step := settleStep; inside != to; step *= 2 {
		next := to
		if math.Abs(to-inside) > step {
			next = inside + math.Copysign(step, to-inside)
		}
		if inside == l && d.rises(ctx, next, level) {
			return v, nil
		}
		w, value, err := at(next)
		if err != nil {
			return v, err
		}
		if value > level {
			if inside == l && value > level+sharp {
				return v, nil
			}
			return edge(v, inside, next, own-level, value-level, func(l float64) (Sheet, float64, error) {
				w, value, err := at(l)
				return w, value - level, err
			})
		}
		level = min(level, value+d.rounding(next)+tellApart)
		inside, own, v = next, value, w
	}
	return v, nil
}

// rises reports whether the model says that the criterion is far above a level.
func (d *decision) rises(ctx context.Context, l, level float64) bool {
	if len(d.knots) == 0 {
		return false
	}
	value, err := d.model(ctx, l)
	return err == nil && value+interpolation(d.knots[len(d.knots)-1:])(l) > level+10*sharp
}

// sharp is by how many nats a criterion rises in a step from a minimum that is taken as it is.
const sharp = 0.02

// edge is the last sheet that is not above zero on the way from a λ where none is to one that is,
// to settleTo in log λ, by false positions (the Illinois algorithm).
func edge(v Sheet, inside, outside, fin, fout float64, above func(l float64) (Sheet, float64, error)) (Sheet, error) {
	for range settleMost {
		if math.Abs(outside-inside) <= settleTo {
			break
		}
		l := (inside + outside) / 2
		if !math.IsInf(fout, 1) {
			l = inside + (outside-inside)*fin/(fin-fout)
		}
		w, off, err := above(l)
		if err != nil {
			return v, err
		}
		if off > 0 {
			outside, fout, fin = l, off, fin/2
		} else {
			inside, fin, fout, v = l, off, fout/2, w
		}
	}
	return v, nil
}

// rounding is about what of a criterion is lost in it, in nats.
func (d *decision) rounding(l float64) float64 {
	return lostDigits * d.Outputs * d.Top / math.Exp(l)
}
