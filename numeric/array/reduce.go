package array

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// All as the axis of a reduction reduces the whole array to shape {1}.
const All = -1

// Sum returns the sums along an axis (or [All]), without that axis in the
// result; a vector gives shape {1}. Sums are pairwise: the rounding error grows
// with the logarithm of the length.
func (a *Array) Sum(axis int) (*Array, error) { return a.reduce(axis, sum) }

// Mean returns the means along an axis, as for [Array.Sum].
func (a *Array) Mean(axis int) (*Array, error) { return a.reduceSome("mean", axis, mean) }

// Min returns the least elements along an axis, as for [Array.Sum]. NaN wins.
func (a *Array) Min(axis int) (*Array, error) {
	return a.reduceSome("min", axis, func(x []float64) float64 {
		m := x[0]
		for _, v := range x[1:] {
			m = min(m, v)
		}
		return m
	})
}

// Max returns the greatest elements along an axis, as for [Array.Sum]. NaN wins.
func (a *Array) Max(axis int) (*Array, error) {
	return a.reduceSome("max", axis, func(x []float64) float64 {
		m := x[0]
		for _, v := range x[1:] {
			m = max(m, v)
		}
		return m
	})
}

// Norm returns the Euclidean norms √Σx² along an axis, as for [Array.Sum];
// [All] gives the Frobenius norm. It does not overflow before the result does.
func (a *Array) Norm(axis int) (*Array, error) {
	return a.reduce(axis, func(x []float64) float64 { return floats.Norm(x, 2) })
}

// Std returns the standard deviations √(Σ(x-mean)²/n) along an axis, as for
// [Array.Sum]. It divides by n, as NumPy does.
func (a *Array) Std(axis int) (*Array, error) {
	return a.reduceSome("std", axis, func(x []float64) float64 {
		m := mean(x)
		squares := make([]float64, len(x))
		for i, v := range x {
			squares[i] = (v - m) * (v - m)
		}
		return math.Sqrt(mean(squares))
	})
}

// reduce returns fn of every line of numbers along an axis, or of all numbers
// for [All]; the shape is that of [Array.Sum]. fn must neither keep nor change
// its argument.
func (a *Array) reduce(axis int, fn func(line []float64) float64) (*Array, error) {
	if axis == All {
		return Scalar(fn(a.Data)), nil
	}
	if axis < 0 || axis >= a.Rank() {
		return nil, a.axisError(axis)
	}
	shape := slices.Delete(slices.Clone(a.Shape), axis, axis+1)
	if len(shape) == 0 {
		shape = []int{1}
	}
	out, err := Zeros(shape...)
	if err != nil {
		return nil, err
	}
	outer, n, inner := a.around(axis)
	line := make([]float64, n)
	for o := range outer {
		for i := range inner {
			for k := range line {
				line[k] = a.Data[(o*n+k)*inner+i]
			}
			out.Data[o*inner+i] = fn(line)
		}
	}
	return out, nil
}

// reduceSome is Reduce for what is not defined on no numbers at all.
func (a *Array) reduceSome(what string, axis int, fn func([]float64) float64) (*Array, error) {
	if axis == All && a.Size() == 0 || axis >= 0 && axis < a.Rank() && a.Shape[axis] == 0 {
		return nil, fmt.Errorf("%s: of no numbers (shape %s)", what, ShapeString(a.Shape))
	}
	return a.reduce(axis, fn)
}

// around returns the number of elements before, along and after an axis.
func (a *Array) around(axis int) (outer, n, inner int) {
	outer, inner = 1, 1
	for _, m := range a.Shape[:axis] {
		outer *= m
	}
	for _, m := range a.Shape[axis+1:] {
		inner *= m
	}
	return outer, a.Shape[axis], inner
}

func (a *Array) axisError(axis int) error {
	return fmt.Errorf("axis %d: an array of shape %s has axes 0 to %d", axis, ShapeString(a.Shape), a.Rank()-1)
}

func mean(x []float64) float64 { return sum(x) / float64(len(x)) }

func sum(x []float64) float64 {
	if len(x) > 128 {
		half := len(x) / 2
		return sum(x[:half]) + sum(x[half:])
	}
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}

// reduction is the shape after an axis, or [All], has gone, or with keep has the
// length 1, and how many elements there are before, along and after it.
func reduction(shape []int, axis int, keep bool) (out []int, outer, n, inner int, err error) {
	if axis == All {
		n = 1
		for _, m := range shape {
			n *= m
			out = append(out, 1)
		}
		if !keep {
			out = []int{1}
		}
		return out, 1, n, 1, nil
	}
	a := &Array{Shape: shape}
	if axis < 0 || axis >= len(shape) {
		return nil, 0, 0, 0, a.axisError(axis)
	}
	out = slices.Clone(shape)
	if out[axis] = 1; !keep && len(shape) > 1 {
		out = slices.Delete(out, axis, axis+1)
	}
	outer, n, inner = a.around(axis)
	return out, outer, n, inner, nil
}
