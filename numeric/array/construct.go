package array

import (
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/numeric/expr/elementary"
)

// Zeros returns an array of zeros. It is an error when a length is negative or
// the array would not fit in memory, as [CheckSize] says.
func Zeros(shape ...int) (*Array, error) {
	size, err := sizeOf(shape)
	if err != nil {
		return nil, err
	}
	return &Array{Shape: slices.Clone(shape), Data: zeros(size)}, nil
}

// Ones returns an array of ones; errors as for [Zeros].
func Ones(shape ...int) (*Array, error) { return Full(1, shape...) }

// Full returns an array with every element v; errors as for [Zeros].
func Full(v float64, shape ...int) (*Array, error) {
	a, err := Zeros(shape...)
	if err != nil {
		return nil, err
	}
	for i := range a.Data {
		a.Data[i] = v
	}
	return a, nil
}

// Eye returns the n × n identity matrix, n >= 1.
func Eye(n int) (*Array, error) {
	if n < 1 {
		return nil, fmt.Errorf("n %d: must be at least 1", n)
	}
	a, err := Zeros(n, n)
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
func LinSpace(a, b float64, n int) (*Array, error) {
	if n < 1 {
		return nil, fmt.Errorf("n %d: must be at least 1", n)
	}
	if !finite(a) || !finite(b) {
		return nil, fmt.Errorf("interval [%g, %g]: must be finite", a, b)
	}
	v, err := Zeros(n)
	if err != nil {
		return nil, err
	}
	v.Data[0] = a
	if n == 1 {
		return v, nil
	}
	step := (b - a) / float64(n-1)
	for i := range n - 1 {
		// The conversion forbids a fused multiply-add: same bits on every machine.
		v.Data[i] = a + float64(float64(i)*step)
	}
	v.Data[n-1] = b
	return v, nil
}

// LogSpace returns n >= 1 numbers from 10^a to 10^b, equally spaced in their
// logarithm; whole exponents give correctly rounded powers of ten.
func LogSpace(a, b float64, n int) (*Array, error) {
	v, err := LinSpace(a, b, n)
	if err != nil {
		return nil, err
	}
	for i, e := range v.Data {
		v.Data[i] = elementary.Pow(10, e)
	}
	return v, nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
