package gram

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// Respond stores f G in dst for G = op w: the responses to functions in the rows
// of f, n × input points, of the function that the weights w, mx × my, define. op
// comes from [Cross]. Where op is a sum of products and the functions are few,
// they meet the input factors first and G is never formed. The error is the context's.
func Respond(ctx context.Context, op linop.Operator, dst, f, w *mat.Dense) error {
	n, _ := f.Dims()
	if r, ok := op.(responder); ok {
		if direct, through := r.multiplications(n); direct < through {
			r.respond(ctx, dst, f, w)
			return linop.Stopped(ctx)
		}
	}
	_, inputs := f.Dims()
	_, outputs := dst.Dims()
	g := mat.NewDense(inputs, outputs, nil)
	op.Apply(ctx, g.RawMatrix().Data, w.RawMatrix().Data)
	return linop.MulContext(ctx, dst, f, g)
}

// responder is an operator that answers to functions of its input.
type responder interface {
	respond(ctx context.Context, dst, f, w *mat.Dense)
	// multiplications counts those of respond for n functions, and those of the way
	// through G.
	multiplications(n int) (direct, through float64)
}
