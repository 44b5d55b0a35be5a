package fit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/fit/internal/posterior"
)

// factor is that of the prior of an estimate, found on the first call; nil where it is known, or there is none.
func (e *Estimate) factor(ctx context.Context) (*looseFactor, error) {
	if e.learned == nil || e.within != nil {
		return nil, nil
	}
	return e.learned.factor.get(ctx)
}

// variance is that of the factor about the one that was taken, and what all other variances are larger by: for τ² there is one
// value fewer.
func (f *looseFactor) variance(p *posterior.Posterior) (variance, wider float64) {
	wider = 1
	if n := p.Count(); n > 1 {
		wider = n / (n - 1)
	}
	return wider * p.Tau2 / f.size, wider
}

// perFactor is by how much what is asked for changes with the factor of the prior.
func (e *Estimate) perFactor(f *looseFactor, of func(known Known) (*mat.Dense, error)) (*mat.Dense, error) {
	change, err := of(e.prior.known)
	if err != nil {
		return nil, fmt.Errorf("prior: %w", err)
	}
	change = mat.DenseCopyOf(change)
	fitted, err := of(f.unit)
	if err != nil {
		return nil, err
	}
	change.Sub(change, fitted)
	return change, nil
}

// loosenFactor makes a band as wide as the uncertain factor of the prior makes it.
func (e *Estimate) loosenFactor(ctx context.Context, p *posterior.Posterior, band *mat.Dense, of func(known Known) (*mat.Dense, error)) error {
	f, err := e.factor(ctx)
	if f == nil || err != nil {
		return err
	}
	change, err := e.perFactor(f, of)
	if err != nil {
		return err
	}
	variance, wider := f.variance(p)
	band.Apply(func(i, k int, v float64) float64 {
		c := change.At(i, k)
		return math.Sqrt(wider*v*v + (variance+f.mean*f.mean)*c*c)
	}, band)
	return linop.Stopped(ctx)
}

// factorDraws adds to draws by how much factors of the prior change what is drawn.
func (e *Estimate) factorDraws(ctx context.Context, p *posterior.Posterior, draw *rand.Rand, out *mat.Dense, of func(known Known) (*mat.Dense, error)) error {
	f, err := e.factor(ctx)
	if f == nil || err != nil {
		return err
	}
	change, err := e.perFactor(f, of)
	if err != nil {
		return err
	}
	variance, wider := f.variance(p)
	n, _ := out.Dims()
	for i := range n {
		floats.Scale(math.Sqrt(wider), out.RawRowView(i))
		floats.AddScaled(out.RawRowView(i), f.mean+math.Sqrt(variance)*draw.NormFloat64(), change.RawMatrix().Data)
	}
	return linop.Stopped(ctx)
}
