package records

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/decimal"
	"github.com/greenbench/workbench/internal/numeric/sheet"
)

// readWide adds the curves of a table with a function in each row, and the positions in the
// header.
func (b *builder) readWide(f *field, p Part, several bool) error {
	s := p.Sheet
	if len(b.X) == 1 {
		if at, err := s.Column(b.X[0]); err == nil {
			return b.readColumns(f, p, at, several)
		}
	}
	var label *sheet.Column
	if b.Pair != "" {
		var err error
		if label, err = s.Column(b.Pair); err != nil {
			return err
		}
	}
	f.axes = []string{either(b.X, []string{"x"})[0]}
	at, values, err := b.positions(s, label)
	if err != nil {
		return err
	}
	row := make(map[string]int) // of each pair
	for i := range s.N {
		name := strconv.Itoa(i + 1)
		if label != nil {
			if name = label.Word(i); name == "" {
				return fmt.Errorf("%scolumn %s: is missing on %s: which pair is that?", start(s), label.Name, s.Where(i))
			}
		}
		name = labelOf(p, name, several)
		if c := f.curves[name]; c != nil {
			return fmt.Errorf("%spair %s is there twice, on %s and %s", start(s), name, c.sheet.Where(row[name]), s.Where(i))
		}
		row[name] = i
		c := &curve{sheet: s}
		for k, v := range values {
			if x := v.Numbers[i]; math.IsInf(x, 0) {
				return fmt.Errorf("%s%s, column %s is %g: must be finite", prefix(s), s.Where(i), v.Name, x)
			} else if !math.IsNaN(x) {
				c.at, c.values, c.rows = append(c.at, at[k]), append(c.values, x), append(c.rows, i)
			}
		}
		f.labels, f.curves[name] = append(f.labels, name), c
	}
	return nil
}

// readColumns adds the curves of a table with a function in each column beside that of the
// positions.
func (b *builder) readColumns(f *field, p Part, at *sheet.Column, several bool) error {
	if _, err := p.Sheet.Numbers(at.Name); err != nil {
		return err
	}
	f.axes, f.time = []string{at.Name}, at.Kind == sheet.Time
	rows := make([]int, p.Sheet.N)
	for i := range rows {
		rows[i] = i
	}
	for _, v := range p.Sheet.Columns {
		if v == at {
			continue
		}
		if _, err := p.Sheet.Numbers(v.Name); err != nil {
			return err
		}
		c := columns{at: []*sheet.Column{at}, values: v, is: func(int) bool { return true }}
		label := labelOf(p, v.Name, several)
		curve, err := b.curveOf(f, p.Sheet, c, sheet.Group{Label: label, Rows: rows})
		if err != nil {
			return err
		}
		f.labels, f.curves[label] = append(f.labels, label), curve
	}
	return nil
}

// positions are the columns whose names are numbers, in their order.
func (b *builder) positions(s *sheet.Sheet, label *sheet.Column) (at []float64, values []*sheet.Column, err error) {
	used := slices.Concat(slices.Collect(maps.Values(b.Group)), slices.Collect(maps.Values(b.Parameter)))
	for _, c := range s.Columns {
		if c == label || slices.Contains(used, c.Name) || slices.Contains(used, c.Header) {
			continue
		}
		x, ok := position(c)
		if !ok {
			return nil, nil, fmt.Errorf("%sthe header has %q, want the number of a position over every column but that of the pairs", start(s), c.Header)
		}
		if c.Kind != sheet.Number {
			_, err := s.Numbers(c.Name)
			return nil, nil, err
		}
		if len(values) > 0 && c.Unit != values[0].Unit {
			return nil, nil, fmt.Errorf("%sthe header has %q and %q: want one unit", start(s), values[0].Header, c.Header)
		}
		if slices.Contains(at, x) {
			return nil, nil, fmt.Errorf("%sthe header has the position %g twice", start(s), x)
		}
		at, values = append(at, x), append(values, c)
	}
	if len(at) == 0 {
		return nil, nil, fmt.Errorf("%sthe header has no positions", start(s))
	}
	order := make([]int, len(at))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		if at[i] < at[j] {
			return -1
		}
		return 1
	})
	sortedAt, sortedValues := make([]float64, len(at)), make([]*sheet.Column, len(at))
	for k, i := range order {
		sortedAt[k], sortedValues[k] = at[i], values[i]
	}
	return sortedAt, sortedValues, nil
}

// position is the number over a column. The header counts where it is one: columns that are called alike have names
// with something added, which are numbers too, but others.
func position(c *sheet.Column) (float64, bool) {
	for _, text := range []string{c.Header, c.Name} {
		x, ok := decimal.Parse([]byte(strings.Replace(text, ",", ".", 1)), '.')
		if ok && !math.IsInf(x, 0) {
			return x, true
		}
	}
	return 0, false
}
