package sheet

import (
	"bytes"
	"context"
	"fmt"
)

// A splitter takes text apart into rows and fields.
type splitter struct {
	separator byte // ' ' stands for any white space
	decimal   byte
	comment   []byte // what follows it on a line is left out; empty: only lines that begin with # or %
	sign      byte   // that lines of comments begin with; behind a number it begins one, too; 0: there are none
}

// A span is the text of one row: data[from:to], on lines line to line+lines-1.
type span struct {
	from, to, next int
	line, lines    int
	quoted         bool
	comment        bool // all of it
}

// nextRow finds the row that begins at from, which may go over several lines if a field in
// quotes does. Blank rows are empty.
func (p splitter) nextRow(data []byte, from, line int) (span, error) {
	s := span{from: from, line: line, lines: 1}
	s.to, s.next = lineEnd(data, from)
	row := data[from:s.to]
	if i := firstPrinted(row); i == len(row) {
		s.to = from
		return s, nil
	} else if len(p.comment) == 0 && (row[i] == '#' && !bytes.HasPrefix(bytes.ToUpper(row[i:min(len(row), i+4)]), []byte("#N/A")) || row[i] == '%') ||
		len(p.comment) > 0 && bytes.HasPrefix(row[i:], p.comment) {
		s.comment = true
		return s, nil
	}
	end, quote := p.cut(row), bytes.IndexByte(row, '"')
	if quote < 0 || len(p.comment) == 0 && end < quote {
		s.to = from + end
		return s, nil
	}
	s.quoted = true
	for at := from; p.open(data[at:s.to], at > from); {
		if at = s.next; s.next >= len(data) || s.next-from > 1<<20 {
			return s, fmt.Errorf("line %d: a field begins with a quote (\") and does not end with one", line)
		}
		s.to, s.next = lineEnd(data, s.next)
		s.lines++
	}
	return s, nil
}

// cut is where a comment at the end of a row without quotes begins.
func (p splitter) cut(row []byte) int {
	if len(p.comment) > 0 {
		if i := bytes.Index(row, p.comment); i >= 0 {
			return i
		}
	} else if p.sign != 0 {
		return p.behindNumber(row)
	}
	return len(row)
}

// behindNumber is where the sign of comments follows a number and a blank.
func (p splitter) behindNumber(row []byte) int {
	for i, c := range row {
		if c != p.sign || i == 0 || !isBlank(row[i-1]) {
			continue
		}
		if before := trim(row[:i]); len(before) > 0 {
			if last := before[len(before)-1]; last-'0' <= 9 || last == '.' {
				return i
			}
		}
	}
	return len(row)
}

