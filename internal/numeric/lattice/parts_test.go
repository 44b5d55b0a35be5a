package lattice

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/laws"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/kernel"
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
		if got := nearest(sorted, v); !(math.Abs(sorted[got]-v) <= math.Abs(sorted[want]-v)+1e-12) {
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

// Lags are all that two axes have, and their images as far as these have the step; zero is zero. As many are before those of the axes
// as the images add there.
func TestLagsAndTheirImages(t *testing.T) {
	axis := func(from float64, n int) mesh.Axis {
		return mesh.Must(mesh.Uniform(from, from+.1*float64(n-1), n, "t")).Axes()[0]
	}
	x, lag := expr.Var(0, "x"), expr.Var(1, "lag")
	image := func(at *expr.Node) []laws.Image {
		return []laws.Image{{Sign: 1, At: []*expr.Node{x, at}, Permutation: []int{0, 1}}}
	}
	mirror, half := image(expr.Neg(lag)), image(expr.Sub(expr.Const(.05), lag))
	far := image(expr.Sub(expr.Const(100), lag))
	mixed := image(expr.Neg(lag))
	mixed[0].Permutation = nil
	for _, c := range []struct {
		s, t   mesh.Axis
		images []laws.Image
		first  int // in steps
		count  int
		before int
	}{
		{axis(0, 4), axis(0, 6), nil, -3, 9, 0},
		{axis(0, 4), axis(0, 6), mirror, -5, 11, 2},
		{axis(0, 6), axis(0, 4), mirror, -5, 11, 0},
		{axis(0, 4), axis(.3, 6), nil, 0, 9, 0},
		{axis(0, 4), axis(.3, 6), mirror, -8, 17, 8},
		{axis(0, 4), axis(0, 6), half, -3, 9, 0},
		{axis(0, 4), axis(0, 6), far, -3, 9, 0},
		{axis(0, 4), axis(0, 6), mixed, -3, 9, 0},
	} {
		lags, before, err := lagAxis(c.s, c.t, c.images)
		if err != nil || before != c.before || lags.Size() != c.count {
			t.Errorf("%d lags, %d before (%v), want %d and %d", lags.Size(), before, err, c.count, c.before)
			continue
		}
		for i, v := range lags.Coordinates {
			if want := .1 * float64(c.first+i); !(math.Abs(v-want) <= 1e-14) || c.first+i == 0 && v != 0 {
				t.Errorf("lag %d is %g, want %g", i, v, want)
			}
		}
	}
}

// Points at random are in the box, up to its ends.
func TestPointsInABox(t *testing.T) {
	plane, err := mesh.Product(mesh.Must(mesh.Uniform(2, 3, 4, "a")), mesh.Must(mesh.Uniform(-7, -5, 4, "b")))
	if err != nil {
		t.Fatal(err)
	}
	for i, column := range inBox(500, plane, mesh.Must(mesh.Uniform(10, 14, 4, "c"))) {
		low, high := []float64{2, -7, 10}[i], []float64{3, -5, 14}[i]
		if a, b := slices.Min(column), slices.Max(column); !(a >= low) || !(b <= high) || !(a <= low+.05*(high-low)) || !(b >= high-.05*(high-low)) || len(column) != 500 {
			t.Errorf("coordinate %d: from %g to %g", i, a, b)
		}
	}
}

// A kernel is left as it is by maps that leave a coordinate alone, or mirror one of which it knows the distance only.
func TestInvariantKernels(t *testing.T) {
	line := mesh.Must(mesh.Uniform(-1, 1, 3, ""))
	l := On(line, line)
	x, y := expr.Var(0, l.space.Names[0]), expr.Var(1, l.space.Names[1])
	even, uneven := kernel.SE{Lengthscale: kernel.Lengthscale{.5}}, kernel.Linear{}
	for _, c := range []struct {
		k    kernel.Kernel
		im   laws.Image
		same bool
	}{
		{even, laws.Image{At: []*expr.Node{x, y}, Permutation: []int{0, 1}}, true},
		{even, laws.Image{At: []*expr.Node{expr.Neg(x), y}, Permutation: []int{0, 1}}, true},
		{even, laws.Image{At: []*expr.Node{y, x}, Permutation: []int{1, 0}}, false},
		{even, laws.Image{At: []*expr.Node{x, y}}, false},
		{uneven, laws.Image{At: []*expr.Node{x, y}, Permutation: []int{0, 1}}, true},
		{uneven, laws.Image{At: []*expr.Node{x, expr.Neg(y)}, Permutation: []int{0, 1}}, false},
	} {
		f, err := kernels.Compile(c.k, l.space)
		if err != nil {
			t.Fatal(err)
		}
		l.images = []laws.Image{c.im}
		if got := l.invariant(f); got != c.same {
			t.Errorf("%v under %v: %t", c.k, c.im.At, got)
		}
	}
}

// Axes are the same to rounding in their own units, wherever zero is.
func TestSamePoints(t *testing.T) {
	for _, unit := range []float64{1, 1e-9, 1e9} {
		on := func(from, to float64) mesh.Mesh { return mesh.Must(mesh.Uniform(unit*from, unit*to, 4, "")) }
		for _, c := range []struct {
			a, b mesh.Mesh
			same bool
		}{
			{on(0, 1), on(0, 1), true},
			{on(0, 1), on(0, 1+1e-14), true},
			{on(0, 1), on(0, 1+1e-10), false},
			{on(0, 1), on(0, 2), false},
			{on(1e6, 1e6+1), on(1e6+2e-10, 1e6+1), true},
			{on(1e6, 1e6+1), on(1e6+1e-6, 1e6+1), false},
		} {
			if got := samePoints(c.a, c.b); got != c.same {
				t.Errorf("%v and %v: the same %t", c.a, c.b, got)
			}
		}
	}
}

// Answers of an average over maps that keep the order of the axes are those of its values, with a kernel that the maps leave alone or
// not; with a mask they are made otherwise.
func TestAnswersByImages(t *testing.T) {
	ctx := t.Context()
	line, other := mesh.Must(mesh.Uniform(-1, 1, 5, "")), mesh.Must(mesh.Uniform(-.8, 1, 4, ""))
	flip := constraint.Flip{Names: []string{"x", "y"}, Odd: true}
	draw := func(n, m int) *mat.Dense {
		g := mat.NewDense(n, m, nil)
		g.Apply(func(i, j int, _ float64) float64 { return math.Sin(float64(1 + i*i + 3*j)) }, g)
		return g
	}
	named := func(m mesh.Mesh, name string) mesh.Mesh {
		out, err := m.Rename(name)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, k := range []kernel.Kernel{kernel.SE{Lengthscale: kernel.Lengthscale{.5}}, kernel.Polynomial{Degree: 3, Offset: 1}} {
		for _, c := range []constraint.Constraint{nil, flip, constraint.Causal{Input: "x", Output: "y"}} {
			l, err := New(ctx, c, named(line, "x"), named(line, "y"))
			if err != nil {
				t.Fatal(err)
			}
			w := draw(5, 5)
			l.Mask(w.RawMatrix().Data)
			l.Average(w.RawMatrix().Data)
			e, err := l.Expand(k, w)
			if err != nil {
				t.Fatal(err)
			}
			xs, ys := named(other, "x"), named(other, "y")
			g, err := e.On(ctx, xs, ys)
			if err != nil {
				t.Fatal(err)
			}
			f := draw(2, 4)
			u, ok, err := e.respondImages(ctx, f, &target{x: xs, y: ys, size: [2]int{4, 4}})
			if err != nil || ok != (l.chi == nil) {
				t.Errorf("%v, %v: answers by images %t, %v", k, c, ok, err)
			}
			var want mat.Dense
			if want.Mul(f, g); ok && !mat.EqualApprox(u, &want, 1e-10) {
				t.Errorf("%v, %v: answers %v, want %v", k, c, mat.Formatted(u), mat.Formatted(&want))
			}
		}
	}
}

// Masks are 0 or 1, leave some point, depend on times only by the lag beside time invariance, and are the same at points that are
// images of one another but for rounding.
func TestMasksThatAreAllowed(t *testing.T) {
	ctx := t.Context()
	x, s, end := expr.Var(0, "x"), expr.Var(0, "s"), expr.Var(1, "t")
	line := func(name string) mesh.Mesh { return mesh.Must(mesh.Uniform(0, 1, 4, name)) }
	inv := constraint.TimeInvariant{Input: "s", Output: "t"}
	for want, c := range map[string]struct {
		c        constraint.Constraint
		from, to string
	}{
		"mask: returns 0.5 at weight 1":     {given{of: laws.Laws{Masks: []*expr.Node{expr.Const(.5)}}}, "x", "y"},
		"mask: leaves no point":             {given{of: laws.Laws{Masks: []*expr.Node{expr.GE(expr.Abs(expr.Sub(expr.Mul(expr.Const(6), x), expr.Const(3))), expr.Const(9))}}}, "x", "y"},
		"depend on the times only by their": {constraint.List{inv, given{of: laws.Laws{Masks: []*expr.Node{expr.GE(expr.Const(.5), s)}}}}, "s", "t"},
		"":                                  {constraint.List{inv, given{of: laws.Laws{Masks: []*expr.Node{expr.GE(expr.Const(.5), expr.Sub(end, s))}}}}, "s", "t"},
	} {
		_, err := New(ctx, c.c, line(c.from), line(c.to))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	points := mesh.Must(mesh.Scattered([]float64{.3 + 1e-16, .7, .5}, 1, nil, "x"))
	l, err := New(ctx, constraint.List{constraint.Flip{Names: []string{"x"}, About: .5}, given{of: laws.Laws{Masks: []*expr.Node{expr.LT(x, expr.Const(.7))}}}}, points, line("y"))
	if err != nil {
		t.Fatal(err)
	}
	v := slices.Repeat([]float64{1}, 12)
	l.Mask(v)
	if !slices.Equal(v[:4], v[4:8]) || v[8] != 1 {
		t.Errorf("the mask leaves %v", v)
	}
}

// given is a constraint of some laws.
type given struct {
	constraint.Constraint
	of laws.Laws
}

func (g given) Laws(kernel.Space) (laws.Laws, error) { return g.of, nil }
func (g given) String() string                       { return "given" }

// Points are looked for where a map that mixes coordinates sends them; where one is sent beside all points, that is said.
func TestPointsAreFoundWhereMapsSendThem(t *testing.T) {
	const n = 4
	line := func(name string) mesh.Mesh { return mesh.Must(mesh.Uniform(0, 3, n, name)) }
	l, why := newLookup(On(line("x"), line("y")), besideOnMeshes)
	if why != "" {
		t.Fatal(why)
	}
	x, y := expr.Var(0, "x"), expr.Var(1, "y")
	mirrored := func(v *expr.Node) *expr.Node { return expr.Sub(expr.Const(3), v) }
	least := expr.Min(x, y)
	at, why, err := l.find(t.Context(), laws.Image{Sign: 1, At: []*expr.Node{least, mirrored(least)}})
	if err != nil || why != "" {
		t.Fatal(why, err)
	}
	for i, got := range at {
		if low := min(i/n, i%n); int(got) != low*n+n-1-low {
			t.Errorf("point %d is sent to %d", i, got)
		}
	}
	for k, beside := range [][]*expr.Node{{expr.Add(least, expr.Const(.5)), y}, {least, expr.Add(expr.Max(x, y), expr.Const(.5))}} {
		if _, why, err := l.find(t.Context(), laws.Image{Sign: 1, At: beside}); why == "" || err != nil {
			t.Errorf("coordinate %d beside the mesh: %q (%v)", k+1, why, err)
		}
	}
}

// A point is left of a mask only with all points that the constraint has it tied to: a mask that rounding cuts otherwise at some
// of these leaves none of them.
func TestMasksAreThoseOfAllImages(t *testing.T) {
	const n = 5
	x, y := mesh.Must(mesh.Uniform(0, 1, n, "x")), mesh.Must(mesh.Uniform(0, 1, n, "y"))
	exchange := laws.Image{Sign: 1, At: []*expr.Node{expr.Var(1, "y"), expr.Var(0, "x")}, Permutation: []int{1, 0}}
	for _, c := range []struct {
		obeyed []laws.Image
		want   func(i, j int) bool
	}{
		{nil, func(i, j int) bool { return i <= j }},
		{[]laws.Image{exchange}, func(i, j int) bool { return i == j }},
	} {
		l := On(x, y)
		l.chi = expr.GE(expr.Var(1, "y"), expr.Var(0, "x"))
		if err := l.findMask(t.Context(), &laws.Transform{Obeyed: c.obeyed}); err != nil || l.off != "" {
			t.Fatal(l.off, err)
		}
		for i := range n {
			for j := range n {
				if got := l.mask[i*n+j]; got != 0 && got != 1 || (got == 1) != c.want(i, j) {
					t.Errorf("obeying %d maps, the mask at %d, %d is %g", len(c.obeyed), i, j, got)
				}
			}
		}
	}
}
