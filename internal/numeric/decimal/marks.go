package decimal

import (
	"bytes"
	"fmt"
)

// Marks are the decimal signs of the numbers in a text: what tells them, and where.
type Marks struct {
	comma, point place // of the first number that is one with this sign only
	decided      bool  // a comma is no comma between thousands: 0,5 or 12,50
}

// A place is where a number stands; line 0: there is none.
type place struct {
	line int
	text string
}

// Add looks at a field on a line, counted from 1.
func (m *Marks) Add(field []byte, line int) {
	i := bytes.IndexAny(field, ",.")
	if i < 0 {
		return
	}
	sign := field[i]
	if _, ok := Parse(field, sign); !ok {
		return
	}
	at := &m.point
	if sign == ',' {
		at = &m.comma
		m.decided = m.decided || !commaOfThousands(field)
	}
	if at.line == 0 || line < at.line {
		*at = place{line, string(field)}
	}
}

// Join adds what another part of the text tells.
func (m *Marks) Join(o Marks) {
	for _, p := range []struct{ to, from *place }{{&m.comma, &o.comma}, {&m.point, &o.point}} {
		if p.from.line > 0 && (p.to.line == 0 || p.from.line < p.to.line) {
			*p.to = *p.from
		}
	}
	m.decided = m.decided || o.decided
}

// HasPoint reports whether a number has a decimal point.
func (m *Marks) HasPoint() bool { return m.point.line > 0 }

// HasComma reports whether a number has a comma that is the decimal sign, if nothing
// contradicts.
func (m *Marks) HasComma(separator byte) bool {
	return m.comma.line > 0 && (m.decided && separator != ',' || separator == ';') // what writes semicolons has decimal commas
}

// Sign is the decimal sign of the text, whose fields are separated by separator. The error says
// which numbers can be read in two ways; unit is what a line is called.
func (m *Marks) Sign(separator byte, unit string) (sign byte, err error) {
	switch {
	case m.comma.line == 0:
		return '.', nil
	case m.point.line > 0:
		return '.', fmt.Errorf("%s %d has %q and %s %d %q: is the comma the decimal sign, or the point?",
			unit, m.comma.line, m.comma.text, unit, m.point.line, m.point.text)
	case m.HasComma(separator):
		return ',', nil
	}
	return '.', fmt.Errorf("%s %d: %q: is this comma a decimal one, or between thousands? no number tells; write them without", unit, m.comma.line, m.comma.text)
}

// commaOfThousands reports whether the comma of a number may be one between thousands: 12,500.
func commaOfThousands(field []byte) bool {
	digits := bytes.TrimLeft(field, "+-")
	at := bytes.IndexByte(digits, ',')
	return at >= 1 && at <= 3 && digits[0] != '0' && len(digits) == at+4
}

// Alike reports whether a field is meant as a number, however it is written: with a decimal
// comma or point, with marks or spaces between thousands, with the minus sign of typesetting.
func Alike(field []byte) bool {
	if rest, ok := bytes.CutPrefix(field, []byte("−")); ok {
		field = append([]byte{'-'}, rest...)
	}
	digits := bytes.TrimLeft(field, "+-")
	if len(field)-len(digits) > 1 || len(digits) == 0 || digits[0]-'0' > 9 && digits[0] != ',' && digits[0] != '.' {
		return false
	}
	for _, sign := range []byte{'.', ','} {
		if _, ok := Parse(field, sign); ok {
			return true
		}
		for _, mark := range []string{",", ".", "'", "’", "_", " ", "\u00a0", "\u202f"} {
			if mark[0] != sign && grouped(digits, mark, sign) {
				return true
			}
		}
	}
	return false
}

// grouped reports whether digits are a number with a mark between thousands: none begins with 0,
// as telephone numbers do.
func grouped(digits []byte, mark string, sign byte) bool {
	whole, _, _ := bytes.Cut(digits, []byte{sign})
	groups := bytes.Split(whole, []byte(mark))
	for i, g := range groups {
		if len(g) > 3 || len(g) == 0 || g[0] == '0' && i == 0 || i > 0 && len(g) != 3 {
			return false
		}
	}
	_, ok := Parse(bytes.ReplaceAll(digits, []byte(mark), nil), sign)
	return len(groups) > 1 && ok
}
