package arrays

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/greenbench/workbench/numeric/array"
)

// An elementwise is a function of one number: the loop, and about what an element takes, in nanoseconds.
type elementwise struct {
	of   func(dst, a []float64)
	time float64
}

// elementwises are the functions that [Function] knows. The errors of the vector code are in units in the last
// place, as measured against 200 bits.
func elementwises() map[string]elementwise {
	scaled := func(factor float64) func(dst, a []float64) {
		return func(dst, a []float64) {
			for i, x := range a {
				dst[i] = x * factor
			}
		}
	}
	return map[string]elementwise{
		"abs": {vector.Abs, 0.5}, "ceil": {vector.Ceil, 0.5}, "floor": {vector.Floor, 0.5}, "sqrt": {vector.Sqrt, 1}, // exact
		"deg": {scaled(180 / math.Pi), 0.5}, "rad": {scaled(math.Pi / 180), 0.5},
		"exp": {vector.Exp, 1}, "log": {vector.Log, 1.5}, // 1.2, 0.8
		"log10": {vector.Log10, 3},                                                 // 0.51
		"sin":   {vector.Sin, 2}, "cos": {vector.Cos, 2}, "tan": {vector.Tan, 2.5}, // 1.1, 1.2, 2.3
		"asin": {vector.Asin, 3}, "acos": {vector.Acos, 3}, "atan": {vector.Atan, 2}, // 1.5, 1.4, 0.9
		"sinh": {vector.Sinh, 2}, "cosh": {vector.Cosh, 2}, "tanh": {vector.Tanh, 2}, // 2.1, 1.7, 1
	}
}

// Functions are the names that [Function] takes.
func Functions() []string { return slices.Sorted(maps.Keys(elementwises())) }

// Function returns a function of every number, by its name in C; the error is at most 3 units in the last place. The
// context can stop it.
func Function(ctx context.Context, a *array.Array, name string) (*array.Array, error) {
	f, ok := elementwises()[name]
	if !ok {
		return nil, fmt.Errorf("function %q: want one of %v", name, Functions())
	}
	out, err := unset(a.Shape...)
	if err != nil {
		return nil, err
	}
	return out, mapped(ctx, out.Data, a.Data, f.time, f.of)
}
