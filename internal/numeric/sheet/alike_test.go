package sheet_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/sheet"
)

// texts are tables as people have them, and their first row; "": it can be read in two ways, or
// in none. "words": an array has no place for them, and a sheet has.
var texts = []struct{ text, row string }{
	{"1,500;2.5\n", ""},
	{"1,5;2.5\n", ""},
	{"a;b\n1,500;2.5\n2,500;3.5\n", ""},
	{"1,500;2,500\n3,1;4\n", "1.5 2.5"},
	{"1,500;2,500\n3,100;4,200\n", "1.5 2.5"},
	{"1.500;2.500\n", "1.5 2.5"},
	{"1.500,25;3\n", ""},
	{"1,500.25;3\n", ""},
	{"1,5 2,5\n3,5 4,5\n", "1.5 2.5"},
	{"1,500 2,500\n", ""},
	{"1,500 2.5\n", ""},
	{"1.5 2,5\n3 4\n", ""},
	{"1,5\t2,5\n", "1.5 2.5"},
	{"1,500\t2,500\n3\t4\n", ""},
	{"1,500\t2.5\n", ""},
	{"1.5\t2.5\n", "1.5 2.5"},
	{"1.5|2,5\n", ""},
	{"1,5|2,5\n3|4\n", "1.5 2.5"},
	{"1.5|2.5\n2|3\n", "1.5 2.5"},
	{"1,2,3\n4,5,6\n", "1 2 3"},
	{"1,500\n2,500\n", "1 500"},
	{"\"1,5\",\"2,5\"\n\"3,5\",\"4,5\"\n", ""},
	{"\"1,500\",2.5\n\"2,500\",3.5\n", ""},
	{"\"1,500\",2\n\"2,500\",3\n", ""},
	{"\"1.5\";\"2.5\"\n", "1.5 2.5"},
	{"\"1,5\";\"2.5\"\n", ""},
	{"'1.5';'2.5'\n", ""},
	{"1e3;2E-3\n", "1000 0.002"},
	{"1,5e3;2,5E-3\n", "1500 0.0025"},
	{"1,5e3;2.5E-3\n", ""},
	{"1.5D+03 2.5D-03\n", "1500 0.0025"},
	{"1e;2\n", "words"},
	{"+1,5;-2,5\n", "1.5 -2.5"},
	{"−1,5;2\n", ""},
	{"-1,5;−2.5\n", ""},
	{"1.;2.\n", "1 2"},
	{".5;-.5\n", "0.5 -0.5"},
	{",5;1\n", "0.5 1"},
	{"5,;6,\n", "5 6"},
	{"1 000;2 000\n", ""},
	{"1 000,5;2\n", ""},
	{"1'000;2\n", ""},
	{"1_000;2\n", ""},
	{"1,234,567;2\n", ""},
	{"1.234.567;2\n", ""},
	{"1,234,567.5;2\n", ""},
	{"1,5 mm;2,5 mm\n", "words"},
	{"1.5mm;2\n", "words"},
	{"50%;2\n", "words"},
	{"$1.5;2\n", "words"},
	{"0x10;1,5\n", "words"},
	{"# c\n1,5;2,5 # x\n3;4\n", "1.5 2.5"},
	{"a;b\n1;2\n# c 1,5\n3;4.5\n", "1 2"},
	{"1,5;;2\n3;4,5;6\n", "1.5 NaN 2"},
	{"1,5;NA\n2,5;3\n", "1.5 NaN"},
	{"1,5;n/a\n2.5;3\n", ""},
	{"x;y\n1,5;1.5\n1,6;1.6\n", ""},
	{"1.5;2,5;\n3;4;\n", ""},
	{"a,b\n1.5,2\n", "1.5 2"},
	{"12,500\n", "12 500"},
	{"inf;1,5\n", "+Inf 1.5"},
	{"1,5;2\n3.5;4\n", ""},
	{"01,500;2\n", "1.5 2"},
	{"1,5000\t2\n", "1.5 2"},
	{"1234,500\t2.5\n", ""},
	{strings.Repeat("1;2\n", 300) + "1,5;2\n2.5;3\n", ""},
	{strings.Repeat("1.5;2\n", 300) + "1,5;2\n", ""},
	{strings.Repeat("1,5;2\n", 300) + "2.5;2\n", ""},
	{strings.Repeat("1,500;2\n", 300) + "2.5;2\n", ""},
}

