package array

import (
	"context"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/greenbench/workbench/internal/elementary"
)

// Zeros returns an array of zeros. It is an error when a length is negative or
// the array would not fit in memory, as [CheckSize] says. [Full] is for many.
func Zeros(shape ...int) (*Array, error) {
	size, err := sizeOf(shape)
	if err != nil {
		return nil, err
	}
	a := &Array{Shape: slices.Clone(shape), Data: make([]float64, size)}
	if 8*size >= roomy {
		hugePages(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(a.Data))), 8*size))
	}
	return a, nil
}

// Full returns an array with every element v; errors as for [Zeros].
// The context can stop it.
func Full(ctx context.Context, v float64, shape ...int) (*Array, error) {
	a, err := unset(shape...)
	if err != nil {
		return nil, err
	}
	return a, share(ctx, a.Size(), 0.5, func(lo, hi int) {
		part := a.Data[lo:hi]
		for i := range part {
			part[i] = v
		}
	})
}

// Eye returns the n × n identity matrix, n >= 1.
func Eye(ctx context.Context, n int) (*Array, error) {
	if n < 1 {
		return nil, fmt.Errorf("n %d: must be at least 1", n)
	}
	a, err := Full(ctx, 0, n, n)
	if err != nil {
		return nil, err
	}
	for i := range n {
		a.Data[i*n+i] = 1
	}
	return a, nil
}

// LinSpace returns n >= 1 equally spaced numbers from a to b, both included
// (n = 1: a alone). The numbers are NumPy's, to the last bit.
func LinSpace(ctx context.Context, a, b float64, n int) (*Array, error) {
	if n < 1 {
		return nil, fmt.Errorf("n %d: must be at least 1", n)
	}
	if !finite(a) || !finite(b) {
		return nil, fmt.Errorf("interval [%g, %g]: must be finite", a, b)
	}
	v, err := unset(n)
	if err != nil {
		return nil, err
	}
	v.Data[0] = a
	if n == 1 {
		return v, nil
	}
	step := (b - a) / float64(n-1)
	err = share(ctx, n-1, 1, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			// The conversion forbids a fused multiply-add: same bits on every machine.
			v.Data[i] = a + float64(float64(i)*step)
			if !finite(step) { // b - a overflows
				t := float64(i) / float64(n-1)
				v.Data[i] = float64(a*(1-t)) + float64(b*t)
			}
		}
	})
	v.Data[n-1] = b
	return v, err
}

// LogSpace returns n >= 1 numbers from 10^a to 10^b, equally spaced in their
// logarithm; whole exponents give correctly rounded powers of ten.
func LogSpace(ctx context.Context, a, b float64, n int) (*Array, error) {
	v, err := LinSpace(ctx, a, b, n)
	if err != nil {
		return nil, err
	}
	return v, mapped(ctx, v.Data, v.Data, 30, func(dst, a []float64) {
		for i, e := range a {
			dst[i] = elementary.Pow(10, e)
		}
	})
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
