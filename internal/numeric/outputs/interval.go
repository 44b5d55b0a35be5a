package outputs

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/linop"
)

// Interval says what intervals about predictions are to hold: a value with the probability Level,
// or all of an output at once.
type Interval struct {
	Level        float64
	Simultaneous bool
}

const (
	supDraws = 4000 // for the quantile of a largest deviation: to 1 % of it, one standard error
	supSeed  = 1
	supTail  = 20 // draws beyond a quantile that make it known; rarer ones are bounded

	mostDrawn = 1 << 24 // numbers of predictions that are drawn together: 128 MB
)

// Check refuses what is no probability.
func (o Interval) Check() error {
	if o.Level > 0 && o.Level < 1 {
		return nil
	}
	if o.Level > 1 && o.Level < 100 {
		return fmt.Errorf("interval %g: is a probability, between 0 and 1; %g %% is %g", o.Level, o.Level, o.Level/100)
	}
	return fmt.Errorf("interval %g: is a probability, more than 0 and less than 1, such as 0.95", o.Level)
}

// CheckDraws is an error where draws of predictions of so many points, each by itself, would not fit into memory: the covariance of one,
// what the data say of it, and its root, and all draws.
func CheckDraws(predictions, points, draws int) error {
	if err := dense.CheckMatrix("draws", 3, points, points); err != nil {
		return err
	}
	return dense.CheckMatrix("draws", 1, draws, predictions*points)
}

// CheckSize is an error where what [Interval.HalfWidths] draws for predictions of so many points would not fit into memory.
func (o Interval) CheckSize(predictions, points int) error {
	if !o.Simultaneous {
		return nil
	}
	return CheckDraws(min(predictions, together(points)), points, supDraws)
}

// together is how many predictions of so many points are drawn together.
func together(points int) int { return max(1, mostDrawn/(supDraws*points)) }

// HalfWidths are those of intervals about predictions of standard deviations std, a row each;
// deviate draws, so many times, by how much predictions from … to-1 differ from their means, draws × their
// points one after the other. noise is that of new values, or none. std is overwritten.
func (o Interval) HalfWidths(ctx context.Context, std *mat.Dense, noise NewNoise, deviate func(from, to, draws int, seed uint64) (*mat.Dense, error)) (*mat.Dense, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	n, my := std.Dims()
	variance := make([]float64, my) // of the noise, in the mean
	for k := range variance {
		if noise.Std != nil {
			variance[k] = noise.Std[k] * noise.Std[k]
		}
		if noise.Covariance != nil {
			variance[k] += noise.Covariance.At(k, k)
		}
	}
	squares, outside := noise.squares(), o.outside(my)
	half := make([]float64, my)
	var drawn *mat.Dense
	together := together(my)
	for i := range n {
		row := std.RawRowView(i)
		for k, v := range row {
			half[k] = mixedQuantile(v*v, variance[k], squares, outside)
			row[k] = math.Sqrt(v*v + variance[k])
		}
		if o.Simultaneous {
			if i%together == 0 {
				var err error
				if drawn, err = deviate(i, min(i+together, n), supDraws, supSeed); err != nil {
					return nil, err
				}
			}
			from := i % together * my
			d := drawn.Slice(0, supDraws, from, from+my).(*mat.Dense)
			if err := noise.addTo(ctx, d, supSeed); err != nil {
				return nil, err
			}
			times := o.largest(d, row)
			for k, v := range row {
				half[k] = max(half[k], times*v)
			}
		}
		copy(row, half)
	}
	return std, linop.Stopped(ctx)
}

// outside is the probability to leave the interval at one of so many points that no interval
// allows more of. Where draws do not tell the largest deviation of a simultaneous one, that is the
// union bound.
func (o Interval) outside(points int) float64 {
	outside := 1 - o.Level
	if o.Simultaneous && outside*supDraws < supTail {
		return outside / float64(points)
	}
	return outside
}

// mixedQuantile is what a normal number of variance own + s·noise is above in size with the probability
// outside, for s one of the squares of the scales, each as likely; none stand for 1. Newton's
// method on the logarithm of the probability, between bounds.
func mixedQuantile(own, noise float64, squares []float64, outside float64) float64 {
	if len(squares) == 0 {
		squares = []float64{1}
	}
	normal := -distuv.UnitNormal.Quantile(outside / 2) // exact in the tail, where 1 - outside rounds to 1
	low, high := normal*math.Sqrt(own+squares[0]*noise), normal*math.Sqrt(own+squares[len(squares)-1]*noise)
	if !(low > 0) || !(high > low*(1+1e-9)) {
		return high
	}
	h := math.Sqrt(low * high)
	for range 60 {
		tail, slope := 0.0, 0.0
		for _, s := range squares {
			if v := own + s*noise; v > 0 {
				tail += math.Erfc(h / math.Sqrt(2*v))
				slope -= math.Sqrt(2/(math.Pi*v)) * math.Exp(-h*h/(2*v))
			}
		}
		tail, slope = tail/float64(len(squares)), slope/float64(len(squares))
		if tail > outside {
			low = h
		} else {
			high = h
		}
		next := h - tail*math.Log(tail/outside)/slope
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		if math.Abs(next-h) < 1e-9*h {
			return next
		}
		h = next
	}
	return h
}

// largest is what the largest deviation of a draw, in standard deviations, is below with the
// probability of the interval, or with the highest that so many draws tell.
func (o Interval) largest(draws *mat.Dense, std []float64) float64 {
	n, _ := draws.Dims()
	worst := make([]float64, n)
	for i := range n {
		for k, v := range draws.RawRowView(i) {
			if std[k] > 0 {
				worst[i] = max(worst[i], math.Abs(v)/std[k])
			}
		}
	}
	slices.Sort(worst)
	return worst[min(n-supTail, int(math.Ceil(o.Level*float64(n))))]
}
