package criteria

import (
	"context"
	"math"
)

// decision is between λ: a curve is near the criterion in nats but for a part that varies
// slowly with log λ; that is interpolated between the λ where an evaluator was asked, so that
// few are.
type decision struct {
	Search
	Choice
	lo, hi float64 // of log λ
	step   float64 // of log λ, that is not worth another evaluation
	knots  []knot
	sheets []Sheet
}

// knot is a value of the evaluator less the curve's, and the derivative if it is known.
type knot struct {
	at, off, slope float64
	sloped         bool
}

// nats is a criterion in units of the logarithm of a likelihood.
func (d *decision) nats(value float64) float64 {
	if d.By == GCV || d.By == LOO {
		return 0.5 * d.Outputs * math.Log(value)
	}
	return value
}

// model is the curve by log λ.
func (d *decision) model(ctx context.Context, l float64) (float64, error) {
	v, err := d.Curve.Value(ctx, d.By, math.Exp(l))
	return d.nats(v), err
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
