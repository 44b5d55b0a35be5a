package inobserved

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// Values implements problem.Regression.
func (p *Problem) Values(ctx context.Context, at problem.Penalty) (*problem.Values, error) {
	o, v := p.at(at), &problem.Values{Pairs: p.Whole.Sys.N}
	n, my := o.Sys.N, o.Sys.My
	for a, u := range p.Q.Setting.Data.Output.Data {
		if i, k := a/my, a%my; !math.IsNaN(u) && o.Sys.Rdy[k] > 0 {
			v.Add(i, k, p.T[a])
			if o.Flat != nil {
				v.Constant = append(v.Constant, o.Flat[a]*o.Length)
			}
		}
	}
	return v, v.Relate(ctx, my, o.Sys.Mx*my, func(in *mat.Dense) []float64 {
		out := make([]float64, n*my)
		o.Apply(ctx, out, in.RawMatrix().Data)
		floats.Sub(out, in.RawMatrix().Data)
		return out
	})
}
