package criteria

import (
	"context"
	"math"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// At evaluates the criteria. Cost: with n rows of T two thirds of n³ multiplications and
// additions, or, with k directions of A, 4 n k² for a new ρ/λ and n k times the outputs of a
// pair for a new λ. The error is the context's, or solve.ErrNotPositive where rounding has
// eaten H up.
func (x *Exact) At(ctx context.Context, lambda, rho float64) (Sheet, error) {
	if h, err := x.thinAt(ctx, lambda, rho); err != nil {
		return Sheet{}, err
	} else if h != nil {
		return h.At(ctx, lambda, rho)
	}
	return x.byMatrix(ctx, lambda, rho)
}

const (
	thinRows   = 200  // fewer rows are no work
	thinShare  = 4    // of the rows one, that the columns of a root of C may be
	thinBias   = 2    // the same with those of U
	thinSpread = 1e12 // of the largest eigenvalue over λ, from where matrices tell when rounding has eaten them up
)

// thinAt is the thin form at λ and ρ; nil where the matrix has to do.
func (x *Exact) thinAt(ctx context.Context, lambda, rho float64) (*thin, error) {
	n := len(x.T)
	if n < thinRows || x.thick {
		return nil, nil
	}
	ratio := 0.0
	if x.Bias != nil {
		ratio = rho / lambda
	}
	last, _ := x.last.(*thin)
	if last == nil || math.Abs(last.ratio-ratio) > sameRatio*ratio {
		if x.Root == nil {
			x.Root = lowRank(ctx, x.Green, n/thinShare)
		}
		if x.Root != nil {
			if _, k := x.Root.Dims(); k+x.biases() <= n/thinBias {
				var err error
				if last, err = newThin(ctx, x, ratio); err != nil {
					return nil, err
				}
			}
		}
		if last == nil {
			x.thick = true
			return nil, linop.Stopped(ctx)
		}
		x.last = last
	}
	if last.values[0] > thinSpread*lambda {
		return nil, nil
	}
	return last, nil
}

// sameRatio is how far two ρ/λ are apart by rounding alone.
const sameRatio = 1e-13
