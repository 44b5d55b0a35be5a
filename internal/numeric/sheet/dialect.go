package sheet

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/decimal"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/internal/numeric/spelling"
)

// A table is text of which is known how to read it.
type table struct {
	splitter
	blanks
	data       []byte
	name, row  string // of the file, and what its lines are called
	o          Options
	header     []string // nil: none
	units      []string // from a line of their own; nil: none
	columns    int
	from, line int // where the rows of values begin
}

// sampled is how many rows are looked at to find out how a file is written.
const sampled = 200

// A sample is the first rows, in fields, as one separator takes them apart.
type sample struct {
	splitter
	rows    [][][]byte
	spans   []span
	columns int     // of most rows
	agree   float64 // the share of rows that have so many, but for the first
	short   bool    // the first row and as many as have fewer fields agree: what others lack is missing
	whole   bool    // each row is one value that the separator takes apart, a day and a time of day
	values  float64 // the share of fields that are numbers, times or missing
	comment []byte  // the comment just before the first row
	doubt   error   // numbers that can be read in two ways; nil: none
}

// recognise finds out how the text is written.
func recognise(ctx context.Context, name, word string, data []byte, o Options) (*table, error) {
	from, line := 0, 1
	for range o.Skip {
		_, from = lineEnd(data, from)
		line++
	}
	separators := []byte{'\t', ';', ',', '|', ' '}
	if o.Separator != 0 {
		separators = []byte{o.Separator}
	}
	var best *sample
	var failed error
	for _, separator := range separators {
		if quoted := bytes.Contains(data, []byte(`","`)); separator == ',' && o.Decimal == ',' && !quoted {
			continue // both can be told apart only where quotes do
		}
		if ctx.Err() != nil {
			return nil, stopped(ctx)
		}
		s := &sample{splitter: splitter{separator: separator, decimal: o.Decimal, comment: []byte(o.Comment)}}
		if err := s.read(data, from, line); err != nil {
			failed = err
			continue
		}
		s.look(newBlanks(o.Missing, '.'), word)
		if best == nil || s.better(best) {
			best = s
		}
	}
	switch {
	case best == nil && failed != nil:
		return nil, fmt.Errorf("%s: %w", name, failed)
	case best == nil || len(best.rows) == 0:
		return nil, fmt.Errorf("%s: no rows, only comments and empty lines", name)
	}
	return best.table(name, word, data, o)
}

// read takes the first rows apart.
func (s *sample) read(data []byte, from, line int) error {
	begin, first := from, line
	for from < len(data) && len(s.rows) < sampled {
		r, err := s.nextRow(data, from, line)
		if err != nil {
			return err
		}
		switch {
		case r.comment:
			if sign := data[r.from+firstPrinted(data[r.from:])]; s.sign == 0 && len(s.splitter.comment) == 0 {
				s.sign = sign
				if len(s.rows) > 0 { // those before may end in comments, too
					s.rows, s.spans, s.comment = nil, nil, nil
					from, line = begin, first
					continue
				}
			}
			if len(s.rows) == 0 {
				s.comment = bytes.TrimLeft(trim(data[r.from:r.to]), "#% ")
			}
		case r.to > r.from:
			s.rows = append(s.rows, s.fields(data[r.from:r.to], r.quoted, nil))
			s.spans = append(s.spans, r)
		}
		from, line = r.next, line+r.lines
	}
	return nil
}

// look counts fields, and finds the decimal sign; word is what a line is called.
func (s *sample) look(b blanks, word string) {
	if len(s.rows) == 0 {
		return
	}
	counts := map[int]int{}
	for _, row := range s.rows {
		counts[len(row)]++
	}
	for n, times := range counts {
		if times > counts[s.columns] || times == counts[s.columns] && n > s.columns {
			s.columns = n
		}
	}
	if s.endsInSeparators() {
		s.columns--
	}
	alike, several, others := 0, 0, s.rows[min(1, len(s.rows)-1):] // the first row may be another one
	for _, row := range others {
		n := s.fieldCount(row)
		if n == s.columns {
			alike++
		}
		if n > 1 {
			several++
		}
	}
	s.agree = float64(alike) / float64(len(others))
	s.whole = s.separator == ' ' && !slices.ContainsFunc(others, func(row [][]byte) bool { return !isTime(bytes.Join(row, []byte{' '})) })
	s.short = several > 0 && s.fieldCount(s.rows[0]) == s.columns && 2*(alike+1) >= len(s.rows)
	if s.decimal == 0 {
		s.decimal, s.doubt = s.findDecimal(b, word)
	}
	fields, values := 0, 0
	for _, row := range others {
		for _, field := range row {
			fields++
			if _, is := b.number(field, s.decimal); is != isBad || isTime(bare(field)) || decimal.Alike(bare(field)) {
				values++
			}
		}
	}
	s.values = float64(values) / float64(max(1, fields))
}

