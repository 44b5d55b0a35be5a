package arrays

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/decimal"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/internal/numeric/spelling"
	"github.com/greenbench/workbench/numeric/array"
)

// Text tables: one row per line; fields between commas, semicolons, tabs or
// white space (found from the first line); an optional line of column names;
// comments from # on; empty lines do not count. Empty fields and the usual words for
// missing numbers are NaN. Numbers have a decimal point, or, between other separators than
// commas, all a decimal comma. A single column is a vector.
func openCSV(r io.ReaderAt, size int64, base string) (*contents, error) {
	first := csvReader{lines: bufio.NewReader(io.NewSectionReader(r, 0, size)), missing: missingWords()}
	if err := first.begin(); err != nil {
		return nil, err
	}
	return &contents{
		names: []string{base},
		read: func(name string) (*array.Array, error) {
			column := slices.Index(first.header, name)
			if name != base && column < 0 {
				if len(first.header) == 0 {
					return nil, fs.ErrNotExist
				}
				return nil, fmt.Errorf("no such column; the header has %s%s", list(first.header), spelling.Nearest(name, first.header))
			}
			if column < 0 && len(first.header) > 1 && first.header[0] == "" {
				return nil, remedy.TableOfNames.For(errors.New("the first column has no name: is it the names of the rows?"))
			}
			text, err := bytesOf(r, first.start, size-first.start)
			if err != nil {
				return nil, err
			}
			table, err := first.table(contextOf(r), text)
			if err != nil || name == base || table.Rank() == 1 {
				return table, err
			}
			picked, err := Take(table, 1, []int{column})
			if err != nil {
				return nil, err
			}
			return picked.Reshape()
		},
	}, nil
}

// missingWords are the words for a missing number.
func missingWords() map[string]bool {
	words := make(map[string]bool)
	for _, w := range decimal.Missing() {
		words[w] = true
	}
	return words
}

// A csvReader splits lines into fields.
type csvReader struct {
	lines     *bufio.Reader
	missing   map[string]bool // in lower case
	line      int             // number of the line read last, from 1
	at, start int64           // how far the file is read; where the numbers begin
	before    int             // lines before these
	separator byte            // ' ' stands for any white space
	columns   int
	header    []string // nil: no header line
}

// begin finds the separator, the number of columns and the header.
func (c *csvReader) begin() error {
	text, err := c.nextLine()
	if err == io.EOF {
		return errors.New("no numbers, only comments and empty lines")
	}
	if err != nil {
		return err
	}
	c.separator = separatorOf(text)
	fields, _ := split(text, c.separator)
	c.columns = len(fields)
	numbers, words := 0, 0
	for k, field := range fields {
		x, err := c.number(field)
		if err != nil {
			if decimal.Alike([]byte(field)) { // no name of a column
				return c.fieldError(err, c.line, k+1)
			}
			words++
		} else if x == x {
			numbers++
		}
	}
	if numbers > 0 && numbers == len(fields)-1 && fields[0] == "" {
		return remedy.TableOfNames.For(errors.New("line 1 begins with an empty field: is it a header of positions above a column of names?"))
	}
	if numbers > 0 || words == 0 {
		return nil
	}
	c.header, c.start, c.before = fields, c.at, c.line
	return nil
}

// separatorOf is what separates the fields of a line.
func separatorOf(text string) byte {
	for _, s := range []byte{'\t', ';', '|', ','} {
		fields, rest := split(text, s)
		switch {
		case rest == 0:
		case s == ',' && slices.ContainsFunc(fields, func(f string) bool { return !decimal.Alike([]byte(f)) }) && allNumbers(strings.Fields(text)):
			return ' ' // with decimal commas
		default:
			return s
		}
	}
	return ' '
}

func allNumbers(fields []string) bool {
	return !slices.ContainsFunc(fields, func(f string) bool { return !decimal.Alike([]byte(f)) })
}

// nextLine returns the next line with something on it, without comment.
func (c *csvReader) nextLine() (string, error) {
	for {
		c.start, c.before = c.at, c.line
		raw, err := c.lines.ReadBytes('\n')
		if len(raw) == 0 && err != nil {
			return "", err
		}
		if err != nil && err != io.EOF {
			return "", err
		}
		c.line++
		c.at += int64(len(raw))
		text, err := plain(raw, c.line)
		if text != "" || err != nil {
			return text, err
		}
	}
}

// plain is a line without its comment and what is around it; "" if nothing is on it.
func plain(raw []byte, line int) (string, error) {
	if line == 1 {
		if bytes.HasPrefix(raw, []byte("\xff\xfe")) || bytes.HasPrefix(raw, []byte("\xfe\xff")) {
			return "", errors.New("line 1: text in UTF-16: save it as UTF-8")
		}
		raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")) // byte order mark
	}
	if bytes.IndexByte(raw, 0) >= 0 {
		return "", fmt.Errorf("line %d: not text", line)
	}
	raw = raw[:comment(raw)]
	// Not TrimSpace: tabs at the ends are separators of empty fields.
	text := strings.Trim(string(raw), " \r\n\v\f")
	if strings.TrimSpace(text) == "" {
		return "", nil
	}
	return text, nil
}

// comment is where a comment begins: at # unless it is #N/A, as spreadsheets write.
func comment(raw []byte) int {
	for i, b := range raw {
		if b == '#' && (len(raw) < i+4 || !bytes.EqualFold(raw[i:i+4], []byte("#n/a"))) {
			return i
		}
	}
	return len(raw)
}

// split returns the trimmed fields of a line and how many separators it has;
// separators between quotes do not count. One separator at the end is allowed.
func split(text string, separator byte) (fields []string, separators int) {
	if separator == ' ' {
		for _, field := range strings.Fields(text) {
			fields = append(fields, unquote(field))
		}
		return fields, len(fields) - 1
	}
	quoted, from := false, 0
	for i := range len(text) {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case text[i] == separator && !quoted:
			fields = append(fields, unquote(text[from:i]))
			from = i + 1
		}
	}
	separators = len(fields)
	if last := unquote(text[from:]); last != "" || separators == 0 {
		fields = append(fields, last)
	}
	return fields, separators
}

func unquote(field string) string {
	field = strings.TrimSpace(field)
	if len(field) >= 2 && field[0] == '"' && field[len(field)-1] == '"' {
		return strings.TrimSpace(field[1 : len(field)-1])
	}
	return field
}

// number is what a field says: NaN for what is missing.
func (c *csvReader) number(field string) (float64, error) {
	x, ok := decimal.Parse([]byte(field), '.')
	if !ok && c.separator != ',' {
		x, ok = decimal.Parse([]byte(field), ',')
	}
	switch {
	case ok:
		return x, nil
	case c.missing[strings.ToLower(field)]:
		return math.NaN(), nil
	}
	if _, err := strconv.ParseFloat(field, 64); errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%.40q is beyond the range of float64", field)
	}
	return 0, fmt.Errorf("%.40q is not a number", field)
}
