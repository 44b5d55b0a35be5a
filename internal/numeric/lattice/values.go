package lattice

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/laws"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// On returns G on xs × ys, a matrix of their sizes. The error is the context's, or that of a
// kernel without finite values.
func (e *Expansion) On(ctx context.Context, xs, ys mesh.Mesh) (*mat.Dense, error) {
	return e.Diff(ctx, nil, xs, ys)
}

// Diff is On for the derivative of G along each coordinate in the list, numbers of those of
// xs and then those of ys; an empty list is G itself. Where the mask jumps, the derivatives
// are those on either side.
func (e *Expansion) Diff(ctx context.Context, along []int, xs, ys mesh.Mesh) (*mat.Dense, error) {
	t, err := e.l.target(xs, ys)
	if err != nil {
		return nil, err
	}
	sign, slots := e.l.along(along)
	g, err := e.onTarget(ctx, t, slots)
	if err != nil || sign == 1 {
		return g, err
	}
	g.Scale(sign, g)
	return g, nil
}

// onTarget is at for the pairs of points that were asked for.
func (e *Expansion) onTarget(ctx context.Context, t *target, slots []int) (*mat.Dense, error) {
	values, err := e.at(ctx, t, slots)
	if err != nil {
		return nil, err
	}
	return t.spread(values), linop.Stopped(ctx)
}

// at returns derivatives of G at the points of a target.
func (e *Expansion) at(ctx context.Context, t *target, slots []int) ([]float64, error) {
	on, err := e.l.on(ctx, t)
	if err != nil {
		return nil, err
	}
	if on != nil && len(slots) == 0 {
		values, err := e.sum(ctx, e.kernel, on.x, on.y)
		if err != nil {
			return nil, err
		}
		on.Average(values)
		if on == e.l {
			on.Mask(values)
			return values, nil
		}
		return values, e.l.cut(values, t)
	}
	group := e.l.group()
	var values []float64
	for _, im := range group {
		v, err := e.image(ctx, im, t, slots)
		if err != nil {
			return nil, err
		}
		if values == nil {
			values = make([]float64, len(v))
		}
		floats.AddScaled(values, im.Sign/float64(len(group)), v)
	}
	return values, e.l.cut(values, t)
}

// image returns derivatives of F(g r) in r, for r the points of a target.
func (e *Expansion) image(ctx context.Context, g laws.Image, t *target, slots []int) ([]float64, error) {
	sign, own, ok := through(g, slots)
	if !ok {
		return e.composed(ctx, g, slots, t.columns())
	}
	f, err := e.derivative(own)
	if err != nil {
		return nil, err
	}
	var values []float64
	p, err := e.l.imageOf(g, t)
	switch {
	case err != nil:
		return nil, err
	case p == nil:
		values, err = e.pointByPoint(ctx, f, g, t.columns())
	default:
		if values, err = e.sum(ctx, f, p.x, p.y); err == nil {
			values = unpermute(values, p.order, t.shape())
		}
	}
	if sign < 0 {
		floats.Scale(sign, values)
	}
	return values, err
}

// sum is Σ_j f(·, z_j) W_j on a product of meshes.
func (e *Expansion) sum(ctx context.Context, f *kernels.Function, x, y mesh.Mesh) ([]float64, error) {
	if f != e.kernel { // without quadrature the meshes are never taken for those of the weights, on which gram may assume that a kernel is symmetric
		var err error
		if x, err = unweighted(x); err != nil {
			return nil, err
		}
		if y, err = unweighted(y); err != nil {
			return nil, err
		}
	}
	op, err := gram.Cross(ctx, f, x, y, e.l.x, e.l.y)
	if err != nil {
		return nil, err
	}
	out := make([]float64, x.Size()*y.Size())
	op.Apply(ctx, out, e.weights.RawMatrix().Data)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("evaluation stopped: %w", context.Cause(ctx))
	}
	return out, nil
}

// pointByPoint is Σ_j f(g r, z_j) W_j at points r given by their columns.
func (e *Expansion) pointByPoint(ctx context.Context, f *kernels.Function, g laws.Image, points [][]float64) ([]float64, error) {
	mapped, err := evaluateAll(g.At, points)
	if err != nil {
		return nil, err
	}
	columns, w := e.l.columns(), e.weights.RawMatrix().Data
	out := make([]float64, len(points[0]))
	err = kernels.Rows(ctx, len(out), f.Time(len(w)), func(i int) {
		p := make([]float64, len(mapped))
		for k := range p {
			p[k] = mapped[k][i]
		}
		row := make([]float64, len(w))
		f.Row(row, p, columns)
		out[i] = floats.Dot(row, w)
	})
	return out, err
}

// cut applies the mask to values at the points of a target.
func (l *Lattice) cut(values []float64, t *target) error {
	if l.chi == nil {
		return nil
	}
	seen := t.seen
	if t.points == nil {
		seen = t.columns()
	}
	chi, err := evaluate(l.chi, seen)
	if err != nil {
		return err
	}
	for i, v := range chi {
		if v == 0 {
			values[i] = 0
		}
	}
	return nil
}
