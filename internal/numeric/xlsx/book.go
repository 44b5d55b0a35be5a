package xlsx

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A book is an open workbook.
type book struct {
	ctx      context.Context
	files    []*zip.File
	sheets   []sheet
	strings  string // the name of the part with the shared texts, "" if there is none
	styles   string
	from1904 bool
}

type sheet struct{ name, part string }

// Sheets lists the names of the sheets that hold cells, in the order of the workbook.
func Sheets(ctx context.Context, r io.ReaderAt, size int64) ([]string, error) {
	b, err := open(ctx, r, size)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(b.sheets))
	for i, s := range b.sheets {
		names[i] = s.name
	}
	return names, nil
}

// Rows returns the cells of a sheet: row i and column j, both from 0, as rows[i][j]; rows
// end with their last cell. The empty name stands for the first sheet. Memory is bounded
// by what the file holds: a sheet of which nearly all is empty is refused.
func Rows(ctx context.Context, r io.ReaderAt, size int64, name string) ([][]Cell, error) {
	b, err := open(ctx, r, size)
	if err != nil {
		return nil, err
	}
	for _, s := range b.sheets {
		if name == "" || s.name == name {
			rows, err := b.rows(s)
			if err != nil {
				return nil, fmt.Errorf("sheet %q: %w", s.name, err)
			}
			return rows, nil
		}
	}
	names := make([]string, len(b.sheets))
	for i, s := range b.sheets {
		names[i] = strconv.Quote(s.name)
	}
	return nil, fmt.Errorf("no sheet %q; the workbook has %s", name, strings.Join(names, ", "))
}

// errNotOne says what other files called .xlsx are.
func errNotOne(r io.ReaderAt, err error) error {
	head := make([]byte, 8)
	if _, e := r.ReadAt(head, 0); e != nil && e != io.EOF {
		return e
	}
	switch {
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0")):
		return errors.New("an old Excel workbook (.xls) or one with a password: save it as .xlsx without a password, or as .csv")
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return errors.New("damaged or cut off: the directory at its end is missing")
	case errors.Is(err, zip.ErrFormat):
		return errors.New("not an .xlsx workbook")
	}
	return err
}

// open reads which sheets there are and where.
func open(ctx context.Context, r io.ReaderAt, size int64) (*book, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, errNotOne(r, err)
	}
	b := &book{ctx: ctx, files: z.File}
	top, err := b.relations("")
	if err != nil {
		return nil, fmt.Errorf("not an .xlsx workbook: %w", err)
	}
	for _, t := range top {
		if t.kind == "officeDocument" {
			return b, b.contents(t.target)
		}
	}
	return nil, errors.New("not an .xlsx workbook: it names no document")
}

// contents reads the workbook, which names its sheets.
func (b *book) contents(workbook string) error {
	relations, err := b.relations(workbook)
	if err != nil {
		return err
	}
	parts := make(map[string]relation, len(relations))
	for _, t := range relations {
		parts[t.id] = t
		switch t.kind {
		case "sharedStrings":
			b.strings = t.target
		case "styles":
			b.styles = t.target
		}
	}
	err = b.each(workbook, func(tag xml.StartElement, _ *part) error {
		switch tag.Name.Local {
		case "workbookPr":
			b.from1904, _ = strconv.ParseBool(attribute(tag, "date1904")) // absent: false
		case "sheet":
			if t := parts[attribute(tag, "id")]; t.kind == "worksheet" {
				b.sheets = append(b.sheets, sheet{attribute(tag, "name"), t.target})
			}
		}
		return nil
	})
	if err == nil && len(b.sheets) == 0 {
		err = errors.New("a workbook without sheets of cells")
	}
	return err
}

// texts reads the texts that cells share by their number.
func (b *book) texts() (list []string, err error) {
	if b.strings == "" {
		return nil, nil
	}
	err = b.each(b.strings, func(tag xml.StartElement, p *part) error {
		if tag.Name.Local != "si" {
			return nil
		}
		text, err := p.text("si", false)
		list = append(list, text)
		return err
	})
	return list, err
}

// formats reads which styles show numbers as dates, by the number of the style.
func (b *book) formats() (list []dateFormat, err error) {
	if b.styles == "" {
		return nil, nil
	}
	own := make(map[string]dateFormat)
	within := false // cellXfs, not cellStyleXfs
	err = b.each(b.styles, func(tag xml.StartElement, _ *part) error {
		switch name := tag.Name.Local; {
		case name == "numFmt":
			own[attribute(tag, "numFmtId")] = dateFormatOf(attribute(tag, "formatCode"))
		case strings.HasPrefix(name, "cell"):
			within = name == "cellXfs"
		case name == "xf" && within:
			id := attribute(tag, "numFmtId")
			format, ok := own[id]
			if n, err := strconv.Atoi(id); !ok && err == nil {
				format = builtIn(n)
			}
			list = append(list, format)
		}
		return nil
	})
	return list, err
}
