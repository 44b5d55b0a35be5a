package lattice

import (
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/numeric/mesh"
)

// The nearest of sorted numbers is the nearest by looking at all.
func TestNearest(t *testing.T) {
	sorted := []float64{-1, 0, .25, 2, 7}
	for v := -2.; v < 9; v += .1 {
		want := 0
		for i, s := range sorted {
			if math.Abs(s-v) < math.Abs(sorted[want]-v) {
				want = i
			}
		}
		if got := nearest(sorted, v); math.Abs(sorted[got]-v) > math.Abs(sorted[want]-v)+1e-12 {
			t.Errorf("nearest to %g: %g, want %g", v, sorted[got], sorted[want])
		}
	}
}

// Coordinates that are exchanged cover one interval, wherever that lies, but for rounding; sensors need not.
func TestExchangedCoordinatesCoverOneInterval(t *testing.T) {
	line := func(lo, hi float64) mesh.Mesh { return mesh.Must(mesh.Uniform(lo, hi, 4, "")) }
	sensors := mesh.Must(mesh.Scattered([]float64{.1, .4, .8}, 1, nil))
	for _, c := range []struct {
		x, y mesh.Mesh
		ok   bool
	}{
		{line(0, 1), line(0, 1), true},
		{line(-1, 1), line(-1, 1+1e-9), true},
		{line(5, 6), line(5+1e-9, 6), true},
		{line(0, 1), sensors, true},
		{line(0, 1), line(0, 2), false},
		{line(0, 1), line(-1, 1), false},
		{line(5, 6), line(5, 6+5e-6), false},
		{line(5, 6), line(5+5e-6, 6), false},
	} {
		err := checkExchanged([][]int{{0, 1}}, []string{"x", "y"}, c.x, c.y)
		if c.ok != (err == nil) || err != nil && !strings.Contains(err.Error(), "must cover the same interval") {
			t.Errorf("%s and %s: error %v", c.x, c.y, err)
		}
	}
}

// A map of points is a permutation where no two go to one.
func TestPermutes(t *testing.T) {
	for _, c := range []struct {
		at []int32
		ok bool
	}{{nil, true}, {[]int32{0}, true}, {[]int32{2, 0, 1}, true}, {[]int32{0, 0}, false}, {[]int32{1, 2, 1}, false}} {
		if permutes(c.at) != c.ok {
			t.Errorf("%v: a permutation %t", c.at, !c.ok)
		}
	}
}
