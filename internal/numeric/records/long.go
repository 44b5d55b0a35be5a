package records

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/internal/numeric/sheet"
)

// A field is one input, or one output, of all pairs.
type field struct {
	role, name, column string
	axes               []string // names of the coordinates
	units              []string // of the coordinates, as the headers have them
	time               bool     // positions are times
	labels             []string // of the pairs, in the order they came
	curves             map[string]*curve
	unit, unitAt       string // by a column of units, and where it was read first
}

// A curve is the values of a field for one pair.
type curve struct {
	sheet  *sheet.Sheet
	at     []float64 // positions, one after the other
	values []float64
	rows   []int // of the sheet, where each was read
	origin int64 // of times: nanoseconds since 1970
}

func (f *field) dim() int { return len(f.axes) }

// columns finds what a part has of a field.
type columns struct {
	at     []*sheet.Column
	values *sheet.Column
	is     func(row int) bool // whether a row is of this field
}

func (b *builder) columnsOf(f *field, s *sheet.Sheet, x []string) (c columns, err error) {
	if len(x) == 0 {
		return c, fmt.Errorf("%sx: missing; want the column with the positions of the %ss, one of %s", start(s), f.role, first(s.Names()))
	}
	for _, name := range x {
		at, err := s.Numbers(name)
		if err != nil {
			return c, err
		}
		if at.Kind == sheet.Time && len(x) > 1 {
			return c, fmt.Errorf("%scolumn %s: times are the only coordinate, or none; give numbers", start(s), at.Name)
		}
		c.at = append(c.at, at)
	}
	if b.Kind == "" {
		c.is = func(int) bool { return true }
		if b.OnlyColumn && !slices.Contains(s.Names(), f.column) {
			c.values, err = b.valueColumn(f.role, s, c.at)
		} else {
			c.values, err = s.Numbers(f.column)
		}
		return c, err
	}
	kind, err := s.Column(b.Kind)
	if err != nil {
		return c, err
	}
	if c.values, err = b.valueColumn("value", s, c.at); err != nil {
		return c, err
	}
	if kind.Kind != sheet.Text {
		return c, fmt.Errorf("%scolumn %s: holds numbers, want words that say what a row measures", start(s), kind.Name)
	}
	word := slices.Index(kind.Labels, f.column)
	if word < 0 {
		return c, fmt.Errorf("%scolumn %s: has no %q; there are %s", start(s), kind.Name, f.column, strings.Join(kind.Labels[:min(12, len(kind.Labels))], ", "))
	}
	c.is = func(row int) bool { return int(kind.Codes[row]) == word }
	return c, nil
}

// first lists some names.
func first(names []string) string {
	const enough = 12
	if len(names) > enough {
		return strings.Join(names[:enough], ", ") + fmt.Sprintf(" and %d more", len(names)-enough)
	}
	return strings.Join(names, ", ")
}

func start(s *sheet.Sheet) string {
	if s.Source == "" {
		return ""
	}
	return s.Source + ": "
}

// valueColumn is the one that was named, or the only one of numbers that is left.
func (b *builder) valueColumn(argument string, s *sheet.Sheet, at []*sheet.Column) (*sheet.Column, error) {
	if b.Value != "" {
		return s.Numbers(b.Value)
	}
	var left []*sheet.Column
	for _, c := range s.Columns {
		if c.Kind == sheet.Number && c.Name != b.Pair && c.Header != b.Pair && !slices.Contains(at, c) {
			left = append(left, c)
		}
	}
	if len(left) > 1 { // an index that pandas wrote is no measurement
		left = slices.DeleteFunc(left, func(c *sheet.Column) bool { return c.Name == "index" && counts(c.Numbers) })
	}
	if len(left) != 1 {
		return nil, fmt.Errorf("%s%s: missing; want the column with the numbers, one of %s", start(s), argument, strings.Join(s.Names(), ", "))
	}
	return left[0], nil
}

// counts says whether numbers are 0, 1, 2, … or 1, 2, 3, …
func counts(x []float64) bool {
	for i, v := range x {
		if v != x[0]+float64(i) {
			return false
		}
	}
	return len(x) > 0 && (x[0] == 0 || x[0] == 1)
}

// readLong adds the curves of one table with a measurement in each row.
func (b *builder) readLong(f *field, p Part, x []string, several bool) error {
	c, err := b.columnsOf(f, p.Sheet, x)
	if err != nil {
		return err
	}
	f.axes, f.units = f.axes[:0], f.units[:0]
	for _, at := range c.at {
		f.axes, f.units = append(f.axes, at.Name), append(f.units, at.Unit)
	}
	f.time = c.at[0].Kind == sheet.Time
	if err := b.oneUnit(f, p.Sheet, c); err != nil {
		return err
	}
	groups, err := b.groups(p, several)
	if err != nil {
		return err
	}
	for _, g := range groups {
		if err := b.stopped(); err != nil {
			return err
		}
		if f.curves[g.Label] != nil {
			return fmt.Errorf("%stwo pairs are called %s", start(p.Sheet), g.Label)
		}
		curve, err := b.curveOf(f, p.Sheet, c, g)
		if err != nil {
			return err
		}
		f.labels, f.curves[g.Label] = append(f.labels, g.Label), curve
	}
	return nil
}

