package model

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Predict returns the outputs for new samples on ys, or on the mesh of the data where ys
// has no points: n × ys.Size(). The table holds the inputs of the model by name, fields on
// any mesh of the same coordinates; its outputs are not read. Labels that the data do not
// have are new groups, whose curves are zero in the mean. Terms named in without add nothing,
// and their inputs need not be there.
func (o *Output) Predict(ctx context.Context, inputs *dataset.Table, ys mesh.Mesh, without ...string) (*mat.Dense, error) {
	if ys.Size() == 0 {
		ys = o.Mesh
	}
	beta, err := o.Bias(ctx, ys)
	if err != nil {
		return nil, err
	}
	n := inputs.N()
	u := mat.NewDense(n, ys.Size(), nil)
	for i := range n {
		copy(u.RawRowView(i), beta)
	}
	for _, t := range o.predicted() {
		if slices.Contains(without, t.Name) {
			continue
		}
		columns, on, err := t.term.Of(ctx, inputs)
		if err != nil {
			return nil, err
		}
		own, err := t.respond(ctx, columns, on, ys)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		u.Add(u, own)
	}
	return u, nil
}

// respond is the term of samples whose columns on a mesh are given.
func (t *Term) respond(ctx context.Context, columns *mat.Dense, on, ys mesh.Mesh) (*mat.Dense, error) {
	if t.term.Family != nil {
		return t.respondFamily(ctx, columns, on, ys)
	}
	g, err := t.part()
	if err != nil {
		return nil, err
	}
	if t.out.known != nil { // of the only term
		g = g.Plus(t.out.known, t.out.prior)
	}
	return g.Predict(ctx, columns, on, ys)
}

// respondFamily takes the samples of one parameter, the last axis of on, together: no
// kernel between all fields and parameters is needed.
func (t *Term) respondFamily(ctx context.Context, columns *mat.Dense, on, ys mesh.Mesh) (*mat.Dense, error) {
	axes := on.Axes()
	points := axes[len(axes)-1]
	count, d := points.Size(), points.Dim()
	xs, err := mesh.New(axes[:len(axes)-1]...)
	if err != nil {
		return nil, err
	}
	n, _ := columns.Dims()
	u := mat.NewDense(n, ys.Size(), nil)
	for p := range count {
		var rows []int
		f := mat.NewDense(n, xs.Size(), nil)
		for i := range n {
			own := f.RawRowView(len(rows))
			any := false
			for x := range own {
				own[x] = columns.At(i, x*count+p)
				any = any || own[x] != 0
			}
			if any {
				rows = append(rows, i)
			}
		}
		if len(rows) == 0 {
			continue
		}
		g, err := t.ofFamily(points.Coordinates[p*d : (p+1)*d])
		if err != nil {
			return nil, err
		}
		own, err := g.Predict(ctx, f.Slice(0, len(rows), 0, xs.Size()).(*mat.Dense), xs, ys)
		if err != nil {
			return nil, err
		}
		for k, i := range rows {
			u.SetRow(i, own.RawRowView(k))
		}
	}
	return u, nil
}

// PredictStd is the posterior standard deviation of the predictions of Predict, of the
// outputs without their noise. That of a new group has the spread of the curves of groups in it.
func (o *Output) PredictStd(ctx context.Context, inputs *dataset.Table, ys mesh.Mesh) (*mat.Dense, error) {
	d, err := o.inFit(ctx, inputs, ys)
	if err != nil {
		return nil, err
	}
	band, err := o.fit.PredictStd(ctx, d.F, d.X, d.Y)
	if err == nil {
		band.Scale(o.unit, band)
	}
	return band, err
}

// Intervals is half the widths of intervals about the predictions of Predict, as of an
// estimate. The noise of a new observation is that of the output and, where the model has such a term, a new
// curve of it.
func (o *Output) Intervals(ctx context.Context, inputs *dataset.Table, ys mesh.Mesh, i fit.Interval) (*mat.Dense, error) {
	of := outputs.Interval{Level: i.Level, Simultaneous: i.Simultaneous}
	if err := of.Check(); err != nil {
		return nil, err
	}
	in, err := o.inFit(ctx, inputs, ys)
	if err != nil {
		return nil, err
	}
	n, m := in.F.Dims()
	if err := of.CheckSize(n, in.Y.Size()); err != nil {
		return nil, err
	}
	std, err := o.PredictStd(ctx, inputs, ys)
	if err != nil {
		return nil, err
	}
	var noise outputs.NewNoise
	if i.Observation {
		if noise, err = o.newNoise(ctx, ys); err != nil {
			return nil, err
		}
	}
	return of.HalfWidths(ctx, std, noise, func(from, to, draws int, seed uint64) (*mat.Dense, error) {
		return o.deviate(ctx, fit.Draws{F: in.F.Slice(from, to, 0, m).(*mat.Dense), X: in.X, Y: in.Y, N: draws, Seed: seed, Apart: true})
	})
}

// Draw draws predictions from the posterior, all samples and points together: a row for each of
// n draws, samples × points of ys.
func (o *Output) Draw(ctx context.Context, inputs *dataset.Table, ys mesh.Mesh, n int, seed uint64) (*mat.Dense, error) {
	d, err := o.inFit(ctx, inputs, ys)
	if err != nil {
		return nil, err
	}
	d.N, d.Seed = n, seed
	out, err := o.deviate(ctx, d) // first, as it refuses what does not fit into memory
	if err != nil {
		return nil, err
	}
	mean, err := o.Predict(ctx, inputs, ys)
	if err != nil {
		return nil, err
	}
	for i := range n {
		floats.Add(out.RawRowView(i), mean.RawMatrix().Data)
	}
	return out, nil
}

// deviate is that of the fit, in the unit of the output.
func (o *Output) deviate(ctx context.Context, d fit.Draws) (*mat.Dense, error) {
	out, err := o.fit.Deviate(ctx, d)
	if err == nil {
		out.Scale(o.unit, out)
	}
	return out, err
}

// inFit are samples as inputs of the fit of all terms, on the union of theirs.
func (o *Output) inFit(ctx context.Context, inputs *dataset.Table, ys mesh.Mesh) (in fit.Draws, err error) {
	if ys.Size() == 0 {
		ys = o.Mesh
	}
	var points, weights []float64
	var parts []*mat.Dense
	d, m := o.fit.InputMesh.Dim(), 0
	for _, t := range o.predicted() {
		columns, on, err := t.term.OfAll(ctx, inputs)
		if err != nil {
			return in, err
		}
		placed, err := t.placeInput(on)
		if err != nil {
			return in, fmt.Errorf("%s: %w", t.Name, err)
		}
		points, weights = append(points, placed.Points()...), append(weights, placed.Weights()...)
		parts, m = append(parts, columns), m+placed.Size()
	}
	axis, err := mesh.Scattered(points, d, weights, o.fit.InputMesh.Names()...)
	if err != nil {
		return in, err
	}
	if in.X, err = mesh.New(axis); err != nil {
		return in, err
	}
	n, at := inputs.N(), 0
	in.F = mat.NewDense(n, m, nil)
	for _, c := range parts {
		_, own := c.Dims()
		in.F.Slice(0, n, at, at+own).(*mat.Dense).Copy(c)
		at += own
	}
	in.Y, err = o.place(ys)
	return in, err
}
