package fft

import (
	"context"
	"sync"

	"github.com/greenbench/workbench/internal/numeric/parallel"
	"github.com/greenbench/workbench/internal/numeric/simd"
)

// spares are intermediate arrays of calls that are over, until memory is collected. A sync.Pool keeps the first thing
// that it is given for one processor, where no other finds it; a call that another processor goes on with would take
// memory anew, gigabytes at a time. That first thing is an empty array.
type spares struct{ pool sync.Pool }

// take returns a complex array of n numbers, contents arbitrary. It is empty when the context has ended, and passes do
// nothing with it.
func (s *spares) take(ctx context.Context, n int) *simd.Complex {
	for {
		x, ok := s.pool.Get().(*simd.Complex)
		if !ok {
			break
		}
		if cap(x.Re) >= n {
			x.Re, x.Im = x.Re[:n], x.Im[:n]
			return x
		}
	}
	re, err := parallel.Zeros(ctx, n)
	if err != nil {
		return new(simd.Complex)
	}
	im, err := parallel.Zeros(ctx, n)
	if err != nil {
		return new(simd.Complex)
	}
	return &simd.Complex{Re: re, Im: im}
}

// give takes back an array that nobody uses any more.
func (s *spares) give(x *simd.Complex) {
	if cap(x.Re) > 0 {
		s.pool.Put(new(simd.Complex))
		s.pool.Put(x)
	}
}
