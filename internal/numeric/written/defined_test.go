package written_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/laws"
	"github.com/greenbench/workbench/internal/numeric/written"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/kernel"
)

var (
	xy   = kernel.Space{Names: []string{"x", "y"}, Inputs: 1}
	xsyt = kernel.Space{Names: []string{"x", "s", "y", "t"}, Inputs: 2}
)

// by is the coordinate names[k] of a point, number its coordinate i.
func by(k int) *expr.Node { return expr.Var(kernels.NameSlot(0, k), "") }

func number(i int) *expr.Node { return expr.Var(kernels.NumberSlot(0, i), "") }

// sends is the map that gives the named coordinates new values, in terms of the
// coordinates called from.
func sends(from string, image string, values ...*expr.Node) written.Map {
	return written.Map{
		Formula: kernels.Formula{Points: 1, Names: strings.Fields(from), Forms: []kernels.Form{{Nodes: values}}},
		Image:   strings.Fields(image),
	}
}

// list is the map to the values, all coordinates in order.
func list(values ...*expr.Node) written.Map {
	return written.Map{Formula: kernels.Formula{Points: 1, Forms: []kernels.Form{{Dim: len(values), Nodes: values}}}}
}

func keep(maps ...written.Map) (out []written.Signed) {
	for _, m := range maps {
		out = append(out, written.Signed{Sign: 1, Map: m})
	}
	return out
}

func reverse(m written.Map) []written.Signed { return []written.Signed{{Sign: -1, Map: m}} }

func mask(from string, chi *expr.Node) *kernels.Formula {
	return &kernels.Formula{Points: 1, Names: strings.Fields(from), Forms: []kernels.Form{{Nodes: []*expr.Node{chi}}}}
}

func mirrored(n *expr.Node) *expr.Node { return expr.Sub(expr.Const(1), n) }

// A constraint given by its maps is the one of the catalog with the same maps: the
// constrained kernels agree, and the images have the same permutations, which
// decide the speed.
func TestDefinedIsLikeTheCatalog(t *testing.T) {
	swapXY := sends("x y", "x y", by(1), by(0))
	reduce := sends("x y s t", "x y lag", by(0), by(1), expr.Sub(by(3), by(2)))
	short := list(number(0), number(2), expr.Sub(number(3), number(1)))
	short.Formula.Forms[0].Dim = 4
	xyz := kernel.Space{Names: []string{"x", "y", "z"}, Inputs: 1}
	for _, c := range []struct {
		c    written.Defined
		like constraint.Constraint
		s    kernel.Space
	}{
		{written.Defined{Average: keep(swapXY)}, constraint.Symmetric{Names: []string{"x", "y"}}, xy},
		{written.Defined{Average: keep(list(number(1), number(0)))}, constraint.Symmetric{Names: []string{"x", "y"}}, xy},
		{written.Defined{Average: reverse(swapXY)}, constraint.Antisymmetric{Names: []string{"x", "y"}}, xy},
		{
			written.Defined{Average: append(reverse(swapXY), keep(sends("x y z", "x y z", by(1), by(2), by(0)))...)},
			constraint.Antisymmetric{Names: []string{"x", "y", "z"}},
			xyz,
		},
		{written.Defined{Average: keep(sends("x y", "x y", expr.Neg(by(0)), expr.Neg(by(1))))}, constraint.Flip{Names: []string{"x", "y"}}, xy},
		{written.Defined{Average: reverse(sends("x", "x", mirrored(by(0))))}, constraint.Flip{Names: []string{"x"}, About: .5, Odd: true}, xy},
		{written.Defined{Reduce: &reduce}, constraint.TimeInvariant{Input: "s", Output: "t"}, xsyt},
		{written.Defined{Reduce: &short}, constraint.TimeInvariant{Input: "s", Output: "t"}, xsyt},
		{
			written.Defined{Average: keep(sends("s t", "s t", by(1), by(0))), Mask: mask("s t", expr.GE(by(1), by(0)))},
			constraint.Causal{Input: "s", Output: "t"},
			xsyt,
		},
	} {
		k := kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.4}}
		f, err := kernels.Compile(constraint.Apply(c.c, k), c.s)
		if err != nil {
			t.Fatal(err)
		}
		g, err := kernels.Compile(constraint.Apply(c.like, k), c.s)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(3, 4))
		for range 50 {
			p, q := point(rng, c.s.Dim()), point(rng, c.s.Dim())
			if a, b := f.At(p, q), g.At(p, q); math.Abs(a-b) > 1e-15 {
				t.Fatalf("%s: %.17g, must be %.17g", c.like, a, b)
			}
		}
		a, err := on(c.c, c.s)
		if err != nil {
			t.Fatal(err)
		}
		b, err := on(c.like, c.s)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := permutations(a), permutations(b); !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%s: images permute %v, must %v", c.like, got, want)
		}
	}
}

func permutations(t *laws.Transform) (all [][]int) {
	for _, im := range t.Images {
		all = append(all, im.Permutation)
	}
	slices.SortFunc(all, slices.Compare)
	return all
}

