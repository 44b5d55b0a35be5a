package network

import (
	"context"
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/mesh"
)

// patience is how many layers may pass that predict no better.
const patience = 2

// layers learns layers one after the other from what the one before makes of the pairs, until
// left-out pairs are predicted no better. Under noise that is what the one before, learned
// without a pair, makes of it: its fit of the pair has some of the noise in it.
func (l *learner) layers(ctx context.Context, names []string, most int, like *choices, noisy bool) ([]*attempt, error) {
	var all []*attempt
	h, best := l.u, 0
	for k := range most {
		progress.Report(ctx, progress.Step{Task: "layer", Done: float64(k), Total: float64(most)})
		own, shapes := names, like
		if k == 0 {
			own, shapes = nil, nil
		}
		a, err := l.next(ctx, own, h, shapes, k > 0 && !noisy, k > 0 && all[k-1].newton)
		switch {
		case errors.Is(err, errNotFinite) && k > 0: // the layers before diverge
			return all[:best+1], nil
		case err != nil:
			return nil, err
		}
		if !noisy {
			if a.out, err = l.apply(ctx, a, h); err != nil {
				return nil, err
			}
		}
		h, all = a.out, append(all, a)
		if a.leftOut < worthWhile*all[best].leftOut {
			best = k
		}
		if k-best >= patience {
			break
		}
	}
	return all[:best+1], nil
}

// apply is what a layer makes of the pairs, with channels of h.
func (l *learner) apply(ctx context.Context, a *attempt, h *mat.Dense) (*mat.Dense, error) {
	own, err := l.layer(ctx, a.e, a.names)
	if err != nil {
		return nil, err
	}
	out, err := fixed(ctx, own.output, own.op.channels, l.inputsOnly(), mesh.Mesh{})
	if err != nil {
		return nil, err
	}
	_, in := l.named(a.names)
	for pair := range out.RawMatrix().Rows {
		if err := own.op.advance(ctx, out.RawRowView(pair), in, pair, h.RawRowView(pair), a.newton); err != nil {
			return nil, err
		}
	}
	return out, linop.Stopped(ctx)
}
