package arrays

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
)

func loadNPY(data []byte) (*array.Array, error) {
	return readNPY(ctx(), data)
}

// numpy.save wrote these 128 bytes before the numbers of an array of shape (50,).
func TestNPYHeaderIsNumPys(t *testing.T) {
	want := "\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (50,), }" +
		strings.Repeat(" ", 59) + "\n"
	var b bytes.Buffer
	if err := writeNPY(&b, array.New(50)); err != nil {
		t.Fatal(err)
	}
	if got := b.String()[:128]; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for _, shape := range []struct {
		shape []int
		tuple string
	}{{[]int{600, 100}, "(600, 100)"}, {[]int{1}, "(1,)"}, {[]int{2, 3, 4}, "(2, 3, 4)"}, {[]int{0, 2}, "(0, 2)"}} {
		b.Reset()
		if err := writeNPY(&b, array.New(shape.shape...)); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), "'shape': "+shape.tuple+", }") {
			t.Errorf("%v: %q", shape.shape, b.String())
		}
	}
}

// Every type in both byte orders, at values that show sign and width.
func TestNPYTypes(t *testing.T) {
	for _, c := range []struct {
		descr string
		data  any
		want  []float64
	}{
		{"f8", []float64{math.Pi, math.Inf(-1), 5e-324}, []float64{math.Pi, math.Inf(-1), 5e-324}},
		{"f4", []float32{0.1, -1, 1e-45}, []float64{float64(float32(0.1)), -1, 0x1p-149}},
		{"f2", []uint16{0x3c01, 0xfc00, 0x8001}, []float64{1 + 1./1024, math.Inf(-1), -0x1p-24}},
		{"i1", []int8{-128, 127, -1}, []float64{-128, 127, -1}},
		{"i2", []int16{-32768, 258, -1}, []float64{-32768, 258, -1}},
		{"i4", []int32{math.MinInt32, 16909060, -1}, []float64{-2147483648, 16909060, -1}},
		{"i8", []int64{-1 << 53, 1<<53 - 1, -1}, []float64{-0x1p53, 0x1p53 - 1, -1}},
		{"u1", []uint8{255, 1, 0}, []float64{255, 1, 0}},
		{"u2", []uint16{65535, 258, 0}, []float64{65535, 258, 0}},
		{"u4", []uint32{math.MaxUint32, 16909060, 0}, []float64{4294967295, 16909060, 0}},
		{"u8", []uint64{1 << 63, 7, 0}, []float64{0x1p63, 7, 0}},
		{"b1", []uint8{1, 0, 2}, []float64{1, 0, 1}},
	} {
		for prefix, order := range map[string]binary.ByteOrder{
			"<": binary.LittleEndian, ">": binary.BigEndian, "=": binary.LittleEndian, "|": binary.LittleEndian,
		} {
			a, err := loadNPY(npyBytes(1, npyDictOf(prefix+c.descr, false, "(3,)"), pack(order, c.data)))
			if err != nil {
				t.Errorf("%s%s: %v", prefix, c.descr, err)
				continue
			}
			wantArray(t, a, []int{3}, c.want...)
		}
	}
}

func TestNPYVersionsAndOrders(t *testing.T) {
	f := npyFixtures()
	wantArray(t, must(loadNPY(f["matrix"])), []int{2, 3}, 1, 2, 3, 4, 5, math.NaN())
	wantArray(t, must(loadNPY(f["fortran"])), []int{2, 3}, 0, 1, 2, 3, 4, 5)
	wantArray(t, must(loadNPY(f["scalar"])), []int{1}, 1)
	wantArray(t, must(loadNPY(f["empty"])), []int{0, 4})
	// A Fortran cube: element (i, j, k) of shape (2, 3, 2) is at i + 2j + 6k.
	cube := npyBytes(1, npyDictOf("<u1", true, "(2, 3, 2)"), []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
	wantArray(t, must(loadNPY(cube)), []int{2, 3, 2}, 0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11)
	// Keys in another order, double quotes, Python 2 integers.
	odd := `{"shape": (2L,1L),"fortran_order":True ,"descr":"<i2"}`
	wantArray(t, must(loadNPY(npyBytes(1, odd, []byte{1, 0, 2, 0}))), []int{2, 1}, 1, 2)
	// More numbers than the shape wants are ignored, as NumPy does.
	wantArray(t, must(loadNPY(append(f["scalar"], 9, 9))), []int{1}, 1)
}

func TestNPYErrors(t *testing.T) {
	good := npyFixtures()
	dict := func(text string) []byte { return npyBytes(1, text, make([]byte, 64)) }
	for _, c := range []struct {
		name string
		data []byte
		say  []string
	}{
		{"nothing", nil, []string{"truncated", "no .npy header"}},
		{"other", []byte("PK\x03\x04....etc."), []string{"not a .npy file"}},
		{"version", npyBytes(9, "", nil), []string{"unsupported .npy version 9.0"}},
		{"header", good["headless"], []string{"truncated", "header"}},
		{"numbers", good["truncated"], []string{"truncated", "2×3 wants 6 numbers of 8 bytes, 45 bytes"}},
		{"lying", good["lying"], []string{"truncated", "10000×1000"}},
		{"impossible", npyBytes(1, npyDictOf("<f8", false, "(9000000000000000000, 9)"), nil), []string{"the limit is"}},
		{"record", good["record"], []string{"unsupported", "dtype [('a', '<f8'), ('b', '<i4')]", "records", "numpy.savez"}},
		{"text", good["text"], []string{"unsupported", "<U3"}},
		{"complex", dict(npyDictOf("<c16", false, "(1,)")), []string{"unsupported", "<c16"}},
		{"long double", dict(npyDictOf("<f16", false, "(1,)")), []string{"unsupported", "<f16", "astype(float)"}},
		{"object", dict(npyDictOf("|O", false, "(1,)")), []string{"unsupported", "|O", "objects of Python", "astype(float)"}},
		{"dates", dict(npyDictOf("<M8[ns]", false, "(1,)")), []string{"unsupported", "<M8[ns]", "dates", "timedelta64"}},
		{"strange", dict(npyDictOf("<f99999999999999999999", false, "(1,)")), []string{"unsupported"}},
		{"no shape", dict("{'descr': '<f8', 'fortran_order': False}"), []string{"bad .npy header", "no entry shape"}},
		{"twice", dict("{'descr': '<f8', 'descr': '<f8'}"), []string{"two entries descr"}},
		{"unknown", dict("{'color': 'red'}"), []string{`unknown entry "color"`}},
		{"negative", dict(npyDictOf("<f8", false, "(-1,)")), []string{"want a length"}},
		{"open", dict("{'descr': [('a', '<f8'"), []string{"a list does not end"}},
		{"open string", dict("{'descr"), []string{"a string does not end"}},
		{"maybe", dict("{'fortran_order': Maybe}"), []string{"want True or False"}},
		{"no comma", dict("{'fortran_order': True 'shape': (1,)}"), []string{`want '}'`}},
		{"rank", dict(npyDictOf("<f8", false, "("+strings.Repeat("1,", 65)+")")), []string{"want a length"}},
	} {
		_, err := loadNPY(c.data)
		if err == nil {
			t.Errorf("%s: no error", c.name)
			continue
		}
		wantError(t, err, c.say...)
	}
}
