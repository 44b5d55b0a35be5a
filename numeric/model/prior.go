package model

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// withoutPrior is the output less c times the predictions of what is known beforehand,
// with c by least squares around the means at each point.
func (s *Spec) withoutPrior(ctx context.Context, o *Output, out *dataset.Field) (*dataset.Field, error) {
	p := s.Prior[out.Name]
	if p == nil {
		return out, nil
	}
	if len(s.Data.Fields) != 1 {
		return nil, fmt.Errorf("prior: is for models of one field, there are %d", len(s.Data.Fields))
	}
	f := &s.Data.Fields[0]
	known, err := p.Predict(ctx, rowsOf(f), f.Mesh, out.Mesh)
	if err != nil {
		return nil, fmt.Errorf("prior: %w", err)
	}
	my := out.Mesh.Size()
	u := valuesOf(out.Values, my)
	c := leastSquares(u, known, out.Mesh.Weights())
	rest := slices.Clone(out.Values.Data)
	for i := range rest {
		rest[i] -= c * known.RawMatrix().Data[i]
	}
	o.Prior, o.PriorFactor = p, c
	n, _ := u.Dims()
	return &dataset.Field{Name: out.Name, Values: &array.Array{Shape: []int{n, my}, Data: rest}, Mesh: out.Mesh}, nil
}

// leastSquares is the c for which u - c v varies least from sample to sample, weighted by
// dy; 0 where v does not vary.
func leastSquares(u, v *mat.Dense, dy []float64) float64 {
	n, my := u.Dims()
	var uv, vv float64
	for k := range my {
		var mu, mv, count float64
		for i := range n {
			if x := u.At(i, k); !math.IsNaN(x) {
				mu, mv, count = mu+x, mv+v.At(i, k), count+1
			}
		}
		if count < 2 {
			continue
		}
		mu, mv = mu/count, mv/count
		for i := range n {
			if x := u.At(i, k); !math.IsNaN(x) {
				uv += dy[k] * (x - mu) * (v.At(i, k) - mv)
				vv += dy[k] * (v.At(i, k) - mv) * (v.At(i, k) - mv)
			}
		}
	}
	if vv == 0 {
		return 0
	}
	return uv / vv
}

// prior adds c times the predictions of the prior.
func (o *Output) addPrior(ctx context.Context, u, f *mat.Dense, xs, ys mesh.Mesh) error {
	if o.Prior == nil {
		return nil
	}
	known, err := o.Prior.Predict(ctx, f, xs, ys)
	if err != nil {
		return fmt.Errorf("prior: %w", err)
	}
	known.Scale(o.PriorFactor, known)
	u.Add(u, known)
	return nil
}
