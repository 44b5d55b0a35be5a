package fit

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit/lattice"
	"github.com/greenbench/workbench/numeric/gram"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// constrainedGreen evaluates G(p) = χ(p)/|Γ| Σ_g sign(g) Σ_j k(g φ(p), z_j) W_j on
// xs × ys.
func (e *Estimate) constrainedGreen(ctx context.Context, xs, ys mesh.Mesh) (*mat.Dense, error) {
	if e.grid.Lag() != nil {
		return e.lagGreen(ctx, xs, ys)
	}
	return e.imagesOn(ctx, xs, ys)
}

// onOwnGrid evaluates G at the points of its weights: there the images are known
// as index maps and the kernel has the structure of the fit.
func (e *Estimate) onOwnGrid(ctx context.Context) (*mat.Dense, error) {
	v, err := e.unconstrained(ctx, e.grid.X(), e.grid.Y())
	if err != nil {
		return nil, err
	}
	e.grid.Average(v)
	e.grid.Mask(v)
	return mat.NewDense(e.grid.X().Size(), e.grid.Y().Size(), v), nil
}

// imagesOn sums the images on meshes of the grid's space and applies the mask.
func (e *Estimate) imagesOn(ctx context.Context, xs, ys mesh.Mesh) (*mat.Dense, error) {
	if samePoints(xs, e.grid.X()) && samePoints(ys, e.grid.Y()) {
		return e.onOwnGrid(ctx)
	}
	target := e.grid.At(xs, ys)
	sum := mat.NewDense(xs.Size(), ys.Size(), nil)
	for _, im := range e.grid.Group() {
		g, err := e.imageOn(ctx, im, target)
		if err != nil {
			return nil, err
		}
		floats.AddScaled(sum.RawMatrix().Data, im.Sign/float64(len(e.grid.Group())), g)
	}
	return sum, e.cut(sum.RawMatrix().Data, target.Columns())
}

// cut applies the mask to values at points given by their columns.
func (e *Estimate) cut(values []float64, columns [][]float64) error {
	if e.grid.Chi() == nil {
		return nil
	}
	chi, err := lattice.Evaluate(e.grid.Chi(), columns)
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
		return slices.EqualFunc(p.Coordinates, q.Coordinates, func(v, w float64) bool { return math.Abs(v-w) <= lagTolerance*size })
	})
}

// predictLag is Predict for a time-invariant estimate: G on the lags between the
// two meshes, and a convolution in time. ok is false where the times of the meshes
// have no common step.
func (e *Estimate) predictLag(ctx context.Context, f *mat.Dense, xs, ys mesh.Mesh) (u *mat.Dense, ok bool, err error) {
	target, err := lattice.New(constraint.TimeInvariant{
		Input: e.grid.Full().Names[e.grid.Lag().Input], Output: e.grid.Full().Names[e.grid.Lag().Output],
	}, xs, ys)
	if err != nil {
		return nil, false, nil // the general route says what is wrong, if anything is
	}
	conv, err := lagResponse(ctx, target, f, xs, ys, false)
	if err != nil {
		return nil, false, linop.Stopped(ctx) // as above
	}
	g, err := e.imagesOn(ctx, target.X(), target.Y())
	if err != nil {
		return nil, false, err
	}
	n, _ := f.Dims()
	u = mat.NewDense(n, ys.Size(), nil)
	conv.apply(ctx, u.RawMatrix().Data, g.RawMatrix().Data)
	return u, true, linop.Stopped(ctx)
}

// imageOn evaluates the unconstrained sum at the images of the target's points. A
// map that permutes and mirrors coordinates sends a product of axes to one;
// others are evaluated point by point.
func (e *Estimate) imageOn(ctx context.Context, im constraint.Image, target *lattice.Lattice) ([]float64, error) {
	if target.Size() > fewPoints {
		if g, ok, err := e.permutedImage(ctx, im, target); ok || err != nil {
			return g, err
		}
	}
	return e.imageAt(ctx, im, target.Columns())
}

// imageAt is imageOn for points given by their columns.
func (e *Estimate) imageAt(ctx context.Context, im constraint.Image, columns [][]float64) ([]float64, error) {
	mapped, err := lattice.EvaluateAll(im.At, columns)
	if err != nil {
		return nil, err
	}
	return e.pointByPoint(ctx, mapped)
}

