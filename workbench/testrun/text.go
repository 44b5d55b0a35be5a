package testrun

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/greenbench/workbench/internal/elementary"
	"github.com/greenbench/workbench/syntax"
)

// compareText compares a printed line with the expected one: numbers to the
// tolerance, the text around them exactly, except that a run of blanks counts
// as one and blanks at the ends as none. It returns the failure, or "".
//
// Two whole numbers are counts: the relative tolerance does not apply to them.
// An expected number followed by three dots is the beginning of a longer one,
// so that 3.14159... accepts what differs by less than one unit of the last
// place written.
func compareText(got, want string, tol Tolerance) string {
	g, w := normalize(got), normalize(want)
	if g == w {
		return ""
	}
	gt, wt := tokens(g), tokens(w)
	if !sameSkeleton(gt, wt) {
		return fmt.Sprintf("got       %s\nexpected  %s", g, w)
	}
	bad, first := 0, -1
	numbers := 0
	for i := range wt {
		if !wt[i].number {
			continue
		}
		numbers++
		if !wt[i].accepts(gt[i], tol) {
			if bad++; first < 0 {
				first = i
			}
		}
	}
	if bad == 0 {
		return ""
	}
	text := fmt.Sprintf("got       %s\nexpected  %s\n", g, w)
	if numbers > 1 {
		text += fmt.Sprintf("%d of %d numbers outside, the first:\n", bad, numbers)
	}
	return text + wt[first].explain(gt[first], tol)
}

// accepts reports whether the printed number g agrees with the expected t.
func (t token) accepts(g token, tol Tolerance) bool {
	switch {
	case t.text == g.text:
		return true
	case t.place > 0:
		return math.Abs(g.value-t.value) < t.place
	case t.whole && g.whole:
		tol.Rel = 0
	}
	return tol.Accepts(g.value, t.value)
}

// explain returns the failure text of one number.
func (t token) explain(g token, tol Tolerance) string {
	switch {
	case t.place > 0:
		return fmt.Sprintf("%s... asks for the digits written, got %.17g", t.text, g.value)
	case t.whole && g.whole && tol.Rel > 0:
		tol.Rel, tol.Default = 0, false
		return explainNumber(g.value, t.value, tol) + " (rel does not apply to two whole numbers)"
	}
	return explainNumber(g.value, t.value, tol)
}

// normalize turns runs of blanks into one and drops those at the ends.
func normalize(s string) string { return strings.Join(strings.Fields(s), " ") }

// token is a number in a line of text, or the text between two.
type token struct {
	text   string
	number bool
	value  float64
	whole  bool    // written without point and exponent
	place  float64 // one unit of the last digit, for a number ending in "..."; else 0
}

// sameSkeleton reports whether two lines are the same but for their numbers.
func sameSkeleton(a, b []token) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].number != b[i].number || !a[i].number && a[i].text != b[i].text {
			return false
		}
	}
	return true
}

// tokens splits a line into numbers and the text between them. Digits that
// belong to a word (x1, 2x3, 0x7f) are text.
func tokens(s string) []token {
	var list []token
	start := 0 // of the text not yet in the list
	for i := 0; i < len(s); {
		n := numberAt(s, i)
		if n == 0 {
			i++
			continue
		}
		if i > start {
			list = append(list, token{text: s[start:i]})
		}
		t := newNumber(s[i : i+n])
		if rest := s[i+n:]; strings.HasPrefix(rest, "...") && strings.Contains(t.text, ".") {
			t.place = lastPlace(t.text)
			n += len("...")
		}
		list = append(list, t)
		i += n
		start = i
	}
	if start < len(s) {
		list = append(list, token{text: s[start:]})
	}
	return list
}

// newNumber reads a number found by numberAt.
func newNumber(text string) token {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(v, 0) {
		v = math.NaN()
	}
	return token{text: text, number: true, value: v, whole: !strings.ContainsAny(text, ".eEnN")}
}

// lastPlace returns one unit of the last digit of a decimal number.
func lastPlace(text string) float64 {
	mantissa, exponent := text, 0
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa = text[:i]
		exponent, _ = strconv.Atoi(text[i+1:])
	}
	decimals := len(mantissa) - 1 - strings.IndexByte(mantissa, '.')
	return elementary.Pow(10, float64(exponent-decimals))
}

// numeral is a number at the start of a text. A point must be followed by a
// digit: the full stop after a number is text.
var numeral = regexp.MustCompile(`(?i)^[-+]?(infinity|inf|nan|(\d+(\.\d+)?|\.\d+)(e[-+]?\d+)?)`)

// numberAt returns the length of the number that begins at s[i], or 0.
func numberAt(s string, i int) int {
	n := len(numeral.FindString(s[i:]))
	switch rest := s[i+n:]; {
	case n == 0 || i > 0 && isWord(s[i-1]):
		return 0
	case strings.IndexByte("+-", s[i]) >= 0 && i > 0 && strings.IndexByte(")]", s[i-1]) >= 0:
		return 0 // an operator
	case rest != "" && (isLetter(rest[0]) || isLetter(s[i+n-1]) && isWord(rest[0])):
		return 0
	}
	return n
}

func isLetter(c byte) bool { return syntax.IsNameStart(c) || c >= 0x80 }
func isWord(c byte) bool   { return isLetter(c) || syntax.IsDigit(c) || c == '.' }
