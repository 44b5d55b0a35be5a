package linop

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/parallel"
	"github.com/greenbench/workbench/internal/numeric/simd"
)

// QR returns the thin factors A = Q R of an r × c matrix, r ≥ c: Q of r × c with
// orthonormal columns, R upper triangular. a is overwritten by Q. 4 r c² operations by
// blocks of reflections, most of them in matrix products, and memory for two such
// matrices. The error is the context's.
func QR(ctx context.Context, a *mat.Dense) (q, r *mat.Dense, err error) {
	rows, cols := a.Dims()
	h, tau, r, err := reflections(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	x := simd.Dense(cols, rows, make([]float64, rows*cols))
	if err := product(ctx, x, h, tau); err != nil {
		return nil, nil, err
	}
	return a, r, transpose(ctx, strided(a), x)
}

// Triangle returns R of [QR] alone, for half of what both cost; a stays as it is.
func Triangle(ctx context.Context, a *mat.Dense) (*mat.Dense, error) {
	_, _, r, err := reflections(ctx, a)
	return r, err
}

// reflections are those that take A to R: reflection j in row j of h from column j on, with its
// factor in tau.
func reflections(ctx context.Context, a *mat.Dense) (h simd.Matrix, tau []float64, r *mat.Dense, err error) {
	rows, cols := a.Dims()
	data, err := parallel.Zeros(ctx, rows*cols)
	if err != nil {
		return h, nil, nil, err
	}
	h = simd.Dense(cols, rows, data) // column by column, then reflections
	if err := transpose(ctx, h, strided(a)); err != nil {
		return h, nil, nil, err
	}
	unit := scaleToUnit(h.Data, largestOf(h.Data))
	r = mat.NewDense(cols, cols, nil)
	tau = make([]float64, cols)
	for from := 0; from < cols; from += reflectorBlock {
		to := min(from+reflectorBlock, cols)
		for j := from; j < to; j++ {
			if err := Stopped(ctx); err != nil {
				return h, nil, nil, err
			}
			c := row(h, j)
			for i, v := range c[:j] {
				r.Set(i, j, v)
			}
			clear(c[:j])
			v := c[j:]
			var beta float64
			beta, tau[j] = reflect(v)
			r.Set(j, j, beta)
			parallel.Range(to-j-1, 2*read*float64(len(v)), func(lo, hi int) {
				for i := j + 1 + lo; i < j+1+hi; i++ {
					x := row(h, i)[j:]
					floats.AddScaled(x, -tau[j]*vector.Dot(v, x), v)
				}
			})
		}
		block := newReflectors(part(h, from, to, from, rows), tau[from:to])
		if err := block.fromRight(ctx, part(h, to, cols, from, rows), false); err != nil {
			return h, nil, nil, err
		}
	}
	r.Scale(unit, r)
	return h, tau, r, nil
}

// product stores the first rows of the transpose of the product of reflections in x:
// those of h, with reflection j in row j from column j on.
func product(ctx context.Context, x, h simd.Matrix, tau []float64) error {
	for i := range x.Rows {
		clear(row(x, i))
		row(x, i)[i] = 1
	}
	for from := (len(tau) - 1) / reflectorBlock * reflectorBlock; from >= 0; from -= reflectorBlock {
		to := min(from+reflectorBlock, len(tau))
		block := newReflectors(part(h, from, to, from, h.Cols), tau[from:to])
		if err := block.fromRight(ctx, part(x, from, x.Rows, from, x.Cols), true); err != nil {
			return err
		}
	}
	return nil
}

// largestOf is the largest |v|, or 0 where that is not finite.
func largestOf(data []float64) float64 {
	largest := 0.0
	for _, v := range data {
		largest = max(largest, math.Abs(v))
	}
	if !(largest <= math.MaxFloat64) {
		return 0
	}
	return largest
}

// transpose stores the transpose of a in dst. It ends with the context.
func transpose(ctx context.Context, dst, a simd.Matrix) error {
	const strip = 256
	for i := 0; i < a.Rows; i += strip {
		if err := Stopped(ctx); err != nil {
			return err
		}
		from := part(a, i, min(i+strip, a.Rows), 0, a.Cols)
		vector.Transpose(dst.Data[i:], dst.RowStride, from.Data, a.RowStride, from.Rows, a.Cols)
	}
	return nil
}

// scaleToUnit divides by the power of two next to the largest entry and returns it, or the
// largest that is a number.
func scaleToUnit(data []float64, largest float64) (unit float64) {
	if largest == 0 {
		return 1
	}
	_, exponent := math.Frexp(largest)
	exponent = min(exponent, 1023)
	if exponent > -300 && exponent < 300 && exponent != 0 {
		by := math.Ldexp(1, -exponent)
		for i := range data {
			data[i] *= by
		}
		return math.Ldexp(1, exponent)
	}
	for i, v := range data {
		data[i] = math.Ldexp(v, -exponent)
	}
	return math.Ldexp(1, exponent)
}
