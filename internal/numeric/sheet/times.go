package sheet

import (
	"math"
	"strings"
	"time"
)

// A date is text read as a time: numbers as they stand, for the order of day and month is
// that of the column.
type date struct {
	first, second, year int // day and month in the order written; month and day where ordered
	ordered             bool
	seconds             int // of the day
	nanos               int
	zone                int // seconds east of Greenwich
	hasZone, hasDate    bool
}

// An order says which comes first in 3/4/2024.
type order byte

const (
	unknownOrder order = iota
	dayFirst
	monthFirst
)

// isTime reports whether text is a date, a time of day, or both.
func isTime(b []byte) bool {
	if len(b) < 4 || len(b) > 40 {
		return false
	}
	_, ok := parseDate(b)
	return ok
}

// parseDate reads 2024-03-01, 2024/03/01, 1.3.2024, 1/3/2024, 1-Mar-2024 and 1 Mar 2024, each with
// a time of day behind it if there is one, after a blank or a T; and a time of day alone:
// 12:30, 12:30:45.25, 1:30 PM. A zone is Z, UTC, GMT or an offset such as +01:00.
func parseDate(b []byte) (d date, ok bool) {
	if len(b) < 4 || len(b) > 40 || b[0]-'0' > 9 {
		return d, false
	}
	rest := string(b)
	if i := strings.IndexByte(rest, ':'); i != 1 && i != 2 {
		if rest, ok = d.calendar(rest); !ok {
			return d, false
		}
		if rest == "" {
			return d, true
		}
		if rest[0] != ' ' && rest[0] != 'T' && rest[0] != 't' && rest[0] != '_' {
			return d, false
		}
		rest = strings.TrimLeft(rest[1:], " ")
	}
	return d, d.clock(rest)
}

// digits reads at most most digits.
func digits(text string, most int) (n, length int) {
	for length < len(text) && length < most && text[length]-'0' < 10 {
		n = n*10 + int(text[length]-'0')
		length++
	}
	return n, length
}

func (d *date) calendar(text string) (rest string, ok bool) {
	d.hasDate = true
	a, n := digits(text, 4)
	if n == 0 || len(text) <= n {
		return "", false
	}
	sign := text[n]
	text = text[n+1:]
	if sign != '-' && sign != '/' && sign != '.' && sign != ' ' {
		return "", false
	}
	b, m := digits(text, 2)
	if m == 0 {
		if b = monthOf(text); b == 0 || n > 2 {
			return "", false
		}
		m = 3
		d.ordered = true
	}
	if len(text) <= m || text[m] != sign || sign == ' ' && !d.ordered {
		return "", false
	}
	text = text[m+1:]
	switch {
	case n == 4: // year, month, day
		c, k := digits(text, 2)
		if k == 0 {
			return "", false
		}
		d.year, d.first, d.second, d.ordered = a, b, c, true
		return text[k:], true
	case n > 2:
		return "", false
	}
	c, k := digits(text, 4)
	if k != 4 {
		return "", false
	}
	d.year, d.first, d.second = c, a, b
	if d.ordered || sign == '.' { // day, month
		d.first, d.second, d.ordered = b, a, true
	}
	return text[k:], true
}

func monthOf(text string) int {
	if len(text) < 3 {
		return 0
	}
	i := strings.Index("janfebmaraprmayjunjulaugsepoctnovdec", strings.ToLower(text[:3]))
	if i < 0 || i%3 != 0 {
		return 0
	}
	return i/3 + 1
}

