package linop

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/parallel"
)

// AxisBasis is an orthonormal basis of functions on the output mesh: the tensor
// product of one orthogonal matrix per axis, vectors in columns.
type AxisBasis []*mat.Dense

// Forward replaces every row of data, an array over the output mesh, by its
// coefficients. It ends with ctx, and data is of no use then.
func (v AxisBasis) Forward(ctx context.Context, data []float64) { v.alongAxes(ctx, data, true) }

// Backward undoes forward.
func (v AxisBasis) Backward(ctx context.Context, data []float64) { v.alongAxes(ctx, data, false) }

// alongAxes multiplies by Vᵀ (forward) or V along one axis after the other: for several axes some rows at a time, which
// stay in the cache.
func (v AxisBasis) alongAxes(ctx context.Context, data []float64, forward bool) {
	if len(v) == 0 {
		return
	}
	my, flops := 1, 0
	for _, m := range v {
		n, _ := m.Dims()
		my, flops = my*n, flops+2*n
	}
	if len(v) == 1 {
		from := mat.NewDense(len(data)/my, my, data)
		_ = MulContext(ctx, from, mat.DenseCopyOf(from), v.factor(0, forward).T())
		return
	}
	last, _ := v[len(v)-1].Dims()
	block := my * max(1, basisBlock/my, basisRows*last/my)
	parallel.Range((len(data)+block-1)/block, float64(flops*block)*basisFlop, func(lo, hi int) {
		work := make([]float64, min(block, len(data)))
		for k := lo; k < hi; k++ {
			part := data[k*block : min((k+1)*block, len(data))]
			if v.block(ctx, part, work[:len(part)], forward) != nil {
				return
			}
		}
	})
}

const (
	basisBlock = 1 << 15 // numbers that are turned at a time
	basisRows  = 256     // of a product, at least, so that arranging its factors does not take longer
	basisFlop  = 0.02    // nanoseconds
)

// factor is what is multiplied by from the left along axis k.
func (v AxisBasis) factor(k int, forward bool) mat.Matrix {
	if forward {
		return v[k].T()
	}
	return v[k]
}

// block multiplies some rows along all axes; to is as long.
func (v AxisBasis) block(ctx context.Context, data, to []float64, forward bool) error {
	from, after := data, 1
	for k := len(v) - 1; k >= 0; k-- {
		n, _ := v[k].Dims()
		factor := v.factor(k, forward)
		if after == 1 {
			if err := MulAlone(ctx, mat.NewDense(len(data)/n, n, to), mat.NewDense(len(data)/n, n, from), factor.T()); err != nil {
				return err
			}
		} else {
			for i := 0; i < len(data); i += n * after {
				if err := MulAlone(ctx, mat.NewDense(n, after, to[i:i+n*after]), factor, mat.NewDense(n, after, from[i:i+n*after])); err != nil {
					return err
				}
			}
		}
		from, to, after = to, from, after*n
	}
	if len(v)%2 == 1 {
		copy(data, from)
	}
	return nil
}
