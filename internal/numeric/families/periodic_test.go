package families_test

import (
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/families"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/mesh"
)

// On circles a smooth operator has a periodic kernel, which joins both sides of the seam, and one with a kink has one of a kink;
// the same data on a line have no periodic one, nor has a side that is a line.
func TestKernelsOfCircles(t *testing.T) {
	smooth := func(x, y float64) float64 {
		return math.Exp(-4*math.Pow(math.Sin(math.Pi*(x-y-.2)), 2)) * (1 + .5*math.Cos(2*math.Pi*y))
	}
	kink := func(x, y float64) float64 { return math.Cosh(8 * (math.Abs(x-y) - .5)) }
	circle := func(name string) mesh.Mesh { return mesh.Must(mesh.Periodic(0, 1, 16, name)) }
	line := func(name string) mesh.Mesh { return mesh.Must(mesh.Trapezoid(circle(name).Columns()[0], name)) }
	for _, c := range []struct {
		name string
		g    func(x, y float64) float64
		x, y mesh.Mesh
		want int // sides with a periodic kernel
	}{
		{"smooth", smooth, circle("x"), circle("y"), 2},
		{"smooth, from a line", smooth, line("x"), circle("y"), 1},
		{"smooth, on lines", smooth, line("x"), line("y"), 0},
		{"kink", kink, circle("x"), circle("y"), 0},
	} {
		d := pairsOn(30, c.x, c.y, .01, c.g)
		all := testmain.Must(families.Search(t.Context(), d))(t)
		got := all[0].Kernel.String()
		if n := strings.Count(got, "periodic{"); n != c.want {
			t.Errorf("%s: %d periodic sides, want %d: %s", c.name, n, c.want, got)
		}
	}
}