// respondImages stores the responses to weighted inputs on xs in u when the
// constraint only averages over images that mirror axes. It declines others.
func (e *Estimate) respondImages(ctx context.Context, u, weighted *mat.Dense, xs, ys mesh.Mesh) (ok bool, err error) {
	if e.grid.Lag() != nil || e.grid.Chi() != nil {
		return false, nil
	}
	images, target := e.grid.Group(), e.grid.At(xs, ys)
	n, outputs := u.Dims()
	one := mat.NewDense(n, outputs, nil)
	for _, im := range images {
		if im.Permutation == nil || !slices.IsSorted(im.Permutation) {
			return false, nil
		}
		x, y, ok, err := e.imageMeshes(im, target)
		if err != nil || !ok {
			return false, err
		}
		op, err := gram.Cross(ctx, e.function, x, y, e.grid.X(), e.grid.Y())
		if err != nil {
			return false, err
		}
		if err := gram.Respond(ctx, op, one, weighted, e.Weights); err != nil {
			return false, fmt.Errorf("prediction: %w", err)
		}
		floats.AddScaled(u.RawMatrix().Data, im.Sign/float64(len(images)), one.RawMatrix().Data)
	}
	return true, nil
}

// permutedImage evaluates on the product of the image's axes and puts the axes
// back in the target's order. It declines what imageMeshes declines.
func (e *Estimate) permutedImage(ctx context.Context, im constraint.Image, target *lattice.Lattice) (g []float64, ok bool, err error) {
	xm, ym, ok, err := e.imageMeshes(im, target)
	if err != nil || !ok {
		return nil, false, err
	}
	values, err := e.unconstrained(ctx, xm, ym)
	if err != nil {
		return nil, false, err
	}
	var shape []int
	for _, a := range append(target.X().Axes(), target.Y().Axes()...) {
		shape = append(shape, a.Size())
	}
	return unpermute(values, im.Permutation, shape), true, nil
}

// imageMeshes returns the product of axes that an image of the target's points
// fills: coordinate i varies along axis p[i] of the target for its permutation p. It
// declines scattered points, and maps that are no permutation.
func (e *Estimate) imageMeshes(im constraint.Image, target *lattice.Lattice) (xm, ym mesh.Mesh, ok bool, err error) {
	p := im.Permutation
	axes := append(target.X().Axes(), target.Y().Axes()...)
	if len(axes) != len(p) || slices.ContainsFunc(axes, func(a mesh.Axis) bool { return a.Dim() != 1 }) {
		return xm, ym, false, nil
	}
	image := make([]mesh.Axis, len(p))
	for i, from := range p {
		points, err := lattice.Evaluate(im.At[i], target.Along(from))
		if err != nil {
			return xm, ym, false, err
		}
		if image[i], err = mesh.Scattered(points, 1, ones(len(points)), e.grid.Space().Names[i]); err != nil {
			return xm, ym, false, err
		}
		if slices.Equal(points, axes[from].Coordinates) && from == i {
			image[i] = axes[from] // keeps what is known of the axis
			image[i].Names = []string{e.grid.Space().Names[i]}
		}
	}
	m := e.grid.Space().Inputs
	if xm, err = mesh.New(image[:m]...); err != nil {
		return xm, ym, false, err
	}
	ym, err = mesh.New(image[m:]...)
	return xm, ym, err == nil, err
}

// unpermute reorders an array whose axis i has the length of shape[p[i]] into one
// of the given shape.
func unpermute(values []float64, p, shape []int) []float64 {
	strides, stride := make([]int, len(p)), 1
	for i := len(p) - 1; i >= 0; i-- {
		strides[i] = stride
		stride *= shape[p[i]]
	}
	along := make([]int, len(p)) // stride in values of each axis of the result
	for i, from := range p {
		along[from] = strides[i]
	}
	out, index, at := make([]float64, len(values)), make([]int, len(shape)), 0
	for i := range out {
		out[i] = values[at]
		for k := len(shape) - 1; k >= 0; k-- {
			index[k]++
			at += along[k]
			if index[k] < shape[k] {
				break
			}
			at -= along[k] * shape[k]
			index[k] = 0
		}
	}
	return out
}

// unconstrained is Σ_j k(·, z_j) W_j on a product of meshes.
func (e *Estimate) unconstrained(ctx context.Context, x, y mesh.Mesh) ([]float64, error) {
	op, err := gram.Cross(ctx, e.function, x, y, e.grid.X(), e.grid.Y())
	if err != nil {
		return nil, err
	}
	out := make([]float64, x.Size()*y.Size())
	op.Apply(ctx, out, e.Weights.RawMatrix().Data)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("green stopped: %w", context.Cause(ctx))
	}
	return out, nil
}

// pointByPoint evaluates at points given by columns of reduced coordinates: one
// kernel value for every point and weight.
func (e *Estimate) pointByPoint(ctx context.Context, mapped [][]float64) ([]float64, error) {
	on := e.grid
	if on == nil {
		on = lattice.On(e.InputMesh, e.OutputMesh)
	}
	columns, w := on.Columns(), e.Weights.RawMatrix().Data
	out := make([]float64, len(mapped[0]))
	err := kernel.Rows(ctx, len(out), e.function.Time(len(w)), func(i int) {
		p := make([]float64, len(mapped))
		for k := range p {
			p[k] = mapped[k][i]
		}
		row := make([]float64, len(w))
		e.function.Row(row, p, columns)
		for j, v := range row {
			out[i] += v * w[j]
		}
	})
	return out, err
}

