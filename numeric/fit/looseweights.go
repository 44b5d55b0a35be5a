package fit

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/fit/internal/posterior"
)

const (
	mostShifts = 24  // fits that stand for what uncertain weights do
	shiftTimes = 1.5 // see loosen
	shiftSeed  = 0x77
)

// weightShifts are estimates that say by how much errors of the weights change this one: each as a standard normal number times
// its values.
func (e *Estimate) weightShifts(ctx context.Context) ([]*Estimate, error) {
	if e.learned == nil || e.within != nil || len(e.Report.LooseWeights) != e.learned.spec.Data.N() {
		return nil, nil
	}
	return e.learned.shifts.get(ctx)
}

// shiftsOfData are the residuals of outputs from predictions u, times how far their weights may be off: of one pair each, or of
// every so many with random signs.
func shiftsOfData(given *array.Array, u *mat.Dense, loose []float64) (all []*array.Array) {
	n, m := u.Dims()
	count, draw := min(n, mostShifts), rand.New(rand.NewPCG(shiftSeed, 0))
	for range count {
		all = append(all, given.Map(func(v float64) float64 { return 0 * v })) // missing ones stay missing
	}
	for i := range n {
		times := math.Sqrt(shiftTimes) * loose[i]
		if draw.IntN(2) == 0 {
			times = -times
		}
		to := all[i%count].Data[i*m : (i+1)*m]
		floats.AddScaled(to, times, given.Data[i*m:(i+1)*m])
		floats.AddScaled(to, -times, u.RawRowView(i))
	}
	return all
}

// loosen makes a band as wide as the uncertain factor of the prior, and uncertain weights of the pairs, make it.
//
// Let S be what takes outputs to what is asked for, r_i the residuals of pair i beside zeros for all others, and δ_i the
// standard deviation of the logarithm of the variance of its noise, which is estimated without bias. Other weights change what is asked
// for by S r_i times the error of that logarithm (Kackar and Harville, JASA 79, 1984), which adds
//
//	Σ δ_i² (S r_i)²
//
// to the variance; and the variance by the weights that were found is half of that too small in the mean, for pairs whose noise was
// taken for less than it is count more (Prasad and Rao, JASA 85, 1990, for variances without bias: by all of it). The cost is that of a
// fit for each pair, or of 24 for some pairs together, with random signs.
func (e *Estimate) loosen(ctx context.Context, p *posterior.Posterior, band *mat.Dense, of func(known Known) (*mat.Dense, error)) error {
	if err := e.loosenFactor(ctx, p, band, of); err != nil {
		return err
	}
	shifts, err := e.weightShifts(ctx)
	if err != nil {
		return err
	}
	for _, s := range shifts {
		change, err := of(s)
		if err != nil {
			return err
		}
		band.Apply(func(i, k int, v float64) float64 { return math.Hypot(v, change.At(i, k)) }, band)
	}
	return linop.Stopped(ctx)
}

// loosenDraws adds to draws by how much factors of the prior and weights of the pairs change what is drawn.
func (e *Estimate) loosenDraws(ctx context.Context, p *posterior.Posterior, draw *rand.Rand, out *mat.Dense, of func(known Known) (*mat.Dense, error)) error {
	if err := e.factorDraws(ctx, p, draw, out, of); err != nil {
		return err
	}
	shifts, err := e.weightShifts(ctx)
	if err != nil {
		return err
	}
	n, _ := out.Dims()
	for _, s := range shifts {
		change, err := of(s)
		if err != nil {
			return err
		}
		for i := range n {
			floats.AddScaled(out.RawRowView(i), draw.NormFloat64(), change.RawMatrix().Data)
		}
	}
	return linop.Stopped(ctx)
}
