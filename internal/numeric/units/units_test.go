package units_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/units"
)

func parse(t *testing.T, text, calendar string) units.Unit {
	t.Helper()
	u, ok := units.Parse(text, calendar)
	if !ok {
		t.Fatalf("%q is not known", text)
	}
	return u
}

// TestKinds: what a unit measures and how large it is, with prefixes in short and in full; others are not known.
func TestKinds(t *testing.T) {
	for text, want := range map[string]string{
		"m": "length 1", "km": "length 1000", "Kilometers": "length 1000", "mm": "length 0.001", "µm": "length 1e-06", "nm": "length 1e-09",
		"min": "time 60", "Minutes": "time 60", "ms": "time 0.001", "d": "time 86400", "h": "time 3600", "hPa": "pressure 100", "mbar": "pressure 100",
		"degrees_north": "angle 1", "kHz": "frequency 1000", "K": "temperature 1", "degC": "temperature 1", "ft": "length 0.3048",
		"": "none", "1": "none", "m/s": "none", "furlong": "none", "kmin": "none", "since": "none",
	} {
		got := "none"
		if u, ok := units.Parse(text, ""); ok {
			got = fmt.Sprintf("%s %g", u.Kind, u.Scale)
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestDiffer: only units of one kind that are not alike differ, and only where each list lacks one of the other's.
func TestDiffer(t *testing.T) {
	for _, c := range []struct {
		a, b   []string
		differ bool
	}{
		{[]string{"m"}, []string{"km"}, true},
		{[]string{"m"}, []string{"metres"}, false},
		{[]string{"m"}, []string{"s"}, false},
		{[]string{"K"}, []string{"degC"}, true},
		{[]string{"mbar"}, []string{"hPa"}, false},
		{[]string{"km", "m"}, []string{"km", "m"}, false},
		{[]string{"km", "m"}, []string{"m"}, false},
		{[]string{"km", "m"}, []string{"m", "cm"}, true},
		{[]string{"s", "m"}, []string{"s", "mm"}, true},
		{[]string{"days since 2000-01-01"}, []string{"days since 2000-1-1 00:00:00"}, false},
		{[]string{"days since 2000-01-01"}, []string{"days since 2000-01-01 00:00 +01:00"}, true},
		{[]string{"days since 2000-01-01"}, []string{"days since the flood"}, true},
		{[]string{"days since the flood"}, []string{"days since the flood"}, false},
		{[]string{"days since 2000-01-01"}, []string{"days"}, false},
		{[]string{"months since 2000-01-01"}, []string{"days since 2000-01-01"}, true},
	} {
		list := func(texts []string) (all []units.Unit) {
			for _, text := range texts {
				all = append(all, parse(t, text, ""))
			}
			return all
		}
		if _, _, got := units.Differ(list(c.a), list(c.b)); got != c.differ {
			t.Errorf("%q and %q: differ %v, want %v", c.a, c.b, got, c.differ)
		}
		if _, _, got := units.Differ(list(c.b), list(c.a)); got != c.differ {
			t.Errorf("%q and %q: differ %v, want %v", c.b, c.a, got, c.differ)
		}
	}
}

// TestMoments against cftime's num2date and date2num, in all calendars; what has no fixed length is refused.
func TestMoments(t *testing.T) {
	for _, c := range []struct {
		from, to, calendar string
		want               []float64 // of 0 and 1.5; nil: refused
	}{
		{"days since 2000-01-01", "hours since 2000-01-01", "", []float64{0, 36}},
		{"hours since 2000-03-01 06:00", "days since 2000-01-01", "", []float64{60.25, 60.3125}},
		{"days since 2000-01-01", "days since 1999-01-01", "gregorian", []float64{365, 366.5}},
		{"days since 2000-01-01T00:00:00Z", "seconds since 1970-01-01", "proleptic_gregorian", []float64{946684800, 946814400}},
		{"days since 2000-01-01 00:00 -05:00", "hours since 2000-01-01", "", []float64{5, 41}},
		{"days since 2001-01-01", "days since 2000-01-01", "noleap", []float64{365, 366.5}},
		{"days since 2001-01-01", "days since 2000-01-01", "366_day", []float64{366, 367.5}},
		{"days since 2001-02-30", "days since 2000-01-01", "360_day", []float64{419, 420.5}},
		{"days since 1582-10-15", "days since 1582-10-04", "standard", []float64{1, 2.5}},
		{"days since 1582-10-15", "days since 1582-10-04", "proleptic_gregorian", []float64{11, 12.5}},
		{"days since 1970-01-01", "days since 0001-01-01", "standard", []float64{719164, 719165.5}},
		{"days since 1970-01-01", "days since 0001-01-01", "proleptic_gregorian", []float64{719162, 719163.5}},
		{"months since 2000-01-01", "days since 2000-01-01", "", nil},
		{"days since 2001-02-30", "days since 2000-01-01", "", nil},
		{"days since 2000-01-01", "days since 1999-01-01", "lunar", nil},
	} {
		got, ok := units.Moments([]float64{0, 1.5}, parse(t, c.from, c.calendar), parse(t, c.to, c.calendar))
		if ok != (c.want != nil) || !slices.Equal(got, c.want) {
			t.Errorf("%s in %s, %s: %v, want %v", c.from, c.to, c.calendar, got, c.want)
		}
	}
	if _, ok := units.Moments([]float64{1}, parse(t, "days since 2000-01-01", "noleap"), parse(t, "days since 2000-01-01", "standard")); ok {
		t.Error("moments of two calendars are compared")
	}
}
