package xlsx

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A reader takes the cells of one sheet in turn.
type reader struct {
	*book
	*part
	texts       []string
	formats     []dateFormat
	rows        [][]Cell
	row, column int // of the next cell, where it does not say
	set, empty  int // cells with a value and without, so far
}

func (b *book) rows(s sheet) ([][]Cell, error) {
	texts, err := b.texts()
	if err != nil {
		return nil, err
	}
	formats, err := b.formats()
	if err != nil {
		return nil, err
	}
	p, err := b.open(s.part)
	if err != nil {
		return nil, err
	}
	defer p.close()
	r := &reader{book: b, part: p, texts: texts, formats: formats, row: -1}
	for {
		t, err := p.next()
		if err == io.EOF {
			return r.rows, errors.New("damaged or cut off")
		}
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.EndElement:
			if t.Name.Local == "sheetData" {
				return r.rows, nil
			}
		case xml.StartElement:
			switch t.Name.Local {
			case "row":
				err = r.beginRow(t)
			case "c":
				err = r.cell(t)
			}
			if err != nil {
				return nil, err
			}
		}
	}
}

func (r *reader) beginRow(tag xml.StartElement) error {
	next := r.row + 1
	if at := attribute(tag, "r"); at != "" {
		n, err := strconv.Atoi(at)
		if err != nil || n-1 < next || n > maxRows {
			return fmt.Errorf("damaged: row %q after row %d", at, r.row+1)
		}
		next = n - 1
	}
	r.row, r.column = next, 0
	return nil
}

// cell reads a cell and puts it where it belongs.
func (r *reader) cell(tag xml.StartElement) error {
	if at := attribute(tag, "r"); at != "" {
		row, column, ok := position(at)
		if !ok || row != r.row || column < r.column {
			return fmt.Errorf("damaged: cell %q in row %d", at, r.row+1)
		}
		r.column = column
	}
	c, err := r.value(tag)
	if err != nil {
		return fmt.Errorf("%s: %w", Name(max(r.row, 0), r.column), err)
	}
	if c.Kind != Empty {
		if err := r.put(c); err != nil {
			return err
		}
	}
	r.column++
	return nil
}

// put fills up with empty rows and cells, but not with many more than there are others.
func (r *reader) put(c Cell) error {
	if r.row < 0 || r.row >= maxRows || r.column >= maxColumns {
		return fmt.Errorf("damaged: a cell at row %d, column %d", r.row+1, r.column+1)
	}
	have := 0
	if r.row < len(r.rows) {
		have = len(r.rows[r.row])
	}
	r.set++
	r.empty += max(0, r.row-len(r.rows)) + r.column - have
	if most := 1<<14 + 16*r.set; r.empty > most {
		return fmt.Errorf("%s: a table of which nearly all is empty: move what is far from the rest to a sheet of its own", Name(r.row, r.column))
	}
	for len(r.rows) <= r.row {
		r.rows = append(r.rows, nil)
	}
	row := r.rows[r.row]
	if row == nil && r.row > 0 {
		row = make([]Cell, 0, max(r.column+1, len(r.rows[r.row-1])))
	}
	for len(row) < r.column {
		row = append(row, Cell{})
	}
	r.rows[r.row] = append(row, c)
	return nil
}

// value reads what is between the tags of a cell.
func (r *reader) value(tag xml.StartElement) (Cell, error) {
	kind := attribute(tag, "t")
	text, inline, there, formula := "", "", false, false
	for {
		t, err := r.next()
		if err == io.EOF {
			return Cell{}, errors.New("damaged or cut off")
		}
		if err != nil {
			return Cell{}, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "v":
				text, err = r.text("v", true)
				there = text != ""
			case "is":
				inline, err = r.text("is", false)
			case "f":
				formula = true
			}
			if err != nil {
				return Cell{}, err
			}
		case xml.EndElement:
			if t.Name.Local != "c" {
				continue
			}
			switch {
			case kind == "inlineStr":
				return textCell(inline), nil
			case there:
				return r.interpret(kind, attribute(tag, "s"), text)
			case formula && kind != "str":
				return Cell{}, errors.New("a formula whose value the file does not hold: open it in a spreadsheet program and save it there")
			}
			return Cell{}, nil
		}
	}
}

func textCell(text string) Cell {
	if text == "" {
		return Cell{}
	}
	return Cell{Kind: Text, Text: text}
}

// interpret makes a cell of what is written, by its kind and the number of its style.
func (r *reader) interpret(kind, style, text string) (Cell, error) {
	switch kind {
	case "s":
		i, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || i < 0 || i >= len(r.texts) {
			return Cell{}, fmt.Errorf("damaged: text number %q of %d", text, len(r.texts))
		}
		return textCell(r.texts[i]), nil
	case "str":
		return textCell(text), nil
	case "d":
		return Cell{Kind: Date, Text: text}, nil
	case "e":
		return Cell{Kind: Error, Text: text}, nil
	case "", "n", "b":
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return Cell{}, fmt.Errorf("damaged: %.40q is not a number", text)
		}
		if s, err := strconv.Atoi(style); kind != "b" && err == nil && s >= 0 && s < len(r.formats) {
			return date(x, r.formats[s], r.from1904), nil
		}
		return Cell{Kind: Number, Number: x}, nil
	}
	return Cell{}, fmt.Errorf("damaged: a cell of type %q", kind)
}
