package stdlib

import (
	"fmt"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// osDate ([format [, time]]) follows C's strftime in the C locale; *t makes a table, a ! in front takes UTC.
func osDate(c call) int {
	format := c.textOr(1, "%c")
	t := time.Now()
	if c.has(2) {
		t = time.Unix(int64(c.integer(2)), 0)
	}
	if rest, utc := strings.CutPrefix(format, "!"); utc {
		format, t = rest, t.UTC()
	}
	if !strings.HasPrefix(format, "*t") {
		return c.push(lua.LString(strftime(t, format)))
	}
	table := c.NewTable()
	for _, f := range []struct {
		name  string
		value int
	}{
		{"year", t.Year()},
		{"month", int(t.Month())},
		{"day", t.Day()},
		{"hour", t.Hour()},
		{"min", t.Minute()},
		{"sec", t.Second()},
		{"wday", int(t.Weekday()) + 1},
		{"yday", t.YearDay()},
	} {
		table.RawSetString(f.name, lua.LNumber(f.value))
	}
	table.RawSetString("isdst", lua.LBool(t.IsDST()))
	return c.push(table)
}

// strftime formats a time; an unknown directive stays as it is.
func strftime(t time.Time, format string) string {
	var out strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			out.WriteByte(format[i])
			continue
		}
		i++
		out.WriteString(dateField(t, format[i]))
	}
	return out.String()
}

// dateField returns what one directive of strftime stands for.
func dateField(t time.Time, directive byte) string {
	isoYear, isoWeek := t.ISOWeek()
	hour12 := (t.Hour()+11)%12 + 1
	switch directive {
	case 'a':
		return t.Format("Mon")
	case 'A':
		return t.Format("Monday")
	case 'b', 'h':
		return t.Format("Jan")
	case 'B':
		return t.Format("January")
	case 'c':
		return t.Format("Mon Jan _2 15:04:05 2006")
	case 'C':
		return fmt.Sprintf("%02d", t.Year()/100)
	case 'd':
		return t.Format("02")
	case 'D', 'x':
		return t.Format("01/02/06")
	case 'e':
		return t.Format("_2")
	case 'F':
		return t.Format("2006-01-02")
	case 'g':
		return fmt.Sprintf("%02d", isoYear%100)
	case 'G':
		return fmt.Sprintf("%d", isoYear)
	case 'H':
		return t.Format("15")
	case 'I':
		return fmt.Sprintf("%02d", hour12)
	case 'j':
		return fmt.Sprintf("%03d", t.YearDay())
	case 'm':
		return t.Format("01")
	case 'M':
		return t.Format("04")
	case 'n':
		return "\n"
	case 'p':
		return t.Format("PM")
	case 'r':
		return fmt.Sprintf("%02d", hour12) + t.Format(":04:05 PM")
	case 'R':
		return t.Format("15:04")
	case 's':
		return fmt.Sprintf("%d", t.Unix())
	case 'S':
		return t.Format("05")
	case 't':
		return "\t"
	case 'T', 'X':
		return t.Format("15:04:05")
	case 'u':
		return fmt.Sprintf("%d", (int(t.Weekday())+6)%7+1)
	case 'U':
		return fmt.Sprintf("%02d", (t.YearDay()+6-int(t.Weekday()))/7)
	case 'V':
		return fmt.Sprintf("%02d", isoWeek)
	case 'w':
		return fmt.Sprintf("%d", t.Weekday())
	case 'W':
		return fmt.Sprintf("%02d", (t.YearDay()+6-(int(t.Weekday())+6)%7)/7)
	case 'y':
		return t.Format("06")
	case 'Y':
		return t.Format("2006")
	case 'z':
		return t.Format("-0700")
	case 'Z':
		return t.Format("MST")
	case '%':
		return "%"
	}
	return "%" + string(directive)
}
