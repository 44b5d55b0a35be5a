package sheet_test

import (
	"archive/zip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/sheet"
)

// workbook writes a workbook whose sheets are given as rows of cells; words become texts, numbers behind "elapsed "
// and "clock " durations and times of day.
func workbook(t *testing.T, sheets map[string][][]string, order ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "book.xlsx")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(f)
	put := func(name, text string) {
		part, err := w.Create(name)
		if err == nil {
			_, err = part.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	list, relations, types := "", "", ""
	for i, name := range order {
		var b strings.Builder
		for r, row := range sheets[name] {
			fmt.Fprintf(&b, `<row r="%d">`, r+1)
			for c, cell := range row {
				switch at := fmt.Sprintf("%c%d", 'A'+c, r+1); {
				case cell == "":
				case strings.HasPrefix(cell, "elapsed "):
					fmt.Fprintf(&b, `<c r="%s" s="1"><v>%s</v></c>`, at, strings.TrimPrefix(cell, "elapsed "))
				case strings.HasPrefix(cell, "clock "):
					fmt.Fprintf(&b, `<c r="%s" s="2"><v>%s</v></c>`, at, strings.TrimPrefix(cell, "clock "))
				case strings.ContainsAny(cell[:1], "-0123456789"):
					fmt.Fprintf(&b, `<c r="%s"><v>%s</v></c>`, at, cell)
				case cell[0] == '#':
					fmt.Fprintf(&b, `<c r="%s" t="e"><v>%s</v></c>`, at, cell)
				default:
					fmt.Fprintf(&b, `<c r="%s" t="inlineStr"><is><t>%s</t></is></c>`, at, cell)
				}
			}
			b.WriteString("</row>")
		}
		const space = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
		put(fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1), `<worksheet `+space+`><sheetData>`+b.String()+`</sheetData></worksheet>`)
		list += fmt.Sprintf(`<sheet name="%s" sheetId="%d" r:id="r%d"/>`, name, i+1, i+1)
		relations += fmt.Sprintf(`<Relationship Id="r%d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet%d.xml"/>`, i+1, i+1)
		types += fmt.Sprintf(`<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`, i+1)
	}
	const header = `<?xml version="1.0" encoding="UTF-8"?>`
	put("[Content_Types].xml", header+`<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>`+types+`</Types>`)
	put("_rels/.rels", header+`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`)
	put("xl/workbook.xml", header+`<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>`+list+`</sheets></workbook>`)
	put("xl/_rels/workbook.xml.rels", header+`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`+relations+
		`<Relationship Id="style" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`)
	put("xl/styles.xml", header+`<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="46"/><xf numFmtId="21"/></cellXfs></styleSheet>`)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// Durations are in seconds, and so are times of day beside them; the column says so, unless its header
// says another unit.
func TestDurations(t *testing.T) {
	for _, c := range []struct {
		rows [][]string
		want string
	}{
		{[][]string{{"run", "t", "at"}, {"a", "NA", "clock 0.5"}, {"b", "elapsed 1.25", "clock 0.75"}, {"c", "clock 0.5", "clock 0.25"}}, "run:text a b c | t[s]:number – 108000 43200 | at:time 0 21600 -21600"},
		{[][]string{{"t (h:mm)", "f"}, {"elapsed 0.5", "1"}, {"elapsed 1", "2"}}, "t[s]:number 43200 86400 | f:number 1 2"},
		{[][]string{{"t / s", "f"}, {"elapsed 0.5", "1"}, {"elapsed 1", "2"}}, "t[s]:number 43200 86400 | f:number 1 2"},
		{[][]string{{"", "t", "f"}, {"", "elapsed 0.5", "1"}, {"", "elapsed 1", "2"}}, "index:number – – | t[s]:number 43200 86400 | f:number 1 2"},
		{[][]string{{"f", "t [h]"}, {"1", "elapsed 0.5"}, {"2", "elapsed 1"}}, "! column t has durations, such as 1:30:00, which are read in seconds, but its header says h"},
	} {
		s, err := sheet.Load(context.Background(), workbook(t, map[string][][]string{"one": c.rows}, "one"), sheet.Options{})
		if say, refused := strings.CutPrefix(c.want, "! "); refused {
			if err == nil || !strings.Contains(err.Error(), say) {
				t.Errorf("%v: %v, want %s", c.rows, err, say)
			}
		} else if err != nil {
			t.Errorf("%v: %v", c.rows, err)
		} else if got := described(s); got != c.want {
			t.Errorf("%v: %s\nwant %s", c.rows, got, c.want)
		}
	}
}

func TestWorkbooks(t *testing.T) {
	book := map[string][][]string{
		"plain":  {{"run", "depth [m]", "f"}, {"a, b", "0.5", "1"}, {"c", "1.5"}, {}, {"d", "2.5", "#DIV/0!"}},
		"titled": {{"Experiment 7"}, {}, {"x", "f"}, {"1", "2"}, {"3", "4"}},
		"wrong":  {{"x", "f"}, {"1", "2"}, {"oops", "4"}, {"5", "6"}},
	}
	path := workbook(t, book, "plain", "titled", "wrong")
	for _, c := range []struct {
		o    sheet.Options
		want string
	}{
		{sheet.Options{Part: "plain"}, "run:text a, b c d | depth[m]:number 0.5 1.5 2.5 | f:number 1 – –"},
		{sheet.Options{Part: "titled", Skip: 2}, "x:number 1 3 | f:number 2 4"},
		{sheet.Options{Part: "titled"}, "! book.xlsx, sheet titled: row 1 has 1 field and row 3 2 fields, as most have; Skip 2"},
		{sheet.Options{Part: "wrong"}, "! book.xlsx, sheet wrong: row 3, column x: \"oops\" is not a number"},
		{sheet.Options{Part: "plan"}, "! book.xlsx: no sheet \"plan\"; did you mean \"plain\"?; there are plain, titled, wrong"},
		{sheet.Options{}, "! book.xlsx: which sheet? the workbook has plain, titled, wrong; Part \"plain\""},
	} {
		s, err := sheet.Load(context.Background(), path, c.o)
		if err != nil {
			if text := "! " + strings.TrimPrefix(err.Error(), filepath.Dir(path)+"/"); !strings.HasPrefix(text, c.want) {
				t.Errorf("%+v: %s\nwant %s", c.o, text, c.want)
			}
			continue
		}
		if got := described(s); got != c.want {
			t.Errorf("%+v: %s\nwant %s", c.o, got, c.want)
		}
	}
	if _, err := sheet.Load(context.Background(), workbook(t, book, "plain"), sheet.Options{}); err != nil {
		t.Errorf("the only sheet: %v", err)
	}
}
