package indata

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// Values implements problem.Regression: the system, which is in bases, is turned back.
func (d *Problem) Values(ctx context.Context, at problem.Penalty) (*problem.Values, error) {
	sys, v := d.Sys.At(at), &problem.Values{Pairs: d.Sys.N}
	plain := func(z *mat.Dense) *mat.Dense {
		out := linop.Product(ctx, sys.P, z)
		sys.V.Backward(ctx, out.RawMatrix().Data)
		return out
	}
	t := plain(sys.T)
	if sys.Unexplained != nil {
		beyond := mat.DenseCopyOf(sys.Unexplained)
		sys.V.Backward(ctx, beyond.RawMatrix().Data)
		t.Add(t, beyond)
	}
	var constant *mat.Dense
	if sys.Flat != nil {
		constant = mat.NewDense(sys.Rows(), sys.My, append([]float64(nil), sys.Flat...))
		constant.Scale(sys.Length, constant)
		constant = plain(constant)
	}
	for i := range sys.N {
		for k, w := range sys.Rdy {
			if w == 0 {
				continue
			}
			v.Add(i, k, t.At(i, k))
			if constant != nil {
				v.Constant = append(v.Constant, constant.At(i, k))
			}
		}
	}
	r := sys.Rows()
	return v, v.Relate(ctx, sys.My, sys.Mx*sys.My, func(in *mat.Dense) []float64 {
		turned := linop.Product(ctx, sys.P.T(), in)
		sys.V.Forward(ctx, turned.RawMatrix().Data)
		out := make([]float64, r*sys.My)
		sys.Apply(ctx, out, turned.RawMatrix().Data)
		floats.Sub(out, turned.RawMatrix().Data)
		back := linop.Product(ctx, sys.P, mat.NewDense(r, sys.My, out)).RawMatrix().Data
		sys.V.Backward(ctx, back)
		return back
	})
}
