package hdf5

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"
)

// Arrays that are shorter than their dimensions are the fill value beyond what they hold, whichever rows are read;
// without a fill value it is missing.
func TestReadLong(t *testing.T) {
	for _, c := range []struct{ space, shape []int }{
		{[]int{2}, []int{5}},
		{[]int{2, 3}, []int{4, 3}},
		{[]int{2, 3}, []int{2, 5}},
		{[]int{2, 3}, []int{4, 5}},
		{[]int{2, 2, 3}, []int{3, 4, 4}},
		{[]int{0, 3}, []int{2, 3}},
		{[]int{2, 0}, []int{2, 3}},
	} {
		n, _ := product(1, c.space)
		data := make([]float64, n)
		for i := range data {
			data[i] = float64(i + 1)
		}
		var b bytes.Buffer
		if err := Write(&b, []Array{{Path: "u", Shape: c.space, Data: data}}, nil); err != nil {
			t.Fatal(err)
		}
		f, err := Open(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			t.Fatal(err)
		}
		for _, fill := range []float64{-9, math.NaN()} {
			d, err := f.Dataset("u")
			if err != nil {
				t.Fatal(err)
			}
			d.Shape, d.long, d.fill = c.shape, true, nil
			if fill == fill {
				d.fill = binary.LittleEndian.AppendUint64(nil, math.Float64bits(fill))
			}
			for lo := range c.shape[0] {
				for hi := lo; hi <= c.shape[0]; hi++ {
					got, err := d.Read(t.Context(), lo, hi)
					if want := placed(data, c.space, c.shape, fill, lo, hi); err != nil || !alike(got, want) {
						t.Errorf("%v in %v, rows %d to %d: %v, %v; want %v", c.space, c.shape, lo, hi, got, err, want)
					}
				}
			}
		}
	}
}

// placed looks every element of the longer array up in the shorter one.
func placed(data []float64, space, shape []int, fill float64, lo, hi int) (out []float64) {
	row, _ := product(1, shape[1:])
	for i := lo * row; i < hi*row; i++ {
		at, within, rest, apart := 0, true, i, 1
		for k := len(shape) - 1; k >= 0; k-- {
			index := rest % shape[k]
			rest /= shape[k]
			within = within && index < space[k]
			at += index * apart
			apart *= space[k]
		}
		if within {
			out = append(out, data[at])
		} else {
			out = append(out, fill)
		}
	}
	return out
}

func alike(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && (a[i] == a[i] || b[i] == b[i]) {
			return false
		}
	}
	return true
}
