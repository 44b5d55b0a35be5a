package lattice

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Numbers for the tensor modes of axes become their means over the exchanges of coordinates, each of which counts once however
// many mirrors it occurs with; without exchanges they stay.
func TestModesAreAveragedOverExchanges(t *testing.T) {
	line := func(name string, n int) mesh.Mesh { return mesh.Must(mesh.Uniform(-1, 1, n, name)) }
	plane := func(a, b mesh.Mesh) mesh.Mesh { return testmain.Must(mesh.Product(a, b))(t) }
	turn := constraint.Permute{Lists: [][]string{{"a", "x"}, {"b", "y"}}} // of both coordinates at once
	for name, c := range map[string]struct {
		of      constraint.Constraint
		x, y    mesh.Mesh
		sources [][4]int // where each of a, b, x, y comes from, for each exchange
		first   []int
	}{
		"symmetric":        {constraint.Symmetric{Names: []string{"x", "y"}}, line("x", 4), line("y", 4), [][4]int{{0, 1}, {1, 0}}, []int{0, 0}},
		"and mirrors":      {constraint.List{constraint.Symmetric{Names: []string{"x", "y"}}, constraint.Flip{Names: []string{"x", "y"}}}, line("x", 4), line("y", 4), [][4]int{{0, 1}, {1, 0}}, []int{0, 0}},
		"mirrors alone":    {constraint.Flip{Names: []string{"x"}}, line("x", 4), line("y", 3), [][4]int{{0, 1}}, []int{0, 1}},
		"nothing":          {nil, line("x", 4), line("y", 3), [][4]int{{0, 1}}, []int{0, 1}},
		"two at once":      {turn, plane(line("a", 2), line("b", 3)), plane(line("x", 2), line("y", 3)), [][4]int{{0, 1, 2, 3}, {2, 3, 0, 1}}, []int{0, 1, 0, 1}},
		"two of the input": {constraint.Symmetric{Names: []string{"a", "b"}}, plane(line("a", 3), line("b", 3)), line("y", 2), [][4]int{{0, 1, 2}, {1, 0, 2}}, []int{0, 0, 2}},
	} {
		l, err := New(t.Context(), c.of, c.x, c.y)
		if err != nil {
			t.Fatal(name, err)
		}
		var shape []int
		for _, a := range append(c.x.Axes(), c.y.Axes()...) {
			shape = append(shape, a.Size())
		}
		nu := mat.NewDense(c.x.Size(), c.y.Size(), nil)
		rng := rand.New(rand.NewPCG(1, 2))
		for i := range nu.RawMatrix().Data {
			nu.RawMatrix().Data[i] = rng.Float64()
		}
		given, want := slices.Clone(nu.RawMatrix().Data), make([]float64, l.Size())
		for i := range want {
			index, rest := make([]int, len(shape)), i
			for k := len(shape) - 1; k >= 0; k-- {
				index[k], rest = rest%shape[k], rest/shape[k]
			}
			for _, from := range c.sources {
				at := 0
				for k, n := range shape {
					at = at*n + index[from[k]]
				}
				want[i] += given[at] / float64(len(c.sources))
			}
		}
		l.AverageModes(nu)
		for i, v := range nu.RawMatrix().Data {
			if math.Abs(v-want[i]) > 1e-15 {
				t.Fatalf("%s: number %d is %g, want %g", name, i, v, want[i])
			}
		}
		if got := l.Exchanged(); !slices.Equal(got, c.first) {
			t.Errorf("%s: axes are exchanged with %v, want %v", name, got, c.first)
		}
	}
}

