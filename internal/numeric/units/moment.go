package units

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

var epochText = regexp.MustCompile(`^(-?\d{1,4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2})(?::(\d{1,2})(?::(\d{1,2}(?:\.\d*)?))?)?)?\s*(?:Z|UTC|GMT|([+-]?\d{1,2}):?(\d{2})?)?$`)

// moment reads "hours since 2000-01-01 12:00": the zone is that of the epoch. Where the epoch or the calendar is none
// that is known, the unit is alike to none that is written in another way.
func moment(count, epoch, calendar string) Unit {
	unknown := Unit{Kind: "moment", name: count + " since " + epoch, Calendar: calendarOf(calendar)}
	u, ok := Parse(count, "")
	m := epochText.FindStringSubmatch(epoch)
	if !ok || u.Kind != "time" || m == nil {
		return unknown
	}
	part := func(i int) float64 {
		x, _ := strconv.ParseFloat("0"+strings.TrimLeft(m[i], "+-"), 64) // it is digits, or nothing
		return x
	}
	year, month, dayOf := int(part(1)), int(part(2)), int(part(3))
	if m[1][0] == '-' {
		year = -year
	}
	u.Kind, u.Calendar = "moment", calendarOf(calendar)
	days, ok := daysTo(year, month, dayOf, u.Calendar)
	if !ok {
		return unknown
	}
	zone := part(7)*3600 + part(8)*60
	if strings.HasPrefix(m[7], "-") {
		zone = -zone
	}
	u.Epoch = days*day + part(4)*3600 + part(5)*60 + part(6) - zone
	return u
}

// calendarOf is one name for calendars with several.
func calendarOf(name string) string {
	switch name = strings.ToLower(name); name {
	case "", "gregorian":
		return "standard"
	case "365_day":
		return "noleap"
	case "366_day":
		return "all_leap"
	}
	return name
}

// daysTo are the days from the first of January 1970 in a calendar. Not ok: there is no such day, or the calendar is
// not known. Of the standard one the days before 1582-10-15 are Julian.
func daysTo(year, month, dayOf int, calendar string) (days float64, ok bool) {
	if month < 1 || month > 12 || dayOf < 1 {
		return 0, false
	}
	lengths := [12]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}
	switch calendar {
	case "standard", "proleptic_gregorian":
		if calendar == "standard" && year*10000+month*100+dayOf < 15821015 {
			return julian(year, month, dayOf), dayOf <= 31
		}
		t := time.Date(year, time.Month(month), dayOf, 0, 0, 0, 0, time.UTC)
		return float64(t.Unix() / day), t.Day() == dayOf
	case "julian":
		return julian(year, month, dayOf), dayOf <= 31
	case "360_day":
		return float64((year-1970)*360 + (month-1)*30 + dayOf - 1), dayOf <= 30
	case "all_leap":
		lengths[1] = 29
	case "noleap":
	default:
		return 0, false
	}
	inYear, total := dayOf-1, 0
	for k, n := range lengths {
		if total += n; k < month-1 {
			inYear += n
		}
	}
	return float64((year-1970)*total + inYear), dayOf <= lengths[month-1]
}

// julian are the days from the first of January 1970 of the Gregorian calendar to a day of the Julian one, by the
// number that astronomers give it.
func julian(year, month, dayOf int) float64 {
	early := (14 - month) / 12 // January and February belong to the year before
	y, m := year+4800-early, month+12*early-3
	return float64(dayOf + (153*m+2)/5 + 365*y + y/4 - 32083 - 2440588)
}

// Moments puts numbers in u, moments, into the unit v, with its zero. Not ok: one of them counts months or years, or they
// have different calendars.
func Moments(x []float64, u, v Unit) (out []float64, ok bool) {
	if u.Kind != "moment" || v.Kind != "moment" || u.Scale*v.Scale == 0 || u.Months || v.Months || u.Calendar != v.Calendar {
		return nil, false
	}
	out = make([]float64, len(x))
	for i, t := range x {
		out[i] = (t*u.Scale + (u.Epoch - v.Epoch)) / v.Scale
	}
	return out, true
}
