package zarr

import (
	"slices"
	"testing"
)

// Arrays have axes of any length, none as well, chunks of one element at least along each, an order of all axes, and a name for each
// axis or none at all.
func TestWhatAnArrayCanBe(t *testing.T) {
	for _, c := range []struct {
		shape, chunk, order []int
		ok                  bool
	}{
		{nil, nil, nil, true},
		{[]int{0}, []int{1}, []int{0}, true},
		{[]int{0, 3}, []int{1, 2}, []int{1, 0}, true},
		{[]int{1, 1}, []int{1, 1}, []int{0, 1}, true},
		{[]int{most}, []int{most}, []int{0}, true},
		{[]int{most, 1}, []int{1, 1}, []int{0, 1}, true},
		{[]int{most, 2}, []int{1, 1}, []int{0, 1}, false},
		{[]int{1, 1}, []int{most, 2}, []int{0, 1}, false},
		{[]int{-1}, []int{1}, []int{0}, false},
		{[]int{1}, []int{0}, []int{0}, false},
		{[]int{1}, []int{1, 1}, []int{0}, false},
		{[]int{1, 1}, []int{1, 1}, []int{0}, false},
		{[]int{1, 1}, []int{1, 1}, []int{0, 0}, false},
		{[]int{1, 1}, []int{1, 1}, []int{1, 2}, false},
	} {
		a := &Array{Shape: c.shape, layout: layout{chunk: c.chunk, order: c.order}}
		if err := a.check(); (err == nil) != c.ok {
			t.Errorf("shape %v, chunks %v, order %v: %v", c.shape, c.chunk, c.order, err)
		}
	}
	for _, names := range [][]string{{"a", "b"}, {"a"}, nil} {
		a := &Array{Shape: []int{1, 1}, Dimensions: names, layout: layout{chunk: []int{1, 1}, order: []int{0, 1}}}
		if err := a.check(); err != nil || !slices.Equal(a.Dimensions, names) && len(names) == 2 || len(names) == 1 && a.Dimensions != nil {
			t.Errorf("names %v of two axes: %v, %v", names, a.Dimensions, err)
		}
	}
}
