package arrays

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
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
		attribute := func(name string) (note, bool) { v, ok := c.attributes[name]; return note{numbers: v}, ok }
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

// An attribute that is not what it must be is an error that says what it is; missing values may be
// numbers in text.
func TestUnpackAttributes(t *testing.T) {
	text := func(s string) note { return note{text: s, kind: "text"} }
	of := func(kind string, x ...float64) note { return note{numbers: x, kind: kind} }
	nan := math.NaN()
	none := func() bool { return false }
	for _, c := range []struct {
		kind  string
		notes map[string]note
		data  []float64
		want  []float64
		say   string
	}{
		{"int16", map[string]note{"scale_factor": text("0.5")}, []float64{1}, nil, `scale_factor is the text "0.5": want one number`},
		{"int16", map[string]note{"add_offset": text("273.15 K")}, []float64{1}, nil, `add_offset is the text "273.15 K"`},
		{"int16", map[string]note{"scale_factor": of("float64", 1, 2)}, []float64{1}, nil, "scale_factor has 2 numbers, [1 2]: want one"},
		{"float64", map[string]note{"add_offset": of("float64", []float64{}...)}, []float64{1}, nil, "add_offset"},
		{"int16", map[string]note{"scale_factor": {}}, []float64{1}, nil, "scale_factor is neither a number nor text"},
		{"int16", map[string]note{"missing_value": text("none")}, []float64{1}, nil, `missing_value is the text "none"`},
		{"float32", map[string]note{"_FillValue": text("x")}, []float64{1}, nil, `_FillValue is the text "x"`},
		{"int16", map[string]note{"missing_value": text("-99")}, []float64{-99, 1}, []float64{nan, 1}, ""},
		{"float32", map[string]note{"missing_value": text("-99.9, 7")}, []float64{float64(float32(-99.9)), 7, 1}, []float64{nan, nan, 1}, ""},
		{"float64", map[string]note{"_FillValue": text("-1e20\x00")}, []float64{-1e20, 1}, []float64{nan, 1}, ""},
		{"int16", map[string]note{"missing_value": text(" ")}, []float64{0, 1}, []float64{0, 1}, ""},
	} {
		err := unpack(c.data, packing{kind: c.kind, unsigned: none, attribute: func(name string) (note, bool) { v, ok := c.notes[name]; return v, ok }})
		if c.say != "" {
			wantError(t, err, c.say)
		} else if err != nil || !Equal(array.Vector(c.data), array.Vector(c.want)) {
			t.Errorf("%v: %v, %v; want %v", c.notes, c.data, err, c.want)
		}
	}
}

// Limits of a floating type for packed integers are those of the unpacked numbers; others are of what
// is stored. Numbers at a limit are valid, however scale and limit were rounded.
func TestUnpackLimits(t *testing.T) {
	in32 := func(x float64) float64 { return float64(float32(x)) }
	for _, c := range []struct {
		kind, of      string // of the numbers, of the limits
		scale, offset float64
		limits        map[string][]float64
		first, last   float64 // valid ones of −10, −9, …, 10
	}{
		{"int16", "float64", 0.1, 0, map[string][]float64{"valid_range": {0, 0.3}}, 0, 3},
		{"int16", "int16", 0.1, 0, map[string][]float64{"valid_range": {0, 3}}, 0, 3},
		{"int16", "", 0.1, 0, map[string][]float64{"valid_range": {0, 3}}, 0, 3},
		{"int16", "", 0.1, 0, map[string][]float64{"valid_range": {0, 0.3}}, 0, 3},
		{"int8", "float32", in32(0.1), 0, map[string][]float64{"valid_min": {in32(-0.7)}, "valid_max": {in32(0.3)}}, -7, 3},
		{"int16", "float32", 0.1, 0, map[string][]float64{"valid_range": {in32(-0.3), in32(0.7)}}, -3, 7},
		{"int32 (big-endian)", "float64", -0.1, 0, map[string][]float64{"valid_range": {-0.3, 0.7}}, -7, 3},
		{"int32", "float64", 0.01, 273.15, map[string][]float64{"valid_range": {273.1, 273.2}}, -5, 5},
		{"int16", "float32", in32(0.01), in32(273.15), map[string][]float64{"valid_range": {in32(273.1), in32(273.2)}}, -5, 5},
		{"int16", "float64", 0.1, 0, map[string][]float64{"valid_max": {0.35}}, -10, 3},
		{"int16", "float64", 0.1, 0, map[string][]float64{"valid_min": {0.35}}, 4, 10},
		{"int16", "float64", 0.1, 0, map[string][]float64{"valid_min": {math.Inf(-1)}}, -10, 10},
		{"int16", "float64", 1, 0, map[string][]float64{"valid_range": {-2, 5}}, -2, 5},
		{"float64", "float64", 0.1, 0, map[string][]float64{"valid_range": {-2, 5}}, -2, 5},
	} {
		var data []float64
		for x := -10.; x <= 10; x++ {
			data = append(data, x)
		}
		err := unpack(data, packing{kind: c.kind, unsigned: func() bool { return false }, attribute: func(name string) (note, bool) {
			switch name {
			case "scale_factor":
				return note{[]float64{c.scale}, "float64", ""}, true
			case "add_offset":
				return note{[]float64{c.offset}, "float64", ""}, true
			}
			v, ok := c.limits[name]
			return note{v, c.of, ""}, ok
		}})
		for i, got := range data {
			x := float64(i - 10)
			if want := x*c.scale + c.offset; err != nil || (got != want) != (x < c.first || x > c.last) || got != want && got == got {
				t.Errorf("%v: stored %v is %v, %v; valid are %v to %v", c, x, got, err, c.first, c.last)
			}
		}
	}
}

