package arrays

import (
	"math"
	"testing"
)

// Numbers that are packed by the conventions of NetCDF are unpacked, and what is missing or out of
// the valid range is NaN, in single precision too, where the attribute has more digits.
func TestUnpack(t *testing.T) {
	nan := math.NaN()
	in32 := func(x float64) float64 { return float64(float32(x)) }
	for _, c := range []struct {
		name, kind string
		attributes map[string][]float64
		unsigned   bool
		data, want []float64
	}{
		{"nothing", "float64", nil, false, []float64{1, -999.9}, []float64{1, -999.9}},
		{"scale and offset", "int16", map[string][]float64{"scale_factor": {0.5}, "add_offset": {10}, "_FillValue": {-1}}, false, []float64{4, -1}, []float64{12, nan}},
		{"single precision", "float32", map[string][]float64{"missing_value": {-999.9}}, false, []float64{in32(-999.9), 1}, []float64{nan, 1}},
		{"a range in single precision", "float32", map[string][]float64{"valid_range": {-0.1, 0.1}}, false, []float64{in32(-0.1), in32(0.1), in32(0.11)}, []float64{in32(-0.1), in32(0.1), nan}},
		{"no sign", "int8", map[string][]float64{"_FillValue": {-1}}, true, []float64{-2, -1, 5}, []float64{254, nan, 5}},
	} {
		attribute := func(name string) ([]float64, bool) { v, ok := c.attributes[name]; return v, ok }
		if err := unpack(c.data, packing{kind: c.kind, attribute: attribute, unsigned: func() bool { return c.unsigned }}); err != nil {
			t.Fatal(err)
		}
		for i, v := range c.data {
			if v != c.want[i] && !(math.IsNaN(v) && math.IsNaN(c.want[i])) {
				t.Errorf("%s: number %d is %v, want %v", c.name, i+1, v, c.want[i])
			}
		}
	}
}
