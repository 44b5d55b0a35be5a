package sheet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/remedy"
)

// Options say what a file does not. The zero value finds everything out.
type Options struct {
	Separator byte     // between fields; ' ' stands for any white space; 0: the one that makes sense
	Decimal   byte     // '.' or ','; 0: as the numbers are written
	Header    *bool    // whether the first row names the columns; nil: look
	Skip      int      // lines at the beginning that are left out
	Comment   string   // from it on, a line is left out; "": lines that begin with # or %
	Missing   []string // words and numbers for a missing value, besides the usual ones
	Text      []string // columns that are words, whatever they look like
	DayFirst  *bool    // whether 3/4/2024 is in April; nil: if other dates tell
	SkipBad   bool     // leave out rows that cannot be read
	Part      string   // of a workbook: the name of the sheet; "": the only one
}

// Extensions are those of files that Load reads.
func Extensions() []string { return []string{".csv", ".tsv", ".txt", ".dat", ".xlsx", ".xlsm"} }

// Load reads a sheet from a text file or a workbook. Errors name the file, the line and the
// column.
func Load(ctx context.Context, path string, o Options) (*Sheet, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s: is a folder; want one file in it", path)
	}
	if path == "" {
		return nil, errors.New("the name of the file is empty")
	}
	if extension := strings.ToLower(filepath.Ext(path)); !slices.Contains(Extensions(), extension) {
		err := fmt.Errorf("%s: unknown extension %q: want .csv, .tsv, .txt, .dat or .xlsx", path, extension)
		if arrays.HasFormat(path) {
			return nil, remedy.LoadArrays.For(err, path)
		}
		return nil, err
	}
	if isWorkbook(path) {
		return loadWorkbook(ctx, path, o)
	}
	if o.Part != "" {
		return nil, fmt.Errorf("%s: has no sheets, as a workbook (.xlsx) has", path)
	}
	data, err := readAll(ctx, path)
	if err != nil {
		return nil, err
	}
	return Read(ctx, path, data, o)
}

func isWorkbook(path string) bool {
	extension := strings.ToLower(filepath.Ext(path))
	return extension == ".xlsx" || extension == ".xlsm"
}

func readAll(ctx context.Context, path string) ([]byte, error) {
	f, size, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := dense.CheckSize(path, float64(size)/8); err != nil {
		return nil, err
	}
	data := make([]byte, 0, size+512)
	for {
		if ctx.Err() != nil {
			return nil, stopped(ctx)
		}
		if len(data) == cap(data) { // it has grown meanwhile
			data = slices.Grow(data, 1<<20)
		}
		n, err := f.Read(data[len(data):min(cap(data), len(data)+1<<22)])
		data = data[:len(data)+n]
		if errors.Is(err, io.EOF) {
			return data, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
}

// Read is [Load] of text; name stands for the file in errors. It keeps nothing of data.
func Read(ctx context.Context, name string, data []byte, o Options) (*Sheet, error) {
	return read(ctx, name, "line", data, o)
}

// read takes lines, or what word calls them.
func read(ctx context.Context, name, word string, data []byte, o Options) (*Sheet, error) {
	data, err := plainText(name, data)
	if err != nil {
		return nil, err
	}
	t, err := recognise(ctx, name, word, data, o)
	if err != nil {
		return nil, err
	}
	return t.read(ctx)
}

// plainText is UTF-8, or a superset of ASCII, with lines that end with \n.
func plainText(name string, data []byte) ([]byte, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if len(data) >= 2 && (data[0] == 0xff && data[1] == 0xfe || data[0] == 0xfe && data[1] == 0xff) {
		high := int(data[0] & 1) // the place of the high byte: 1 for little endian
		units := make([]uint16, 0, len(data)/2)
		for i := 2; i+1 < len(data); i += 2 {
			units = append(units, uint16(data[i+high])<<8|uint16(data[i+1-high]))
		}
		data = []byte(string(utf16.Decode(units)))
	}
	if len(data) == 0 {
		return nil, fmt.Errorf("%s: empty file", name)
	}
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return nil, fmt.Errorf("%s: line %d: not text", name, 1+bytes.Count(data[:i], []byte{'\n'}))
	}
	if bytes.IndexByte(data, '\n') < 0 && bytes.IndexByte(data, '\r') >= 0 {
		data = bytes.ReplaceAll(data, []byte{'\r'}, []byte{'\n'})
	}
	return data, nil
}
