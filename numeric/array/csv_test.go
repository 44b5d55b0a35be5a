package array

import (
	"bytes"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

func TestCSV(t *testing.T) {
	f := csvFixtures()
	nan := math.NaN()
	read := func(name string) *Array { return must(readCSV(bytes.NewReader(f[name]))) }
	wantArray(t, read("header"), []int{3, 2}, 0, 1.5, .5, nan, 1, -2000)
	wantArray(t, read("semicolon"), []int{2, 2}, 1.5, 2, -.25, 3)
	wantArray(t, read("spaces"), []int{2, 2}, 1, .2, 3, 4)
	wantArray(t, read("tabs"), []int{2, 2}, 1, 2, 3, 4)
	wantArray(t, read("column"), []int{3}, 1, 2, 3)
	wantArray(t, must(readCSV(strings.NewReader("1 2 3\n"))), []int{1, 3}, 1, 2, 3)
	wantArray(t, must(readCSV(strings.NewReader("1,2, # comment\n#\n inf , -Infinity ,\n"))), []int{2, 2}, 1, 2, math.Inf(1), math.Inf(-1))
	wantArray(t, must(readCSV(strings.NewReader("\"1\",\"2\"\n"))), []int{1, 2}, 1, 2)
	// A single column with a name, and the longest decimals.
	wantArray(t, must(readCSV(strings.NewReader("u\n0.1000000000000000055511151231257827021181583404541015625\n"))), []int{1}, .1)
}

func TestCSVColumnsByName(t *testing.T) {
	path := put(t, "run.csv", csvFixtures()["header"])
	wantArray(t, must(Load(path, "u")), []int{3}, 1.5, math.NaN(), -2000)
	wantArray(t, must(Load(path, "x")), []int{3}, 0, .5, 1)
	wantArray(t, must(Load(path, "")), []int{3, 2}, 0, 1.5, .5, math.NaN(), 1, -2000)
	wantArray(t, must(Load(path, "run")), []int{3, 2}, 0, 1.5, .5, math.NaN(), 1, -2000)
	_, err := Load(path, "U")
	wantError(t, err, path, "no such column", "x, u", `did you mean "u"?`)
	_, err = Load(put(t, "plain.csv", []byte("1,2\n")), "u")
	wantError(t, err, `no array "u"`, "the file holds plain")
	wantArray(t, must(Load(put(t, "one.csv", []byte("v\n1\n2\n")), "v")), []int{2}, 1, 2)
}

func TestCSVErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		say  []string
	}{
		{"1,2\n3,4\n5\n", []string{"line 3", "1 fields", "2"}},
		{"# c\n\n1,2\n\n3,4,5\n", []string{"line 5", "3 fields"}},
		{"1,2\n3,four\n", []string{"line 2, column 2", `"four" is not a number`}},
		{"1,2\n3,,\n", []string{"line 2, column 2", "empty field", "nan"}},
		{"1,,3\n", []string{"line 1, column 2", "empty field"}},
		{"1,2\n3,1e999\n", []string{"line 2, column 2", `"1e999"`, "range"}},
		{"t,0.5\n", []string{"line 1, column 1", `"t" is not a number`}},
		{"x,y\n", []string{"no numbers", "header"}},
		{"# only\n\n", []string{"no numbers", "comments"}},
		{"1,2\n\x00\x01\n", []string{"line 2: not text"}},
		{"1;2,5,5\n", []string{"column 2", "not a number"}},
	} {
		_, err := readCSV(strings.NewReader(c.text))
		if err == nil {
			t.Errorf("%q: no error", c.text)
			continue
		}
		wantError(t, err, c.say...)
	}
	path := put(t, "ragged.csv", csvFixtures()["ragged"])
	_, err := Load(path, "")
	wantError(t, err, path, "line 3")
}

// Every bit must survive being written as text.
func TestCSVRoundTrip(t *testing.T) {
	values := []float64{0.1, 1. / 3, -5e-324, math.MaxFloat64, 0, math.NaN(), math.Inf(1), math.Inf(-1), 1e21}
	for _, extension := range []string{".csv", ".tsv", ".txt", ".dat"} {
		path := filepath.Join(t.TempDir(), "a"+extension)
		for _, a := range []*Array{must(Of(values, 3, 3)), Vector(values), must(Of(values, 1, 9))} {
			if err := Save(path, a); err != nil {
				t.Fatal(err)
			}
			back, err := Load(path, "")
			if err != nil {
				t.Fatal(err)
			}
			if !Equal(back, a) {
				t.Errorf("%s: got %v, want %v", extension, back, a)
			}
		}
		err := Save(path, count(2, 2, 2))
		wantError(t, err, path, "2×2×2", ".npz")
		err = Save(path, New(0))
		wantError(t, err, path, "shape 0")
	}
}
