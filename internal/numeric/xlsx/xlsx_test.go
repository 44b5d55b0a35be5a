package xlsx

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// workbook is an .xlsx file with one sheet, Data, of the given XML between the tags of
// sheetData, and one without cells.
func workbook(sheetData string) []byte {
	return pack(map[string]string{
		"_rels/.rels": `<Relationships><Relationship Id="a" Type="http://x/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml": `<?xml version="1.0"?><workbook xmlns:r="r"><workbookPr/><sheets><sheet name="Data" sheetId="1" r:id="one"/>` +
			`<sheet name="Other" r:id="two"/><sheet name="Chart" r:id="three"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="one" Type="x/worksheet" Target="worksheets/sheet1.xml"/>` +
			`<Relationship Id="two" Type="x/worksheet" Target="/xl/worksheets/sheet2.xml"/>` +
			`<Relationship Id="three" Type="x/chartsheet" Target="chartsheets/sheet1.xml"/>` +
			`<Relationship Id="s" Type="x/sharedStrings" Target="strings.xml"/><Relationship Id="f" Type="x/styles" Target="styles.xml"/></Relationships>`,
		"xl/strings.xml": `<sst><si><t>depth</t></si><si><r><t>two </t></r><r><t xml:space="preserve">runs &amp; more</t></r><rPh><t>no</t></rPh></si></sst>`,
		"xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[Red]yyyy\-mm\-dd&quot; h&quot;"/><numFmt numFmtId="165" formatCode="[h]:mm"/>` +
			`<numFmt numFmtId="166" formatCode="0.0&quot; days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>` +
			`<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="22"/><xf numFmtId="20"/></cellXfs></styleSheet>`,
		"xl/worksheets/sheet1.xml": `<worksheet><dimension ref="A1:XFD1048576"/><sheetData>` + sheetData + `</sheetData><mergeCells/></worksheet>`,
		"xl/worksheets/sheet2.xml": `<worksheet><sheetData/></worksheet>`,
	})
}

