package lattice

import (
	"slices"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/laws"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The coordinates of a mesh of time lags are called what those of its lattice are, with a point where the inputs have time alone.
func TestNamesOfLags(t *testing.T) {
	line := func(name string) mesh.Mesh { return mesh.Must(mesh.Uniform(0, 1, 4, name)) }
	plane := func(a, b string) mesh.Mesh { return testmain.Must(mesh.Product(line(a), line(b)))(t) }
	for _, c := range []struct {
		x, y         mesh.Mesh
		inputs, outs []string
	}{
		{line("s"), line("t"), []string{gram.PointName}, []string{laws.LagName}},
		{plane("x", "s"), plane("y", "t"), []string{"x"}, []string{"y", laws.LagName}},
		{plane("s", "x"), plane("t", "y"), []string{"x"}, []string{"y", laws.LagName}},
		{plane("s", "x"), plane("t", "x"), []string{"x"}, []string{"x_out", laws.LagName}},
	} {
		l := testmain.Must(New(t.Context(), constraint.TimeInvariant{Input: "s", Output: "t"}, c.x, c.y))(t)
		if x, y := l.X().Names(), l.Y().Names(); !slices.Equal(x, c.inputs) || !slices.Equal(y, c.outs) {
			t.Errorf("%v × %v: %q and %q, want %q and %q", c.x.Names(), c.y.Names(), x, y, c.inputs, c.outs)
		}
	}
	if _, err := renamed(line("s").Axes(), []string{"a", "b"}); err == nil {
		t.Error("two names of one coordinate")
	}
}