// endsInSeparators reports whether a separator at the ends of the rows separates nothing: no
// row has a field behind it.
func (s *sample) endsInSeparators() bool {
	if s.columns < 2 || len(s.rows[0]) < s.columns-1 {
		return false
	}
	return !slices.ContainsFunc(s.rows, func(row [][]byte) bool { return len(row) >= s.columns && len(row[s.columns-1]) > 0 })
}

// fieldCount is how many fields a row has, but for what follows a separator at its end.
func (s *sample) fieldCount(row [][]byte) int {
	if n := len(row); n == s.columns+1 && len(row[n-1]) == 0 {
		return n - 1
	}
	return len(row)
}

// findDecimal is the sign of the numbers in columns of numbers.
func (s *sample) findDecimal(b blanks, word string) (byte, error) {
	var marks decimal.Marks
	for k := range s.columns {
		numbers, words := 0, 0
		var of decimal.Marks
		for i, row := range s.rows {
			if k >= len(row) || b.word(bare(row[k])) {
				continue
			}
			if field := bare(row[k]); decimal.Alike(field) {
				of.Add(field, s.spans[i].line)
				numbers++
			} else {
				words++
			}
		}
		if numbers >= words {
			marks.Join(of)
		}
	}
	return marks.Sign(s.separator, word)
}

// better compares separators: rows of one length first, then fields that are values.
func (s *sample) better(than *sample) bool {
	regular := func(s *sample) bool { return s.columns > 1 && !s.whole && (s.agree > 0.5 || s.short && s.values > 0.5) }
	switch {
	case regular(s) != regular(than):
		return regular(s)
	case !regular(s):
		return false
	}
	return s.values > than.values+1e-9
}

// table finds the names of the columns and where the values begin.
func (s *sample) table(name, word string, data []byte, o Options) (*table, error) {
	if s.columns == 1 && s.separator != ' ' && o.Separator == 0 {
		s.separator = ','
		if s.decimal == ',' {
			s.separator = ';'
		}
	}
	if s.doubt != nil {
		return nil, remedy.DecimalComma.For(fmt.Errorf("%s: %w", name, s.doubt))
	}
	t := &table{splitter: s.splitter, blanks: newBlanks(o.Missing, s.decimal), data: data, name: name, row: word, o: o, columns: s.columns}
	for i := range s.rows { // one separator at the end of rows is none
		s.rows[i] = s.rows[i][:s.fieldCount(s.rows[i])]
	}
	first := s.rows[0]
	rowNames := len(first) == s.columns-1 && len(first) > 1 && len(s.rows) > 1 && s.noNumber(t, first) // as R writes them
	if len(first) != s.columns && !rowNames {
		k := slices.IndexFunc(s.rows, func(row [][]byte) bool { return len(row) == s.columns })
		err := fmt.Errorf("%s: %s %d has %s and %s %d %s, as most have", name, word, s.spans[0].line, spelling.Count(len(first), "field"), word, s.spans[k].line, spelling.Count(s.columns, "field"))
		return nil, remedy.SkipLines.For(err, s.spans[k].line-1)
	}
	taken := 0
	header, sure := s.hasHeader(t)
	if !sure && !rowNames {
		var names []string
		for _, field := range first {
			names = append(names, unquote(field))
		}
		return nil, remedy.SayHeader.For(fmt.Errorf("%s: %s %d (%s) may be names or values: there are words and numbers in it, as in the rows below",
			name, word, s.spans[0].line, shorten(strings.Join(names, ", "))))
	}
	if header || rowNames {
		taken = 1
		for _, field := range first {
			t.header = append(t.header, unquote(field))
		}
		if rowNames {
			t.header = slices.Insert(t.header, 0, "row")
		}
		if len(s.rows) > 2 && s.isUnits(t, s.rows[1]) {
			taken = 2
			for _, field := range s.rows[1] {
				t.units = append(t.units, unbracket(unquote(field)))
			}
		}
	} else if o.Header == nil {
		t.header = s.fromComment(t)
	}
	t.from, t.line = s.spans[taken-min(taken, 1)].from, s.spans[0].line
	if taken > 0 {
		last := s.spans[taken-1]
		t.from, t.line = last.next, last.line+last.lines
	}
	return t, nil
}

