package dataset

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// wantError checks that err says every one of the given things.
func wantError(t *testing.T, err error, say ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one that says %q", say)
	}
	for _, s := range say {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("error %q does not say %q", err, s)
		}
	}
}

// count is 0, 1, 2, … in the given shape.
func count(shape ...int) *array.Array {
	a := array.New(shape...)
	for i := range a.Data {
		a.Data[i] = float64(i)
	}
	return a
}

func uniform(n int, name string) mesh.Mesh { return mesh.Must(mesh.Uniform(0, 1, n, name)) }

func product(a, b mesh.Mesh) mesh.Mesh {
	m, err := mesh.Product(a, b)
	if err != nil {
		panic(err)
	}
	return m
}

// pairs is a dataset of n pairs on 3 and 4 points; input i begins with 3i,
// output i with 4i.
func pairs(n int) *Dataset {
	d, err := New(Spec{Input: count(n, 3), Output: count(n, 4), InputMesh: uniform(3, "x"), OutputMesh: uniform(4, "x")})
	if err != nil {
		panic(err)
	}
	return d
}

func with(a *array.Array, v float64, index ...int) *array.Array {
	a.Set(v, index...)
	return a
}

func TestNewFlattens(t *testing.T) {
	xt := product(uniform(3, "x"), uniform(2, "t"))
	f, u := count(5, 3, 2), count(5, 4)
	d, err := New(Spec{Input: f, Output: u, InputMesh: xt, OutputMesh: uniform(4, "x")})
	if err != nil {
		t.Fatal(err)
	}
	if d.N() != 5 || !slices.Equal(d.Input.Shape, []int{5, 6}) || !slices.Equal(d.Output.Shape, []int{5, 4}) {
		t.Errorf("%d pairs, %v, %v", d.N(), d.Input.Shape, d.Output.Shape)
	}
	// Row-major, last axis fastest: input 1 at (x, t) = (2, 1) is 6 + 2·2 + 1.
	if got := d.Input.At(1, 5); got != f.At(1, 2, 1) || got != 11 {
		t.Errorf("input[1][5] = %g, want 11", got)
	}
	if d.String() == "" || strings.Contains(d.String(), "missing") {
		t.Errorf("String() = %q", d)
	}
	// Points of a cloud have no axes to disagree with.
	cloud := mesh.Must(mesh.Scattered(count(6, 2).Data, 2, nil, "x", "y"))
	if _, err := New(Spec{Input: count(5, 2, 3), Output: u, InputMesh: cloud, OutputMesh: uniform(4, "x")}); err != nil {
		t.Error(err)
	}
	// A vector is n functions on a mesh of one point.
	point := mesh.Must(mesh.Scattered([]float64{0.5}, 1, []float64{1}, "x"))
	if d, err := New(Spec{Input: f, Output: count(5), InputMesh: xt, OutputMesh: point}); err != nil || d.Output.Rank() != 2 {
		t.Errorf("%v, %v", d, err)
	}
}

func TestNewErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(-1)
	x3, x4 := uniform(3, "x"), uniform(4, "x")
	xt := product(x3, uniform(2, "t"))
	flat := mesh.Must(mesh.Scattered([]float64{0, 1, 0.3, 1, 0.9, 1}, 2, nil, "x", "y")) // on a line of the plane
	for _, c := range []struct {
		name string
		spec Spec
		say  []string
	}{
		{"no input", Spec{Output: count(2, 4)}, []string{"input: missing"}},
		{"no output", Spec{Input: count(2, 3)}, []string{"output: missing"}},
		{"rows", Spec{count(6, 3), count(5, 4), x3, x4, false}, []string{"6 inputs and 5 outputs: there must be one of each for a pair"}},
		{"n = 0", Spec{array.New(0, 3), array.New(0, 4), x3, x4, false}, []string{"input: has no rows", "at least 1"}},
		{"no input mesh", Spec{count(2, 3), count(2, 4), mesh.Mesh{}, x4, false}, []string{"input_mesh: missing"}},
		{"no output mesh", Spec{count(2, 3), count(2, 4), x3, mesh.Mesh{}, false}, []string{"output_mesh: missing"}},
		{"columns", Spec{count(2, 3), count(2, 3), x3, x4, false}, []string{"output 2×3", "want 2×4", "output_mesh"}},
		{"one function", Spec{count(3), count(2, 4), x3, x4, false}, []string{"input 3", "want 3×3"}},
		{"transposed", Spec{count(3, 5), count(4, 5), x3, x4, false}, []string{"input 3×5", "give the transposes of both"}},
		{"input transposed", Spec{count(3, 5), count(5, 4), x3, x4, false}, []string{"input 3×5", "give the transpose of input"}},
		{"order of axes", Spec{count(5, 2, 3), count(5, 4), xt, x4, false}, []string{"input 5×2×3", "input_mesh, 3×2", "same order"}},
		{"NaN input", Spec{with(count(5, 3), nan, 2, 1), count(5, 4), x3, x4, true}, []string{"input[3][2] is NaN", "finite"}},
		{"NaN output", Spec{count(5, 3), with(count(5, 4), nan, 2, 3), x3, x4, false}, []string{"output[3][4] is NaN", "Missing allows"}},
		{"Inf output", Spec{count(5, 3), with(count(5, 4), inf, 0, 0), x3, x4, true}, []string{"output[1][1] is -Inf", "finite"}},
		{"NaN of rank 3", Spec{with(count(5, 3, 2), nan, 4, 2, 1), count(5, 4), xt, x4, false}, []string{"input[5][3][2] is NaN"}},
		{"no volume", Spec{count(5, 3), count(5, 4), flat, x4, false}, []string{"input_mesh: all weights are zero", "give the mesh weights"}},
		{"no volume of the output", Spec{count(5, 4), count(5, 3), x4, flat, false}, []string{"output_mesh: all weights are zero"}},
		{"all missing", Spec{count(1, 3), with(count(1, 1), nan, 0, 0), x3, mesh.Must(mesh.Scattered([]float64{0}, 1, []float64{1})), true}, []string{"output: every value is missing"}},
	} {
		_, err := New(c.spec)
		if err == nil {
			t.Errorf("%s: no error", c.name)
			continue
		}
		wantError(t, err, c.say...)
	}
}