// TestTextsReadAlike: what is a matrix of numbers is the same as an array and as a sheet, and
// what one of them refuses the other does not read otherwise.
func TestTextsReadAlike(t *testing.T) {
	dir := t.TempDir()
	for i, c := range texts {
		path := filepath.Join(dir, fmt.Sprintf("%d.csv", i))
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		name := c.text[:min(len(c.text), 40)]
		a, errA := arrays.Load(path, "")
		s, errS := sheet.Load(t.Context(), path, sheet.Options{})
		if c.row == "" || c.row == "words" {
			if errA == nil || (errS == nil) != (c.row == "words") {
				t.Errorf("%q: array %v, sheet %v, want an error", name, errA, errS)
			}
			continue
		}
		if errA != nil || errS != nil {
			t.Errorf("%q: array %v, sheet %v", name, errA, errS)
			continue
		}
		columns := len(s.Columns)
		if a.Size() != s.N*columns {
			t.Errorf("%q: %d numbers, %d × %d in the sheet", name, a.Size(), s.N, columns)
			continue
		}
		var first []string
		for j, column := range s.Columns {
			for i := range s.N {
				x, y := a.Data[i*columns+j], column.Numbers[i]
				if x != y && (x == x || y == y) {
					t.Errorf("%q: row %d, column %d: array %g, sheet %g", name, i+1, j+1, x, y)
				}
			}
			first = append(first, fmt.Sprint(column.Numbers[0]))
		}
		if got := strings.Join(first, " "); got != c.row {
			t.Errorf("%q: %s, want %s", name, got, c.row)
		}
	}
}

// TestCommentsBehindNumbers: where lines of comments show the sign, it begins one behind a
// number; otherwise the error names it. Words may have it.
func TestCommentsBehindNumbers(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"# by hand\nx,u\n0,1\n0.5,2.5 # broken, I think\n1,3\n", "0 1 0.5 2.5 1 3"},
		{"x,u\n0,1\n# by hand\n0.5,2.5 # broken \"2\"\n1,\n", "0 1 0.5 2.5 1 NaN"},
		{"% by hand\nx u\n0 1 % a\n0.5 2.5\n", "0 1 0.5 2.5"},
		{"x,u\n0,1\n0.5,2.5 # broken\n1,3\n", "! Comment \"#\""},
		{"x,u\n0,1\n0.5,2.5 # broken, I think\n1,3\n", "! Comment \"#\""},
		{"x,u\n0,1 # a\n0.5,2.5 # b\n", "! Comment \"#\""},
		{"# by hand\nx,u\n0,run #3\n1,#4\n", "0 run #3 1 #4"},
	} {
		s, err := sheet.Read(t.Context(), "x.csv", []byte(c.text), sheet.Options{})
		var got []string
		switch {
		case err != nil && strings.HasPrefix(c.want, "! ") && strings.Contains(err.Error(), c.want[2:]):
			continue
		case err != nil:
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
			continue
		}
		for i := range s.N {
			for _, column := range s.Columns {
				if column.Kind == sheet.Text {
					got = append(got, column.Word(i))
				} else {
					got = append(got, fmt.Sprint(column.Numbers[i]))
				}
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

// A day with a time of day behind a blank is one time, in a column of its own as in others.
func TestTimesAloneAreOneColumn(t *testing.T) {
	for _, day := range []string{"2024-03-%02d", "%d.3.2024", "%d-Mar-2024", "%d/3/2024", "%d Mar 2024"} {
		for _, header := range []string{"", "time\n", "time of day\n"} {
			text, wide := header, header
			if header != "" {
				wide = "time;x\n"
			}
			for k := range 4 {
				when := fmt.Sprintf(day+" 12:%02d", 13+k, 10*k)
				text += when + "\n"
				wide += when + ";" + fmt.Sprint(k) + "\n"
			}
			alone, beside := read(t, text, sheet.Options{}), read(t, wide, sheet.Options{})
			if len(alone.Columns) != 1 || len(beside.Columns) != 2 {
				t.Errorf("%q: %d columns, and %d beside numbers", text, len(alone.Columns), len(beside.Columns))
				continue
			}
			for i := range 4 {
				if want := float64(i) * (86400 + 600); alone.Columns[0].Numbers[i] != want || beside.Columns[0].Numbers[i] != want {
					t.Errorf("%q, row %d: %v, and %v beside numbers, not %v", text, i+1, alone.Columns[0].Numbers[i], beside.Columns[0].Numbers[i], want)
				}
			}
		}
	}
}
