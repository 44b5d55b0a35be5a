package arrays

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
)

// shapesThatFit are pairs of shapes that broadcast, with empty axes, ones and
// missing axes among them, and rows longer than a block.
func shapesThatFit() [][2][]int {
	return [][2][]int{
		{{1}, {1}},
		{{5}, {5}},
		{{5}, {1}},
		{{0}, {1}},
		{{3, 4}, {4}},
		{{3, 4}, {3, 1}},
		{{3, 1}, {1, 4}},
		{{2, 3, 4}, {3, 1}},
		{{2, 1, 4}, {5, 1}},
		{{2, 3, 4}, {2, 1, 4}},
		{{2, 3, 4}, {2, 1, 1}},
		{{0, 3}, {3}},
		{{2, 5000}, {5000}},
		{{2, 5000}, {2, 1}},
		{{1, 1}, {1}},
		{{300, 7, 3}, {7, 1}},
	}
}

// element is the element of an array that is repeated to a shape, by definition:
// the last axes against each other, index 0 on those of length 1.
func element(a *array.Array, index []int) float64 {
	own := slices.Clone(index[len(index)-a.Rank():])
	for k, n := range a.Shape {
		if n == 1 {
			own[k] = 0
		}
	}
	return a.At(own...)
}

func random(r *rand.Rand, shape []int) *array.Array {
	a := array.New(shape...)
	for i := range a.Data {
		a.Data[i] = float64(r.IntN(7) - 3)
		if r.IntN(20) == 0 {
			a.Data[i] = math.NaN()
		}
	}
	return a
}

// TestBroadcast: sums, comparisons, choices and complex products of arrays that
// are repeated, against one element after the other.
func TestBroadcast(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, pair := range shapesThatFit() {
		for _, order := range [][2]int{{0, 1}, {1, 0}} {
			a, b := random(r, pair[order[0]]), random(r, pair[order[1]])
			sum, err := Add(ctx(), a, b)
			if err != nil {
				t.Fatal(err)
			}
			less, err := Compare(ctx(), "lt", a, b)
			if err != nil {
				t.Fatal(err)
			}
			chosen, err := Where(ctx(), less, a, b)
			if err != nil {
				t.Fatal(err)
			}
			z, err := Cartesian(ctx(), a, b)
			if err != nil {
				t.Fatal(err)
			}
			w, err := ToComplex(ctx(), b)
			if err != nil {
				t.Fatal(err)
			}
			product, err := Combine(ctx(), '*', z, w)
			if err != nil {
				t.Fatal(err)
			}
			for i := range sum.Data {
				at := sum.Position(i)
				x, y := element(a, at), element(b, at)
				smaller := y
				if x < y {
					smaller = x
				}
				if !same(sum.Data[i], x+y) || less.Data[i] != (x < y) || !same(chosen.Data[i], smaller) {
					t.Fatalf("%v and %v at %v: %g and %g give %g, %v, %g", a.Shape, b.Shape, at, x, y, sum.Data[i], less.Data[i], chosen.Data[i])
				}
				want := complex(x, y) * complex(y, 0)
				if got := product.Data[i]; !same(real(got), real(want)) || !same(imag(got), imag(want)) {
					t.Fatalf("%v and %v at %v: product %g, want %g", a.Shape, b.Shape, at, got, want)
				}
			}
		}
	}
}

// Known values: i² = -1, 1/0 is infinite, √ of a power of two.
func TestCombine(t *testing.T) {
	for _, c := range []struct {
		op         byte
		a, b, want complex128
	}{
		{'+', 1 + 2i, 3 - 1i, 4 + 1i},
		{'-', 1 + 2i, 3 - 1i, -2 + 3i},
		{'*', 1 + 2i, 3 - 1i, 5 + 5i},
		{'/', 5 + 5i, 2i, 2.5 - 2.5i},
		{'/', 1, 0, cmplx.Inf() - complex(0, math.Inf(1))},
		{'^', 1i, 2, -1},
		{'^', 1 + 1i, -2, -0.5i},
		{'^', 2i, 0, 1},
		{'^', 4, 0.5, 2},
	} {
		a, _ := ComplexOf([]complex128{c.a})
		b, _ := ComplexOf([]complex128{c.b})
		got, err := Combine(ctx(), c.op, a, b)
		if err != nil {
			t.Fatal(err)
		}
		if z := got.Data[0]; z != c.want && !(real(c.want) == math.Inf(1) && real(z) == math.Inf(1)) {
			t.Errorf("%v %c %v = %v, want %v", c.a, c.op, c.b, z, c.want)
		}
	}
}

func TestComplexText(t *testing.T) {
	one, _ := ComplexOf([]complex128{1 + 2i})
	if got := one.String(); got != "1 + 2i" {
		t.Errorf("got %q", got)
	}
	z, _ := ComplexOf([]complex128{1 - 0.5i, 2, complex(math.NaN(), math.Inf(-1)), 0}, 2, 2)
	want := "complex array 2×2\n  1.0000 - 0.5000i       2.0000 + 0i\n        NaN - Infi            0 + 0i"
	if got := z.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Complex numbers written are read again, to the last bit, in both formats; files
// of real numbers stay real, and text formats refuse.
func TestComplexFiles(t *testing.T) {
	z, _ := ComplexOf([]complex128{1 + 2i, complex(math.NaN(), -0.1), complex(math.Inf(1), 0), 4, 5, 6i}, 2, 3)
	for _, name := range []string{"z.npy", "z.npz"} {
		path := filepath.Join(t.TempDir(), name)
		if err := SaveComplex(path, z); err != nil {
			t.Fatal(err)
		}
		a, got, err := LoadNumbers(ctx(), path, "")
		if err != nil || a != nil || !slices.Equal(got.Shape, z.Shape) {
			t.Fatalf("%s: %v, %v, %v", name, a, got, err)
		}
		if !slices.EqualFunc(got.Data, z.Data, func(v, w complex128) bool { return same(real(v), real(w)) && same(imag(v), imag(w)) }) {
			t.Errorf("%s: got %v", name, got)
		}
		_, err = Load(path, "")
		wantError(t, err, "complex numbers")
		if err := Save(path, array.Scalar(7)); err != nil {
			t.Fatal(err)
		}
		if a, got, err := LoadNumbers(ctx(), path, ""); err != nil || got != nil || a.Data[0] != 7 {
			t.Errorf("%s: %v, %v, %v", name, a, got, err)
		}
	}
	wantError(t, SaveComplex(filepath.Join(t.TempDir(), "z.csv"), z), `".csv": complex arrays are saved as .npz, .npy`)
}

func TestComplexDot(t *testing.T) {
	a, _ := ComplexOf([]complex128{1 + 1i, 2, 3i, 4}, 2, 2)
	b, _ := ComplexOf([]complex128{1, 1i}, 2)
	got, err := ComplexDot(t.Context(), a, b)
	if err != nil || got.Data[0] != 1+3i || got.Data[1] != 7i {
		t.Errorf("got %v, %v", got, err)
	}
}
