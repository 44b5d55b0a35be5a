package arrays

import (
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
)

// A comparison says how two arrays differ.
type comparison struct {
	Outside   int     // number of elements outside the tolerance
	Worst     []int   // index of the element farthest outside (or nearest to it); nil if there are no elements
	Got, Want float64 // the elements there
}

// Close reports whether every element is within the tolerance.
func (c comparison) Close() bool { return c.Outside == 0 }

// String says in one line what is wrong, with all digits of the worst element.
func (c comparison) String() string {
	if c.Worst == nil {
		return "no elements"
	}
	at := fmt.Sprintf("%s: got %.17g, want %.17g (difference %.3g)", fmt.Sprint(c.Worst), c.Got, c.Want, c.Got-c.Want)
	if c.Close() {
		return "all close; worst at " + at
	}
	return fmt.Sprintf("%d outside the tolerance; worst at %s", c.Outside, at)
}

// allClose compares elementwise: |got-want| <= abs + rel·|want|. NaN is close to
// NaN only and an infinity to itself. Different shapes are an error.
func allClose(got, want *array.Array, rel, abs float64) (comparison, error) {
	if !slices.Equal(got.Shape, want.Shape) {
		return comparison{}, fmt.Errorf("shapes differ: got %s, want %s", dense.ShapeString(got.Shape), dense.ShapeString(want.Shape))
	}
	var c comparison
	var worst float64
	for i, x := range got.Data {
		y := want.Data[i]
		excess := math.Abs(x-y) - abs - rel*math.Abs(y)
		if !dense.Finite(x) || !dense.Finite(y) {
			excess = math.Inf(1)
			if same(x, y) {
				excess = math.Inf(-1)
			}
		}
		if excess > 0 {
			c.Outside++
		}
		if c.Worst == nil || excess > worst {
			worst = excess
			c.Worst, c.Got, c.Want = got.Position(i), x, y
		}
	}
	return c, nil
}
