package sheet

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/decimal"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/internal/numeric/spelling"
)

var errNoRows = errors.New("no rows, only a header line")

func prefixed(name string, err error) error {
	if name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// sheet puts the columns together, without bad rows or with an error that names them.
func (r *reading) sheet() (*Sheet, error) {
	s := &Sheet{N: r.rows, Source: r.name, lines: r.lines, row: r.row, Columns: r.columns}
	wrong := make([]bool, r.rows)
	count := 0
	for i, n := range r.odd {
		if n != 0 {
			wrong[i] = true
			count++
		}
	}
	for k, c := range r.columns {
		if c.Kind == Text || r.wrong[k].Load() == 0 {
			continue
		}
		for i, x := range c.Numbers {
			if isBadNumber(x) && !wrong[i] {
				wrong[i] = true
				count++
			}
		}
	}
	switch {
	case count == 0:
		return s, nil
	case !r.o.SkipBad:
		return nil, r.refuse(wrong, count)
	case count == r.rows:
		return nil, fmt.Errorf("%s: none of the %d rows can be read: %s", r.name, r.rows, r.explain(0))
	}
	keep := make([]int, 0, r.rows-count)
	var skipped []int
	for i, w := range wrong {
		if w {
			skipped = append(skipped, int(r.lines[i]))
		} else {
			keep = append(keep, i)
		}
	}
	out, err := s.Take(keep)
	if err != nil {
		return nil, err
	}
	out.Skipped = skipped
	for _, c := range out.Columns {
		c.restart()
	}
	return out, nil
}

// restart makes the first time there is the origin.
func (c *Column) restart() {
	if c.Kind != Time {
		return
	}
	i := slices.IndexFunc(c.Numbers, func(x float64) bool { return !math.IsNaN(x) })
	if i < 0 || c.Numbers[i] == 0 {
		return
	}
	origin, first := c.time(i), c.Numbers[i]
	for k := range c.Numbers {
		c.Numbers[k] -= first
	}
	c.Origin = origin
}

// refuse names the first bad row and counts the others.
func (r *reading) refuse(wrong []bool, n int) error {
	first := slices.Index(wrong, true)
	text := fmt.Sprintf("%s: %s", r.name, r.explain(first))
	if n > 1 {
		text += fmt.Sprintf("; %d of the %d rows cannot be read, on %ss %s", n, r.rows, r.row, r.which(wrong))
	}
	err := errors.New(text)
	k, field := r.badField(first)
	if k < 0 {
		if r.endsInComment(first) {
			return remedy.CommentSign.For(err, "#")
		}
		return remedy.SkipBadRows.For(err)
	}
	return r.byField(err, k, field)
}

// byField is an error with what to do about a field.
func (r *reading) byField(err error, k int, field string) error {
	switch {
	case strings.Contains(field, "#") && meantAsNumber([]byte(field)):
		return remedy.CommentSign.For(err, "#")
	case r.o.Decimal == 0 && meantAsNumber([]byte(field)):
		return remedy.DecimalOrText.For(err, r.columns[k].Name)
	}
	return remedy.SkipBadOrText.For(err, r.columns[k].Name, shorten(field))
}

// written says how the numbers are, if a field is one that is written otherwise.
func (r *reading) written(field string) string {
	if !decimal.Alike([]byte(field)) {
		return ""
	}
	if grouped(field) {
		return ": " + withoutMarks(field)
	}
	sign := "point"
	if r.decimal == ',' {
		sign = "comma"
	}
	return ": numbers here have a decimal " + sign + ", and no marks between thousands"
}

// grouped says whether a word is a number with marks between thousands, such as 1.234,5.
func grouped(word string) bool {
	yes, err := regexp.MatchString(`^[-+]?\d{1,3}([. '\x{a0}]\d{3})+(,\d+)?$`, word)
	return yes && err == nil
}

// withoutMarks says how to write a number that is grouped.
func withoutMarks(word string) string {
	return "write numbers without marks between thousands, such as " + strings.NewReplacer(".", "", " ", "", "'", "", "\u00a0", "").Replace(word)
}

// endsInComment reports whether a row has a number with # behind it.
func (r *reading) endsInComment(row int) bool {
	found := false
	for _, a := range r.parts {
		if a.row > row {
			break
		}
		r.each(r.data, a, func(at int, s span, _ [][]byte) {
			if at == row {
				p := splitter{separator: r.separator, sign: '#'}
				found = p.behindNumber(r.data[s.from:s.to]) < s.to-s.from
			}
		})
	}
	return found
}

// which lists the lines of the first bad rows.
func (r *reading) which(wrong []bool) string {
	const enough = 8
	var lines []string
	for i, w := range wrong {
		if w && len(lines) == enough {
			return strings.Join(lines, ", ") + ", …"
		}
		if w {
			lines = append(lines, fmt.Sprint(r.lines[i]))
		}
	}
	return strings.Join(lines, ", ")
}

// explain says what is wrong with a row.
func (r *reading) explain(row int) string {
	line := r.lines[row]
	if n := r.odd[row]; n != 0 {
		return fmt.Sprintf("%s %d: %s, want %d as the others have", r.row, line, spelling.Count(int(n), "field"), r.table.columns)
	}
	k, field := r.badField(row)
	if k < 0 {
		return fmt.Sprintf("%s %d cannot be read", r.row, line)
	}
	what := "number"
	if r.columns[k].Kind == Time {
		what = "time"
	}
	text := fmt.Sprintf("%s %d, column %s: %q is not a %s", r.row, line, r.columns[k].Name, shorten(field), what)
	if r.columns[k].Kind == Number {
		text += r.written(field)
	}
	return text
}

// badField is the first field of a row that its column has no place for; k < 0 if there is none.
func (r *reading) badField(row int) (k int, text string) {
	k = slices.IndexFunc(r.columns, func(c *Column) bool { return c.Kind != Text && isBadNumber(c.Numbers[row]) })
	if k >= 0 && r.odd[row] == 0 {
		return k, r.field(row, k)
	}
	return -1, ""
}

// field is the text of one field.
func (r *reading) field(row, k int) (text string) {
	i, exact := slices.BinarySearchFunc(r.parts, row, func(p part, row int) int { return p.row - row })
	if !exact {
		i--
	}
	r.each(r.data, r.parts[i], func(at int, _ span, fields [][]byte) {
		if at == row && k < len(fields) {
			text = unquote(fields[k])
		}
	})
	return text
}

func (r *reading) mixedZones(k int) error {
	zoned, plain := -1, -1
	for i, x := range r.columns[k].Numbers[:min(r.rows, sampled)] {
		if x != 0 {
			continue
		}
		if d, _ := parseDate([]byte(r.field(i, k))); d.hasZone {
			zoned = i
		} else {
			plain = i
		}
	}
	if zoned < 0 || plain < 0 {
		return fmt.Errorf("%s: column %s: some times have a zone and others none", r.name, r.columns[k].Name)
	}
	return fmt.Errorf("%s: column %s: the time on %s %d has a zone, %q, and that on %s %d none, %q",
		r.name, r.columns[k].Name, r.row, r.lines[zoned], r.field(zoned, k), r.row, r.lines[plain], r.field(plain, k))
}

func (r *reading) mixedOrder(k int) error {
	return fmt.Errorf("%s: column %s: in some dates the day comes first and in others the month", r.name, r.columns[k].Name)
}

func (r *reading) noOrder(k, row int) error {
	return remedy.DateOrder.For(fmt.Errorf("%s: column %s, %s %d: %q: which is the day, and which the month? no date in the column tells",
		r.name, r.columns[k].Name, r.row, r.lines[row], r.field(row, k)))
}
