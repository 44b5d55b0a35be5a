package sheet

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/spelling"
)

// A Sheet is rows of named columns.
type Sheet struct {
	Columns []*Column
	N       int    // number of rows
	Source  string // the file it is from, "" for none
	Skipped []int  // lines of the file that were left out as bad

	lines []int32 // where each row is in the file; nil for none
	row   string  // what a line is called: "line", or "row" of a workbook
}

// A Kind says what a column holds.
type Kind byte

// The kinds of columns.
const (
	Number Kind = iota
	Text
	Time
)

// String is the kind in a word.
func (k Kind) String() string { return [...]string{"number", "text", "time"}[k] }

// A Column is one value for each row.
type Column struct {
	Name   string
	Unit   string // as the header has it; "" for none
	Header string // what the file says, name and unit
	Kind   Kind
	// Numbers of a column of numbers, NaN where one is missing; of times, the seconds
	// since Origin, the first of them in the file, which has a zone where Zoned says so.
	Numbers []float64
	Origin  time.Time
	Zoned   bool
	// Words of a column of text: Labels[Codes[i]] in row i, nothing where Codes[i] is -1.
	Codes  []int32
	Labels []string
}

// NewColumn makes a column of numbers.
func NewColumn(name string, numbers []float64) *Column {
	return &Column{Name: name, Header: name, Numbers: numbers}
}

// NewText makes a column of words; the empty word is a missing one.
func NewText(name string, words []string) *Column {
	c := &Column{Name: name, Header: name, Kind: Text, Codes: make([]int32, len(words))}
	known := make(map[string]int32)
	for i, w := range words {
		k, ok := known[w]
		switch {
		case w == "":
			k = -1
		case !ok:
			k = int32(len(c.Labels))
			known[w], c.Labels = k, append(c.Labels, w)
		}
		c.Codes[i] = k
	}
	return c
}

// New makes a sheet of columns of one length, whose names differ. The sheet shares them.
func New(columns ...*Column) (*Sheet, error) {
	if len(columns) == 0 {
		return nil, errors.New("columns: want at least one")
	}
	s := &Sheet{Columns: columns, N: columns[0].Len()}
	for i, c := range columns {
		if c.Name == "" {
			return nil, fmt.Errorf("columns[%d]: has no name", i+1)
		}
		if slices.ContainsFunc(columns[:i], func(d *Column) bool { return d.Name == c.Name }) {
			return nil, fmt.Errorf("columns: two are called %q", c.Name)
		}
		if c.Len() != s.N {
			return nil, fmt.Errorf("column %s has %d rows and %s %d: want one length", columns[0].Name, s.N, c.Name, c.Len())
		}
	}
	return s, nil
}

// Len is the number of rows.
func (c *Column) Len() int {
	if c.Kind == Text {
		return len(c.Codes)
	}
	return len(c.Numbers)
}

// Word is row i as text: the word, or the number with all digits; "" if it is missing.
func (c *Column) Word(i int) string {
	switch {
	case c.Missing(i):
		return ""
	case c.Kind == Text:
		return c.Labels[c.Codes[i]]
	case c.Kind == Time:
		return c.stamp(i)
	}
	return formatNumber(c.Numbers[i])
}

// Words are all rows as text.
func (c *Column) Words() []string {
	words := make([]string, c.Len())
	for i := range words {
		words[i] = c.Word(i)
	}
	return words
}

// Missing reports whether row i has no value.
func (c *Column) Missing(i int) bool {
	if c.Kind == Text {
		return c.Codes[i] < 0
	}
	return math.IsNaN(c.Numbers[i])
}

// missing counts the rows without a value.
func (c *Column) missing() (n int) {
	for i := range c.Len() {
		if c.Missing(i) {
			n++
		}
	}
	return n
}

// take is the column of some rows.
func (c *Column) take(rows []int) *Column {
	out := *c
	if c.Kind == Text {
		out.Codes = make([]int32, len(rows))
		for k, i := range rows {
			out.Codes[k] = c.Codes[i]
		}
		return &out
	}
	out.Numbers = make([]float64, len(rows))
	for k, i := range rows {
		out.Numbers[k] = c.Numbers[i]
	}
	return &out
}

// Names are those of the columns, in their order.
func (s *Sheet) Names() []string {
	names := make([]string, len(s.Columns))
	for i, c := range s.Columns {
		names[i] = c.Name
	}
	return names
}

// Column finds a column by its name, or by its header with the unit. The error says which
// there are.
func (s *Sheet) Column(name string) (*Column, error) {
	for _, c := range s.Columns {
		if c.Name == name || c.Header == name {
			return c, nil
		}
	}
	var alike []string
	for _, c := range s.Columns {
		if plain, _ := splitUnit(c.Header); plain == name {
			alike = append(alike, fmt.Sprintf("%q", c.Name))
		}
	}
	if len(alike) > 1 {
		return nil, fmt.Errorf("%scolumn %q: several have this name, in different units: %s; name one of them in full", s.prefix(), name, strings.Join(alike, ", "))
	}
	return nil, fmt.Errorf("%sno column %q%s; there are %s", s.prefix(), name, spelling.Nearest(name, s.Names()), listed(s.Names()))
}

// Numbers are those of a column that has numbers or times.
func (s *Sheet) Numbers(name string) (*Column, error) {
	c, err := s.Column(name)
	if err != nil || c.Kind != Text {
		return c, err
	}
	example, at := "", 0
	for i, k := range c.Codes {
		if k >= 0 {
			example, at = c.Labels[k], i
			break
		}
	}
	return nil, fmt.Errorf("%scolumn %s: holds words such as %q%s, want numbers", s.prefix(), name, shorten(example), s.at(at))
}

func (s *Sheet) prefix() string {
	if s.Source == "" {
		return ""
	}
	return s.Source + ": "
}

// Where says where row i was read: "line 17", or "row 17" if it was not in a file.
func (s *Sheet) Where(i int) string {
	if s.lines == nil {
		return fmt.Sprintf("row %d", i+1)
	}
	return fmt.Sprintf("%s %d", s.row, s.lines[i])
}

func (s *Sheet) at(i int) string {
	if s.lines == nil {
		return ""
	}
	return " (" + s.Where(i) + ")"
}

// Take makes a sheet of rows, counted from 0, in the order given.
func (s *Sheet) Take(rows []int) (*Sheet, error) {
	if err := dense.CheckSize("the sheet", float64(len(rows))*float64(len(s.Columns)+1)); err != nil {
		return nil, err
	}
	out := &Sheet{N: len(rows), Source: s.Source, Skipped: s.Skipped, row: s.row}
	for _, c := range s.Columns {
		out.Columns = append(out.Columns, c.take(rows))
	}
	if s.lines != nil {
		out.lines = make([]int32, len(rows))
		for k, i := range rows {
			out.lines[k] = s.lines[i]
		}
	}
	return out, nil
}

// With is the sheet with columns more, or in place of those of the same names.
func (s *Sheet) With(columns ...*Column) (*Sheet, error) {
	out := *s
	out.Columns = slices.Clone(s.Columns)
	for _, c := range columns {
		if c.Len() != s.N {
			return nil, fmt.Errorf("column %s: %d values, want one for each of the %d rows", c.Name, c.Len(), s.N)
		}
		if i := slices.IndexFunc(out.Columns, func(d *Column) bool { return d.Name == c.Name }); i >= 0 {
			out.Columns[i] = c
			continue
		}
		out.Columns = append(out.Columns, c)
	}
	return &out, nil
}
