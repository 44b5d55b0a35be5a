package array_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/array"
	"gonum.org/v1/gonum/mat"
)

// wantPanic checks that f panics with an error that says every given thing.
func wantPanic(t *testing.T, f func(), say ...string) {
	t.Helper()
	defer func() {
		t.Helper()
		err, _ := recover().(error)
		for _, s := range say {
			if err == nil || !strings.Contains(err.Error(), s) {
				t.Errorf("error %v does not say %q", err, s)
			}
		}
	}()
	f()
}

// must is for arrays that a test makes from numbers known to be right.
func must(a *array.Array, err error) *array.Array {
	if err != nil {
		panic(err)
	}
	return a
}

// count returns 0, 1, 2, … in the given shape.
func count(shape ...int) *array.Array {
	a := array.New(shape...)
	for i := range a.Data {
		a.Data[i] = float64(i)
	}
	return a
}

// wantArray compares exactly.
func wantArray(t *testing.T, got *array.Array, shape []int, data ...float64) {
	t.Helper()
	if want := (&array.Array{Shape: shape, Data: data}); !arrays.Equal(got, want) {
		t.Errorf("got %v %v, want %v %v", got.Shape, got.Data, shape, data)
	}
}

func TestIndexing(t *testing.T) {
	a := count(2, 3, 4)
	if a.Rank() != 3 || a.Size() != 24 {
		t.Errorf("rank %d, size %d", a.Rank(), a.Size())
	}
	// Row-major: offset 12 i + 4 j + k, and Position undoes Offset.
	for i := range 2 {
		for j := range 3 {
			for k := range 4 {
				if got, want := a.At(i, j, k), float64(12*i+4*j+k); got != want {
					t.Errorf("At(%d, %d, %d) = %g, want %g", i, j, k, got, want)
				}
				if got := a.Position(12*i + 4*j + k); !slices.Equal(got, []int{i, j, k}) {
					t.Errorf("Position(%d) = %v", 12*i+4*j+k, got)
				}
			}
		}
	}
	a.Set(-1, 1, 2, 3)
	if a.Data[23] != -1 {
		t.Error("Set did not change the element")
	}
}

func TestIndexErrors(t *testing.T) {
	a := count(2, 3)
	wantPanic(t, func() { a.At(1, 3) }, "index [1, 3]", "outside", "2×3")
	wantPanic(t, func() { a.At(-1, 0) }, "index [-1, 0]", "outside")
	wantPanic(t, func() { a.At(1) }, "index [1]", "wants 2 indices")
	wantPanic(t, func() { a.At(2, 0) }, "index [2, 0]")
	wantPanic(t, func() { a.Set(0, 0, 0, 0) }, "wants 2 indices")
	wantPanic(t, func() { a.Index(2) }, "index 2", "2×3")
	wantPanic(t, func() { array.New(2, -1) }, "2×-1", ">= 0")
}

// At is called in loops: it must not allocate for its index.
func TestAtDoesNotAllocate(t *testing.T) {
	a, s := count(4, 5), 0.0
	if n := testing.AllocsPerRun(100, func() { s += a.At(3, 2) }); n != 0 {
		t.Errorf("At allocates %g times", n)
	}
}

func TestIndexIsAView(t *testing.T) {
	a := count(2, 3)
	row := a.Index(1)
	wantArray(t, row, []int{3}, 3, 4, 5)
	row.Set(7, 0)
	if a.At(1, 0) != 7 {
		t.Error("a row does not share its numbers")
	}
	element := row.Index(2)
	wantArray(t, element, []int{1}, 5)
	element.Data[0] = 9
	if a.At(1, 2) != 9 {
		t.Error("an element does not share its number")
	}
	// Appending to a view must not write into the array it came from.
	_ = append(a.Index(0).Data, 100)
	if a.At(1, 0) != 7 {
		t.Error("append to a row changed the next row")
	}
}

func TestOfAndVectorShare(t *testing.T) {
	data := []float64{1, 2, 3, 4}
	a := must(array.Of(data, 2, 2))
	a.Set(9, 0, 1)
	array.Vector(data).Set(8, 0)
	if data[0] != 8 || data[1] != 9 {
		t.Errorf("data = %v: not shared", data)
	}
	wantArray(t, must(array.Of(data)), []int{4}, 8, 9, 3, 4)
	for _, c := range []struct {
		shape []int
		say   string
	}{
		{[]int{3, 2}, "shape 3×2: wants 6 numbers, got 4"},
		{[]int{-2, -2}, "shape -2×-2: lengths must be >= 0"},
	} {
		if _, err := array.Of(data, c.shape...); err == nil || err.Error() != c.say {
			t.Errorf("error %v, want %s", err, c.say)
		}
	}
}

func TestMatrix(t *testing.T) {
	a := count(2, 3)
	m, err := a.Matrix()
	if err != nil {
		t.Fatal(err)
	}
	m.Set(1, 2, -5)
	if a.At(1, 2) != -5 {
		t.Error("Matrix does not share")
	}
	back := array.FromMatrix(m)
	back.Set(6, 0, 0)
	if a.At(0, 0) != 6 {
		t.Error("FromMatrix does not share")
	}
	// A window of a wider matrix has gaps between its rows: copied.
	window := mat.NewDense(3, 3, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}).Slice(1, 3, 0, 2).(*mat.Dense)
	wantArray(t, array.FromMatrix(window), []int{2, 2}, 4, 5, 7, 8)
	if _, err = count(3).Matrix(); err == nil || !strings.Contains(err.Error(), "shape 3: want a matrix") {
		t.Errorf("a vector as a matrix: %v", err)
	}
	if _, err = array.New(0, 3).Matrix(); err == nil || !strings.Contains(err.Error(), "shape 0×3") {
		t.Errorf("an empty matrix: %v", err)
	}
}

func TestCopyIsIndependent(t *testing.T) {
	a := count(2, 2)
	b := a.Copy()
	b.Set(5, 0, 0)
	b.Shape[0] = 4
	wantArray(t, a, []int{2, 2}, 0, 1, 2, 3)
}