func pack(parts map[string]string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range parts {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// show is rows as text: cells between bars, with the kind of what is not obvious.
func show(rows [][]Cell) string {
	var lines []string
	for _, row := range rows {
		var cells []string
		for _, c := range row {
			cells = append(cells, c.String()+map[Kind]string{Text: "'", Date: "d", Error: "!"}[c.Kind])
		}
		lines = append(lines, strings.Join(cells, "|"))
	}
	return strings.Join(lines, "\n")
}

func read(data []byte, sheet string) ([][]Cell, error) {
	return Rows(context.Background(), bytes.NewReader(data), int64(len(data)), sheet)
}

func TestKindsOfCells(t *testing.T) {
	data := workbook(`<row r="2"><c r="A2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c><c t="inlineStr"><is><t>in</t></is></c></row>
		<x:row><x:c><x:v>1.5</x:v></x:c><c s="9"/><c t="b"><v>1</v></c><c t="e"><v>#DIV/0!</v></c><c t="str"><f>A1&amp;"b"</f><v>text</v></c><c t="d"><v>2024-01-02</v></c></x:row>
		<row r="5"><c><v>1E-3</v></c><c s="1"><v>45293</v></c><c s="2"><v>45293.5</v></c><c s="3"><v>1.25</v></c><c s="4"><v>3</v></c><c s="5"><v>45293.25001</v></c><c s="6"><v>.5</v></c></row>`)
	rows, err := read(data, "")
	if err != nil {
		t.Fatal(err)
	}
	want := "\ndepth'||two runs & more'|in'\n1.5||1|#DIV/0!!|text'|2024-01-02d\n\n" +
		"0.001|2024-01-02d|2024-01-02T12:00:00d|108000|3|2024-01-02T06:00:00.864d|12:00:00d"
	if got := show(rows); got != want {
		t.Errorf("read\n%s\nwant\n%s", got, want)
	}
	if names, err := Sheets(context.Background(), bytes.NewReader(data), int64(len(data))); err != nil || !slices.Equal(names, []string{"Data", "Other"}) {
		t.Errorf("sheets %q, %v", names, err)
	}
	if rows, err := read(data, "Other"); err != nil || len(rows) != 0 {
		t.Errorf("the empty sheet: %v, %v", rows, err)
	}
}

// The two calendars of the programs: 1900, in which day 60 never was, and 1904.
func TestDates(t *testing.T) {
	for _, c := range []struct {
		days     float64
		from1904 bool
		want     string
	}{
		{1, false, "1900-01-01"},
		{59, false, "1900-02-28"},
		{61, false, "1900-03-01"},
		{36526, false, "2000-01-01"},
		{0, true, "1904-01-01"},
		{35064, true, "2000-01-01"},
		{2958465, false, "9999-12-31"},
		{36525.999999999, false, "2000-01-01T00:00:00"},
	} {
		if got := date(c.days, dateAndTime, c.from1904); got.Text != c.want || got.Kind != Date {
			t.Errorf("%v (from 1904: %v): %q, want %q", c.days, c.from1904, got.Text, c.want)
		}
	}
	if got := date(-1, onlyDate, false); got.Kind != Number {
		t.Errorf("before all dates: %v", got)
	}
	for code, want := range map[string]dateFormat{
		"General": noDate, "0.00E+00": noDate, `"day" 0`: noDate, "[$-409]d/m/yy h:mm AM/PM;@": dateAndTime, "hh:mm:ss.000": onlyTime,
		"[mm]:ss": duration, "[h]:mm": duration, "mm:ss.0": duration, `[Red][hh]\:mm`: duration, "[]": noDate, "[$-F400]h:mm:ss AM/PM": onlyTime, "yyyy-mm-dd ss": dateAndTime, `yyyy"-"mm`: onlyDate, "# ?/?": noDate, "[Blue]0": noDate, `0\d`: noDate, "mmm\\ yy": onlyDate,
	} {
		if got := dateFormatOf(code); got != want {
			t.Errorf("format %s: %v, want %v", code, got, want)
		}
	}
}

// Durations are seconds, by the formats of the programs and one's own; clock times become such when asked.
func TestDurations(t *testing.T) {
	for id, want := range map[int]dateFormat{20: onlyTime, 45: duration, 46: duration, 47: duration, 48: noDate} {
		if got := builtIn(id); got != want {
			t.Errorf("format %d: %v, want %v", id, got, want)
		}
	}
	for days, want := range map[float64]float64{1.291666666666667: 111600, 0.001041666666666667: 90, -0.5: -43200, 0: 0, 1e-8: 0.000864} {
		if got := date(days, duration, false); got.Kind != Number || !got.Duration || got.Number != want {
			t.Errorf("%v days: %v, want %v seconds", days, got, want)
		}
	}
	if got, ok := date(0.5208333333333334, onlyTime, false).Clock(); !ok || !got.Duration || got.Number != 45000 || got.Kind != Number {
		t.Errorf("half past twelve: %v", got)
	}
	for _, c := range []Cell{date(45293.5, dateAndTime, false), date(45293, onlyDate, false), {Kind: Text, Text: "12:30:00"}, {Kind: Number, Number: 0.5}, {}} {
		if got, ok := c.Clock(); ok || got != c {
			t.Errorf("%v is a time of day: %v", c, got)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name, sheet, want string
		data              []byte
	}{
		{"name", "Date", `no sheet "Date"; the workbook has "Data", "Other"`, workbook("")},
		{"far", "", "A100000: a table of which nearly all is empty", workbook(`<row r="100000"><c><v>1</v></c></row>`)},
		{"no value", "", "A1: a formula whose value", workbook(`<row><c><f>1+1</f></c></row>`)},
		{"no number", "", `A1: damaged: "x" is not a number`, workbook(`<row><c><v>x</v></c></row>`)},
		{"no text", "", `text number "7" of 2`, workbook(`<row><c t="s"><v>7</v></c></row>`)},
		{"column", "", `cell "XFE1"`, workbook(`<row><c r="XFE1"><v>7</v></c></row>`)},
		{"order", "", `row "1" after row 2`, workbook(`<row r="2"/><row r="1"/>`)},
		{"open tag", "", "damaged", workbook(`<row><c>`)},
		{"xls", "", "an old Excel workbook", []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")},
		{"cut off", "", "cut off", workbook("")[:100]},
		{"text", "", "not an .xlsx workbook", []byte("a,b\n1,2\n")},
		{"zip", "", "not an .xlsx workbook", pack(map[string]string{"x": "y"})},
	} {
		_, err := read(c.data, c.sheet)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	big := workbook(strings.Repeat("<row><c><v>1</v></c></row>", 5000))
	if _, err := Rows(ctx, bytes.NewReader(big), int64(len(big)), ""); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A file by openpyxl, as pandas writes it.
func TestOpenpyxl(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Python")
	}
	python := ""
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import openpyxl").Run() == nil {
			python = name
		}
	}
	if python == "" {
		t.Skip("no python3 with openpyxl here")
	}
	path := filepath.Join(t.TempDir(), "a.xlsx")
	script := fmt.Sprintf(`
import openpyxl, datetime
b = openpyxl.Workbook(); s = b.active; s.title = "Läufe"
s.append(["t", "x", None, "ok"])
s.append([datetime.datetime(2024, 2, 29, 13, 5, 6, 250000), 0.1, None, True])
s.append([datetime.date(2024, 3, 1), -1e-300, "#N/A", False])
s.append([datetime.time(1, 2, 3), 2**53, "<&>", None])
b.create_sheet("B")["C2"] = 7
b.save(%q)`, path)
	if out, err := exec.Command(python, "-c", script).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for sheet, want := range map[string]string{
		"Läufe": "t'|x'||ok'\n2024-02-29T13:05:06.25d|0.1||1\n2024-03-01d|-1e-300|#N/A!|0\n01:02:03d|9.007199254740992e+15|<&>'",
		"B":     "\n||7",
	} {
		rows, err := read(data, sheet)
		if err != nil || show(rows) != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", sheet, err, show(rows), want)
		}
	}
}
