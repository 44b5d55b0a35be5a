package arrays

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/greenbench/workbench/internal/numeric/hdf5"
	"github.com/greenbench/workbench/internal/numeric/netcdf"
)

type opener func(r io.ReaderAt, size int64, base string) (*contents, error)

// openerOf is how to open a file: by what it begins with, whatever it is called; otherwise
// by its extension; text under any name is a table.
func openerOf(r io.ReaderAt, size int64, path string) (opener, error) {
	head := make([]byte, 512)
	n, err := r.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	head = head[:n]
	if open := known(r, size, head); open != nil {
		return open, nil
	}
	extension := strings.ToLower(filepath.Ext(path))
	if err := refused(extension, head); err != nil {
		return nil, err
	}
	format, err := formatOf(path)
	if err == nil && (format.text || !isText(head)) {
		return format.open, nil
	}
	switch {
	case isText(head) && err == nil:
		return tableOr(format.open), nil
	case isText(head):
		return openCSV, nil
	}
	return nil, errors.New(strings.TrimPrefix(err.Error(), path+": "))
}

// tableOr reads text that is called otherwise as a table, if it is one.
func tableOr(open opener) opener {
	return func(r io.ReaderAt, size int64, base string) (*contents, error) {
		if c, err := openCSV(r, size, base); err == nil {
			if _, err := c.read(base); err == nil {
				return c, nil
			}
		}
		return open(r, size, base)
	}
}

// known is how to open a file whose first bytes say what it is; nil for other formats.
func known(r io.ReaderAt, size int64, head []byte) opener {
	switch {
	case hdf5.Is(r, size):
		return openHDF5
	case netcdf.Is(r):
		return openNetCDF
	case bytes.HasPrefix(head, []byte(npyMagic)):
		return openNPY
	case bytes.HasPrefix(head, []byte("MATLAB 5")), bytes.HasPrefix(head, []byte("MATLAB 7")):
		return openMAT
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return knownZip(r, size)
	}
	return nil
}

// knownZip tells archives of arrays from workbooks by what is in them.
func knownZip(r io.ReaderAt, size int64) opener {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil
	}
	for _, m := range z.File {
		switch {
		case m.Name == "[Content_Types].xml":
			return openXLSX
		case strings.HasSuffix(m.Name, ".npy"):
			return openNPZ
		}
	}
	return nil
}

// isText says whether a file begins as text does: UTF-8, perhaps cut off within a letter,
// without control characters but those of lines.
func isText(head []byte) bool {
	if bytes.HasPrefix(head, []byte("\xff\xfe")) {
		return true // UTF-16, which is refused as such
	}
	for i := 0; i < len(head); {
		c, n := utf8.DecodeRune(head[i:])
		if c == utf8.RuneError && n == 1 && i+utf8.UTFMax <= len(head) || c < ' ' && !strings.ContainsRune("\t\n\v\f\r", c) || c == 0x7f {
			return false
		}
		i += n
	}
	return len(head) > 0
}

// A foreign format is one that is not read: what it is, and how what it holds gets here.
type foreign struct {
	extensions []string
	begins     []string
	what, how  string
}

const fromPandas = `from Python: import pandas; pandas.%s.to_csv("x.csv", index=False)`

// foreigns are the formats that data come in and that are not read.
func foreigns() []foreign {
	pandas := func(read string) string { return fmt.Sprintf(fromPandas, read) }
	return []foreign{
		{[]string{".parquet", ".pq"}, []string{"PAR1"}, "a Parquet file", pandas(`read_parquet("x.parquet")`)},
		{[]string{".feather", ".arrow"}, []string{"ARROW1", "FEA1"}, "a Feather (Arrow) file", pandas(`read_feather("x.feather")`)},
		{[]string{".xls"}, []string{"\xd0\xcf\x11\xe0"}, "an old Excel workbook (.xls), or one with a password", "save it as .xlsx, or as .csv"},
		{[]string{".ods"}, nil, "an OpenDocument spreadsheet", "save it as .xlsx or as .csv"},
		{[]string{".rds"}, nil, "a file of R (.rds)", `in R: write.csv(readRDS("x.rds"), "x.csv", row.names = FALSE)`},
		{[]string{".rdata", ".rda"}, []string{"RDX2", "RDX3"}, "a workspace of R", `in R: load("x.RData"); write.csv(x, "x.csv", row.names = FALSE)`},
		{
			[]string{".pkl", ".pickle"},
			[]string{"\x80\x02", "\x80\x03", "\x80\x04\x95", "\x80\x05\x95"},
			"a pickle of Python, which can run programs when it is read",
			`in Python: numpy.savez("x.npz", f=f, u=u)`,
		},
		{[]string{".pt", ".pth"}, nil, "a file of PyTorch", `in Python: numpy.savez("x.npz", f=t.numpy())`},
		{[]string{".sav"}, []string{"$FL2"}, "a file of SPSS", pandas(`read_spss("x.sav")`)},
		{[]string{".dta"}, nil, "a file of Stata", pandas(`read_stata("x.dta")`)},
		{[]string{".json"}, []string{"{", "["}, "JSON", `from Python: numpy.savez("x.npz", **{k: numpy.array(v) for k, v in json.load(open("x.json")).items()})`},
		{[]string{".html", ".htm", ".xml"}, []string{"<"}, "XML or a web page, not data", "if it was downloaded, look at it in a browser: it may say why"},
		{[]string{".gz"}, []string{"\x1f\x8b"}, "compressed by gzip", "gunzip it first; of .rds files, in R: write.csv(readRDS(\"x.rds\"), \"x.csv\")"},
		{[]string{".bz2", ".xz", ".zst"}, []string{"BZh", "\xfd7zXZ", "\x28\xb5\x2f\xfd"}, "compressed", "unpack it first"},
		{[]string{".zip", ".7z", ".tar", ".tgz"}, []string{"PK\x03\x04", "7z\xbc\xaf"}, "an archive without arrays", "unpack it first"},
		{
			[]string{".tif", ".tiff", ".png", ".jpg", ".jpeg"},
			[]string{"\x89PNG", "\xff\xd8\xff", "II*\x00", "MM\x00*"},
			"a picture",
			`in Python: numpy.save("x.npy", numpy.asarray(PIL.Image.open("x.png"), float))`,
		},
	}
}

// refused says what a file is that is not read, by its first bytes or its extension.
func refused(extension string, head []byte) error {
	ours := slices.ContainsFunc(formats(), func(f format) bool { return slices.Contains(f.extensions, extension) })
	for _, f := range foreigns() {
		if slices.Contains(f.extensions, extension) || slices.ContainsFunc(f.begins, func(s string) bool {
			// An archive that is cut off is what its extension says.
			return bytes.HasPrefix(head, []byte(s)) && !(ours && s == "PK\x03\x04")
		}) {
			return fmt.Errorf("%s, which is not read: %s", f.what, f.how)
		}
	}
	return nil
}
