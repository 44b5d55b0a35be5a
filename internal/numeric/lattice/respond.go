package lattice

import (
	"context"
	"fmt"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Respond returns ∫ G(x, ·) f(x) dx on ys by the quadrature of xs, for the functions in the
// rows of f, n × xs.Size: n × ys.Size. Where the constraint allows it, the functions meet
// the kernel before the weights do, or G is convolved in time; otherwise they meet G.
func (e *Expansion) Respond(ctx context.Context, f *mat.Dense, xs, ys mesh.Mesh) (*mat.Dense, error) {
	if u, ok, err := e.convolve(ctx, f, xs, ys); ok || err != nil {
		return u, err
	}
	weighted := mat.DenseCopyOf(f)
	n, _ := weighted.Dims()
	w := xs.Weights()
	for i := range n {
		floats.Mul(weighted.RawRowView(i), w)
	}
	t := &target{x: xs, y: ys, size: [2]int{xs.Size(), ys.Size()}}
	if u, ok, err := e.respondImages(ctx, weighted, t); ok || err != nil {
		return u, err
	}
	var g *mat.Dense
	var err error
	if t.lattice != nil { // finding it takes long
		g, err = e.onTarget(ctx, t, nil)
	} else {
		g, err = e.On(ctx, xs, ys)
	}
	if err != nil {
		return nil, err
	}
	return linop.Product(ctx, weighted, g), linop.Stopped(ctx)
}

// convolve responds by a time-invariant G: its values on the lags between the meshes, and a
// convolution in time. It declines meshes whose times have no common step.
func (e *Expansion) convolve(ctx context.Context, f *mat.Dense, xs, ys mesh.Mesh) (u *mat.Dense, ok bool, err error) {
	if e.l.lag == nil {
		return nil, false, nil
	}
	window := On(xs, ys)
	window.space, window.lag = e.l.lag.Space(window.full), e.l.lag
	if window.reduce(nil) != nil {
		return nil, false, nil
	}
	conv, err := NewConvolution(ctx, window, f, xs, ys, false)
	if err != nil {
		return nil, false, linop.Stopped(ctx)
	}
	g, err := e.at(ctx, &target{x: window.x, y: window.y}, nil)
	if err != nil {
		return nil, false, err
	}
	n, _ := f.Dims()
	u = mat.NewDense(n, ys.Size(), nil)
	conv.Apply(ctx, u.RawMatrix().Data, g)
	return u, true, linop.Stopped(ctx)
}

// respondImages is Respond to weighted functions where there is nothing but an average over
// maps that keep the order of the axes. It declines others, and where one evaluation of F
// gives all of G.
func (e *Expansion) respondImages(ctx context.Context, weighted *mat.Dense, t *target) (u *mat.Dense, ok bool, err error) {
	if e.l.lag != nil || e.l.chi != nil {
		return nil, false, nil
	}
	group := e.l.group()
	if e.obeys {
		group = identity(e.l.space)
	}
	if len(group) > 1 {
		if on, err := e.l.on(ctx, t); err != nil || on != nil {
			return nil, false, err
		}
	}
	images := make([]*imageMeshes, len(group))
	for i, g := range group {
		if images[i], err = e.l.imageOf(g, t); err != nil || images[i] == nil || !slices.IsSorted(images[i].order) {
			return nil, false, err
		}
	}
	n, _ := weighted.Dims()
	u = mat.NewDense(n, t.y.Size(), nil)
	one := mat.NewDense(n, t.y.Size(), nil)
	for i, p := range images {
		op, err := gram.Cross(ctx, e.kernel, p.x, p.y, e.l.x, e.l.y)
		if err != nil {
			return nil, false, err
		}
		if err := gram.Respond(ctx, op, one, weighted, e.weights); err != nil {
			return nil, false, fmt.Errorf("prediction: %w", err)
		}
		floats.AddScaled(u.RawMatrix().Data, group[i].Sign/float64(len(group)), one.RawMatrix().Data)
	}
	return u, true, nil
}
