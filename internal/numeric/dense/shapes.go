package dense

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ShapeString writes a shape as people do: "600×100", and "100" for a vector.
func ShapeString(shape []int) string {
	if len(shape) == 0 {
		return "()"
	}
	parts := make([]string, len(shape))
	for k, n := range shape {
		parts[k] = strconv.Itoa(n)
	}
	return strings.Join(parts, "×")
}

// SizeOf returns the number of elements of an array of this shape, or why
// there can be no such array. What fits in memory is what [CheckSize] allows.
func SizeOf(shape []int) (int, error) { return SizeIn(shape, 1) }

// SizeIn is sizeOf for elements that take as much memory as so many numbers.
func SizeIn(shape []int, numbers float64) (int, error) {
	if len(shape) == 0 {
		return 0, errors.New("shape (): want at least one axis")
	}
	size, empty := 1.0, false
	for _, n := range shape {
		if n < 0 {
			return 0, fmt.Errorf("shape %s: lengths must be >= 0", ShapeString(shape))
		}
		size *= float64(max(n, 1)) // an empty array may not have absurd axes either
		empty = empty || n == 0
	}
	if err := CheckSize("shape "+ShapeString(shape)+":", size*numbers); err != nil {
		return 0, err
	}
	if empty {
		return 0, nil
	}
	return int(size), nil
}

// Indexed is Index for the elements of any type.
func Indexed[T any](shape []int, data []T, i int) ([]int, []T) {
	if i < 0 || i >= shape[0] {
		panic(fmt.Errorf("index %d: outside the first axis of an array of shape %s", i, ShapeString(shape)))
	}
	n, rest := len(data)/shape[0], slices.Clone(shape[1:])
	if len(shape) == 1 {
		rest = []int{1}
	}
	return rest, data[i*n : (i+1)*n : (i+1)*n]
}

// Reshaped is the shape for so many elements, with what -1 stands for.
func Reshaped(size int, shape []int) ([]int, error) {
	shape = slices.Clone(shape)
	hole, known := -1, 1
	for k, n := range shape {
		switch {
		case n == -1 && hole >= 0:
			return nil, fmt.Errorf("shape %s: at most one length may be -1", ShapeString(shape))
		case n == -1:
			hole = k
		case n < -1:
			return nil, fmt.Errorf("shape %s: lengths must be >= 0, or -1 for what is left", ShapeString(shape))
		default:
			known = Saturated(known, n)
		}
	}
	if hole >= 0 {
		if known == 0 || size%known != 0 {
			return nil, fmt.Errorf("shape %s: %d numbers do not divide by it", ShapeString(shape), size)
		}
		shape[hole] = size / known
	}
	return shape, nil
}

// Saturated returns m·n, or something larger than any array when that overflows.
func Saturated(m, n int) int {
	const huge = 1 << 62
	if n != 0 && m > huge/n {
		return huge
	}
	return m * n
}

// Finite reports whether a number is neither NaN nor infinite.
func Finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// PointString is a point: its coordinate, or all of them in brackets.
func PointString(at []float64) string {
	if len(at) == 1 {
		return fmt.Sprintf("%.9g", at[0])
	}
	return fmt.Sprintf("%.9g", at)
}