// The part of all weights that a constraint leaves: half of them and the diagonal for symmetry, those on one side for a mask;
// without a constraint all.
func TestFractionOfWeights(t *testing.T) {
	line := func(name string) mesh.Mesh { return mesh.Must(mesh.Uniform(0, 1, 5, name)) }
	s, at := mesh.Must(mesh.Uniform(0, 1, 5, "s")), mesh.Must(mesh.Uniform(0, 1, 5, "t"))
	for name, c := range map[string]struct {
		of   constraint.Constraint
		x, y mesh.Mesh
		want float64
	}{
		"nothing":       {nil, line("x"), line("y"), 1},
		"symmetric":     {constraint.Symmetric{Names: []string{"x", "y"}}, line("x"), line("y"), 15. / 25},
		"antisymmetric": {constraint.Antisymmetric{Names: []string{"x", "y"}}, line("x"), line("y"), 10. / 25},
		"causal":        {constraint.Causal{Input: "s", Output: "t"}, s, at, 15. / 25},
	} {
		l, err := New(t.Context(), c.of, c.x, c.y)
		if err != nil {
			t.Fatal(name, err)
		}
		if got := l.Fraction(); got != c.want {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
	vanish := &Lattice{x: line("x"), y: line("y"), mask: make([]float64, 25)}
	if got := vanish.Fraction(); got != 1./25 { // which is not divided by
		t.Errorf("nothing is left: %g", got)
	}
}

// The scales of weights are the roots of their quadrature weights, of the means over images where these differ, with what leads back.
func TestScalesOfImages(t *testing.T) {
	x, y := mesh.Must(mesh.Uniform(0, 1, 3, "x")), mesh.Must(mesh.Uniform(0, 1, 3, "y"))
	l, err := New(t.Context(), constraint.Symmetric{Names: []string{"x", "y"}}, x, y)
	if err != nil {
		t.Fatal(err)
	}
	if s, back := l.Scales(); back != nil || math.Abs(s[1]-math.Sqrt(.25*.5)) > 1e-15 || s[1] != s[3] {
		t.Errorf("images of one weight: %v, back %v", s, back)
	}
	loose := mesh.Must(mesh.Scattered([]float64{0, .5, 1}, 1, []float64{.1, 0, .9}, "y"))
	l = On(x, loose)
	if s, back := l.Scales(); back != nil || math.Abs(s[3]-math.Sqrt(.5*.1)) > 1e-15 {
		t.Errorf("no images: %v, back %v", s, back)
	}
	l.orbits = newOrbits(9, []IndexMap{{Sign: 1, At: []int32{0, 3, 6, 1, 4, 7, 2, 5, 8}}})
	dx, dy := x.Weights(), loose.Weights()
	s, back := l.Scales()
	for i, v := range s {
		own, other := dx[i/3]*dy[i%3], dx[i%3]*dy[i/3]
		want := math.Sqrt((own + other) / 2)
		if math.Abs(v-want) > 1e-15 || want > 0 && math.Abs(back[i]-math.Sqrt(own)/want) > 1e-15 || want == 0 && back[i] != 0 {
			t.Errorf("weight %d: %g, back %g; own %g, mean %g", i, v, back[i], own, want)
		}
	}
}

// Orbits whose members have both signs vanish; those of the other part of an array are alike where the maps act on its parts alike.
func TestOrbitsOfParts(t *testing.T) {
	swap := []int32{1, 0, 2}
	twice := func(at []int32, n int32) []int32 {
		out := slices.Clone(at)
		for _, i := range at {
			out = append(out, i+n)
		}
		return out
	}
	o := newOrbits(6, []IndexMap{{Sign: -1, At: twice(swap, 3)}})
	if !slices.Equal(o.of, []int32{0, 0, 1, 2, 2, 3}) || !slices.Equal(o.sign, []int8{1, -1, 0, 1, -1, 0}) || !slices.Equal(o.size, []int32{2, 1, 2, 1}) {
		t.Errorf("%+v", o)
	}
	part, ok := o.first(3)
	if !ok || !slices.Equal(part.of, []int32{0, 0, 1}) || !slices.Equal(part.sign, []int8{1, -1, 0}) || !slices.Equal(part.size, []int32{2, 1}) {
		t.Errorf("%+v, %v", part, ok)
	}
	v := []float64{1, 5, 7, 2, 3, 4}
	if o.average(v); !slices.Equal(v, []float64{-2, 2, 0, -.5, .5, 0}) {
		t.Errorf("average %v", v)
	}
	v = []float64{1, 5, 7, 2, 3, 4}
	if o.mean(v); !slices.Equal(v, []float64{3, 3, 7, 2.5, 2.5, 4}) {
		t.Errorf("mean %v", v)
	}
	for name, maps := range map[string]IndexMap{
		"of other members": {Sign: 1, At: []int32{1, 0, 2, 3, 5, 4}},
		"across parts":     {Sign: 1, At: []int32{3, 1, 2, 0, 4, 5}},
	} {
		if _, ok := newOrbits(6, []IndexMap{maps}).first(3); ok {
			t.Errorf("%s: parts are alike", name)
		}
	}
	signs := newOrbits(6, []IndexMap{{Sign: -1, At: twice(swap, 3)}})
	signs.sign[4] = 1
	if _, ok := signs.first(3); ok {
		t.Error("parts of other signs are alike")
	}
}
