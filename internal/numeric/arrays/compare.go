package arrays

import (
	"math"
	"slices"

	"github.com/greenbench/workbench/numeric/array"
)

// Equal reports whether two arrays have the same shape and the same numbers;
// here NaN equals NaN, so that an array equals its copy.
func Equal(a, b *array.Array) bool {
	return slices.Equal(a.Shape, b.Shape) && slices.EqualFunc(a.Data, b.Data, same)
}

func same(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) }
