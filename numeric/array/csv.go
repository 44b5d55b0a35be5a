package array

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// Text tables: one row per line; fields between commas, semicolons, tabs or
// white space (found from the first line); an optional line of column names;
// comments from # on; empty lines do not count. Missing numbers are written
// nan. With semicolons a comma is a decimal comma. A single column is a vector.
func openCSV(r io.ReaderAt, size int64, base string) (*contents, error) {
	section := func() io.Reader { return io.NewSectionReader(r, 0, size) }
	first := csvReader{lines: bufio.NewReader(section())}
	if err := first.begin(); err != nil {
		return nil, err
	}
	return &contents{
		names: []string{base},
		read: func(name string) (*Array, error) {
			column := slices.Index(first.header, name)
			if name != base && column < 0 {
				if len(first.header) == 0 {
					return nil, fs.ErrNotExist
				}
				return nil, fmt.Errorf("no such column; the header has %s%s", list(first.header), didYouMean(name, first.header))
			}
			table, err := readCSV(section())
			if err != nil || name == base || table.Rank() == 1 {
				return table, err
			}
			picked, err := table.Take(1, []int{column})
			if err != nil {
				return nil, err
			}
			return picked.Reshape()
		},
	}, nil
}

// readCSV reads a whole table.
func readCSV(r io.Reader) (*Array, error) {
	c := csvReader{lines: bufio.NewReader(r)}
	if err := c.begin(); err != nil {
		return nil, err
	}
	var data []float64
	rows := 0
	for {
		fields, err := c.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if len(fields) != c.columns {
			return nil, fmt.Errorf("line %d: %d fields, the lines before have %d", c.line, len(fields), c.columns)
		}
		for k, field := range fields {
			x, err := c.number(field)
			if err != nil {
				return nil, fmt.Errorf("line %d, column %d: %w", c.line, k+1, err)
			}
			data = append(data, x)
		}
		rows++
	}
	if rows == 0 {
		return nil, errors.New("no numbers, only a header line")
	}
	if c.columns == 1 {
		return Vector(data), nil
	}
	return Of(data, rows, c.columns)
}

// A csvReader splits lines into fields.
type csvReader struct {
	lines     *bufio.Reader
	line      int  // number of the line read last, from 1
	separator byte // ' ' stands for any white space
	columns   int
	header    []string // nil: no header line
	pending   []string // the first line when it is not a header
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
	c.separator = ' '
	for _, s := range []byte{'\t', ';', ','} {
		if _, rest := split(text, s); rest > 0 {
			c.separator = s
			break
		}
	}
	fields, _ := split(text, c.separator)
	c.columns = len(fields)
	for _, field := range fields {
		if _, err := c.number(field); err == nil {
			c.pending = fields
			return nil
		}
	}
	c.header = fields
	return nil
}

// next returns the fields of the next line that has any, or io.EOF.
func (c *csvReader) next() ([]string, error) {
	if fields := c.pending; fields != nil {
		c.pending = nil
		return fields, nil
	}
	text, err := c.nextLine()
	if err != nil {
		return nil, err
	}
	fields, _ := split(text, c.separator)
	return fields, nil
}

// nextLine returns the next line with something on it, without comment.
func (c *csvReader) nextLine() (string, error) {
	for {
		raw, err := c.lines.ReadBytes('\n')
		if len(raw) == 0 && err != nil {
			return "", err
		}
		if err != nil && err != io.EOF {
			return "", err
		}
		c.line++
		if c.line == 1 {
			raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")) // byte order mark
		}
		if bytes.IndexByte(raw, 0) >= 0 {
			return "", fmt.Errorf("line %d: not text", c.line)
		}
		raw, _, _ = bytes.Cut(raw, []byte("#"))
		// Not TrimSpace: tabs at the ends are separators of empty fields.
		if text := strings.Trim(string(raw), " \r\n\v\f"); strings.TrimSpace(text) != "" {
			return text, nil
		}
	}
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

func (c *csvReader) number(field string) (float64, error) {
	if field == "" {
		return 0, errors.New("empty field (write nan for a missing number)")
	}
	text := field
	if c.separator == ';' {
		text = strings.Replace(text, ",", ".", 1)
	}
	x, err := strconv.ParseFloat(text, 64)
	if errors.Is(err, strconv.ErrSyntax) {
		// Fortran writes exponents with D.
		x, err = strconv.ParseFloat(strings.Replace(strings.ToLower(text), "d", "e", 1), 64)
	}
	if errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%.40q is beyond the range of float64", field)
	}
	if err != nil {
		return 0, fmt.Errorf("%.40q is not a number", field)
	}
	return x, nil
}

// saveCSV writes a vector as one column and a matrix as rows, with as many
// digits as reading them back takes; .tsv separates by tabs, .txt and .dat by
// spaces.
func saveCSV(w io.Writer, extension string, m Members) error {
	a, err := m.only(extension)
	if err != nil {
		return err
	}
	switch extension {
	case ".tsv":
		return writeCSV(w, a, '\t')
	case ".txt", ".dat":
		return writeCSV(w, a, ' ')
	}
	return writeCSV(w, a, ',')
}

func writeCSV(w io.Writer, a *Array, separator byte) error {
	if a.Rank() > 2 || a.Size() == 0 {
		return fmt.Errorf("shape %s: text files hold vectors and matrices with at least one element; save .npy or .npz",
			ShapeString(a.Shape))
	}
	columns := a.Size() / a.Shape[0]
	if a.Rank() == 1 {
		columns = 1
	}
	var line []byte
	for i := range a.Shape[0] {
		line = line[:0]
		for _, x := range a.Data[i*columns : (i+1)*columns] {
			if len(line) > 0 {
				line = append(line, separator)
			}
			if x != x {
				line = append(line, "nan"...)
			} else {
				line = strconv.AppendFloat(line, x, 'g', -1, 64)
			}
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}
