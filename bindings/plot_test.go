package bindings_test

import (
	"slices"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/plot"
)

// Pictures of G have the coordinates of its meshes, unless others are given.
func TestAxesOfGreen(t *testing.T) {
	axis, err := mesh.Gauss(1, 4, 3, "x")
	if err != nil {
		t.Fatal(err)
	}
	unit := []float64{0, 0.25, 0.5, 0.75, 1}
	for _, c := range []struct {
		values string
		x, y   []float64
	}{
		{"p:green()", unit, unit},
		{"est:green()", unit, unit},
		{"est:std()", unit, unit},
		{"est:green() - p:green()", unit, unit},
		{"2 * est:green()", unit, unit},
		{"est:green(mesh.gauss(1, 4, 3), nil)", axis.Coordinates, unit},
		{"est:green(mesh.points{points = {0.5, 0.1}, weights = {1, 1}}, nil)", nil, nil}, // not in order
		{"est:green():table()", nil, nil},
		{"est:green():transpose()", nil, nil},
		{"est:green(), {x = {1, 2, 3, 4, 5}}", []float64{1, 2, 3, 4, 5}, nil},
	} {
		L, _ := newState(t, nil, bindings.All()...)
		if err := L.DoString(`p = pde.poisson{mesh = mesh.uniform(0, 1, 5), left = 0, right = 0}
d = p:sample{n = 9, input = {kernel = kernel.se{lengthscale = 0.3}}}
est = green.fit{data = d:noise{level = .1}, kernel = kernel.se{lengthscale = 0.3}}
heat, lines = plot.heatmap(` + c.values + `), plot.contour(` + c.values + `)`); err != nil {
			t.Fatalf("%s: %v", c.values, err)
		}
		h := L.GetGlobal("heat").(*lua.LUserData).Value.(plot.Heatmap)
		l := L.GetGlobal("lines").(*lua.LUserData).Value.(plot.Contour)
		if !slices.Equal(h.X, c.x) || !slices.Equal(h.Y, c.y) || !slices.Equal(l.X, c.x) || !slices.Equal(l.Y, c.y) {
			t.Errorf("%s: heat map over %v and %v, contours over %v and %v", c.values, h.X, h.Y, l.X, l.Y)
		}
	}
}
