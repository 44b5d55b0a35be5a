package special

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/parallel"
	"github.com/greenbench/workbench/numeric/array"
)

// mapPart is how many values are computed between two looks at the context.
const mapPart = 256

// Map applies fn to arrays element by element, broadcast against each other as in
// arithmetic, on all processors. fn gets one number of each array and must not keep the
// slice. The error is the context's, or that of shapes that do not fit.
func Map(ctx context.Context, fn func(x []float64) float64, args ...*array.Array) (*array.Array, error) {
	shape := args[0]
	for _, a := range args[1:] { // only the shape of the sum matters
		sum, err := arrays.Zip(ctx, shape, a, func(x, _ float64) float64 { return x })
		if err != nil {
			return nil, err
		}
		shape = sum
	}
	out, err := array.Zeros(shape.Shape...)
	if err != nil {
		return nil, err
	}
	whole := make([]*array.Array, len(args))
	for k, a := range args {
		if whole[k] = a; a.Size() != out.Size() {
			if whole[k], err = arrays.Broadcast(ctx, a, out.Shape...); err != nil {
				return nil, err
			}
		}
	}
	parts := (out.Size() + mapPart - 1) / mapPart
	parallel.Range(parts, 100*float64(mapPart), func(lo, hi int) {
		x := make([]float64, len(args))
		for p := lo; p < hi && ctx.Err() == nil; p++ {
			for i := p * mapPart; i < min((p+1)*mapPart, len(out.Data)); i++ {
				for k, a := range whole {
					x[k] = a.Data[i]
				}
				out.Data[i] = fn(x)
			}
		}
	})
	if ctx.Err() != nil {
		return nil, fmt.Errorf("stopped: %w", context.Cause(ctx))
	}
	return out, nil
}
