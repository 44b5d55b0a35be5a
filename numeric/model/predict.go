package model

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// respond is the term of samples whose columns are given, on ys.
func (t *Term) respond(ctx context.Context, columns *mat.Dense, ys mesh.Mesh) (*mat.Dense, error) {
	n, _ := columns.Dims()
	switch t.Kind {
	case Covariate, Curves:
		u := mat.NewDense(n, ys.Size(), nil)
		k := t.Kernel
		if t.Kind == Curves {
			k = scaled(t.term.kernel.(kernel.Tensor).Output, t.factor)
		}
		_, m := columns.Dims()
		for j := range m {
			c, err := t.curve(ctx, k, j, ys)
			if err != nil {
				return nil, err
			}
			for i := range n {
				floats.AddScaled(u.RawRowView(i), columns.At(i, j), c)
			}
		}
		return u, nil
	}
	if t.term.family != nil {
		whole, err := t.out.fit.Part(t.Kernel, t.term.on, t.weights, t.place)
		if err != nil {
			return nil, err
		}
		return whole.Predict(ctx, columns, mesh.Mesh{}, ys)
	}
	g, err := t.Green()
	if err != nil {
		return nil, err
	}
	return g.Predict(ctx, columns, mesh.Mesh{}, ys)
}

// Predict returns the outputs for new samples on ys, or on the mesh of the data where ys
// has no points: n × ys.Size(). The table holds the inputs of the model by name, fields on
// any mesh of the same coordinates; its outputs are not read. Labels that the data do not
// have are new groups, whose curve is zero in the mean.
func (o *Output) Predict(ctx context.Context, inputs *dataset.Table, ys mesh.Mesh) (*mat.Dense, error) {
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
	for _, t := range o.Terms {
		own, err := t.predict(ctx, inputs, ys)
		if err != nil {
			return nil, err
		}
		u.Add(u, own)
	}
	return u, nil
}

// predict is the term of new samples.
func (t *Term) predict(ctx context.Context, in *dataset.Table, ys mesh.Mesh) (*mat.Dense, error) {
	n := in.N()
	factor := make([]float64, n) // of each sample
	for i := range factor {
		factor[i] = 1
	}
	if t.term.scalar != nil {
		z := find(in.Scalars, func(z *dataset.Scalar) string { return z.Name }, t.term.scalar.Name)
		if z == nil {
			return nil, missingInput(t.term.scalar.Name)
		}
		for i, v := range z.Values {
			factor[i] = v - t.term.centre
		}
	}
	switch t.Kind {
	case Covariate:
		columns := mat.NewDense(n, 1, slices.Clone(factor))
		return t.respond(ctx, columns, ys)
	case Curves:
		columns, err := t.membership(in)
		if err != nil {
			return nil, err
		}
		return t.respond(ctx, columns, ys)
	}
	f := find(in.Fields, func(f *dataset.Field) string { return f.Name }, t.term.field.Name)
	if f == nil {
		return nil, missingInput(t.term.field.Name)
	}
	rows := rowsOf(f)
	for i, v := range factor {
		floats.Scale(v, rows.RawRowView(i))
	}
	if t.term.family == nil {
		g, err := t.Green()
		if err != nil {
			return nil, err
		}
		return g.Predict(ctx, rows, f.Mesh, ys)
	}
	return t.predictFamily(ctx, in, rows, f.Mesh, ys)
}

func missingInput(name string) error {
	return fmt.Errorf("%s: missing: the model needs it for every sample", name)
}

// membership is 1 where a sample belongs to a group of the data.
func (t *Term) membership(in *dataset.Table) (*mat.Dense, error) {
	g := find(in.Groups, func(g *dataset.Grouping) string { return g.Name }, t.Name)
	if g == nil {
		return nil, missingInput(t.Name)
	}
	columns := mat.NewDense(in.N(), len(t.term.group.Labels), nil)
	for i, j := range g.Of {
		if at := slices.Index(t.term.group.Labels, g.Labels[j]); at >= 0 {
			columns.Set(i, at, 1)
		}
	}
	return columns, nil
}

// predictFamily takes the samples of one parameter together.
func (t *Term) predictFamily(ctx context.Context, in *dataset.Table, rows *mat.Dense, xs, ys mesh.Mesh) (*mat.Dense, error) {
	n, m := rows.Dims()
	thetas := make([][]float64, n)
	for i := range thetas {
		for _, name := range t.term.family.names {
			p := find(in.Parameters, func(p *dataset.Scalar) string { return p.Name }, name)
			if p == nil {
				return nil, missingInput(name)
			}
			thetas[i] = append(thetas[i], p.Values[i])
		}
	}
	u := mat.NewDense(n, ys.Size(), nil)
	done := make([]bool, n)
	for i := range n {
		if done[i] {
			continue
		}
		var same []int
		for j := i; j < n; j++ {
			if slices.Equal(thetas[i], thetas[j]) {
				same, done[j] = append(same, j), true
			}
		}
		f := mat.NewDense(len(same), m, nil)
		for k, j := range same {
			f.SetRow(k, rows.RawRowView(j))
		}
		g, err := t.Green(thetas[i]...)
		if err != nil {
			return nil, err
		}
		own, err := g.Predict(ctx, f, xs, ys)
		if err != nil {
			return nil, err
		}
		for k, j := range same {
			u.SetRow(j, own.RawRowView(k))
		}
	}
	return u, nil
}
