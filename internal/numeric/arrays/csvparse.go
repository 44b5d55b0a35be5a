package arrays

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/greenbench/workbench/internal/numeric/decimal"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/array"
)

// csvBlock is how much text a processor reads at once: many times what it takes to begin.
const csvBlock = 1 << 19

// A csvPart is a part of the text of whole lines and where its numbers go.
type csvPart struct {
	text   []byte
	before int // lines before it in the file
	at     int // where its first number goes, if no line before is empty
	rows   int // found
	marks  decimal.Marks
	err    error
}

// table reads the numbers in text, whose lines follow those that begin has read. All
// processors read blocks of lines.
func (c *csvReader) table(ctx context.Context, text []byte) (*array.Array, error) {
	parts, most := c.parts(text)
	if err := dense.CheckSize(fmt.Sprintf("%d numbers", most), float64(most)); err != nil {
		return nil, err
	}
	data := dense.Room[float64](most)
	const time = 3 // nanoseconds a byte
	err := share(ctx, len(parts), time*csvBlock, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			p := &parts[k]
			end := most
			if k+1 < len(parts) {
				end = parts[k+1].at
			}
			p.rows, p.err = c.lineByLine(p, data[p.at:end], c.fast)
		}
	})
	if err != nil {
		return nil, err
	}
	n := 0
	var marks decimal.Marks
	for _, p := range parts {
		if p.err != nil {
			return nil, p.err
		}
		marks.Join(p.marks)
		if size := p.rows * c.columns; n == p.at {
			n += size
		} else {
			n += copy(data[n:n+size], data[p.at:])
		}
	}
	if n == 0 {
		return nil, errors.New("no numbers, only a header line")
	}
	if _, err := marks.Sign(c.separator, "line"); err != nil && c.separator != ',' {
		return nil, remedy.DecimalComma.For(err)
	}
	if c.columns == 1 {
		return array.Vector(data[:n:n]), nil
	}
	return array.Of(data[:n:n], n/c.columns, c.columns)
}

// parts cuts text at ends of lines, and bounds how many numbers are in it: each takes two
// bytes at least, or one if it is missing.
func (c *csvReader) parts(text []byte) (parts []csvPart, most int) {
	for line := c.before; len(text) > 0; {
		end := min(len(text), csvBlock)
		if i := bytes.IndexByte(text[end:], '\n'); i < 0 {
			end = len(text)
		} else {
			end += i + 1
		}
		part := text[:end]
		text = text[end:]
		lines := bytes.Count(part, []byte{'\n'})
		if part[end-1] != '\n' {
			lines++
		}
		parts = append(parts, csvPart{text: part, before: line, at: most})
		line += lines
		most += min(lines, len(part)/c.columns+1) * c.columns
	}
	return parts, most
}

// lineByLine reads the lines of a part; fast may read one, and leaves others to slow.
func (c *csvReader) lineByLine(p *csvPart, dst []float64, fast func(line []byte, row []float64) bool) (rows int, err error) {
	line := p.before
	for text := p.text; len(text) > 0; {
		end := bytes.IndexByte(text, '\n') + 1
		if end == 0 {
			end = len(text)
		}
		raw := text[:end]
		text = text[end:]
		line++
		c.look(&p.marks, raw, line)
		if rows*c.columns < len(dst) && fast(raw, dst[rows*c.columns:(rows+1)*c.columns]) {
			rows++
			continue
		}
		fields, err := c.slow(raw, line)
		if err != nil {
			return rows, err
		}
		if fields != nil {
			copy(dst[rows*c.columns:], fields)
			rows++
		}
	}
	return rows, nil
}

// look finds out which decimal sign the numbers of a line have, unless it has nothing new.
func (c *csvReader) look(m *decimal.Marks, raw []byte, line int) {
	known := (m.HasComma(c.separator) || bytes.IndexByte(raw, ',') < 0) && (m.HasPoint() || bytes.IndexByte(raw, '.') < 0)
	if c.separator == ',' || known {
		return
	}
	text, err := plain(raw, line)
	if err != nil {
		return // slow says so
	}
	fields, _ := split(text, c.separator)
	for _, field := range fields {
		m.Add([]byte(field), line)
	}
}

// fast reads a line of numbers between separators and nothing else; false leaves it to slow.
func (c *csvReader) fast(line []byte, row []float64) bool {
	sign := byte('.')
	if c.separator != ',' && bytes.IndexByte(line, ',') >= 0 {
		sign = ','
	}
	i, some := 0, false
	for k := range row {
		for i < len(line) && line[i] == ' ' {
			i++
		}
		from := i
		for i < len(line) && line[i] != c.separator && line[i] > ' ' {
			i++
		}
		x, ok := decimal.Parse(line[from:i], sign)
		switch {
		case ok:
			some = true
		case c.isMissing(line[from:i]) && (i > from || len(row) > 1 && c.separator != ' '):
			x = math.NaN()
		default:
			return false
		}
		row[k] = x
		for i < len(line) && line[i] == ' ' && c.separator != ' ' {
			i++
		}
		if k+1 < len(row) {
			if i >= len(line) || line[i] != c.separator {
				return false
			}
			i++
		}
	}
	if i < len(line) && line[i] == c.separator {
		i++
	}
	return some && len(bytes.TrimRight(line[i:], " \r\n")) == 0
}

// isMissing looks for a field among the words for missing numbers.
func (c *csvReader) isMissing(field []byte) bool {
	var word [8]byte
	if len(field) > len(word) || bytes.IndexByte(field, '#') >= 0 {
		return false
	}
	for i, b := range field {
		if word[i] = b; b >= 'A' && b <= 'Z' {
			word[i] = b | 0x20
		}
	}
	return c.missing[string(word[:len(field)])]
}

// slow reads any line: the numbers of its fields, nil if nothing is on it.
func (c *csvReader) slow(raw []byte, line int) ([]float64, error) {
	text, err := plain(raw, line)
	if text == "" || err != nil {
		return nil, err
	}
	fields, separators := split(text, c.separator)
	if len(fields) == c.columns-1 && separators == c.columns-1 {
		fields = append(fields, "") // the last one is missing
	}
	if len(fields) != c.columns {
		return nil, c.ragged(len(fields), line)
	}
	row := make([]float64, len(fields))
	for k, field := range fields {
		if row[k], err = c.number(field); err != nil {
			return nil, c.fieldError(err, line, k+1)
		}
	}
	return row, nil
}

// fieldError is the error of a field with its place.
func (c *csvReader) fieldError(err error, line, column int) error {
	err = fmt.Errorf("line %d, column %d: %w", line, column, err)
	if column == 1 && c.columns > 1 {
		err = remedy.TableOfNames.For(err)
	}
	return err
}

// ragged is the error of a line of another length.
func (c *csvReader) ragged(fields, line int) error {
	err := fmt.Errorf("line %d: %d fields, the lines before have %d", line, fields, c.columns)
	switch {
	case c.header != nil && fields == c.columns+1 && line == c.before+1:
		return remedy.TableOfNames.For(fmt.Errorf("line %d: %d fields, the header has %d: is the first one the name of the row?", line, fields, c.columns))
	case line > c.before+2 && fields > 1 && c.columns > 1:
		return remedy.OneMatrix.For(err)
	}
	return err
}