func TestMissingOutputs(t *testing.T) {
	u := with(count(5, 4), math.NaN(), 1, 1)
	d, err := New(Spec{count(5, 3), u, uniform(3, "x"), uniform(4, "x"), true})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(d.String(), "1 output missing") {
		t.Errorf("String() = %q", d)
	}
	noisy, err := d.Noise(0.1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if !math.IsNaN(noisy.Output.At(1, 1)) || !noisy.Missing {
		t.Error("a missing output is no longer missing")
	}
	// The mean over column 2 is that of 1, 9, 13, 17, without 5: 10. Its squares
	// are 81 + 1 + 9 + 49 = 140; of the other columns 16·(4+1+0+1+4) = 160 each.
	if got, want := d.Spread(), math.Sqrt((140+3*160)/19.); math.Abs(got-want) > 1e-15*want {
		t.Errorf("spread = %.17g, want %.17g", got, want)
	}
}

func TestRows(t *testing.T) {
	d := pairs(6)
	part, err := d.Rows(2, 5)
	if err != nil {
		t.Fatal(err)
	}
	if part.N() != 3 || part.Input.At(0, 0) != 6 || part.Output.At(2, 3) != 19 {
		t.Errorf("%d pairs: %v", part.N(), part.Output)
	}
	for _, r := range [][2]int{{-1, 2}, {2, 2}, {3, 2}, {0, 7}} {
		_, err := d.Rows(r[0], r[1])
		wantError(t, err, "within 1 to 6")
	}
}

// A split must keep pairs together, lose none, repeat with its seed, and change
// with it.
func TestSplit(t *testing.T) {
	d := pairs(50)
	train, test, err := d.Split(40, 7)
	if err != nil {
		t.Fatal(err)
	}
	var seen []int
	for _, part := range []*Dataset{train, test} {
		for i := range part.N() {
			pair := int(part.Input.At(i, 0)) / 3
			if part.Output.At(i, 0) != float64(4*pair) || part.Output.At(i, 3) != float64(4*pair+3) {
				t.Errorf("input %d has output %v", pair, part.Output.Index(i))
			}
			seen = append(seen, pair)
		}
	}
	if train.N() != 40 || test.N() != 10 {
		t.Errorf("%d and %d pairs", train.N(), test.N())
	}
	if slices.IsSorted(seen) {
		t.Error("nothing was shuffled")
	}
	slices.Sort(seen)
	for i, pair := range seen {
		if i != pair {
			t.Fatalf("pairs %v", seen)
		}
	}
	again, _, _ := d.Split(40, 7)
	other, _, _ := d.Split(40, 8)
	if !arrays.Equal(again.Input, train.Input) || arrays.Equal(other.Input, train.Input) {
		t.Error("the split is not a function of the seed")
	}
	for _, n := range []int{0, -1, 50, 51} {
		_, _, err := d.Split(n, 1)
		wantError(t, err, "train", "50 pairs")
	}
}

// Arrays with several axes on a mesh with one are not flattened unasked: the order of their
// numbers is not known. A column or a row is as good as a vector.
func TestNewKeepsAxes(t *testing.T) {
	m := uniform(6, "x")
	spec := func(shape ...int) Spec {
		return Spec{Input: array.New(shape...), Output: array.New(5, 6), InputMesh: m, OutputMesh: m}
	}
	_, err := New(spec(5, 2, 3))
	if err == nil || !strings.Contains(err.Error(), "input 5×2×3: input_mesh has one axis") || !strings.Contains(err.Error(), "Reshape(5, 6)") {
		t.Errorf("5×2×3: %v", err)
	}
	for _, shape := range [][]int{{5, 6}, {5, 1, 6}, {5, 6, 1}} {
		if _, err := New(spec(shape...)); err != nil {
			t.Errorf("%v: %v", shape, err)
		}
	}
}
