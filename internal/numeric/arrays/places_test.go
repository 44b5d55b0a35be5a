package arrays

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
)

// TestPlacesOfLongMasks: places written eight at a time, by pieces, are those of the plain loop,
// for every kind of mask and lengths on both sides of the pieces.
func TestPlacesOfLongMasks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 7, 8, 9, 4095, 1<<16 - 1, 1 << 16, 3<<16 + 5} {
		for _, share := range []float64{0, 0.01, 0.5, 0.97, 1} {
			m := &Mask{Shape: []int{n}, Data: make([]bool, n)}
			var want []int
			for i := range m.Data {
				if m.Data[i] = r.Float64() < share; m.Data[i] {
					want = append(want, i)
				}
			}
			got, err := m.Places(ctx())
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("%d elements, share %g: places %v..., want %v..., %v", n, share, got[:min(9, len(got))], want[:min(9, len(want))], err)
			}
			found, err := m.Find(ctx(), 1)
			if err != nil || found[0].Size() != len(want) {
				t.Fatalf("%d elements, share %g: found %v, %v", n, share, found, err)
			}
			for k, x := range found[0].Data {
				if x != float64(want[k]+1) {
					t.Fatalf("%d elements, share %g: found[%d] %g, want %d", n, share, k, x, want[k]+1)
				}
			}
		}
	}
}

// TestLongCountsAreThePlainLoop: counts and sums of weights by pieces, of few bins and of many.
func TestLongCountsAreThePlainLoop(t *testing.T) {
	const n = 1<<18 + 17
	r := rand.New(rand.NewPCG(3, 4))
	for _, bins := range []int{1, 10, countable, countable + 1} {
		a, w := array.New(n), array.New(n)
		counts, sums, sizes := make([]float64, bins), make([]float64, bins), make([]float64, bins)
		for i := range a.Data {
			k := r.IntN(bins)
			if i == n-1 {
				k = bins - 1 // the last count is there
			}
			a.Data[i], w.Data[i] = float64(k), r.NormFloat64()
			if i == n-1 {
				w.Data[i] = 0 // a weight of 0 makes a count, too
			}
			counts[k]++
			sums[k] += w.Data[i]
			sizes[k] += math.Abs(w.Data[i])
		}
		got, err := BinCount(ctx(), a, nil, 0)
		if err != nil || !slices.Equal(got.Data, counts) {
			t.Errorf("%d bins: the counts differ, %v", bins, err)
		}
		weighed, err := BinCount(ctx(), a, w, bins+3)
		if err != nil || weighed.Size() != bins+3 {
			t.Fatalf("%d bins: %v, %v", bins, weighed, err)
		}
		for k := range sums {
			if math.Abs(weighed.Data[k]-sums[k]) > 1e-13*sizes[k] {
				t.Errorf("%d bins: sum %d is %g, want %g", bins, k, weighed.Data[k], sums[k])
			}
		}
	}
	odd := array.New(n)
	odd.Data[n-2] = 0.5
	if _, err := BinCount(ctx(), odd, nil, 0); err == nil {
		t.Error("one half was counted")
	}
}

// TestMatrixTimesVector: products of large matrices of every shape with vectors, from both sides, are the plain loop's.
func TestMatrixTimesVector(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, shape := range [][2]int{{1, 70000}, {3, 66000}, {5, 4097}, {257, 33}, {513, 260}, {66000, 3}, {70001, 1}} {
		m, left, right := array.New(shape[0], shape[1]), array.New(shape[0]), array.New(shape[1])
		for _, a := range []*array.Array{m, left, right} {
			for i := range a.Data {
				a.Data[i] = r.NormFloat64()
			}
		}
		rows, columns := make([]float64, shape[0]), make([]float64, shape[1])
		for i := range rows {
			for j := range columns {
				rows[i] += m.Data[i*shape[1]+j] * right.Data[j]
				columns[j] += left.Data[i] * m.Data[i*shape[1]+j]
			}
		}
		for name, c := range map[string]struct {
			a, b *array.Array
			want []float64
		}{"M v": {m, right, rows}, "v M": {left, m, columns}} {
			got, err := Dot(ctx(), c.a, c.b)
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range c.want {
				if !(math.Abs(got.Data[i]-x) <= 1e-11) {
					t.Fatalf("%s of %v: element %d is %g, want %g", name, shape, i, got.Data[i], x)
				}
			}
		}
	}
}