// What kind a file's attributes have is known from NetCDF's classic files, and from Zarr's text.
func TestFilesSayWhatAttributesAre(t *testing.T) {
	be := binary.BigEndian
	word := func(s string) []byte {
		return append(pack(be, uint32(len(s))), append([]byte(s), make([]byte, (4-len(s)%4)%4)...)...)
	}
	const text, double = 2, 6
	file := func(attributes ...[]byte) string { // f of four shorts 1, 2, 3, 4
		head := bytes.Join([][]byte{
			[]byte("CDF\x01"), pack(be, []uint32{0, 10, 1}), word("x"), pack(be, []uint32{4, 0, 0, 11, 1}), word("f"), pack(be, []uint32{1, 0, 12, uint32(len(attributes))}),
			bytes.Join(attributes, nil), pack(be, []uint32{3, 8}),
		}, nil)
		return put(t, "a.nc", bytes.Join([][]byte{head, pack(be, uint32(len(head)+4)), pack(be, []int16{1, 2, 3, 4})}, nil))
	}
	numbers := func(name string, x ...float64) []byte {
		return bytes.Join([][]byte{word(name), pack(be, []uint32{double, uint32(len(x))}), pack(be, x)}, nil)
	}
	words := func(name, value string) []byte {
		return bytes.Join([][]byte{word(name), pack(be, uint32(text)), word(value)}, nil)
	}
	a, err := Load(file(numbers("scale_factor", 0.1), numbers("valid_range", 0, 0.3)), "f")
	if err != nil {
		t.Fatal(err)
	}
	wantArray(t, a, []int{4}, 0.1, 0.2, 0.30000000000000004, math.NaN())
	if a, err = Load(file(words("missing_value", "3"), numbers("add_offset", 10)), "f"); err != nil {
		t.Fatal(err)
	}
	wantArray(t, a, []int{4}, 11, 12, math.NaN(), 14)
	_, err = Load(file(words("scale_factor", "0.5")), "f")
	wantError(t, err, `array "f"`, `scale_factor is the text "0.5"`)
	_, err = Load(file(numbers("scale_factor", 1, 2)), "f")
	wantError(t, err, `array "f"`, "scale_factor has 2 numbers")
	for value, say := range map[string]string{`"0.5"`: `scale_factor is the text "0.5"`, `[1, 2]`: "scale_factor has 2 numbers", `{"a": 1}`: "scale_factor is the text", `null`: ""} {
		folder := zarrFolder(t)
		if err := os.WriteFile(filepath.Join(folder, "f/.zattrs"), []byte(`{"scale_factor": `+value+`}`), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err = Load(folder, "f"); say == "" && err != nil {
			t.Error(err)
		} else if say != "" {
			wantError(t, err, `array "f"`, say)
		}
	}
}
