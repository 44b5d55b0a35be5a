package signal

import (
	"context"
	"math"

	"gonum.org/v1/gonum/dsp/fourier"

	"github.com/greenbench/workbench/internal/numeric/parallel"
)

// longest is up to which length a transform is made in one go.
const longest = 1 << 16

// factored is the transform of a long line of n = rows · columns numbers as a matrix:
// of its columns, times factors, of its rows, and transposed (the four-step method:
// Bailey, J. Supercomputing 4, 1990). Its parts fit into the cache, go to all
// processors, and end with the context.
type factored struct {
	rows, columns int
	// exp(-2πi m/n) is coarse[m/len(fine)]·fine[m%len(fine)].
	fine, coarse []complex128
}

// newFactored is for lengths without large prime factors.
func newFactored(n int) *factored {
	rows := int(math.Sqrt(float64(n)))
	for n%rows != 0 {
		rows--
	}
	f := &factored{rows: rows, columns: n / rows, fine: make([]complex128, n/rows)}
	f.coarse = make([]complex128, rows)
	for i := range f.fine {
		f.fine[i] = root(i, n)
	}
	for i := range f.coarse {
		f.coarse[i] = root(i, rows)
	}
	return f
}

// root is exp(-2πi m/n).
func root(m, n int) complex128 {
	sin, cos := math.Sincos(2 * math.Pi * float64(m) / float64(n))
	return complex(cos, -sin)
}

func (f *factored) forward(ctx context.Context, z []complex128) error {
	const width = 16 // columns at once: they share lines of the cache
	r, c := f.rows, f.columns
	each := func(n int, time float64, work func() func(i int)) error {
		parallel.Range(n, time, func(lo, hi int) {
			do := work()
			for ; lo < hi && ctx.Err() == nil; lo++ {
				do(lo)
			}
		})
		return context.Cause(ctx)
	}
	err := each((c+width-1)/width, 30*float64(width*r), func() func(int) {
		plan, columns := fourier.NewCmplxFFT(r), make([]complex128, width*r)
		return func(group int) {
			first := group * width
			count := min(width, c-first)
			for i := range r {
				for j, v := range z[i*c+first : i*c+first+count] {
					columns[j*r+i] = v
				}
			}
			for j := range count {
				column := columns[j*r : (j+1)*r]
				plan.Coefficients(column, column)
				for k, v := range column {
					m := (first + j) * k
					column[k] = v * f.coarse[m/c] * f.fine[m%c]
				}
			}
			for i := range r {
				for j := range count {
					z[i*c+first+j] = columns[j*r+i]
				}
			}
		}
	})
	if err != nil {
		return err
	}
	out := make([]complex128, len(z))
	err = each((r+width-1)/width, 30*float64(width*c), func() func(int) {
		plan := fourier.NewCmplxFFT(c)
		return func(group int) {
			first := group * width
			count := min(width, r-first)
			for i := first; i < first+count; i++ {
				plan.Coefficients(z[i*c:(i+1)*c], z[i*c:(i+1)*c])
			}
			for k := range c {
				for i := range count {
					out[k*r+first+i] = z[(first+i)*c+k]
				}
			}
		}
	})
	if err != nil {
		return err
	}
	return each(c, float64(r), func() func(int) {
		return func(k int) { copy(z[k*r:(k+1)*r], out[k*r:(k+1)*r]) }
	})
}
