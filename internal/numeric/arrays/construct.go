package arrays

import (
	"context"
	"fmt"
	"slices"

	"github.com/greenbench/workbench/internal/elementary"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
)

// unset is [Zeros] for numbers that are all set before any is read.
func unset(shape ...int) (*array.Array, error) {
	size, err := dense.SizeOf(shape)
	if err != nil {
		return nil, err
	}
	return &array.Array{Shape: slices.Clone(shape), Data: dense.Room[float64](size)}, nil
}

// Full returns an array with every element v; errors as for [Zeros].
// The context can stop it.
func Full(ctx context.Context, v float64, shape ...int) (*array.Array, error) {
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
func Eye(ctx context.Context, n int) (*array.Array, error) {
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
func LinSpace(ctx context.Context, a, b float64, n int) (*array.Array, error) {
	if n < 1 {
		return nil, fmt.Errorf("n %d: must be at least 1", n)
	}
	if !dense.Finite(a) || !dense.Finite(b) {
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
			if !dense.Finite(step) { // b - a overflows
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
func LogSpace(ctx context.Context, a, b float64, n int) (*array.Array, error) {
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
