package bindings_test

import (
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/internal/numeric/plot"
	"github.com/greenbench/workbench/numeric/mesh"
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
		L := openAll(t, nil)
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

// What plot.style sets holds for the files after it, until a call says otherwise or it is
// taken back; what it refuses changes nothing.
func TestStyle(t *testing.T) {
	L := openAll(t, nil)
	dir := t.TempDir()
	L.SetGlobal("dir", lua.LString(dir+"/"))
	if err := L.DoString(`plot.style{width = 3, height = 2, dpi = 50}
plot.lines{ {y = {1, 2}}, file = dir .. "set.png" }
plot.lines{ {y = {1, 2}}, file = dir .. "said.png", width = 4 }
assert(not pcall(plot.style, {dpi = -1}))
plot.lines{ {y = {1, 2}}, show = false }:save(dir .. "saved.png", {dpi = 100})
plot.style{}
plot.lines{ {y = {1, 2}}, file = dir .. "back.png", width = 3, height = 2 }`); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][2]int{"set": {150, 100}, "said": {200, 100}, "saved": {300, 200}, "back": {600, 400}} {
		f, err := os.Open(filepath.Join(dir, name+".png"))
		if err != nil {
			t.Fatal(err)
		}
		c, err := png.DecodeConfig(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if got := [2]int{c.Width, c.Height}; got != want {
			t.Errorf("%s: %v pixels, want %v", name, got, want)
		}
	}
}