// Two generators make the eight symmetries of the square, and a rotation by 60°,
// which moves no grid to itself, makes six: every function obeys each of them. The
// constraint is the same after a file.
func TestDefinedGroups(t *testing.T) {
	square := written.Defined{Average: keep(sends("x y", "x y", by(1), by(0)), sends("x", "x", mirrored(by(0)))), Text: "square"}
	c, s := expr.Const(.5), expr.Const(math.Sqrt(3)/2)
	turn := sends("x y", "x y", expr.Sub(expr.Mul(c, by(0)), expr.Mul(s, by(1))), expr.Add(expr.Mul(s, by(0)), expr.Mul(c, by(1))))
	quarter := func(p []float64) []float64 { return []float64{p[1], 1 - p[0]} }
	sixth := func(p []float64) []float64 {
		return []float64{p[0]/2 - math.Sqrt(3)/2*p[1], math.Sqrt(3)/2*p[0] + p[1]/2}
	}
	for _, g := range []struct {
		c     written.Defined
		order int
		sign  float64
		image func(p []float64) []float64
	}{
		{square, 8, 1, quarter},
		{written.Defined{Average: keep(turn), Text: "sixth"}, 6, 1, sixth},
		{written.Defined{Average: reverse(turn), Text: "odd sixth"}, 6, -1, sixth},
	} {
		b, err := json.Marshal(g.c)
		if err != nil {
			t.Fatal(err)
		}
		var back written.Defined
		if err := json.Unmarshal(b, &back); err != nil {
			t.Fatal(err)
		}
		if err := back.Check(); err != nil {
			t.Fatal(err)
		}
		tr, err := on(back, xy)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(tr.Images); n != g.order {
			t.Errorf("%s: %d images, must be %d", g.c, n, g.order)
		}
		f, err := kernels.Compile(constraint.Apply(back, kernel.SE{Lengthscale: kernel.Lengthscale{.7}}), xy)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(5, 6))
		for range 100 {
			p, q := point(rng, 2), point(rng, 2)
			if a, b := f.At(p, q), g.sign*f.At(g.image(p), q); math.Abs(a-b) > 1e-13*(1+math.Abs(a)) {
				t.Fatalf("%s: G(%.3v) = %.6g, must be %.6g as at %.3v", g.c, p, a, b, g.image(p))
			}
		}
	}
}

// What is no constraint is refused with the reason.
func TestDefinedRefuses(t *testing.T) {
	damaged := sends("x", "x", by(0))
	damaged.Formula.Forms[0].Nodes = nil
	for _, c := range []struct {
		c    written.Defined
		want string
	}{
		{written.Defined{Average: keep(sends("y", "x", by(0)))}, "a map is not undone by repeating it"},
		{written.Defined{Average: keep(sends("x", "x", expr.Div(by(0), expr.Const(2))))}, "a map is not undone by repeating it"},
		{written.Defined{Average: keep(sends("x y", "x y", expr.Div(by(0), expr.Const(2)), expr.Mul(by(1), expr.Const(2))))}, "stretches ever further"},
		{written.Defined{Average: keep(sends("x", "x", expr.Add(by(0), expr.Const(.1))))}, "moves all points by one step"},
		{written.Defined{Average: append(keep(sends("x", "x", expr.Neg(by(0)))), reverse(sends("x", "x", expr.Neg(by(0))))...)}, "the signs contradict each other"},
		{written.Defined{Average: reverse(sends("x", "x", by(0)))}, "the signs contradict each other"},
		{written.Defined{Average: keep(sends("t", "t", by(0)))}, `no coordinate "t"`},
		{written.Defined{Average: keep(list(number(0)))}, "written for points of dimension 1"},
		{written.Defined{Mask: mask("t", by(0))}, `no coordinate "t"`},
		{written.Defined{Reduce: &written.Map{Formula: kernels.Formula{Points: 1, Names: []string{"x", "y"}, Forms: []kernels.Form{{Nodes: []*expr.Node{expr.Add(by(0), by(1))}}}}, Image: []string{"lag"}}}, "must keep all coordinates but one time"},
		{written.Defined{Reduce: &written.Map{Formula: kernels.Formula{Points: 1, Names: []string{"x", "y"}, Forms: []kernels.Form{{Nodes: []*expr.Node{expr.Sub(by(0), by(1))}}}}, Image: []string{"lag"}}}, "must keep all coordinates but one time"}, // input - output
	} {
		if _, err := on(c.c, xy); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
	for _, c := range []written.Defined{
		{Average: []written.Signed{{Sign: 2, Map: sends("x", "x", by(0))}}},
		{Average: keep(damaged)},
		{Mask: &damaged.Formula},
		{Reduce: &damaged},
		{Average: keep(sends("x", "x", expr.Add(by(0), expr.Const(.1))))},
		{Average: keep(list(number(0), number(0)))},
		{Average: reverse(sends("x", "x", by(0)))},
	} {
		if c.Check() == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}
