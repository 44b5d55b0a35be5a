package arrays

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
)

func TestCSV(t *testing.T) {
	f := csvFixtures()
	nan := math.NaN()
	read := func(name string) *array.Array { return must(readCSV(bytes.NewReader(f[name]))) }
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
		{",0.5,1\nrun,1,2\n", []string{"line 1 begins with an empty field", "package sheet"}},
		{"1,2\nrun,2\n", []string{"line 2, column 1", `"run" is not a number`, "package sheet"}},
		{"a b\n1 2 3\n", []string{"line 2: 3 fields, the header has 2", "name of the row"}},
		{"\xff\xfe1\x00", []string{"UTF-16", "UTF-8"}},
		{"1 2 3\n4 5 6\n7 8\n9 1\n", []string{"line 3: 2 fields", "one matrix"}},
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
		for _, a := range []*array.Array{must(array.Of(values, 3, 3)), array.Vector(values), must(array.Of(values, 1, 9))} {
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
		err = Save(path, array.New(0))
		wantError(t, err, path, "shape 0")
	}
}

// readCSV reads a whole table.
func readCSV(r io.Reader) (*array.Array, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	c, err := openCSV(bytes.NewReader(data), int64(len(data)), "table")
	if err != nil {
		return nil, err
	}
	return c.read("table")
}

// Cells without a number, as spreadsheets, R, pandas and instruments write them.
func TestCSVMissing(t *testing.T) {
	nan := math.NaN()
	for text, want := range map[string][]float64{
		"1,2\n3,,\n":                 {1, 2, 3, nan},
		"1,,3\n,2,\n":                {1, nan, 3, nan, 2, nan},
		"a,b\nNA,1\n2,null\n":        {nan, 1, 2, nan},
		"1;-\n.;2,5\n":               {1, nan, nan, 2.5},
		"1\t#N/A\t3\n4\tNaN\t#n/a\n": {1, nan, 3, 4, nan, nan},
		"\"NA\",1\n2,\"\"\n":         {nan, 1, 2, nan},
		"1 NA\n-nan 2 # and so on\n": {1, nan, nan, 2},
		"NA,NA\n1,2\n":               {nan, nan, 1, 2},
		"1,2\n,\n":                   {1, 2, nan, nan},
		"1\t2\n\t\n3\t4\n":           {1, 2, 3, 4}, // a line of nothing but white space
		"1 , 2\n 3 ,4 \r\n\n5,6":     {1, 2, 3, 4, 5, 6},
		"x\n1\n\nNA\n2\n":            {1, nan, 2},
		"1,2\n3,4,\n":                {1, 2, 3, 4},
	} {
		if got, err := readCSV(strings.NewReader(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		} else if !Equal(array.Vector(got.Data), array.Vector(want)) {
			t.Errorf("%q: %v, want %v", text, got.Data, want)
		}
	}
}

// The fast way through a line gives what the slow one gives, errors and numbers of lines
// included: on random tables of all separators, with a few damaged characters.
func TestCSVFastLikeSlow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	fields := []string{"1", "-2.5", "1e300", "0.30000000000000004", "NA", "", "nan", "+.5", "1,5", "-inf", "7 ", " 8", "\"9\"", "x", "1e999", "-", "1d3"}
	for range 4000 {
		var text bytes.Buffer
		separator := []string{",", ";", "\t", " ", "  ", ", "}[r.IntN(6)]
		columns := 1 + r.IntN(4)
		most := 1 + r.IntN(len(fields)) // most tables have only numbers
		for range 1 + r.IntN(8) {
			for k := range columns {
				if k > 0 {
					text.WriteString(separator)
				}
				text.WriteString(fields[r.IntN(most)])
			}
			text.WriteString([]string{"\n", "\n", "\n", "\r\n", " \n", separator + "\n", "\n\n", " # c\n"}[r.IntN(8)])
		}
		data := text.Bytes()
		for range r.IntN(3) {
			data[r.IntN(len(data))] = ",; \t\n#\"x0\x00"[r.IntN(10)]
		}
		c := csvReader{lines: bufio.NewReader(bytes.NewReader(data)), missing: missingWords()}
		if c.begin() != nil {
			continue
		}
		part := csvPart{text: data[c.start:], before: c.before}
		room := func() []float64 { return make([]float64, (bytes.Count(part.text, []byte("\n"))+1)*c.columns) }
		fast, slow := room(), room()
		n, err := c.lineByLine(&part, fast, c.fast)
		m, want := c.lineByLine(&part, slow, func([]byte, []float64) bool { return false })
		if n != m || fmt.Sprint(err) != fmt.Sprint(want) {
			t.Fatalf("%q: %d rows, %v; slowly %d, %v", data, n, err, m, want)
		}
		for i := range fast[:n*c.columns] {
			if math.Float64bits(fast[i]) != math.Float64bits(slow[i]) {
				t.Fatalf("%q: number %d is %v, slowly %v", data, i, fast[i], slow[i])
			}
		}
	}
}

// Long files are read in parts: the numbers come in order, lines are counted over all.
func TestCSVLong(t *testing.T) {
	var text bytes.Buffer
	text.WriteString("# head\na b c\n")
	const rows = 100_000
	for i := range rows {
		fmt.Fprintf(&text, "%d %v %d\n", i, float64(i)/3, -i)
		if i%1000 == 7 {
			text.WriteString("\n# between\n")
		}
	}
	a, err := readCSV(bytes.NewReader(text.Bytes()))
	if err != nil || a.Shape[0] != rows {
		t.Fatalf("%v, %v", a, err)
	}
	for i := range rows {
		if row := a.Data[3*i : 3*i+3]; row[0] != float64(i) || row[1] != float64(i)/3 || row[2] != -float64(i) {
			t.Fatalf("row %d is %v", i, row)
		}
	}
	text.WriteString("1 2\n")
	_, err = readCSV(bytes.NewReader(text.Bytes()))
	wantError(t, err, fmt.Sprintf("line %d: 2 fields", rows+2+200+1))
}
