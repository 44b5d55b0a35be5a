package records

import (
	"fmt"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/sheet"
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
