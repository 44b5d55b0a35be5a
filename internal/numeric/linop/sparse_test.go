package linop_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/linoptest"
)

// randomSparse returns a matrix with about one entry in four, some given in two
// parts, and the same matrix written out.
func randomSparse(rng *rand.Rand, r, c int) (*linop.Sparse, *mat.Dense) {
	var entries []linop.Entry
	want := mat.NewDense(r, c, nil)
	for range r * c / 4 {
		e := linop.Entry{Row: rng.IntN(r), Col: rng.IntN(c), Value: rng.NormFloat64()}
		entries = append(entries, e)
		want.Set(e.Row, e.Col, want.At(e.Row, e.Col)+e.Value)
	}
	return linop.NewSparse(r, c, entries), want
}

func TestSparseIsItsMatrix(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, shape := range [][2]int{{1, 1}, {7, 7}, {5, 12}, {30, 4}} {
		s, want := randomSparse(rng, shape[0], shape[1])
		linoptest.Run(t, s, want, 1e-15)
		for i := range shape[0] {
			for j := range shape[1] {
				if s.At(i, j) != want.At(i, j) {
					t.Errorf("entry (%d, %d) is %g, want %g", i, j, s.At(i, j), want.At(i, j))
				}
			}
		}
	}
}

// Many vectors at once are the vectors one by one.
func TestSparseAddMul(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	s, a := randomSparse(rng, 9, 6)
	x, dst := random(rng, 6, 5), random(rng, 9, 5)
	var want mat.Dense
	want.Mul(a, x)
	want.Scale(-2, &want)
	want.Add(&want, dst)
	s.AddMul(dst, -2, x)
	if !mat.EqualApprox(dst, &want, 1e-14) {
		t.Errorf("got %v, want %v", mat.Formatted(dst), mat.Formatted(&want))
	}
}

func TestSparseAlgebra(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	s, a := randomSparse(rng, 9, 6)
	p, b := randomSparse(rng, 6, 11)
	var product, sum mat.Dense
	product.Mul(a, b)
	if got := linoptest.Matrix(s.Mul(p)); !mat.EqualApprox(got, &product, 1e-14) {
		t.Errorf("product %v, want %v", mat.Formatted(got), mat.Formatted(&product))
	}
	sum.Scale(3, a)
	if got := linoptest.Matrix(linop.NewSparse(9, 6, append(s.Entries(1), s.Entries(2)...))); !mat.EqualApprox(got, &sum, 1e-14) {
		t.Errorf("sum %v, want %v", mat.Formatted(got), mat.Formatted(&sum))
	}
}

// Rows take their weights, and those of none are left out; entries in order make the matrix that others make.
func TestSparseScaleRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	s, a := randomSparse(rng, 9, 6)
	weight := []float64{1, -2, 0, 3, 0.5, 0, 1, 1, 4}
	want := mat.DenseCopyOf(a)
	for i, w := range weight {
		floats.Scale(w, want.RawRowView(i))
	}
	got := s.ScaleRows(weight)
	if !mat.Equal(linoptest.Matrix(got), want) {
		t.Errorf("got %v, want %v", mat.Formatted(linoptest.Matrix(got)), mat.Formatted(want))
	}
	if cols, _ := got.Row(2); len(cols) != 0 {
		t.Errorf("row of weight zero has columns %v", cols)
	}
	entries := got.Entries(1)
	ordered := linop.NewSparse(9, 6, entries)
	slices.Reverse(entries)
	if reversed := linop.NewSparse(9, 6, entries); !slices.Equal(ordered.Entries(1), reversed.Entries(1)) || !slices.Equal(ordered.Entries(1), got.Entries(1)) {
		t.Error("entries in order and in reverse make different matrices")
	}
	twice := []linop.Entry{{Row: 0, Col: 1, Value: 2}, {Row: 0, Col: 1, Value: 3}, {Row: 1, Col: 0, Value: 1}}
	if v := linop.NewSparse(2, 2, twice).At(0, 1); v != 5 {
		t.Errorf("entries at one place add up to %g, want 5", v)
	}
}

func TestSparseSymmetric(t *testing.T) {
	even := []linop.Entry{{Row: 0, Col: 1, Value: 2}, {Row: 1, Col: 0, Value: 2}, {Row: 2, Col: 2, Value: 1}}
	for _, c := range []struct {
		s    *linop.Sparse
		want bool
	}{
		{linop.NewSparse(3, 3, even), true},
		{linop.NewSparse(3, 4, even), false},
		{linop.NewSparse(3, 3, even[1:]), false},
		{linop.NewSparse(3, 3, append(even, linop.Entry{Row: 0, Col: 1, Value: 1e-15})), false},
	} {
		if got := c.s.Symmetric(); got != c.want {
			t.Errorf("%s: symmetric %v, want %v", c.s.Describe(), got, c.want)
		}
	}
}
