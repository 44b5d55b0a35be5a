package indata

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// cube is a mesh of two points on each of some axes.
func cube(t *testing.T, names ...string) mesh.Mesh {
	t.Helper()
	var axes []mesh.Axis
	for _, name := range names {
		axes = append(axes, mesh.Must(mesh.Uniform(0, 1, 2, name)).Axes()...)
	}
	return testmain.Must(mesh.New(axes...))(t)
}

// flips mirrors each of some coordinates by itself: a group of two to their number.
func flips(names ...string) (all constraint.List) {
	for _, name := range names {
		all = append(all, constraint.Flip{Names: []string{name}, About: .5})
	}
	return all
}

// Pairs are taken with up to 64 images, and not with more.
func TestLargestOrbit(t *testing.T) {
	x, y := cube(t, "a", "b", "c"), cube(t, "u", "v", "w", "z")
	for images, names := range map[int][]string{1 << 6: {"a", "b", "c", "u", "v", "w"}, 1 << 7: {"a", "b", "c", "u", "v", "w", "z"}} {
		l := testmain.Must(lattice.New(t.Context(), flips(names...), x, y))(t)
		if len(l.Images()) != images {
			t.Fatalf("%d images, want %d", len(l.Images()), images)
		}
		o, ok := NewOrbit(t.Context(), l, 3)
		if ok != (images <= 64) {
			t.Errorf("%d images are an orbit: %v", images, ok)
		}
		if ok && (len(o.Sign) != images || o.N != 3) {
			t.Errorf("%d signs of %d images, of %d pairs", len(o.Sign), images, o.N)
		}
	}
}

// Pairs with their images are all (f ∘ g, ± u ∘ g), the pairs of one map after those of another, and products of maps are those of
// what they do.
func TestPairsWithTheirImages(t *testing.T) {
	x, y := mesh.Must(mesh.Uniform(0, 1, 3, "x")), cube(t, "u", "v")
	l := testmain.Must(lattice.New(t.Context(), constraint.List{
		constraint.Flip{Names: []string{"x", "u"}, About: .5, Odd: true}, constraint.Flip{Names: []string{"v"}, About: .5},
	}, x, y))(t)
	o, ok := NewOrbit(t.Context(), l, 2)
	if !ok || len(o.Sign) != 4 {
		t.Fatalf("%v: %+v", ok, o)
	}
	d := testmain.Must(dataset.New(dataset.Spec{
		Input:  array.FromMatrix(mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})),
		Output: array.FromMatrix(mat.NewDense(2, 4, []float64{1, 2, 3, 4, 5, 6, 7, 8})), InputMesh: x, OutputMesh: y,
	}))(t)
	all := testmain.Must(o.Pairs(d))(t)
	if all.N() != 8 {
		t.Fatalf("%d pairs", all.N())
	}
	// the outputs of the first pair under each map, by the order of u and v, and whether its input is mirrored
	images := map[bool][][]float64{false: {{1, 2, 3, 4}, {2, 1, 4, 3}}, true: {{-3, -4, -1, -2}, {-4, -3, -2, -1}}}
	seen := 0
	for a := range o.Sign {
		f, u := all.Input.Data[a*6:a*6+3], all.Output.Data[a*8:a*8+4]
		mirrored := f[0] == 3
		if mirrored != (o.Sign[a] == -1) || f[1] != 2 || f[0]+f[2] != 4 {
			t.Errorf("map %d of sign %g: input %v", a, o.Sign[a], f)
		}
		for _, want := range images[mirrored] {
			if slices.Equal(u, want) {
				seen++
			}
		}
		if second := all.Input.Data[a*6+3 : a*6+6]; second[1] != 5 {
			t.Errorf("map %d: the second pair has input %v", a, second)
		}
	}
	if seen != 4 {
		t.Errorf("%d of 4 images", seen)
	}
	for g := range o.Sign {
		for a := range o.Sign {
			b := o.product[g][a]
			for i := range o.x[b] {
				if o.x[b][i] != o.x[g][o.x[a][i]] {
					t.Errorf("product %d %d of the inputs", g, a)
				}
			}
			for i := range o.y[b] {
				if o.y[b][i] != o.y[g][o.y[a][i]] {
					t.Errorf("product %d %d of the outputs", g, a)
				}
			}
			if o.Sign[b] != o.Sign[g]*o.Sign[a] {
				t.Errorf("product %d %d has another sign", g, a)
			}
		}
	}
}

// A map of a product of axes is split into those of the axes, and is no such where it mixes them.
func TestMapsAlongAxes(t *testing.T) {
	axes := alongAxes([]int32{5, 4, 3, 2, 1, 0}, []int{2, 3})
	if len(axes) != 2 || !slices.Equal(axes[0], []int32{1, 0}) || !slices.Equal(axes[1], []int32{2, 1, 0}) {
		t.Errorf("both are mirrored: %v", axes)
	}
	axes = alongAxes([]int32{1, 2, 0, 4, 5, 3}, []int{2, 3})
	if len(axes) != 2 || !slices.Equal(axes[0], []int32{0, 1}) || !slices.Equal(axes[1], []int32{1, 2, 0}) {
		t.Errorf("the second is turned: %v", axes)
	}
	for name, y := range map[string][]int32{"one line alone": {2, 1, 0, 3, 4, 5}, "two points": {1, 0, 2, 3, 4, 5}, "the last": {0, 1, 2, 3, 5, 4}} {
		if axes := alongAxes(y, []int{2, 3}); axes != nil {
			t.Errorf("%s: %v", name, axes)
		}
	}
	if axes := alongAxes([]int32{0, 2, 1, 3}, []int{2, 2}); axes != nil {
		t.Errorf("axes are exchanged: %v", axes)
	}
}