// groups are the rows of each pair.
func (b *builder) groups(p Part, several bool) ([]sheet.Group, error) {
	if b.Pair == "" {
		rows := make([]int, p.Sheet.N)
		for i := range rows {
			rows[i] = i
		}
		return []sheet.Group{{Label: p.Name, Rows: rows}}, nil
	}
	groups, err := p.Sheet.Groups(b.ctx, b.Pair)
	for i := range groups {
		groups[i].Label = labelOf(p, groups[i].Label, several)
	}
	return groups, err
}

// curveOf takes the values of one pair in the order of their positions.
func (b *builder) curveOf(f *field, s *sheet.Sheet, c columns, g sheet.Group) (*curve, error) {
	out := &curve{sheet: s}
	if f.time {
		out.origin = c.at[0].Origin.UnixNano()
	}
	for _, i := range g.Rows {
		if c.is(i) && !c.values.Missing(i) {
			out.rows = append(out.rows, i)
		}
	}
	for _, i := range out.rows {
		for _, at := range c.at {
			if at.Missing(i) || math.IsInf(at.Numbers[i], 0) {
				return nil, fmt.Errorf("%s%s: %s has a value where %s is %s", prefix(s), s.Where(i), c.values.Name, at.Name, orMissing(at, i))
			}
		}
		if math.IsInf(c.values.Numbers[i], 0) {
			return nil, fmt.Errorf("%s%s: %s is %g: must be finite", prefix(s), s.Where(i), c.values.Name, c.values.Numbers[i])
		}
	}
	if f.time {
		if err := overMidnight(s, c.at[0], out.rows); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(out.rows, func(i, j int) int {
		for _, at := range c.at {
			if at.Numbers[i] != at.Numbers[j] {
				if at.Numbers[i] < at.Numbers[j] {
					return -1
				}
				return 1
			}
		}
		return 0
	})
	if err := dense.CheckSize("the measurements", float64(len(out.rows)*(1+len(c.at)))); err != nil {
		return nil, err
	}
	out.at, out.values = make([]float64, 0, len(out.rows)*len(c.at)), make([]float64, 0, len(out.rows))
	for _, i := range out.rows {
		out.values = append(out.values, c.values.Numbers[i])
		for _, at := range c.at {
			out.at = append(out.at, at.Numbers[i])
		}
	}
	return out, b.single(f, g.Label, out, c.at)
}

// overMidnight refuses times of day without a date that go on after midnight: they would come
// first.
func overMidnight(s *sheet.Sheet, at *sheet.Column, rows []int) error {
	const day = 86400
	if start := at.Origin.Unix(); start < 0 || start >= day {
		return nil
	}
	for k, i := range rows {
		if k > 0 && at.Numbers[rows[k-1]]-at.Numbers[i] > day/2 {
			return fmt.Errorf("%s%s: %s goes back from %s to %s: is that after midnight? give the dates with the times", prefix(s), s.Where(i), at.Name, at.Word(rows[k-1]), at.Word(i))
		}
	}
	return nil
}

func orMissing(c *sheet.Column, i int) string {
	if c.Missing(i) {
		return "missing"
	}
	return c.Word(i)
}

// single refuses two values in one place, or takes their mean.
func (b *builder) single(f *field, label string, c *curve, at []*sheet.Column) error {
	dim := len(at)
	kept := 0 // places
	for from := 0; from < len(c.values); {
		to := from + 1
		for to < len(c.values) && slices.Equal(c.at[from*dim:(from+1)*dim], c.at[to*dim:(to+1)*dim]) {
			to++
		}
		if to > from+1 && !b.Average {
			return b.twice(f, label, c, at, from)
		}
		if to > from+1 {
			b.note("%s: values of one pair in one place are averaged", f.title())
		}
		mean := 0.0
		for _, v := range c.values[from:to] {
			mean += (v - c.values[from]) / float64(to-from)
		}
		value := c.values[from] + mean
		copy(c.at[kept*dim:(kept+1)*dim], c.at[from*dim:(from+1)*dim])
		c.values[kept], c.rows[kept] = value, c.rows[from]
		kept++
		from = to
	}
	c.at, c.values, c.rows = c.at[:kept*dim], c.values[:kept], c.rows[:kept]
	return nil
}

func (b *builder) twice(f *field, label string, c *curve, at []*sheet.Column, k int) error {
	var place []string
	for _, a := range at {
		place = append(place, fmt.Sprintf("%s = %s", a.Name, a.Word(c.rows[k])))
	}
	err := fmt.Errorf("%s%s of pair %s at %s is there twice, on %s and %s",
		start(c.sheet), f.title(), label, strings.Join(place, ", "), c.sheet.Where(c.rows[k]), c.sheet.Where(c.rows[k+1]))
	if i := turnedBack(c, at[0]); f.time && i > 0 {
		return fmt.Errorf("%w; on %s the time goes back to %s: is that the end of summer time? Then give times with their zone, such as 2024-10-27T02:00+01:00",
			err, c.sheet.Where(i), at[0].Word(i))
	}
	return remedy.AverageTwice.For(err)
}

// turnedBack is the row where times of a curve go back by an hour or less, as clocks do when summer time ends; 0: none.
func turnedBack(c *curve, at *sheet.Column) int {
	const hour = 3600
	last := math.NaN()
	for _, i := range slices.Sorted(slices.Values(c.rows)) {
		if back := last - at.Numbers[i]; back > 0 && back <= hour {
			return i
		}
		last = at.Numbers[i]
	}
	return 0
}
