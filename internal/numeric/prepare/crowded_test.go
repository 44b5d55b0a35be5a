package prepare

import (
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Points of a line that crowd are said where they count alike: not those that are evenly spaced, have weights of their
// own or by the trapezoid rule, or lie in the plane.
func TestCrowdedPointsAreSaid(t *testing.T) {
	squares, even, own := make([]float64, 20), make([]float64, 20), make([]float64, 20)
	for i := range squares {
		squares[i], even[i], own[i] = float64(i*i), 3+.1*float64(i), 1
	}
	for _, c := range []struct {
		name string
		axis mesh.Axis
		part float64 // of the line: of squares, ∫ |2x - 1| dx / 2 = 1/4
	}{
		{"squares", testmain.Must(mesh.Scattered(squares, 1, nil, "x"))(t), .25},
		{"even", testmain.Must(mesh.Scattered(even, 1, nil, "x"))(t), 0},
		{"own weights", testmain.Must(mesh.Scattered(squares, 1, own, "x"))(t), 0},
		{"trapezoid", testmain.Must(mesh.Trapezoid(squares, "x"))(t), 0},
		{"plane", testmain.Must(mesh.Scattered(squares, 2, nil, "x", "y"))(t), 0},
	} {
		if got := misplaced(c.axis); !(math.Abs(got-c.part) <= .01) {
			t.Errorf("%s: %.3f of the line misplaced, want %.3f", c.name, got, c.part)
		}
		if told := Crowded("input", mesh.Must(c.axis, nil)); (len(told) > 0) != (c.part > 0) {
			t.Errorf("%s: %q", c.name, told)
		}
	}
}
