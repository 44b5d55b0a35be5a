package arrays

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
)

// randomPick takes some of the indices 0 … n-1, and says which.
func randomPick(r *rand.Rand, n int) (Pick, []int) {
	at := []int{}
	switch r.IntN(4) {
	case 0: // a list, with repetitions
		for range r.IntN(4) {
			if n > 0 {
				at = append(at, r.IntN(n))
			}
		}
		return Pick{At: at}, at
	case 1:
		if n > 0 {
			i := r.IntN(n)
			return Pick{From: i, Count: 1, Step: 1, Drop: true}, []int{i}
		}
	}
	step := []int{1, 2, -1, -3}[r.IntN(4)]
	from := 0
	if n > 0 {
		from = r.IntN(n)
	}
	for i := from; i >= 0 && i < n; i += step {
		at = append(at, i)
	}
	return Pick{From: from, Count: len(at), Step: step}, at
}

// TestPick: picking and putting along all axes, against loops over the indices.
func TestPick(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		shape := make([]int, 1+r.IntN(3))
		for k := range shape {
			shape[k] = r.IntN(5)
		}
		a := array.New(shape...)
		for i := range a.Data {
			a.Data[i] = float64(i)
		}
		picks, at := make([]Pick, r.IntN(len(shape)+1)), make([][]int, len(shape))
		for k, n := range shape {
			if k < len(picks) {
				picks[k], at[k] = randomPick(r, n)
				continue
			}
			for i := range n {
				at[k] = append(at[k], i)
			}
		}
		var want []float64
		var visit func(k int, index []int)
		visit = func(k int, index []int) {
			if k == len(shape) {
				want = append(want, a.At(index...))
				return
			}
			for _, i := range at[k] {
				visit(k+1, append(slices.Clone(index), i))
			}
		}
		visit(0, nil)
		got, err := Picked(ctx(), a, picks...)
		if err != nil || !slices.Equal(got.Data, want) {
			t.Fatalf("%v of %v: got %v, %v, want %v", picks, shape, got, err, want)
		}
		put := a.Copy()
		if err := PutPick(ctx(), put, array.Scalar(-1), picks...); err != nil {
			t.Fatal(err)
		}
		for i, x := range put.Data {
			if taken := slices.Contains(want, float64(i)); taken != (x == -1) {
				t.Fatalf("%v of %v: element %d is %g", picks, shape, i, x)
			}
		}
		if err := PutPick(ctx(), put, got, picks...); err != nil || !slices.Equal(put.Data, a.Data) {
			t.Fatalf("%v of %v: what was taken put back gives %v, %v", picks, shape, put.Data, err)
		}
	}
	a := array.New(2, 3)
	_, err := Picked(ctx(), a, Pick{At: []int{0, 2}})
	wantError(t, err, "index 2", "axis 0")
	_, err = Picked(ctx(), a, Pick{}, Pick{}, Pick{})
	wantError(t, err, "3 ranges", "2×3")
	wantError(t, PutPick(ctx(), a, array.New(2, 2)), "2×2", "2×3")
}

// What is put may be a part of what it is put into.
func TestPutOverlap(t *testing.T) {
	a := array.Vector([]float64{1, 2, 3, 4})
	front := array.Vector(a.Data[:3])
	if err := PutPick(ctx(), a, front, Pick{From: 1, Count: 3, Step: 1}); err != nil || !slices.Equal(a.Data, []float64{1, 1, 2, 3}) {
		t.Errorf("got %v, %v", a.Data, err)
	}
	b := array.Vector([]float64{1, 2, 3, 4})
	if err := PutMasked(ctx(), b, &Mask{[]int{4}, []bool{false, true, true, true}}, array.Vector(b.Data[:3])); err != nil || !slices.Equal(b.Data, []float64{1, 1, 2, 3}) {
		t.Errorf("got %v, %v", b.Data, err)
	}
}

func TestMask(t *testing.T) {
	a := must(array.Of([]float64{1, 5, 3, 2, 0, 6}, 2, 3))
	m, err := Compare(ctx(), "gt", a, array.Scalar(2))
	if err != nil || held(m.Data) != 3 {
		t.Fatalf("%v, %v", m, err)
	}
	wantArray(t, must(Masked(ctx(), a, m)), []int{3}, 5, 3, 6)
	rows := &Mask{[]int{2}, []bool{false, true}}
	wantArray(t, must(Masked(ctx(), a, rows)), []int{1, 3}, 2, 0, 6)
	found, err := m.Find(ctx(), 1)
	if err != nil {
		t.Fatal(err)
	}
	wantArray(t, found[0], []int{3}, 1, 1, 2)
	wantArray(t, found[1], []int{3}, 2, 3, 3)
	if err := PutMasked(ctx(), a, m, array.Vector([]float64{7, 8, 9})); err != nil {
		t.Fatal(err)
	}
	wantArray(t, a, []int{2, 3}, 1, 7, 8, 2, 0, 9)
	if err := PutMasked(ctx(), a, rows, array.Vector([]float64{1, 2, 3})); err != nil {
		t.Fatal(err)
	}
	wantArray(t, a, []int{2, 3}, 1, 7, 8, 1, 2, 3)
	_, err = Masked(ctx(), a, &Mask{[]int{3}, make([]bool, 3)})
	wantError(t, err, "mask of shape 3", "2×3")
	wantError(t, PutMasked(ctx(), a, m, array.Vector([]float64{1, 2})), "shape 2", "shape 3")
	if want := "mask 2×3, 3 true, 3 false\n  0  1  1\n  0  0  1"; m.String() != want {
		t.Errorf("got %q", m)
	}
	for op, want := range map[string]int{"and": 1, "or": 6, "xor": 5} {
		other, _ := Compare(ctx(), "lt", must(array.Of([]float64{1, 5, 1, 2, 0, 6}, 2, 3)), array.Scalar(4))
		got, err := Logic(ctx(), op, m, other)
		if err != nil || held(got.Data) != want {
			t.Errorf("%s: %v, %v", op, got, err)
		}
	}
	if not, err := m.Not(ctx()); err != nil || held(not.Data) != 3 || not.Data[1] {
		t.Errorf("not: %v, %v", not, err)
	}
	_, err = Compare(ctx(), "=>", a, a)
	wantError(t, err, "gt, ge")
}
