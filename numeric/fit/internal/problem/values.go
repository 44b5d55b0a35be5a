package problem

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/outputs"
)

// Values are scaled outputs one by one, in the order of their pairs.
type Values struct {
	Pairs       int           // of the data
	Pair, Point []int         // of each value
	T           []float64     // the values
	Constant    []float64     // those of a free constant of one; nil: there is none
	Covariance  *mat.SymDense // S K̄ Sᵀ + I between them
}

// Add takes the value at a point of a pair.
func (v *Values) Add(pair, point int, t float64) {
	v.Pair, v.Point, v.T = append(v.Pair, pair), append(v.Point, point), append(v.T, t)
}

// SetConstant takes the direction of a free constant, and its length; nil: there is none.
func (v *Values) SetConstant(flat outputs.Contrast, length float64) {
	if flat != nil {
		v.Constant = append([]float64(nil), flat...)
		floats.Scale(length, v.Constant)
	}
}

// Relate finds the covariance, for what S K̄ Sᵀ makes of values of all pairs at all points of the output, n × my. A
// product costs that with the kernel at so many points.
func (v *Values) Relate(ctx context.Context, my, points int, apply func(in *mat.Dense) []float64) error {
	v.Covariance = mat.NewSymDense(len(v.T), nil)
	return gram.EachProduct(ctx, len(v.T), points, func(a int) {
		in := mat.NewDense(v.Pairs, my, nil)
		in.Set(v.Pair[a], v.Point[a], 1)
		out := apply(in)
		for b := a; b < len(v.T); b++ {
			v.Covariance.SetSym(a, b, out[v.Pair[b]*my+v.Point[b]])
		}
		v.Covariance.SetSym(a, a, v.Covariance.At(a, a)+1)
	})
}