// lineEnd is where a line ends, and the next one begins.
func lineEnd(data []byte, from int) (to, next int) {
	i := bytes.IndexByte(data[from:], '\n')
	if i < 0 {
		to, next = len(data), len(data)
	} else {
		to, next = from+i, from+i+1
	}
	for to > from && data[to-1] == '\r' {
		to--
	}
	return to, next
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r' }

func firstPrinted(row []byte) int {
	for i, c := range row {
		if !isBlank(c) {
			return i
		}
	}
	return len(row)
}

// open reports whether the text ends within a field in quotes, if it begins inside one or with
// a field.
func (p splitter) open(row []byte, inside bool) bool {
	begins := true
	for i := 0; i < len(row); i++ {
		c := row[i]
		switch {
		case inside && c == '"' && i+1 < len(row) && row[i+1] == '"':
			i++
		case inside && c == '"':
			inside, begins = false, false
		case inside:
		case c == '"' && begins:
			inside = true
		case p.separates(c):
			begins = true
		case !isBlank(c):
			begins = false
		}
	}
	return inside
}

func (p splitter) separates(c byte) bool {
	return c == p.separator || p.separator == ' ' && isBlank(c)
}

// fields appends the fields of a row, trimmed, in their quotes. Fields are parts of the row.
func (p splitter) fields(row []byte, quoted bool, to [][]byte) [][]byte {
	switch {
	case p.separator == ' ':
		return p.words(row, to)
	case quoted:
		return p.quotedFields(row, to)
	}
	from := 0
	for i, c := range row {
		if c == p.separator {
			to = append(to, trim(row[from:i]))
			from = i + 1
		}
	}
	return append(to, trim(row[from:]))
}

// words are fields between white space.
func (p splitter) words(row []byte, to [][]byte) [][]byte {
	for i := 0; i < len(row); {
		if isBlank(row[i]) {
			i++
			continue
		}
		from := i
		if row[i] == '"' {
			i = quoteEnd(row, i)
		}
		for i < len(row) && !isBlank(row[i]) {
			i++
		}
		to = append(to, row[from:i])
	}
	return to
}

// quoteEnd is the place after the quote that closes the one at i.
func quoteEnd(row []byte, i int) int {
	for i++; i < len(row); i++ {
		if row[i] == '"' {
			if i+1 >= len(row) || row[i+1] != '"' {
				return i + 1
			}
			i++
		}
	}
	return len(row)
}

func (p splitter) quotedFields(row []byte, to [][]byte) [][]byte {
	from, begins := 0, true
	for i := 0; i < len(row); {
		switch c := row[i]; {
		case c == p.separator:
			to = append(to, trim(row[from:i]))
			from, begins = i+1, true
			i++
		case c == '"' && begins:
			i, begins = quoteEnd(row, i), false
		case len(p.comment) > 0 && bytes.HasPrefix(row[i:], p.comment):
			row = row[:i]
		default:
			begins = begins && isBlank(c)
			i++
		}
	}
	return append(to, trim(row[from:]))
}

func trim(b []byte) []byte {
	for len(b) > 0 && isBlank(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && isBlank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

// bare is a field without its quotes; "" in quotes are left as they are.
func bare(b []byte) []byte {
	if len(b) >= 2 && b[0] == '"' && b[len(b)-1] == '"' {
		return trim(b[1 : len(b)-1])
	}
	return b
}

// unquote is the text of a field.
func unquote(b []byte) string {
	inner := bare(b)
	if len(inner) != len(b) && bytes.Contains(inner, []byte(`""`)) {
		inner = bytes.ReplaceAll(inner, []byte(`""`), []byte(`"`))
	}
	return utf8Text(inner)
}

// A part is rows that are read together.
type part struct {
	from, to int // in the text
	row      int // the first one of all
	line     int // of the first row
}

// partSize is how much text is one part: enough to be worth a handover between processors.
const partSize = 1 << 18

// parts cuts the text after from at ends of rows, and counts the rows.
func (p splitter) parts(ctx context.Context, data []byte, from, line int) (parts []part, rows int, err error) {
	next := from
	for from < len(data) {
		if from >= next {
			if ctx.Err() != nil {
				return nil, 0, stopped(ctx)
			}
			if len(parts) > 0 {
				parts[len(parts)-1].to = from
			}
			parts = append(parts, part{from: from, to: len(data), row: rows, line: line})
			next = from + partSize
		}
		s, err := p.nextRow(data, from, line)
		if err != nil {
			return nil, 0, err
		}
		if s.to > s.from && !s.comment {
			rows++
		}
		from, line = s.next, line+s.lines
	}
	if line > 1<<31-1 {
		return nil, 0, fmt.Errorf("%d lines: at most %d are read", line, 1<<31-1)
	}
	return parts, rows, nil
}

func stopped(ctx context.Context) error { return fmt.Errorf("stopped: %w", context.Cause(ctx)) }

// each calls do with the rows of a part.
func (p splitter) each(data []byte, a part, do func(row int, s span, fields [][]byte)) {
	var fields [][]byte
	row, line := a.row, a.line
	for from := a.from; from < a.to; {
		s, err := p.nextRow(data, from, line)
		if err != nil {
			return // parts has gone through it
		}
		if s.to > s.from && !s.comment {
			fields = p.fields(data[s.from:s.to], s.quoted, fields[:0])
			do(row, s, fields)
			row++
		}
		from, line = s.next, line+s.lines
	}
}
