package arrays

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
)

// TestRoom: results in memory that has not been cleared are set everywhere, also
// where earlier results have left theirs; the sizes are around the least that has
// such memory.
func TestRoom(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{dense.Roomy/8 - 1, dense.Roomy / 8, dense.Roomy/8 + 3} {
		a := array.New(n)
		for i := range a.Data {
			a.Data[i] = r.NormFloat64()
		}
		mask, err := Compare(ctx(), "gt", a, array.Scalar(0))
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		for i, holds := range mask.Data {
			if holds != (a.Data[i] > 0) {
				t.Fatalf("%d numbers: place %d is %v", n, i, holds)
			}
			count += b2i(holds)
		}
		if got, err := mask.count(ctx()); err != nil || got != count {
			t.Errorf("%d numbers: %d counted, want %d", n, got, count)
		}
		picked, err := Masked(ctx(), a, mask)
		if err != nil {
			t.Fatal(err)
		}
		k := 0
		for _, x := range a.Data {
			if x > 0 {
				if picked.Data[k] != x {
					t.Fatalf("%d numbers: element %d under the mask is %g, want %g", n, k, picked.Data[k], x)
				}
				k++
			}
		}
		if k != picked.Size() {
			t.Errorf("%d numbers: %d under the mask, want %d", n, picked.Size(), k)
		}
		sum, err := Add(ctx(), a, a)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range a.Data {
			if sum.Data[i] != 2*x {
				t.Fatalf("%d numbers: sum %d is %g, want %g", n, i, sum.Data[i], 2*x)
			}
		}
		for i, x := range array.New(n).Data {
			if x != 0 {
				t.Fatalf("%d zeros: place %d is %g", n, i, x)
			}
		}
	}
}

// TestCountMasks: true ones are counted whatever the number of places, also beyond
// what adds up in a byte.
func TestCountMasks(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 31, 32, 33, 2015, 2016, 2017, 2048, 5000} {
		m := Mask{[]int{n + 1}, make([]bool, n+1)}
		for i := range m.Data {
			m.Data[i] = i > 0 // begins off any alignment below
		}
		if got := held(m.Data[1:]); got != n {
			t.Errorf("%d true ones: counted %d", n, got)
		}
		for i := range m.Data {
			m.Data[i] = i%3 == 0
		}
		if got, err := m.count(ctx()); err != nil || got != n/3+1 {
			t.Errorf("%d places: counted %d, want %d", n+1, got, n/3+1)
		}
	}
}

// TestVarianceRows: columns have the variance that each has on its own, but for the
// order of sums.
func TestVarianceRows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 4))
	for _, n := range []int{1, 2, 127, 128, 129, 300, 1000} {
		a := array.New(n, 3)
		for i := range a.Data {
			a.Data[i] = 1e3 + r.NormFloat64()
		}
		line := array.New(n)
		for _, op := range []string{"var", "std"} {
			got, err := Reduce(ctx(), a, op, 1, 0, false)
			if err != nil {
				t.Fatal(err)
			}
			for j := range 3 {
				for i := range n {
					line.Data[i] = a.Data[3*i+j]
				}
				want, err := Reduce(ctx(), line, op, 1, All, false)
				if err != nil || !same(got.Data[j], want.Data[0]) && !(math.Abs(got.Data[j]-want.Data[0]) <= 1e-14*want.Data[0]) {
					t.Errorf("%s of %d rows, column %d: got %g, want %v (%v)", op, n, j, got.Data[j], want, err)
				}
			}
		}
	}
}