// lagGreen evaluates a time-invariant G on the distinct lags between two meshes
// with time axes, and spreads the values over the pairs of times. Where the points of a
// mesh are scattered in time, it evaluates pair by pair.
func (e *Estimate) lagGreen(ctx context.Context, xs, ys mesh.Mesh) (*mat.Dense, error) {
	s, xrest, err := lattice.TakeAxis(xs, e.grid.Lag().Input)
	if err != nil {
		return e.pairByPair(ctx, xs, ys)
	}
	tt, yrest, err := lattice.TakeAxis(ys, e.grid.Lag().Output-e.InputMesh.Dim())
	if err != nil {
		return e.pairByPair(ctx, xs, ys)
	}
	lags := distinctLags(s.Coordinates, tt.Coordinates)
	axis, err := mesh.Scattered(lags, 1, ones(len(lags)), constraint.LagName)
	if err != nil {
		return nil, err
	}
	if len(xrest) == 0 {
		xrest = []mesh.Axis{gram.Point()}
	}
	x, err := lattice.Renamed(xrest, e.grid.Space().Names[:e.grid.Space().Inputs])
	if err != nil {
		return nil, err
	}
	y, err := lattice.Renamed(append(yrest, axis), e.grid.Space().Names[e.grid.Space().Inputs:])
	if err != nil {
		return nil, err
	}
	reduced, err := e.imagesOn(ctx, x, y)
	if err != nil {
		return nil, err
	}
	return spreadLags(reduced, lags, xs, ys, s.Coordinates, tt.Coordinates), nil
}

// pairByPair evaluates G at each pair of points of two meshes: one kernel value for
// every pair, image and weight.
func (e *Estimate) pairByPair(ctx context.Context, xs, ys mesh.Mesh) (*mat.Dense, error) {
	symbols, _ := kernel.Points(e.grid.Full())
	full := lattice.On(xs, ys).Columns()
	columns, err := lattice.EvaluateAll(e.grid.Reduced(symbols.X), full)
	if err != nil {
		return nil, err
	}
	seen, err := lattice.EvaluateAll(e.grid.Seen(symbols.X), full)
	if err != nil {
		return nil, err
	}
	sum := mat.NewDense(xs.Size(), ys.Size(), nil)
	for _, im := range e.grid.Group() {
		g, err := e.imageAt(ctx, im, columns)
		if err != nil {
			return nil, err
		}
		floats.AddScaled(sum.RawMatrix().Data, im.Sign/float64(len(e.grid.Group())), g)
	}
	return sum, e.cut(sum.RawMatrix().Data, seen)
}

// spreadLags copies values on (x; y, lag) to pairs of points (x, s; y, t), the
// times last on each side.
func spreadLags(reduced *mat.Dense, lags []float64, xs, ys mesh.Mesh, s, t []float64) *mat.Dense {
	out := mat.NewDense(xs.Size(), ys.Size(), nil)
	place := make([]int, len(s)*len(t))
	for j, a := range s {
		for k, b := range t {
			place[j*len(t)+k] = nearest(lags, b-a)
		}
	}
	for i := range xs.Size() {
		from, row := reduced.RawRowView(i/len(s)), out.RawRowView(i)
		at := place[(i%len(s))*len(t):]
		for k := range row {
			row[k] = from[(k/len(t))*len(lags)+at[k%len(t)]]
		}
	}
	return out
}

// lagTolerance merges lags that differ by rounding, relative to their range.
const lagTolerance = 1e-12

func distinctLags(s, t []float64) []float64 {
	var all []float64
	size := 0.0
	for _, a := range s {
		for _, b := range t {
			all = append(all, b-a)
			size = max(size, math.Abs(a), math.Abs(b))
		}
	}
	sort.Float64s(all)
	tol := max(lagTolerance*(all[len(all)-1]-all[0]), 1e-15*size)
	out := all[:1]
	for _, v := range all[1:] {
		if v-out[len(out)-1] > tol {
			out = append(out, v)
		}
	}
	for i, v := range out { // the mask must see zero, not its rounding
		if v < tol && v > -tol {
			out[i] = 0
		}
	}
	return out
}

func nearest(sorted []float64, v float64) int {
	i := sort.SearchFloat64s(sorted, v)
	if i == len(sorted) || i > 0 && v-sorted[i-1] < sorted[i]-v {
		i--
	}
	return i
}
