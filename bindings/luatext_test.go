package bindings

import (
	"io"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/internal/numeric/written"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/mesh"
)

// TestLuaTextIsLua: what is printed makes the value that prints so: everything in the
// catalogs, sums, products and lists of it, meshes, and problems given by their operators.
func TestLuaTextIsLua(t *testing.T) {
	texts := []string{
		`mesh.uniform(0, 1, 5, "x") * mesh.gauss(-1, 1, 3, "t")`, `mesh.periodic(0, 2, 4)`, `mesh.chebyshev(0, 1, 4)`, `mesh.simpson(0, 1, 5)`,
		`mesh.uniform(0, 1, 5, "t"):right()`,
		`kernel.se{lengthscale={0.3, 0.5}}`, `kernel.matern{nu=1.5, lengthscale="auto"}`,
		`kernel.tensor(kernel.se{lengthscale=1}, kernel.white{})`,
		`2 * kernel.se{lengthscale=1} + kernel.white{} * (kernel.se{lengthscale=1} + kernel.white{})`,
		`0.5 * (kernel.se{lengthscale=1} + kernel.white{})`,
		`kernel.define(function(p, q, v) return p.x*q.x*v.b/v.lengthscale end, {b = 2, lengthscale = "auto"})`,
		`kernel.define(function(p, q, v) return v.w[1] + p.x*v.w[2]*q.x end, {w = {1, 2}})`,
		`kernel.scaled{base=kernel.se{lengthscale=1}, by=function(p) return 1 + p.x end}`,
		`kernel.mercer{functions={function(p) return p.x end}, eigenvalues={2}}`,
		`constraint.flip{"x", about=0.5, odd=true}`, `constraint.flip{"x"}`, `constraint.mask(function(p) return le(p.x, p.y) end)`,
		`constraint.symmetric{"x", "y"}:apply(kernel.se{lengthscale=1})`,
		`{constraint.symmetric{"x", "y"}, constraint.flip{"x", "y"}}`,
		`pde.hexagon{height=3, radius=0.25, x=0.5, y=0.5}`,
		`pde.define{name="mine", mesh=mesh.uniform(0, 1, 9, "x") * mesh.uniform(0, 1, 9, "y"), time=mesh.uniform(0, 1, 5, "t"), operator=function(u, at) return ` +
			`u:d("t", 1) + (-at.y)*u - 2*u:d("y", 2) + ((-1 - at.x*at.y)*u:d("x", 1)):d("x", 1)` +
			` end, boundary={["x+"]={reflecting=true}, ["x-"]={dirichlet="input"}, ["y+"]={robin={a=function(x) return x end, b=1, value=0}}, ["y-"]={neumann=1.5}}, ` +
			`initial=function(x) return 1 + x end, input="boundary", scheme="backward_euler", order=2}`,
	}
	for _, e := range kernels.Catalog() {
		texts = append(texts, luaText(e.Example))
	}
	for _, e := range written.Catalog() {
		texts = append(texts, luaText(e.Example))
	}
	for _, e := range pde.Catalog() {
		texts = append(texts, luaText(e.Example))
	}
	L := lua.NewState()
	defer L.Close()
	bind.New(All()...).Open(L, bind.Env{Out: io.Discard})
	for _, want := range texts {
		if err := L.DoString("value = " + want); err != nil {
			t.Errorf("%s: %v", want, err)
			continue
		}
		got := L.ToStringMeta(L.GetGlobal("value")).String()
		if list, ok := L.GetGlobal("value").(*lua.LTable); ok { // a list stands for a constraint
			c, err := bind.Decode[constraint.Constraint](bind.At(L), list)
			if err != nil {
				t.Errorf("%s: %v", want, err)
				continue
			}
			got = luaText(c)
		}
		if got != want {
			t.Errorf("prints as\n%s\nand was made by\n%s", got, want)
		}
	}
}

// TestGivenPointsAreDescribed: meshes that no expression makes say what they are.
func TestGivenPointsAreDescribed(t *testing.T) {
	uneven := mesh.Must(mesh.Trapezoid([]float64{0, 0.1, 1}, "x"))
	line, plane := mesh.Must(mesh.Scattered([]float64{0.1, 0.5}, 1, nil)), mesh.Must(mesh.Scattered([]float64{0, 0, 1, 1}, 2, nil))
	for text, m := range map[string]mesh.Mesh{
		"mesh.trapezoid of 3 points on [0, 1]": uneven, "mesh.points of 2 points on a line": line, "mesh.points of 2 points in 2 dimensions": plane,
	} {
		if got := luaText(m); got != text {
			t.Errorf("prints as %s, want %s", got, text)
		}
	}
}
