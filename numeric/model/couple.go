package model

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/internal/solve"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/model/internal/term"
)

// coupled is the likelihood of the outputs of the choice, which shares its covariances.
func (c *choice) coupled() *criteria.Coupled {
	return &criteria.Coupled{Components: *c.l, Entry: c.r.entries(), Output: c.r.output, Outputs: len(c.r.units)}
}

// couple chooses lengthscales that are open, the covariances between the outputs, and their
// noise.
func (s *Spec) couple(ctx context.Context, b *block) (*coupling, error) {
	flat := s.flat()
	r, err := newReduced(ctx, b.outs, term.Curve(b.terms, b.mesh()), flat)
	if err != nil {
		return nil, err
	}
	r.inUnits(r.spreads())
	c, err := newChoice(ctx, s, r, b.terms, nil)
	if err != nil {
		return nil, err
	}
	l := c.coupled()
	c.l, c.best = &l.Components, l.Best
	best, err := c.run(ctx)
	if errors.Is(err, solve.ErrNotPositive) {
		return nil, fmt.Errorf("outputs: those without noise that are copies or multiples of one another cannot be coupled: leave one of them out, or learn them by themselves (%w)", err)
	}
	if err != nil {
		return nil, err
	}
	out := &coupling{Centres: make([]float64, len(b.outs)), Units: make([]float64, len(b.outs)), Spreads: make([]float64, len(b.outs))}
	constants, err := l.Constants(ctx, best)
	if err != nil {
		return nil, err
	}
	for o, noise := range l.Noise(best) {
		out.Units[o] = r.units[o] * math.Sqrt(noise)
		if flat {
			out.Centres[o] = centre(b.outs[o])
			if r.constant[o] >= 0 {
				out.Centres[o] += r.units[o] * constants[r.constant[o]]
			}
			out.Spreads[o] = deviationFrom(b.outs[o], out.Centres[o]) / out.Units[o]
		}
	}
	for t, scale := range c.scale {
		covariance := l.Covariance(best, t)
		own := make([]float64, 0, l.Outputs*l.Outputs)
		for p := range l.Outputs {
			for q := range l.Outputs {
				lo, hi := min(p, q), max(p, q) // symmetric to the last bit
				own = append(own, covariance.At(hi, lo)*(r.units[hi]/out.Units[hi])*(r.units[lo]/out.Units[lo]))
			}
		}
		if scale > 0 {
			floats.Scale(1/scale, own)
		}
		if t < len(b.terms) {
			out.Terms = append(out.Terms, own)
		} else {
			out.Bias = own
		}
	}
	out.normalise()
	return out, nil
}

// normalise makes the largest covariance of the terms one, and that of β.
func (c *coupling) normalise() {
	most := 0.0
	for _, b := range c.Terms {
		most = max(most, floats.Max(b))
	}
	for _, b := range c.Terms {
		floats.Scale(1/most, b)
	}
}

// bias is the kernel of β, from that of one output: with constants of about the size of the
// outputs, which are as good as free.
func (c *coupling) bias(curve kernel.Kernel) kernel.Kernel {
	n := len(c.Units)
	k := kernel.Coregional{Kernel: curve, Covariance: c.Bias}
	constants := make([]float64, n*n)
	for o, s := range c.Spreads {
		constants[o*n+o] = s * s
	}
	if floats.Max(constants) == 0 {
		return k
	}
	return kernel.Sum{Terms: []kernel.Kernel{k, kernel.Coregional{Covariance: constants}}}
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
