package network

import (
	"context"
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/dataset"
)

// A layer may be a step of Newton's method in place of one of the fixed-point iteration: with h
// of the layer before,
//
//	u = β + ∫G f + Σ_c ∫G_c (φ_c(h) + φ_c′(h)(u - h)),
//
// is linear in what is unknown when it is learned, with u of the data, and linear in u when it
// predicts. It converges where the iteration does not, such as for inputs beyond those of the
// data. Under noise its channels are as noisy as those of an implicit network, and layers are
// steps of the iteration.

// next is the layer that follows h: the step of the iteration or, where there may be one, that
// of Newton's method, whichever predicts left-out pairs better; newton leaves no choice.
func (l *learner) next(ctx context.Context, names []string, h *mat.Dense, like *choices, may, newton bool) (best *attempt, err error) {
	for _, step := range []bool{false, true} {
		if step && !may || !step && newton {
			continue
		}
		a, err := l.try(ctx, names, h, like, step)
		switch {
		case step && best != nil && (errors.Is(err, errNoFixedPoint) || errors.Is(err, errNotFinite)):
			continue
		case err != nil:
			return nil, err
		case best == nil || a.leftOut < worthWhile*best.leftOut:
			best = a
		}
	}
	return best, nil
}

// try is a layer of one of the two kinds.
func (l *learner) try(ctx context.Context, names []string, h *mat.Dense, like *choices, newton bool) (*attempt, error) {
	of := l.table
	if newton {
		of = l.tangents
	}
	t, err := of(names, h)
	if err != nil {
		return nil, err
	}
	a, err := l.attemptOn(ctx, t, names, like)
	if err != nil {
		return nil, err
	}
	a.newton = newton
	if a.out, err = l.applyLeftOut(ctx, a, h); err == nil {
		a.leftOut = l.error(a.out)
	}
	return a, err
}

// tangents are the data with φ(h) + φ′(h)(u - h) of channels beside the inputs.
func (l *learner) tangents(names []string, h *mat.Dense) (*dataset.Table, error) {
	return l.tableOf(names, func(c *channel, in []*mat.Dense) *mat.Dense { return c.tangent(in, h, l.u) })
}