func (s *sample) noNumber(t *table, row [][]byte) bool {
	return !slices.ContainsFunc(row, func(field []byte) bool {
		_, is := t.number(field, t.decimal)
		return is == isNumber
	})
}

// hasHeader reports whether the first row names the columns: it has no number, or words over
// columns of numbers. Not sure: it has words and numbers, all different, where the rows below have them, too, and may
// be names such as years, or values.
func (s *sample) hasHeader(t *table) (header, sure bool) {
	if t.o.Header != nil {
		return *t.o.Header, true
	}
	words := false
	for _, field := range s.rows[0] {
		_, is := t.number(field, t.decimal)
		if is == isBad && meantAsNumber(bare(field)) {
			return false, true
		}
		words = words || is == isBad && !isTime(bare(field))
	}
	if !words {
		return isCorner(t, s.rows[0]) && len(s.rows) > 1 && !slices.ContainsFunc(s.rows[1:], func(row [][]byte) bool { return len(bare(row[0])) == 0 }), true
	}
	if s.noNumber(t, s.rows[0]) {
		return true, true
	}
	for k, field := range s.rows[0] {
		if _, is := t.number(field, t.decimal); is == isBad && s.share(t, k) > 0.8 {
			return true, true
		}
	}
	return false, s.repeats()
}

// repeats reports whether the first row has a field twice, or one that a row below has in its column: no names are so.
func (s *sample) repeats() bool {
	seen := make(map[string]bool)
	for k, field := range s.rows[0] {
		text := unquote(field)
		if seen[text] || slices.ContainsFunc(s.rows[1:], func(row [][]byte) bool { return k < len(row) && unquote(row[k]) == text }) {
			return true
		}
		seen[text] = true
	}
	return len(s.rows) < 2
}

// isCorner reports whether a row is nothing and then numbers that increase, as the positions
// above functions do.
func isCorner(t *table, row [][]byte) bool {
	if len(bare(row[0])) > 0 || len(row) < 3 {
		return false
	}
	last := math.Inf(-1)
	for _, field := range row[1:] {
		x, is := t.number(field, t.decimal)
		if is != isNumber || x <= last {
			return false
		}
		last = x
	}
	return true
}

// share is how much of a column below the first row is numbers, of what is not missing.
func (s *sample) share(t *table, k int) float64 {
	all, numbers := 0, 0
	for _, row := range s.rows[1:] {
		if k >= len(row) {
			continue
		}
		switch _, is := t.number(row[k], t.decimal); is {
		case isNumber:
			all, numbers = all+1, numbers+1
		case isBad:
			all++
		}
	}
	return float64(numbers) / float64(max(1, all))
}

// isUnits reports whether a row below the names holds the units of the columns.
func (s *sample) isUnits(t *table, row [][]byte) bool {
	if len(row) != s.columns || !s.noNumber(t, row) {
		return false
	}
	units := 0
	for k, field := range row {
		text := unquote(field)
		switch {
		case isUnit(unbracket(text)) || unbracket(text) != text:
			units++
		case t.word(field):
		default:
			return false
		}
		if s.share(t, k) < 0.5 && len(field) > 0 && !t.word(field) && !slices.ContainsFunc(s.rows[2:], func(r [][]byte) bool { return k < len(r) && isTime(bare(r[k])) }) {
			return false // a word in a column of words
		}
	}
	return units > 0
}

// fromComment takes names from a comment just before the first row, as NumPy writes them.
func (s *sample) fromComment(t *table) []string {
	if len(s.comment) == 0 {
		return nil
	}
	row := s.fields(s.comment, true, nil)
	if len(row) != s.columns || !s.noNumber(t, row) || s.columns == 1 && bytes.ContainsAny(s.comment, " :") {
		return nil
	}
	var names []string
	for _, field := range row {
		names = append(names, unquote(field))
	}
	return names
}
