package sheet

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Numbers are those that strconv reads, to the bit, whatever way they are written.
func TestNumbersAreThoseOfStrconv(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	formats := []byte{'g', 'e', 'f'}
	for range 20_000 {
		x := math.Float64frombits(rng.Uint64())
		if rng.IntN(2) == 0 {
			x = math.Round(rng.NormFloat64()*1e4) / math.Pow(10, float64(rng.IntN(6)))
		}
		if math.IsNaN(x) {
			continue
		}
		text := strconv.FormatFloat(x, formats[rng.IntN(3)], rng.IntN(20)-1, 64)
		want, err := strconv.ParseFloat(text, 64)
		for _, written := range []string{text, strings.Replace(text, ".", ",", 1), strings.Replace(text, "e", "D", 1)} {
			decimal := byte('.')
			if strings.Contains(written, ",") {
				decimal = ','
			}
			if got, ok := parseNumber([]byte(written), decimal); ok != (err == nil) || ok && math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("%q: %v %v, want %v %v", written, got, ok, want, err)
			}
		}
	}
}

// What is no number is none.
func TestNoNumbers(t *testing.T) {
	for _, text := range []string{
		"", "-", "+", ".", "e5", "1e", "1e+", "1.2.3", "1_000", "0x10", "1,5", "--1", "1 2", "1-2", "infinit", "in", "nan", "1e5e5", "1f", "٣", "1e999", "+-1", ".e1",
	} {
		if x, ok := parseNumber([]byte(text), '.'); ok {
			t.Errorf("%q is read as %g", text, x)
		}
	}
}

// The short way to take a row without quotes apart and the long one agree.
func TestFieldsWithAndWithoutQuotes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, separator := range []byte{',', ';', '\t', ' '} {
		p := splitter{separator: separator, decimal: '.'}
		for range 2000 {
			row := make([]byte, rng.IntN(20))
			for i := range row {
				row[i] = ",; \tab1"[rng.IntN(7)]
			}
			short, long := p.fields(row, false, nil), p.fields(row, true, nil)
			if !slices.EqualFunc(short, long, func(a, b []byte) bool { return string(a) == string(b) }) {
				t.Fatalf("%q at %q: %q and %q", row, separator, short, long)
			}
		}
	}
}

// A header is taken apart only where a unit is known or in brackets.
func TestUnits(t *testing.T) {
	for header, want := range map[string][2]string{
		"depth [m]": {"depth", "m"}, "depth(m)": {"depth", "m"}, "depth/m": {"depth", "m"}, "u / (m/s)": {"u", "m/s"}, "flux <W m-2>": {"flux", "W m-2"},
		"u/f": {"u/f", ""}, "km/h": {"km", "h"}, "depth": {"depth", ""}, "T in °C": {"T in °C", ""}, "[m]": {"[m]", ""}, "E [V/m]": {"E", "V/m"},
		"f(x)": {"f", "x"}, "p/hPa": {"p", "hPa"}, "and/or": {"and/or", ""}, "c/mol l^-1": {"c", "mol l^-1"}, "count [-]": {"count", "-"}, "": {"", ""},
	} {
		if name, unit := splitUnit(header); name != want[0] || unit != want[1] {
			t.Errorf("%q: %q in %q, want %q", header, name, unit, want)
		}
	}
}

func TestNaturalOrder(t *testing.T) {
	want := []string{"", "1", "2", "10", "a1b2", "a1b10", "run", "run1", "run01", "run2", "run10", "run10a"}
	got := slices.Clone(want)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
	slices.SortFunc(got, Natural)
	for i, w := range want {
		if g := got[i]; g != w && trimmed(g) != trimmed(w) {
			t.Fatalf("%q", got)
		}
	}
}

func trimmed(s string) string { return strings.ReplaceAll(s, "n0", "n") }
