package joint

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

var errNotFinite = errors.New("is not finite")

// linear is how a linear layer is fitted.
type linear func(ctx context.Context, one *chain) (*weights, error)

// layerwise learns the layers one after the other: each is the linear fit of the outputs to
// what the layers before make of the inputs. Hidden layers are scaled to a mean square of one.
func (c *chain) layerwise(ctx context.Context, fit linear) (*weights, error) {
	return c.forwardFits(ctx, func(_ int, one *chain) (*weights, error) { return fit(ctx, one) })
}

// drawn are layers drawn from their priors, and the last one fitted.
func (c *chain) drawn(ctx context.Context, fit linear, seed uint64) (*weights, error) {
	rng := rand.New(rand.NewPCG(seed, 2))
	return c.forwardFits(ctx, func(k int, one *chain) (*weights, error) {
		if k == len(c.layers)-1 {
			return fit(ctx, one)
		}
		w := one.zero()
		for i := range w.v[0].RawMatrix().Data {
			w.v[0].RawMatrix().Data[i] = rng.NormFloat64()
		}
		return w, nil
	})
}

// forwardFits makes layers from what the ones before make of the pairs.
func (c *chain) forwardFits(ctx context.Context, learn func(k int, one *chain) (*weights, error)) (*weights, error) {
	all, u := &weights{}, c.f
	for k, l := range c.layers {
		linear := *l
		linear.sigma = nil
		one := &chain{layers: []*layer{&linear}, f: u, u: c.u, roots: c.roots, lambda: c.lambda}
		w, err := learn(k, one)
		if err != nil {
			return nil, err
		}
		if k < len(c.layers)-1 {
			one.unit(ctx, w)
		}
		one.layers[0] = l
		u = one.forward(ctx, w).u[1]
		if slices.ContainsFunc(u.RawMatrix().Data, func(v float64) bool { return !finite(v) }) {
			return nil, fmt.Errorf("activation of layer %d: %w for integrals of size one: must be finite for all numbers", k+1, errNotFinite)
		}
		all.v, all.w = append(all.v, w.v[0]), append(all.w, w.w[0])
	}
	return all, linop.Stopped(ctx)
}

// unit scales the outputs of a linear layer to a mean square of one.
func (c *chain) unit(ctx context.Context, w *weights) {
	z := c.forward(ctx, w).z[0].RawMatrix().Data
	size := floats.Norm(z, 2) / math.Sqrt(float64(len(z)))
	if !(size > 0) || math.IsInf(size, 0) {
		return
	}
	w.v[0].Scale(1/size, w.v[0])
	floats.Scale(1/size, w.w[0])
}

// exactly is the minimiser of a linear layer.
func exactly(ctx context.Context, one *chain) (*weights, error) {
	d := newDescent(ctx, one, one.zero())
	d.damping, d.inner = 0, nearlyExact
	err := d.step(ctx)
	return d.p, err
}

// roughly is near the minimiser, for something else to go on from.
func roughly(ctx context.Context, one *chain) (*weights, error) {
	if some, _ := one.reducible(); !some {
		return exactly(ctx, one)
	}
	q := newTruncated(ctx, one, one.zero())
	q.damping = 0
	err := q.step(ctx)
	return one.fromCoordinates(ctx, q.x), err
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
