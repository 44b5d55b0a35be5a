package arrays

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/array"
)

// excelBytes is a workbook with the cells of one sheet, as XML.
func excelBytes(cells string) []byte {
	part := func(name, text string) member { return member{name, 8, []byte(text)} }
	return zipBytes(
		part("[Content_Types].xml", "<Types/>"),
		part("_rels/.rels", `<R><Relationship Id="a" Type="t/officeDocument" Target="xl/workbook.xml"/></R>`),
		part("xl/workbook.xml", `<workbook><sheets><sheet name="Data" id="one"/></sheets></workbook>`),
		part("xl/_rels/workbook.xml.rels", `<R><Relationship Id="one" Type="t/worksheet" Target="sheet1.xml"/></R>`),
		part("xl/sheet1.xml", "<worksheet><sheetData>"+cells+"</sheetData></worksheet>"),
	)
}

const excelCells = `<row r="2"><c r="B2" t="inlineStr"><is><t>x</t></is></c><c t="inlineStr"><is><t>u</t></is></c></row>
	<row><c r="B3"><v>1</v></c><c><v>2.5</v></c></row><row><c r="B4" t="e"><v>#N/A</v></c><c t="b"><v>1</v></c></row>`

// Files as people have them: every one is read, or refused with what it is and what to do.
func TestFilesOfPeople(t *testing.T) {
	nan, le := math.NaN(), binary.LittleEndian
	npy := func(descr, shape string, payload []byte) []byte {
		return npyBytes(1, npyDictOf(descr, false, shape), payload)
	}
	matrix := npyFixtures()["matrix"]
	for _, c := range []struct {
		name, array string
		data        []byte
		want        []float64 // nil: refused
		say         []string
	}{
		// Read, whatever they are called.
		{"comments.csv", "", []byte("# by hand\nx,u\n1,2\n"), []float64{1, 2}, nil},
		{"tabs.tsv", "", []byte("1\t2\n3\t4\n"), []float64{1, 2, 3, 4}, nil},
		{"blanks.txt", "", []byte("1 2\n3   4\n"), []float64{1, 2, 3, 4}, nil},
		{"german.csv", "", []byte("\xef\xbb\xbf\"Weg\";\"Kraft\"\r\n1,5;2\r\n"), []float64{1.5, 2}, nil},
		{"column.csv", "u", []byte("x,u\n1,2\n3,4\n"), []float64{2, 4}, nil},
		{"empty_cells.csv", "", []byte("1,,3\n,5,6\n"), []float64{1, nan, 3, nan, 5, 6}, nil},
		{"na.csv", "", []byte("1,NA\nnull,2\n"), []float64{1, nan, nan, 2}, nil},
		{"instrument.asc", "", []byte("1 2\n"), []float64{1, 2}, nil},
		{"noextension", "", []byte("1 2\n"), []float64{1, 2}, nil},
		{"text.npz", "", []byte("1,2\n"), []float64{1, 2}, nil},
		{"matrix.csv", "", matrix, []float64{1, 2, 3, 4, 5, nan}, nil},
		{"archive.mat", "f", npzFixtures()["stored"], []float64{1, 2, 3, 4, 5, nan}, nil},
		{"matlab.dat", "A", matFixtures()["little"], []float64{1, 2, 3, 4, 5, 6}, nil},
		{"half.npy", "", npy("<f2", "(2,)", pack(le, []uint16{0x3c00, 0xc000})), []float64{1, -2}, nil},
		{"bool.npy", "", npy("|b1", "(2,)", []byte{1, 0}), []float64{1, 0}, nil},
		{"big.npy", "", npy(">i4", "(1,)", []byte{0, 0, 1, 0}), []float64{256}, nil},
		{"scalar.npy", "", npy("<f8", "()", pack(le, 2.5)), []float64{2.5}, nil},
		{"v4.mat", "A", mat4Fixtures()["big"], []float64{1, 2, 3, 4, 5, 6}, nil},
		{"struct.mat", "s.f", nestedMAT(matWriter{le}), []float64{1, 2, 3, 4}, nil},
		{"cell.mat", "s.c{2}", nestedMAT(matWriter{le}), []float64{6, 7}, nil},
		{"sparse.mat", "S", nestedMAT(matWriter{le}), []float64{0, 0, 5, 0, 7, 0, 0, 0}, nil},
		{"book.xlsx", "", excelBytes(excelCells), []float64{1, 2.5, nan, 1}, nil},
		{"book.xlsx", "u", excelBytes(excelCells), []float64{2.5, 1}, nil},
		// Refused, with the remedy.
		{"index.csv", "", []byte(",0,0.5,1\nrun1,1,2,3\n"), nil, []string{"line 1", "header of positions", "package sheet"}},
		{"pandas.csv", "", []byte(",f,u\n0,1,2\n"), nil, []string{"first column has no name", "package sheet"}},
		{"r.txt", "", []byte("f u\n1 1 2\n"), nil, []string{"line 2", "the name of the row", "package sheet"}},
		{"long.csv", "", []byte("id,kind,x,value\nrun0,f,0,1\n"), nil, []string{"line 2, column 1", "run0", "package sheet"}},
		{"two.txt", "", []byte("1 2 3\n4 5 6\n1 2\n3 4\n"), nil, []string{"line 3: 2 fields", "one matrix"}},
		{"garbage.csv", "", []byte("1,2\n3,4\n5,OVERFLOW\n"), nil, []string{"line 3, column 2", "OVERFLOW"}},
		{"unicode.txt", "", []byte("\xff\xfe1\x00\n\x00"), nil, []string{"UTF-16", "UTF-8"}},
		{"empty.npy", "", nil, nil, []string{"empty file"}},
		{"header.csv", "", []byte("x,u\n"), nil, []string{"no numbers", "header"}},
		{"cut.npy", "", matrix[:len(matrix)-1], nil, []string{"truncated", "2×3 wants 6 numbers"}},
		{"cut.npz", "", npzFixtures()["truncated"], nil, []string{"truncated", "directory"}},
		{"cut.mat", "", matFixtures()["truncated"], nil, []string{"truncated"}},
		{"cut.xlsx", "", excelBytes(excelCells)[:200], nil, []string{"cut off"}},
		{"records.npy", "", npyFixtures()["record"], nil, []string{"records", "numpy.savez"}},
		{"objects.npy", "", npy("|O", "(1,)", make([]byte, 8)), nil, []string{"objects of Python", "astype(float)"}},
		{"words.npy", "", npyFixtures()["text"], nil, []string{"text", "astype(float)"}},
		{"dates.npy", "", npy("<M8[ns]", "(1,)", make([]byte, 8)), nil, []string{"dates", "timedelta64"}},
		{"complex.npy", "", npy("<c16", "(1,)", make([]byte, 16)), nil, []string{"complex numbers", "Real and Imag"}},
		{"which.npz", "", npzFixtures()["stored"], nil, []string{"which array?", "f, u"}},
		{"struct.mat", "s", nestedMAT(matWriter{le}), nil, []string{"a struct, which holds s.f"}},
		{"struct.mat", "f", nestedMAT(matWriter{le}), nil, []string{`no array "f"`, "s.f"}},
		{"dates.xlsx", "", excelBytes(`<row><c t="d"><v>2024-01-01</v></c><c><v>1</v></c></row>`), nil, []string{"A1", "is a time", "package sheet"}},
		{"words.xlsx", "", excelBytes(`<row><c><v>1</v></c></row><row><c t="str"><v>high</v></c></row>`), nil, []string{"A2", `"high" is not a number`}},
		{"x.parquet", "", []byte("PAR1...."), nil, []string{"Parquet", "read_parquet", "to_csv"}},
		{"parquet.csv", "", []byte("PAR1...."), nil, []string{"Parquet"}},
		{"x.feather", "", []byte("ARROW1\x00\x00"), nil, []string{"Feather", "read_feather"}},
		{"x.xls", "", []byte("\xd0\xcf\x11\xe0\xa1\xb1"), nil, []string{"old Excel", ".xlsx"}},
		{"password.xlsx", "", []byte("\xd0\xcf\x11\xe0\xa1\xb1"), nil, []string{"password"}},
		{"x.ods", "", zipBytes(member{"mimetype", 0, []byte("ods")}), nil, []string{"OpenDocument", ".xlsx"}},
		{"x.rds", "", []byte("\x1f\x8b\x08\x00"), nil, []string{"file of R", "readRDS"}},
		{"x.RData", "", []byte("RDX3\nX\n"), nil, []string{"workspace of R", "write.csv"}},
		{"x.pkl", "", []byte("\x80\x04\x95\x00"), nil, []string{"pickle", "numpy.savez"}},
		{"x.json", "", []byte(`{"f": [1]}`), nil, []string{"JSON", "json.load"}},
		{"x.sav", "", []byte("$FL2@(#)"), nil, []string{"SPSS", "read_spss"}},
		{"x.csv.gz", "", []byte("\x1f\x8b\x08\x00"), nil, []string{"gzip", "gunzip"}},
		{"x.png", "", []byte("\x89PNG\r\n\x1a\n"), nil, []string{"picture", "PIL"}},
		{"login.csv", "", []byte("<!DOCTYPE html><html>"), nil, []string{"web page"}},
		{"x.xyz", "", []byte{1, 2, 3, 0}, nil, []string{"unknown extension", ".npz"}},
	} {
		a, err := Load(put(t, c.name, c.data), c.array)
		switch {
		case c.want != nil && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != nil && !Equal(array.Vector(a.Data), array.Vector(c.want)):
			t.Errorf("%s: read %v, want %v", c.name, a.Data, c.want)
		case c.want == nil && err == nil:
			t.Errorf("%s: read %v, want it refused", c.name, a.Data)
		case c.want == nil:
			wantError(t, err, append(c.say, c.name)...)
		}
	}
	if remedy.Reword(complexNumbers("z"), func(*remedy.Error) string { return "words" }) != "unsupported: z; words" {
		t.Error("the remedy of complex numbers cannot be put in other words")
	}
}
