package lattice

import (
	"math"
	"slices"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/laws"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/mesh"
)

// What a map makes of a product of axes is a product again where coordinates that vary with the same axes stand together: its points are
// the images of all points, in the order that the axes have there.
func TestImagesOfProducts(t *testing.T) {
	line := func(name string, n int) mesh.Mesh { return mesh.Must(mesh.Uniform(1, float64(n), n, name)) }
	x := testmain.Must(mesh.Product(testmain.Must(mesh.Product(line("a", 2), line("b", 3)))(t), line("c", 4)))(t)
	l := On(x, line("y", 5))
	on := &target{x: x, y: line("y", 5), size: [2]int{24, 5}}
	a, b, c, y := expr.Var(0, "a"), expr.Var(1, "b"), expr.Var(2, "c"), expr.Var(3, "y")
	for what, g := range map[string]struct {
		at   []*expr.Node
		axes int // of the image; 0: it is no product
	}{
		"itself":                      {[]*expr.Node{a, b, c, y}, 4},
		"exchanged":                   {[]*expr.Node{b, a, c, y}, 4},
		"turned":                      {[]*expr.Node{c, a, b, y}, 4},
		"across":                      {[]*expr.Node{y, b, c, a}, 4},
		"two together":                {[]*expr.Node{expr.Add(a, b), expr.Sub(a, b), c, y}, 3},
		"the first and the third":     {[]*expr.Node{expr.Add(a, c), b, expr.Sub(a, c), y}, 2},
		"the third varies with two":   {[]*expr.Node{a, b, expr.Add(a, c), y}, 2},
		"the second and the third":    {[]*expr.Node{a, expr.Add(b, c), c, y}, 3},
		"the second with both others": {[]*expr.Node{a, expr.Add(b, expr.Add(a, c)), c, y}, 2},
		"the input with the output":   {[]*expr.Node{a, b, expr.Add(c, y), y}, 0},
		"one point":                   {[]*expr.Node{expr.Const(2), b, c, y}, 0},
	} {
		image := laws.Image{Sign: 1, At: g.at}
		got, err := l.imageOf(image, on)
		if err != nil {
			t.Fatal(what, err)
		}
		if got == nil {
			if g.axes > 0 {
				t.Errorf("%s: no product", what)
			}
			continue
		}
		if n := len(got.x.Axes()) + len(got.y.Axes()); n != g.axes {
			t.Errorf("%s: %d axes, want %d", what, n, g.axes)
		}
		if len(got.order) != 4 {
			t.Fatalf("%s: axes %v", what, got.order)
		}
		columns, p := columnsOf(append(got.x.Axes(), got.y.Axes()...)), make([]float64, 4)
		for k, node := range g.at {
			values := unpermute(columns[k], got.order, on.shape())
			for i, v := range values {
				x.Point(p[:3], i/5)
				on.y.Point(p[3:], i%5)
				if want := expr.Eval(node, p); math.Abs(v-want) > 1e-14 {
					t.Fatalf("%s: coordinate %d of the image of %v is %g, want %g", what, k, p, v, want)
				}
			}
		}
	}
}

// Maps of the lag and what is beside it are lifted to a lattice with one point for the input, which stays where it is.
func TestMapsBesideAPoint(t *testing.T) {
	l := &Lattice{point: true}
	l.space.Names, l.space.Inputs = []string{"point", "y", "lag"}, 1
	y, lag := expr.Var(0, "y"), expr.Var(1, "lag")
	out := l.lift([]laws.Image{
		{Sign: -1, At: []*expr.Node{lag, expr.Sub(expr.Const(0), y)}, Permutation: []int{1, 0}},
		{Sign: 1, At: []*expr.Node{expr.Mul(y, y), lag}},
	})
	if !slices.Equal(out[0].Permutation, []int{0, 2, 1}) || out[1].Permutation != nil || out[0].Sign != -1 || out[1].Sign != 1 {
		t.Errorf("permutations %v, %v", out[0].Permutation, out[1].Permutation)
	}
	p := []float64{5, 3, 7}
	for i, want := range [][]float64{{5, 7, -3}, {5, 9, 7}} {
		for k, n := range out[i].At {
			if got := expr.Eval(n, p); got != want[k] {
				t.Errorf("map %d, coordinate %d: %g, want %g", i, k, got, want[k])
			}
		}
	}
	same := []laws.Image{{Sign: 1, At: []*expr.Node{y, lag}}}
	if got := (&Lattice{}).lift(same); &got[0] != &same[0] {
		t.Error("maps are lifted where there is no point")
	}
}
