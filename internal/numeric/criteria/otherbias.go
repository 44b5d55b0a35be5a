package criteria

import (
	"context"
	"errors"
	"math"

	"github.com/greenbench/workbench/internal/numeric/solve"
)

const (
	mostOther  = 240 // rows of a matrix for which other ρ are tried, too
	otherFrom  = 3.0 // of log ρ, nearer than which one is no other
	mostSlides = 40
	slideReach = 0.1 // of log λ and log ρ, steps shorter than which are left to the polish
)

// otherBias is the least REML that is found from λ and ρ of a search, and from where β is as large as G, and where it is
// nothing: where both explain the same of the data, REML has a minimum for each that does.
func otherBias(ctx context.Context, x *Exact, v Sheet, unit, lo, hi float64) (Sheet, error) {
	best, err := slide(ctx, x, v, lo, hi)
	if err != nil {
		return v, err
	}
	for _, ratio := range []float64{unit, unit * math.Pow(10, ratioDecades)} {
		if !isOther(ratio, best.Rho/best.Lambda) {
			continue
		}
		w, err := x.At(ctx, best.Lambda, ratio*best.Lambda)
		if errors.Is(err, solve.ErrNotPositive) || err == nil && !(w.REML < best.REML+farBehind) {
			continue
		}
		if err == nil {
			w, err = slide(ctx, x, w, lo, hi)
		}
		if err != nil {
			return best, err
		}
		if w.REML < best.REML-enoughGain {
			best = w
		}
	}
	return best, nil
}

// isOther reports whether a ratio of ρ to λ is far from another one.
func isOther(ratio, than float64) bool { return math.Abs(math.Log(ratio/than)) >= otherFrom }

// slide is the polish and, where it sees no minimum, from farther downhill by λ or by ρ.
func slide(ctx context.Context, x *Exact, v Sheet, lo, hi float64) (Sheet, error) {
	v, err := polish(ctx, x, v, lo, hi)
	reach := polishReach
	for left := mostSlides; left > 0 && err == nil && reach > slideReach; left-- {
		next, moved := v, false // a sheet with a NaN in it is not equal to itself
		for _, along := range [][2]float64{{reach, 0}, {0, reach}} {
			g := v.gradient()
			if !(math.Abs(g[0]*along[0]+g[1]*along[1]) > enoughGain) {
				continue
			}
			at := min(max(math.Log(v.Lambda)-math.Copysign(along[0], g[0]), lo), hi)
			w, err := x.At(ctx, math.Exp(at), v.Rho*math.Exp(-math.Copysign(along[1], g[1])))
			if err := unlessNotPositive(err); err != nil {
				return v, err
			}
			if err == nil && w.REML < next.REML-enoughGain {
				next, moved = w, true
			}
		}
		if !moved {
			reach /= 2
			continue
		}
		v, err = polish(ctx, x, next, lo, hi)
	}
	return v, err
}
