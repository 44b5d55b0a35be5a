// Package units knows which units measure the same kind of thing, and how large they are: kilometres
// and metres are lengths, "hours since 2000-01-01" and "days since 1999-01-01" are moments.
//
// [Parse] reads a unit as headers of tables and the attribute units of NetCDF write it; units that are made of
// several, such as m/s, and words that it does not know are none.
package units

import (
	"math"
	"slices"
	"strings"
)

// A Unit is one that is known.
type Unit struct {
	Kind  string  // what it measures: "length", "time", "moment", …
	Scale float64 // how many of the unit of its kind without a prefix it is: 1000 for km, in metres
	Epoch float64 // of moments: the seconds from 1970 to their zero, in their calendar
	// Calendar is that of moments, and Months says that they count months or years, which have no fixed length.
	Calendar string
	Months   bool

	name string // of units that numbers do not tell apart: degrees Celsius, and moments from an epoch that is not known
}

// Parse reads a unit; calendar is the attribute of that name, which moments have, or empty. Not ok: it is unknown.
func Parse(text, calendar string) (u Unit, ok bool) {
	text = strings.Join(strings.Fields(text), " ")
	if count, epoch, found := strings.Cut(text, " since "); found {
		return moment(count, epoch, calendar), true
	}
	if text == "" {
		return u, false
	}
	for _, w := range words() {
		if slices.Contains(w.symbols, text) || slices.Contains(w.names, strings.ToLower(text)) {
			return w.unit(1), true
		}
	}
	for _, w := range words() {
		for _, p := range prefixes() {
			if symbol, found := strings.CutPrefix(text, p.symbol); found && w.prefixed && slices.Contains(w.symbols, symbol) {
				return w.unit(p.factor), true
			}
			if name, found := strings.CutPrefix(strings.ToLower(text), p.name); found && w.prefixed && slices.Contains(w.names, name) {
				return w.unit(p.factor), true
			}
		}
	}
	return u, false
}

// Alike reports whether numbers in both units mean the same, or may: units of different kinds are not compared.
func (u Unit) Alike(v Unit) bool {
	return u.Kind != v.Kind || u.Scale == v.Scale && u.Epoch == v.Epoch && u.Calendar == v.Calendar && u.Months == v.Months && u.name == v.name
}

// Differ finds one unit of each of two lists that are of one kind and not alike: none where one of the lists has all units
// of that kind that the other has. Units that are not known have no kind.
func Differ(a, b []Unit) (i, j int, differ bool) {
	alone := func(u Unit, among []Unit) bool {
		kin := func(v Unit) bool { return v.Kind == u.Kind }
		return u.Kind != "" && slices.ContainsFunc(among, kin) && !slices.ContainsFunc(among, func(v Unit) bool { return kin(v) && u.Alike(v) })
	}
	for i, u := range a {
		if j := slices.IndexFunc(b, func(v Unit) bool { return v.Kind == u.Kind && alone(v, a) }); j >= 0 && alone(u, b) {
			return i, j, true
		}
	}
	return 0, 0, false
}

// A word is a unit without a prefix.
type word struct {
	kind           string
	scale          float64
	prefixed       bool // it may have one
	symbols, names []string
}

func (w word) unit(factor float64) Unit {
	u := Unit{Kind: w.kind, Scale: w.scale * factor, Months: w.kind == "time" && w.scale > 28*day}
	if w.kind == "temperature" {
		u.name = w.names[0]
	}
	return u
}

const day = 86400

// words lists the units. Years are those of UDUNITS, as CF conventions have them, and months their twelfths.
func words() []word {
	const year = 365.242198781 * day
	return []word{
		{"length", 1, true, []string{"m"}, []string{"metre", "metres", "meter", "meters"}},
		{"length", 0.3048, false, []string{"ft"}, []string{"foot", "feet"}},
		{"length", 0.0254, false, []string{"in"}, []string{"inch", "inches"}},
		{"length", 1609.344, false, []string{"mi"}, []string{"mile", "miles"}},
		{"length", 1852, false, []string{"nmi"}, []string{"nautical_mile", "nautical_miles"}},
		{"length", 1e-6, false, nil, []string{"micron", "microns"}},
		{"length", 1e-10, false, []string{"Å"}, []string{"angstrom", "angstroms"}},
		{"time", 1, true, []string{"s", "sec", "secs"}, []string{"second", "seconds"}},
		{"time", 60, false, []string{"min", "mins"}, []string{"minute", "minutes"}},
		{"time", 3600, false, []string{"h", "hr", "hrs"}, []string{"hour", "hours"}},
		{"time", day, false, []string{"d"}, []string{"day", "days"}},
		{"time", 7 * day, false, nil, []string{"week", "weeks"}},
		{"time", year / 12, false, nil, []string{"month", "months"}},
		{"time", year, false, []string{"a", "yr"}, []string{"year", "years"}},
		{"pressure", 1, true, []string{"Pa"}, []string{"pascal", "pascals"}},
		{"pressure", 1e5, true, []string{"bar"}, []string{"bars"}},
		{"pressure", 101325, false, []string{"atm"}, []string{"atmosphere", "atmospheres"}},
		{"angle", 1, false, []string{"deg", "°"}, []string{"degree", "degrees", "degree_north", "degrees_north", "degree_east", "degrees_east"}},
		{"angle", 180 / math.Pi, true, []string{"rad"}, []string{"radian", "radians"}},
		{"temperature", 1, true, []string{"K"}, []string{"kelvin", "kelvins"}},
		{"temperature", 1, false, []string{"degC", "°C"}, []string{"celsius", "degree_celsius", "degrees_celsius"}},
		{"temperature", 5.0 / 9, false, []string{"degF", "°F"}, []string{"fahrenheit", "degree_fahrenheit", "degrees_fahrenheit"}},
		{"mass", 1, true, []string{"g"}, []string{"gram", "grams"}},
		{"frequency", 1, true, []string{"Hz"}, []string{"hertz"}},
		{"energy", 1, true, []string{"J"}, []string{"joule", "joules"}},
		{"energy", 1.602176634e-19, true, []string{"eV"}, nil},
	}
}

type prefix struct {
	symbol, name string
	factor       float64
}

func prefixes() []prefix {
	return []prefix{
		{"f", "femto", 1e-15},
		{"p", "pico", 1e-12},
		{"n", "nano", 1e-9},
		{"u", "micro", 1e-6},
		{"µ", "micro", 1e-6},
		{"μ", "micro", 1e-6},
		{"m", "milli", 1e-3},
		{"c", "centi", 1e-2},
		{"d", "deci", 1e-1},
		{"h", "hecto", 1e2},
		{"k", "kilo", 1e3},
		{"M", "mega", 1e6},
		{"G", "giga", 1e9},
	}
}
