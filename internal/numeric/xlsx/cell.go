package xlsx

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// A Kind is what a cell holds.
type Kind int

// The kinds of cells.
const (
	Empty  Kind = iota
	Number      // truth values are 1 and 0; durations, which have the format [h]:mm or mm:ss, are seconds
	Text
	Date  // Text has the date, the time of day or both in ISO 8601, Number the days as stored
	Error // Text is such as #N/A or #DIV/0!: a value that is not there
)

// A Cell is one value of a sheet.
type Cell struct {
	Kind   Kind
	Number float64
	Text   string

	Duration bool // the number is a duration
}

// Clock is a time of day as a duration since midnight; ok is false for what is none.
func (c Cell) Clock() (since Cell, ok bool) {
	t, err := time.Parse("15:04:05", c.Text)
	if c.Kind != Date || err != nil {
		return c, false
	}
	midnight := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	return Cell{Kind: Number, Number: t.Sub(midnight).Seconds(), Duration: true}, true
}

// String is the cell as a file of text would have it: numbers with all their digits,
// nothing for empty cells.
func (c Cell) String() string {
	if c.Kind == Number {
		return strconv.FormatFloat(c.Number, 'g', -1, 64)
	}
	return c.Text
}

// Name is the usual name of a cell, such as AB12, for a row and a column counted from 0.
func Name(row, column int) string {
	letters := ""
	for n := column + 1; n > 0; n = (n - 1) / 26 {
		letters = string(rune('A'+(n-1)%26)) + letters
	}
	return letters + strconv.Itoa(row+1)
}

// The largest sheet that spreadsheet programs have.
const (
	maxRows    = 1 << 20
	maxColumns = 1 << 14
)

// position reads a name such as AB12; ok is false for anything else.
func position(name string) (row, column int, ok bool) {
	i := 0
	for ; i < len(name) && name[i] >= 'A' && name[i] <= 'Z' && column <= maxColumns; i++ {
		column = 26*column + int(name[i]-'A') + 1
	}
	row, err := strconv.Atoi(name[i:])
	ok = err == nil && column >= 1 && column <= maxColumns && row >= 1 && row <= maxRows
	return row - 1, column - 1, ok
}

// A dateFormat says what of a number of days is shown.
type dateFormat int

const (
	noDate dateFormat = iota
	onlyDate
	onlyTime
	dateAndTime
	duration
)

// builtIn are the formats of dates and times that have a number only (ECMA-376 part 1,
// 18.8.30), those of East Asia included.
func builtIn(id int) dateFormat {
	switch {
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id == 57, id == 58:
		return onlyDate
	case id >= 18 && id <= 21, id >= 32 && id <= 35, id == 55, id == 56:
		return onlyTime
	case id == 22:
		return dateAndTime
	case id >= 45 && id <= 47: // mm:ss, [h]:mm:ss and mmss.0
		return duration
	}
	return noDate
}

// dateFormatOf looks for the letters of dates and times in a format's code, outside of
// quoted texts, colours and escaped characters. Elapsed time, such as [h]:mm, is a duration, and so are
// minutes and seconds without hours, as a stopwatch has them.
func dateFormatOf(code string) dateFormat {
	code, _, _ = strings.Cut(code, ";")
	days, hours, seconds := false, false, false
	for i := 0; i < len(code); i++ {
		switch c := code[i] | 0x20; {
		case code[i] == '"':
			end := strings.IndexByte(code[i+1:], '"')
			if end < 0 {
				return noDate
			}
			i += end + 1
		case code[i] == '[':
			end := strings.IndexByte(code[i:], ']')
			if end < 2 {
				return noDate
			}
			if strings.Trim(strings.ToLower(code[i+1:i+end]), "hms") == "" {
				return duration
			}
			i += end
		case code[i] == '\\' || code[i] == '_' || code[i] == '*':
			i++
		case c == 'y' || c == 'd':
			days = true
		case c == 'h':
			hours = true
		case c == 's':
			seconds = true
		case c == 'g' || c == 'e' || code[i] == '0' || code[i] == '#' || code[i] == '?':
			if !days && !hours && !seconds {
				return noDate // General, or a format of numbers
			}
		}
	}
	switch {
	case days && (hours || seconds):
		return dateAndTime
	case days:
		return onlyDate
	case hours:
		return onlyTime
	case seconds:
		return duration
	}
	return noDate
}

// date is a number of days as a cell, to the millisecond, and a duration in seconds; what is no date
// that the programs know stays a number.
func date(days float64, format dateFormat, from1904 bool) Cell {
	if format == duration { // to the microsecond: days are stored with some 15 digits
		return Cell{Kind: Number, Number: math.Round(days*864e8) / 1e6, Duration: true}
	}
	const last = 2958466 // 10000-01-01
	if format == noDate || !(days >= 0 && days < last) {
		return Cell{Kind: Number, Number: days}
	}
	whole, rest := math.Modf(days)
	milliseconds := int64(math.Round(rest * 864e5))
	t := time.UnixMilli(milliseconds).UTC()
	if format == onlyTime && days < 1 {
		return Cell{Kind: Date, Number: days, Text: t.Format("15:04:05.999")}
	}
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case from1904:
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case days < 60:
		first = first.AddDate(0, 0, 1) // the programs count a 29th of February 1900, which was none
	}
	t = first.AddDate(0, 0, int(whole)).Add(time.Duration(milliseconds) * time.Millisecond)
	if milliseconds == 0 && format != onlyTime {
		return Cell{Kind: Date, Number: days, Text: t.Format("2006-01-02")}
	}
	return Cell{Kind: Date, Number: days, Text: t.Format("2006-01-02T15:04:05.999")}
}
