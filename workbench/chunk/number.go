package chunk

import (
	"math"
	"strconv"
	"strings"

	"github.com/greenbench/workbench/syntax"
)

// FormatNumber returns x as print and .. show it: C's %.14g, with nan, inf and -inf for what is not finite.
func FormatNumber(x float64) string {
	switch {
	case x != x:
		return "nan"
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	case x == math.Trunc(x) && math.Abs(x) < 1e14 && (x != 0 || !math.Signbit(x)):
		return strconv.FormatInt(int64(x), 10)
	}
	return strconv.FormatFloat(x, 'g', 14, 64)
}

// ParseNumber reads a number as Lua's tonumber does without a base: decimal or hexadecimal, with fraction and exponent,
// also "inf", "infinity" and "nan" as C's strtod takes them, an optional sign, white space around it. Numbers too large
// are infinite, too small zero.
func ParseNumber(s string) (float64, bool) {
	s = strings.Trim(s, " \t\n\v\f\r")
	negative := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		negative, s = s[0] == '-', s[1:]
	}
	x, ok := parseNumeral(s)
	if !ok {
		switch strings.ToLower(s) {
		case "inf", "infinity":
			x = math.Inf(1)
		case "nan":
			x = math.NaN()
		default:
			return 0, false
		}
	}
	if negative {
		x = -x
	}
	return x, true
}

// parseNumeral reads an unsigned numeral of the language: 12, 1.5, .5, 3., 1e-3, 0xff, 0x1.8p3.
func parseNumeral(s string) (float64, bool) {
	digit, exponent := syntax.IsDigit, "eE"
	rest := s
	hex := len(s) > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')
	if hex {
		digit, exponent, rest = syntax.IsHexDigit, "pP", s[2:]
	}
	whole := syntax.Span(rest, digit)
	rest = rest[whole:]
	fraction := 0
	if rest != "" && rest[0] == '.' {
		fraction = syntax.Span(rest[1:], digit)
		rest = rest[1+fraction:]
	}
	if whole+fraction == 0 {
		return 0, false
	}
	scaled := false
	if rest != "" && strings.IndexByte(exponent, rest[0]) >= 0 {
		rest = rest[1:]
		if rest != "" && (rest[0] == '-' || rest[0] == '+') {
			rest = rest[1:]
		}
		n := syntax.Span(rest, syntax.IsDigit)
		if n == 0 {
			return 0, false
		}
		rest, scaled = rest[n:], true
	}
	if rest != "" {
		return 0, false
	}
	if hex && !scaled {
		s += "p0"
	}
	x, _ := strconv.ParseFloat(s, 64) // the syntax is checked; out of range is ±Inf or 0, as in C
	return x, true
}
