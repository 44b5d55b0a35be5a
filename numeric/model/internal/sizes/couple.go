package sizes

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/model/internal/term"
)

// coupled is the likelihood of the outputs of the choice, which shares its covariances.
func (c *choice) coupled() *criteria.Coupled {
	return &criteria.Coupled{Components: *c.l, Entry: c.r.entries(), Output: c.r.output, Outputs: len(c.r.units)}
}

var errDependent = errors.New("outputs: those without noise that are copies or multiples of one another, or sums of others, cannot be coupled: leave one of them out, or learn them by themselves")

// Couple chooses lengthscales that are open, the covariances between the outputs, and their
// noise.
func (q *Question) Couple(ctx context.Context) (*Coupling, error) {
	r, err := newReduced(ctx, q.Outs, term.Curve(q.Terms, q.mesh()), q.Flat)
	if err != nil {
		return nil, err
	}
	r.inUnits(r.spreads())
	if r.dependent() {
		return nil, errDependent
	}
	c, err := q.choiceFrom(ctx, r)
	if err != nil {
		return nil, err
	}
	l := c.coupled()
	c.l, c.best, c.limits = &l.Components, l.Best, func() criteria.Limits { return c.ofVariances(l) }
	best, err := c.run(ctx)
	if errors.Is(err, solve.ErrNotPositive) {
		return nil, fmt.Errorf("%w (%w)", errDependent, err)
	}
	if err != nil {
		return nil, err
	}
	out := &Coupling{Centres: make([]float64, len(q.Outs)), Units: make([]float64, len(q.Outs)), Spreads: make([]float64, len(q.Outs))}
	constants, err := l.Constants(ctx, best)
	if err != nil {
		return nil, err
	}
	for o, noise := range l.Noise(best) {
		out.Units[o] = r.units[o] * math.Sqrt(noise)
		if q.Flat {
			out.Centres[o] = centre(q.Outs[o])
			if r.constant[o] >= 0 {
				out.Centres[o] += r.units[o] * constants[r.constant[o]]
			}
			out.Spreads[o] = deviationFrom(q.Outs[o], out.Centres[o]) / out.Units[o]
		}
	}
	for t, scale := range c.scale {
		covariance := l.Covariance(best, t)
		own := make([]float64, 0, l.Outputs*l.Outputs)
		for p := range l.Outputs {
			for q := range l.Outputs {
				lo, hi := min(p, q), max(p, q) // symmetric to the last bit
				own = append(own, covariance.At(hi, lo))
			}
		}
		if scale > 0 {
			floats.Scale(1/scale, own)
		}
		if t < len(q.Terms) {
			out.Terms = append(out.Terms, own)
		} else {
			out.Bias = own
		}
	}
	out.normalise()
	if c.rho > 0 { // which the covariances of β and of its constants are over
		floats.Scale(c.rho, out.Bias)
		floats.Scale(math.Sqrt(c.rho), out.Spreads)
	}
	return out, nil
}

// deviationFrom is the root of the mean square of what an output differs from a number by.
func deviationFrom(out *dataset.Field, centre float64) float64 {
	sum, count := 0.0, 0.0
	for _, v := range out.Values.Data {
		if !math.IsNaN(v) {
			sum += (v - centre) * (v - centre)
			count++
		}
	}
	return math.Sqrt(sum / max(count, 1))
}

// centre is the mean of what was observed of an output.
func centre(out *dataset.Field) float64 {
	var seen []float64
	for _, v := range out.Values.Data {
		if !math.IsNaN(v) {
			seen = append(seen, v)
		}
	}
	if len(seen) == 0 {
		return 0
	}
	return stat.Mean(seen, nil)
}
