package sheet_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/sheet"
)

// files are texts as people have them, with what is read of them: columns as name[unit]:kind and
// their values, separated by blanks, – where one is missing; or the error.
var files = []struct {
	name, text, want string
	o                sheet.Options
}{
	{"commas", "id,depth,f\nrun1,0.5,1e-3\nrun2,1,2\n", "id:text run1 run2 | depth:number 0.5 1 | f:number 0.001 2", sheet.Options{}},
	{"semicolons and decimal commas", "depth;f\n0,5;1,25\n1;-2e3\n", "depth:number 0.5 1 | f:number 1.25 -2000", sheet.Options{}},
	{"tabs", "depth\tf\n0.5\t1\n\t2\n", "depth:number 0.5 – | f:number 1 2", sheet.Options{}},
	{"tabs and decimal commas", "depth\tf\n0,5\t1\n1,5\t2\n", "depth:number 0.5 1.5 | f:number 1 2", sheet.Options{}},
	{"tabs and three decimals", "a\tb\n1,500\t0,125\n2,500\t0,250\n", "a:number 1.5 2.5 | b:number 0.125 0.25", sheet.Options{}},
	{"semicolons and three decimals", "a;b\n1,500;1\n2,500;2\n", "a:number 1.5 2.5 | b:number 1 2", sheet.Options{}},
	{"three decimals as told", "a\tb\n1,500\t1\n2,500\t2\n", "a:number 1.5 2.5 | b:number 1 2", sheet.Options{Decimal: ','}},
	{"blanks", "  depth   f\n  0.5    1\n 10.5   -2\n", "depth:number 0.5 10.5 | f:number 1 -2", sheet.Options{}},
	{"blanks and decimal commas", "depth f\n0,5 1,5\n1,5 2,5\n", "depth:number 0.5 1.5 | f:number 1.5 2.5", sheet.Options{}},
	{"bars", "depth|f\n0.5|1\n1|2\n", "depth:number 0.5 1 | f:number 1 2", sheet.Options{}},
	{"Windows: a mark in front and two signs at the ends of lines", "\xef\xbb\xbfdepth,f\r\n1,2\r\n3,4\r\n", "depth:number 1 3 | f:number 2 4", sheet.Options{}},
	{"old Mac", "depth,f\r1,2\r3,4\r", "depth:number 1 3 | f:number 2 4", sheet.Options{}},
	{"UTF-16", "\xff\xfed\x00;\x00f\x00\n\x001\x00;\x002\x00\n\x00", "d:number 1 | f:number 2", sheet.Options{}},
	{"Latin 1", "T [\xb0C],\xb5\n1,2\n", "T[°C]:number 1 | µ:number 2", sheet.Options{}},
	{"quotes", "\"depth, below\",\"the \"\"f\"\"\"\n\"1\",\"a,b\"\n\"2\",\"two\nlines\"\n", "depth, below:number 1 2 | the \"f\":text a,b two\\nlines", sheet.Options{}},
	{"inches are no quotes", "size,f\n5\",1\n6\",2\n", `size:text 5" 6" | f:number 1 2`, sheet.Options{}},
	{"comments", "# made by hand\n% and MATLAB\ndepth,f\n1,2\n# between\n3,4\n", "depth:number 1 3 | f:number 2 4", sheet.Options{}},
	{"comments behind", "depth,f ! metres\n1,2 ! first\n!all\n3,4\n", "depth:number 1 3 | f:number 2 4", sheet.Options{Comment: "!"}},
	{"names in a comment, as NumPy writes", "# depth f\n1 2\n3 4\n", "depth:number 1 3 | f:number 2 4", sheet.Options{}},
	{"no names", "1,2\n3,4\n", "c1:number 1 3 | c2:number 2 4", sheet.Options{}},
	{"words below names", "a,b\nx,y\n", "a:text x | b:text y", sheet.Options{}},
	{"positions for names", "run,0,0.5\n1,3,4\n2,5,6\n", "run:number 1 2 | 0:number 3 5 | 0.5:number 4 6", sheet.Options{}},
	{"positions above words and numbers", ",0,0.5\na,3,4\nb,5,2\n", "index:text a b | 0:number 3 5 | 0.5:number 4 2", sheet.Options{}},
	{"row names, as R writes", "f u\n1 5 6\n2 7 8\n", "row:number 1 2 | f:number 5 7 | u:number 6 8", sheet.Options{}},
	{"units in brackets", "depth [m],speed (km/h),T/K,x/y\n1,2,3,4\n", "depth[m]:number 1 | speed[km/h]:number 2 | T[K]:number 3 | x/y:number 4", sheet.Options{}},
	{"units on a line", "depth,flux,name\nm,W/m^2,\n1,2,a\n3,4,b\n", "depth[m]:number 1 3 | flux[W/m^2]:number 2 4 | name:text a b", sheet.Options{}},
	{"two units for one name", "depth [m],depth [ft]\n1,3.3\n", "depth [m][m]:number 1 | depth [ft][ft]:number 3.3", sheet.Options{}},
	{"names twice, and none", "f,f,\n1,2,3\n4,5,6\n", "f:number 1 4 | f_2:number 2 5 | c3:number 3 6", sheet.Options{}},
	{"words for missing", "a,b,c\nNA,n/a,1\n-,2,nan\n3,.,null\n#N/A,,1\n", "a:number – – 3 – | b:number – 2 – – | c:number 1 – – 1", sheet.Options{}},
	{"more words for missing", "a,b\n-999,1\n2,bad\n3,-999.0\n", "a:number – 2 3 | b:number 1 – –", sheet.Options{Missing: []string{"-999", "bad"}}},
	{"a separator at the ends", "a,b,\n1,2,\n3,4,\n", "a:number 1 3 | b:number 2 4", sheet.Options{}},
	{"a last column that is mostly missing", "a,b,c\n1,2,\n3,4,5\n6,7,\n8,9,\n", "a:number 1 3 6 8 | b:number 2 4 7 9 | c:number – 5 – –", sheet.Options{}},
	{"a last column that is missing", "a,b,c\n1,2,\n3,4,\n", "a:number 1 3 | b:number 2 4 | c:number – –", sheet.Options{}},
	{"a separator behind values only", "a;b\n1;2;\n3;4;\n", "a:number 1 3 | b:number 2 4", sheet.Options{}},
	{"words that look like numbers", "id,f\n1,2\n2,3\n", "id:text 1 2 | f:number 2 3", sheet.Options{Text: []string{"id"}}},
	{"lines in front", "Logger 7\nSN 12, v2\nt,f\n1,2\n3,4\n5,6\n", "t:number 1 3 5 | f:number 2 4 6", sheet.Options{Skip: 2}},
	{"Fortran", "1.5D+02 .5\n-1d-1 2.\n", "c1:number 150 -0.1 | c2:number 0.5 2", sheet.Options{}},
	{"infinity", "a,b\ninf,1\n-Infinity,2\n", "a:number +Inf -Inf | b:number 1 2", sheet.Options{}},
	{"one column", "f\n1\n\n2\n", "f:number 1 2", sheet.Options{}},
	{"one column of sentences", "the quick fox\nhello world\n", "the quick fox:text hello world", sheet.Options{}},
	{"ISO times", "t,f\n2024-03-01T12:00:00Z,1\n2024-03-01T13:00:00+01:00,2\n2024-03-01 12:00:01.5Z,3\n", "t:time 0 0 1.5 | f:number 1 2 3", sheet.Options{}},
	{"dates", "t;f\n2024-02-28;1\n2024-03-01;2\nNA;3\n", "t:time 0 172800 – | f:number 1 2 3", sheet.Options{}},
	{"German dates", "t;f\n28.02.2024 12:00;1\n1.3.2024 12:30;2\n", "t:time 0 174600 | f:number 1 2", sheet.Options{}},
	{"dates that tell their order", "t,f\n3/4/2024,1\n3/14/2024,2\n", "t:time 0 864000 | f:number 1 2", sheet.Options{}},
	{"days first", "t,f\n3/4/2024,1\n14/4/2024,2\n", "t:time 0 950400 | f:number 1 2", sheet.Options{}},
	{"months in words", "t,f\n28-Feb-2024 11:00 PM,1\n01-Mar-2024 01:00 AM,2\n", "t:time 0 93600 | f:number 1 2", sheet.Options{}},
	{"times of day", "t,f\n12:30,1\n12:31:30.5,2\n", "t:time 0 90.5 | f:number 1 2", sheet.Options{}},
	{"what is bad is left out", "t,f\n1,2\nx\n2,3\n3,oops\n4,5\n", "t:number 1 2 4 | f:number 2 3 5; left out 3 5", sheet.Options{SkipBad: true}},

	{"nothing", "", "! x.csv: empty file", sheet.Options{}},
	{"comments only", "# a\n\n", "! x.csv: no rows, only comments and empty lines", sheet.Options{}},
	{"names only", "a,b\n", "! x.csv: no rows, only a header line", sheet.Options{}},
	{"binary", "a,b\n1,\x002\n", "! x.csv: line 2: not text", sheet.Options{}},
	{"an open quote", "a,b\n\"x,1\n2,3\n", "! x.csv: line 2: a field begins with a quote (\") and does not end with one", sheet.Options{}},
	{"a word among numbers", "a,b\n1,2\n1.5x,3\n2,3\n", "! x.csv: line 3, column a: \"1.5x\" is not a number; SkipBad", sheet.Options{}},
	{"many words", "a,b\n1,2\nx,3\n2,y\n3,3\n4,4\n5,5\n", "! x.csv: line 3, column a: \"x\" is not a number; 2 of the 6 rows cannot be read, on lines 3, 4; SkipBad", sheet.Options{}},
	{"fields missing", "a,b,c\n1,2,3\n1,2\n3,4,5\n", "! x.csv: line 3: 2 fields, want 3 as the others have; SkipBad", sheet.Options{}},
	{"fields missing in the second of two rows", "x,y\n1,2\n3\n", "! x.csv: line 3: 1 field, want 2 as the others have; SkipBad", sheet.Options{}},
	{"fields missing in the middle of three rows", "1 2 3\n4 5\n6 7 8\n", "! x.csv: line 2: 2 fields, want 3 as the others have; SkipBad", sheet.Options{}},
	{"fields missing in the last of three rows", "1;2;3\n4;5;6\n6;7\n", "! x.csv: line 3: 2 fields, want 3 as the others have; SkipBad", sheet.Options{}},
	{"fields missing in the last of two rows", "1 2 3\n4 5\n", "! x.csv: line 2: 2 fields, want 3 as the others have; SkipBad", sheet.Options{}},
	{"lines in front without a word", "Logger 7\nt,f\n1,2\n3,4\n5,6\n", "! x.csv: line 1 has 1 field and line 2 2 fields, as most have; Skip 1", sheet.Options{}},
	{"commas late", "a;b\n" + strings.Repeat("1;2\n", 300) + "1,5;2\n", "! x.csv: line 302, column a: \"1,5\" is not a number: numbers here have a decimal point, and no marks between thousands; Decimal", sheet.Options{}},
	{"marks between thousands", "x;f\n0;1.234,5\n1;1.234,5\n", "! x.csv: column f, line 2: \"1.234,5\" is not a number: write numbers without marks between thousands, such as 1234,5; Decimal", sheet.Options{}},
	{"quoted commas", "\"a\",\"b\"\n\"1,5\",\"2,5\"\n\"3\",\"4,5\"\n", "a:number 1.5 3 | b:number 2.5 4.5", sheet.Options{Decimal: ','}},
	{"points and commas", "a;b\n1,5;2\n1,5;2\n1.5;2\n", "! x.csv: line 2 has \"1,5\" and line 4 \"1.5\": is the comma the decimal sign, or the point?; Decimal", sheet.Options{}},
	{"3/4/2024", "t,f\n3/4/2024,1\n4/4/2024,2\n", "! x.csv: column t, line 3: \"4/4/2024\": which is the day, and which the month?", sheet.Options{}},
	{"both orders", "t,f\n13/4/2024,1\n4/14/2024,2\n", "! x.csv: column t: in some dates the day comes first", sheet.Options{}},
	{"half the zones", "t,f\n2024-01-01T00:00Z,1\n2024-01-01T00:00,2\n", "! x.csv: column t: the time on line 2 has a zone", sheet.Options{}},
	{"half the dates", "t,f\n12:30,1\n2024-01-01 12:31,2\n", "! x.csv: column t: the time on line 3 has a date, \"2024-01-01 12:31\", and that on line 2 none, \"12:30\"", sheet.Options{}},
	{"thousands, or decimals", "a\tb\n12,500\t1\n999\t2\n", "! x.csv: line 2: \"12,500\": is this comma a decimal one, or between thousands? no number tells; write them without; Decimal", sheet.Options{}},
	{"no such day", "t,f\n2024-02-28,1\n2024-02-30,2\n", "! x.csv: line 3, column t: \"2024-02-30\" is not a time", sheet.Options{}},
	{"too large a number", "a,b\n1,2\n1e999,2\n3,3\n", "! x.csv: line 3, column a: \"1e999\" is not a number", sheet.Options{}},
}

// described is a sheet as the table above has it.
func described(s *sheet.Sheet) string {
	var columns []string
	for _, c := range s.Columns {
		text := c.Name
		if c.Unit != "" {
			text += "[" + c.Unit + "]"
		}
		text += ":" + c.Kind.String()
		for i := range s.N {
			switch {
			case c.Missing(i):
				text += " –"
			case c.Kind == sheet.Text:
				text += " " + strings.ReplaceAll(c.Word(i), "\n", "\\n")
			default:
				text += fmt.Sprintf(" %v", c.Numbers[i])
			}
		}
		columns = append(columns, text)
	}
	text := strings.Join(columns, " | ")
	if len(s.Skipped) > 0 {
		text += "; left out " + strings.Trim(fmt.Sprint(s.Skipped), "[]")
	}
	return text
}

func TestFiles(t *testing.T) {
	for _, c := range files {
		s, err := sheet.Read(context.Background(), "x.csv", []byte(c.text), c.o)
		if message, refused := strings.CutPrefix(c.want, "! "); refused {
			if err == nil || !strings.HasPrefix(err.Error(), message) {
				t.Errorf("%s: %v, want the error %s", c.name, err, message)
				if err == nil {
					t.Log(described(s))
				}
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := described(s); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}
