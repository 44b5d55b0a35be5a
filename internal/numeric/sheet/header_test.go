package sheet_test

import (
	"context"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/sheet"
)

// TestFirstRowOfWordsAndNumbers: where the rows below have words and numbers, too, such a row may be names or values,
// and is asked about, but where a name would be there twice, or as a value below.
func TestFirstRowOfWordsAndNumbers(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		text   string
		header *bool
		want   string // names and rows, or ! and the error
	}{
		{"site,2001,2002\na,1,2\nb,3,4\n", nil, "! line 1 (site, 2001, 2002) may be names or values: there are words and numbers in it, as in the rows below; Header says which"},
		{"a;1,5;2\nb;3;4\nc;5;6\n", nil, "! may be names or values"},
		{"site,2001,2002\na,1,2\nb,3,4\n", &yes, "site 2001 2002, 2"},
		{"site,2001,2002\na,1,2\nb,3,4\n", &no, "c1 c2 c3, 3"},
		{"a,1,1\nb,3,4\n", nil, "c1 c2 c3, 2"},
		{"a,1,2\na,3,4\n", nil, "c1 c2 c3, 2"},
		{"a,1,2\nb,1,4\n", nil, "c1 c2 c3, 2"},
		{"1,2,3\n4,5,6\n", nil, "c1 c2 c3, 2"},
		{"site,x,2002\na,1,2\nb,3,4\n", nil, "site x 2002, 2"},
		{"site,x\na,1\nb,3\n", nil, "site x, 2"},
	} {
		s, err := sheet.Read(context.Background(), "a.csv", []byte(c.text), sheet.Options{Header: c.header})
		want, refused := strings.CutPrefix(c.want, "! ")
		switch {
		case refused && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %q", c.text, err, want)
		case !refused && err != nil:
			t.Errorf("%q: %v", c.text, err)
		case !refused:
			names, rows, _ := strings.Cut(want, ", ")
			if got := strings.Join(s.Names(), " "); got != names || rows != string(rune('0'+s.N)) {
				t.Errorf("%q: %s, %d rows, want %s", c.text, got, s.N, want)
			}
		}
	}
}