// clock reads 12:30, 12:30:45, 12:30:45.123456789, with PM or a zone.
func (d *date) clock(text string) bool {
	hour, n := digits(text, 2)
	if n == 0 {
		return false
	}
	text = text[n:]
	minute, second := 0, 0
	var ok bool
	if minute, text, ok = sexagesimal(text); !ok {
		return false
	}
	if strings.HasPrefix(text, ":") {
		if second, text, ok = sexagesimal(text); !ok {
			return false
		}
		if len(text) > 1 && (text[0] == '.' || text[0] == ',') {
			k := 1
			for unit := 100_000_000; k < len(text) && text[k]-'0' < 10; k++ {
				d.nanos += int(text[k]-'0') * unit
				unit /= 10
			}
			text = text[k:]
		}
	}
	if text, ok = halfDay(text, &hour); !ok {
		return false
	}
	if hour > 24 || hour == 24 && (minute > 0 || second > 0 || d.nanos > 0) || minute > 59 || second > 59 {
		return false
	}
	d.seconds = hour*3600 + minute*60 + second
	return d.readZone(strings.TrimLeft(text, " "))
}

func sexagesimal(text string) (n int, rest string, ok bool) {
	if len(text) < 3 || text[0] != ':' {
		return 0, text, false
	}
	n, k := digits(text[1:], 2)
	return n, text[1+k:], k == 2
}

func halfDay(text string, hour *int) (rest string, ok bool) {
	word := strings.ToLower(strings.TrimLeft(text, " "))
	if word != "am" && word != "pm" {
		return text, true
	}
	if *hour < 1 || *hour > 12 {
		return text, false
	}
	*hour %= 12
	if word == "pm" {
		*hour += 12
	}
	return "", true
}

func (d *date) readZone(text string) bool {
	switch text {
	case "":
		return true
	case "Z", "z", "UTC", "GMT":
		d.hasZone = true
		return true
	}
	if text[0] != '+' && text[0] != '-' {
		return false
	}
	hours, n := digits(text[1:], 2)
	rest := text[1+n:]
	minutes := 0
	if rest != "" {
		rest = strings.TrimPrefix(rest, ":")
		var k int
		if minutes, k = digits(rest, 2); k != 2 || len(rest) != 2 {
			return false
		}
	}
	if n != 2 || hours > 15 || minutes > 59 {
		return false
	}
	d.zone, d.hasZone = hours*3600+minutes*60, true
	if text[0] == '-' {
		d.zone = -d.zone
	}
	return true
}

// unix is the time in nanoseconds since 1970, false if there is no such day. A time of day
// alone is on the first of January 1970.
func (d date) unix(o order) (int64, bool) {
	if !d.hasDate {
		return int64(d.seconds-d.zone)*1e9 + int64(d.nanos), true
	}
	month, day := d.first, d.second
	if !d.ordered && o != monthFirst {
		month, day = day, month
	}
	if d.year < 1700 || d.year > 2261 || month < 1 || month > 12 || day < 1 {
		return 0, false
	}
	t := time.Date(d.year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if t.Day() != day {
		return 0, false
	}
	return (t.Unix()+int64(d.seconds-d.zone))*1e9 + int64(d.nanos), true
}

// stamp is the time of row i in ISO 8601.
func (c *Column) stamp(i int) string {
	t := c.time(i)
	if c.Origin.Year() == 1970 && c.Origin.YearDay() == 1 && t.Year() == 1970 && t.YearDay() == 1 {
		return t.Format("15:04:05.999999999")
	}
	if c.Zoned {
		return t.Format("2006-01-02T15:04:05.999999999Z07:00")
	}
	return t.Format("2006-01-02T15:04:05.999999999")
}

// time is Origin and the seconds of row i, as exactly as float64 tells.
func (c *Column) time(i int) time.Time {
	whole, part := math.Modf(c.Numbers[i])
	nanos := int64(c.Origin.Nanosecond()) + int64(math.Round(part*1e9))
	return time.Unix(c.Origin.Unix()+int64(whole), nanos).UTC().Round(resolution(c.Numbers[i]))
}

// resolution is a unit of time that differences of seconds as large as x keep apart.
func resolution(x float64) time.Duration {
	switch x = max(x, -x); {
	case x < 1e5:
		return time.Nanosecond
	case x < 1e8:
		return time.Microsecond
	}
	return time.Millisecond
}
