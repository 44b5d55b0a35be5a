package criteria

import (
	"context"
	"math"
	"testing"
)

// valleys is a model whose REML is a paraboloid of the logarithms of λ and of ρ/λ.
type valleys struct {
	tied          bool
	lambda, ratio float64 // decades
}

func (m valleys) Tied() bool { return m.tied }

func (m valleys) Along(_ context.Context, p Penalty) (Curve, error) {
	off := math.Log10(p.Ratio) - m.ratio
	return valley{bowl{least: m.lambda * math.Ln10, curvature: 2}, off * off}, nil
}

// valley is a curve of it.
type valley struct {
	bowl
	above float64
}

func (c valley) Value(ctx context.Context, by Criterion, lambda float64) (float64, error) {
	v, err := c.bowl.Value(ctx, by, lambda)
	return v + c.above, err
}

func (c valley) Reach(by Criterion) float64 {
	if by == REML {
		return math.Inf(1)
	}
	return 0
}

// ρ/λ is looked for within six decades of the unit, or around the one given, and λ with it; one beyond that is the end of the range.
func TestRatioIsFoundInItsRange(t *testing.T) {
	const unit = 1.0 // decades
	for _, tied := range []bool{false, true} {
		to, near := ratioTo, 2.0
		if tied {
			to, near = tiedTo, 3
		}
		for _, c := range []struct {
			ratio, start, want float64 // decades around the unit
			near               bool
		}{
			{ratio: 0, want: 0},
			{ratio: 2.7, want: 2.7},
			{ratio: -5.3, want: -5.3},
			{ratio: 9, want: 6},
			{ratio: -9, want: -6},
			{ratio: 1.2, start: .5, near: true, want: 1.2},
			{ratio: 5, start: .5, near: true, want: .5 + near},
			{ratio: -5, start: .5, near: true, want: .5 - near},
			{ratio: 9, start: 5.5, near: true, want: 6},
			{ratio: -9, start: -5.5, near: true, want: -6},
		} {
			for _, lambda := range []float64{.9, -1.5, -12.8} {
				q := Search{By: REML, Unit: math.Pow(10, unit), Near: c.near, Penalty: Penalty{Ratio: math.Pow(10, unit+c.start)}}
				ch, err := q.Along(t.Context(), valleys{tied, lambda, unit + c.ratio})
				if err != nil {
					t.Fatal(err)
				}
				if off := math.Log10(ch.Penalty.Ratio) - unit - c.want; !(math.Abs(off) <= to) {
					t.Errorf("tied %v, %+v, λ at %g: ρ/λ is off by %.2g decades", tied, c, lambda, off)
				}
				if off := math.Log(ch.Lambda) - lambda*math.Ln10; !(math.Abs(off) <= fineTo) {
					t.Errorf("tied %v, %+v, λ at %g: off by %.2g", tied, c, lambda, off)
				}
			}
		}
	}
}
