package records

import (
	"fmt"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/sheet"
	"github.com/greenbench/workbench/internal/numeric/units"
)

// unitColumn is a column that says in which unit the value of a row is; nil if there is none.
func (b *builder) unitColumn(s *sheet.Sheet) *sheet.Column {
	for _, c := range s.Columns {
		name := strings.ToLower(c.Name)
		if c.Kind == sheet.Text && slices.Contains([]string{"unit", "units", "einheit", "unité", "unidad", "unità"}, name) && c.Name != b.Pair && c.Name != b.Kind {
			return c
		}
	}
	return nil
}

// oneUnit refuses values of one field in several units, by a column of them. Where a row has several
// values, nobody knows which of them the unit is of, so that it is noted.
func (b *builder) oneUnit(f *field, s *sheet.Sheet, c columns) error {
	u := b.unitColumn(s)
	if u == nil {
		return nil
	}
	for i := range s.N {
		if !c.is(i) || c.values.Missing(i) || u.Missing(i) {
			continue
		}
		word := u.Word(i)
		switch {
		case f.unit == "":
			f.unit, f.unitAt = word, prefix(s)+s.Where(i)
		case f.unit == word:
		case b.Kind == "":
			b.note("column %s has %s and %s: numbers are taken as they are, whatever their unit", u.Name, f.unit, word)
			return nil
		default:
			return fmt.Errorf("%s is in %s (%s) and in %s (%s%s): want one unit, so bring the numbers to one first", f.title(), f.unit, f.unitAt, word, prefix(s), s.Where(i))
		}
	}
	return nil
}

// sameUnits refuses positions of inputs and outputs that measure the same in different units, metres and kilometres:
// whatever compares them would take them for one.
func sameUnits(inputs, outputs []*field) error {
	parsed := func(f *field) []units.Unit {
		all := make([]units.Unit, len(f.units))
		for i, text := range f.units {
			all[i], _ = units.Parse(text, "")
		}
		return all
	}
	for _, in := range inputs {
		for _, out := range outputs {
			if i, j, differ := units.Differ(parsed(in), parsed(out)); differ {
				return fmt.Errorf("%s of the %s is in %s and %s of the %s in %s: want one unit, so bring the numbers to one first",
					in.axes[i], in.title(), in.units[i], out.axes[j], out.title(), out.units[j])
			}
		}
	}
	return nil
}
