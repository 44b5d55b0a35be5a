package lattice

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/laws"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Expansion is a function that obeys a constraint, by weights W on the meshes of a lattice:
//
//	G(p) = χ(p)/|Γ| Σ_{g ∈ Γ} σ(g) F(g φ p),   F(z) = Σ_j k(z, z_j) W_j
//
// with the reduction φ, the group Γ and the mask χ of the lattice. Every value of it, and of
// its derivatives, is found in one way: where the points that are asked for are a product of
// meshes in the coordinates of the lattice, so is their image under each map that does not mix
// inputs and outputs, and [gram.Cross] evaluates F there with what structure the kernel has;
// where the maps send the points to one another, F is evaluated once. Other points cost one
// kernel value for each map and weight. It is immutable and safe for concurrent use.
type Expansion struct {
	l       *Lattice
	kernel  *kernels.Function // on the space of l
	weights *mat.Dense
	obeys   bool // F is G but for rounding, and where the mask is
}

// Expand compiles the kernel k for weights on the meshes of the lattice, X.Size × Y.Size.
func (l *Lattice) Expand(k kernel.Kernel, weights *mat.Dense) (*Expansion, error) {
	f, err := kernels.Compile(l.Kernel(k), l.space)
	if err != nil {
		return nil, err
	}
	return &Expansion{l: l, kernel: f, weights: weights, obeys: l.invariant(f) && l.obey(weights)}, nil
}

// invariant reports whether the maps of the group, applied to both arguments, leave a kernel as it
// is: they mirror and move coordinates of which it knows the distance only.
func (l *Lattice) invariant(f *kernels.Function) bool {
	for _, im := range l.images {
		for i, name := range l.space.Names {
			if im.Permutation == nil || im.Permutation[i] != i || !f.Even(i) && !expr.Equal(im.At[i], expr.Var(i, name)) {
				return false
			}
		}
	}
	return true
}

// obey reports whether weights are their own average, but for rounding.
func (l *Lattice) obey(weights *mat.Dense) bool {
	own := weights.RawMatrix().Data
	average := slices.Clone(own)
	l.Average(average)
	return l.off == "" && floats.Distance(own, average, math.Inf(1)) <= lagTolerance*floats.Norm(own, math.Inf(1))
}

// Lattice is that of the weights.
func (e *Expansion) Lattice() *Lattice { return e.l }

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

// samePoints reports whether two meshes have the same axes to rounding.
func samePoints(a, b mesh.Mesh) bool {
	return slices.EqualFunc(a.Axes(), b.Axes(), func(p, q mesh.Axis) bool {
		size := 0.0
		for i := range p.Lower {
			size = max(size, p.Upper[i]-p.Lower[i], math.Abs(p.Lower[i])*1e-3, math.Abs(p.Upper[i])*1e-3)
		}
		return p.Dim() == q.Dim() && slices.EqualFunc(p.Coordinates, q.Coordinates, func(v, w float64) bool { return math.Abs(v-w) <= lagTolerance*size })
	})
}
