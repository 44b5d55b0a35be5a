package bind

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// allowed is a parsed allow tag. The zero value allows everything but NaN.
type allowed struct {
	low, high         float64
	hasLow, hasHigh   bool
	lowOpen, highOpen bool // the bound itself is excluded
	words             []string
	nan, finite       bool
	nonempty          bool
}

// parseAllowed reads terms separated by spaces: >0 >=2 <1 <=1 (0,1] a|b nan
// finite nonempty. All of them must hold.
func parseAllowed(tag string) (a allowed, err error) {
	for rest := strings.TrimSpace(tag); rest != ""; rest = strings.TrimSpace(rest) {
		var term string
		if strings.ContainsAny(rest[:1], "([") {
			end := strings.IndexAny(rest, ")]")
			if end < 0 {
				return a, fmt.Errorf("allow:%q: the interval does not end", tag)
			}
			term, rest = rest[:end+1], rest[end+1:]
			err = a.interval(term)
		} else {
			term, rest, _ = strings.Cut(rest, " ")
			err = a.term(term)
		}
		if err != nil {
			return a, fmt.Errorf("allow:%q: %w", tag, err)
		}
	}
	if a.hasLow && a.hasHigh && a.low > a.high {
		return a, fmt.Errorf("allow:%q: allows nothing", tag)
	}
	return a, nil
}

func (a *allowed) interval(term string) error {
	lo, hi, ok := strings.Cut(term[1:len(term)-1], ",")
	low, err1 := strconv.ParseFloat(strings.TrimSpace(lo), 64)
	high, err2 := strconv.ParseFloat(strings.TrimSpace(hi), 64)
	if !ok || err1 != nil || err2 != nil {
		return fmt.Errorf("%s is not an interval", term)
	}
	a.low, a.hasLow, a.lowOpen = low, true, term[0] == '('
	a.high, a.hasHigh, a.highOpen = high, true, term[len(term)-1] == ')'
	return nil
}

func (a *allowed) term(term string) error {
	switch {
	case term == "nan":
		a.nan = true
	case term == "finite":
		a.finite = true
	case term == "nonempty":
		a.nonempty = true
	case term[0] == '>' || term[0] == '<':
		number := strings.TrimPrefix(term[1:], "=")
		open := len(number) == len(term)-1
		x, err := strconv.ParseFloat(number, 64)
		if err != nil {
			return fmt.Errorf("%s has no number", term)
		}
		if term[0] == '>' {
			a.low, a.hasLow, a.lowOpen = x, true, open
		} else {
			a.high, a.hasHigh, a.highOpen = x, true, open
		}
	default:
		a.words = strings.Split(term, "|")
		if slices.Contains(a.words, "") {
			return fmt.Errorf("%s has an empty word", term)
		}
	}
	return nil
}

// String says it to a person: "> 0", "in (0, 1]", "finite". Words are part of
// the argument's type and not repeated here.
func (a allowed) String() string {
	var parts []string
	num := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	switch {
	case a.hasLow && a.hasHigh:
		l, r := "[", "]"
		if a.lowOpen {
			l = "("
		}
		if a.highOpen {
			r = ")"
		}
		parts = append(parts, "in "+l+num(a.low)+", "+num(a.high)+r)
	case a.hasLow && a.lowOpen:
		parts = append(parts, "> "+num(a.low))
	case a.hasLow:
		parts = append(parts, ">= "+num(a.low))
	case a.hasHigh && a.highOpen:
		parts = append(parts, "< "+num(a.high))
	case a.hasHigh:
		parts = append(parts, "<= "+num(a.high))
	}
	if a.finite {
		parts = append(parts, "finite")
	}
	if a.nonempty {
		parts = append(parts, "not empty")
	}
	return strings.Join(parts, ", ")
}

// check tests a Go value after decoding; the elements of a list one by one.
func (a allowed) check(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Float64, reflect.Float32:
		return a.number(v.Float())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return a.number(float64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return a.number(float64(v.Uint()))
	case reflect.String:
		return a.text(v.String())
	case reflect.Slice:
		if a.nonempty && v.Len() == 0 {
			return &argError{msg: "must not be empty"}
		}
		if numbers, ok := v.Interface().([]float64); ok {
			return a.numbers(numbers)
		}
		a.nonempty = false // of the list, not of its lists
		for i := range v.Len() {
			if err := a.check(v.Index(i)); err != nil {
				return atIndex(err, i+1)
			}
		}
	case reflect.Map:
		if a.nonempty && v.Len() == 0 {
			return &argError{msg: "must not be empty"}
		}
	case reflect.Pointer:
		if !v.IsNil() && v.Elem().Kind() != reflect.Struct {
			return a.check(v.Elem())
		}
	}
	return nil
}

func (a *allowed) numbers(list []float64) error {
	for i, x := range list {
		if err := a.number(x); err != nil {
			return atIndex(err, i+1)
		}
	}
	return nil
}

func (a *allowed) number(x float64) error {
	if math.IsNaN(x) {
		if a.nan {
			return nil
		}
		return &argError{value: "NaN", msg: "must be a number"}
	}
	if a.hasLow && (x < a.low || a.lowOpen && x == a.low) || a.hasHigh && (x > a.high || a.highOpen && x == a.high) ||
		a.finite && math.IsInf(x, 0) {
		return &argError{value: formatNumber(x), msg: "must be " + a.String()}
	}
	return nil
}

func (a *allowed) text(s string) error {
	if a.nonempty && s == "" {
		return &argError{value: `""`, msg: "must not be empty"}
	}
	if len(a.words) == 0 || slices.Contains(a.words, s) {
		return nil
	}
	return &argError{value: quote(s), msg: "must be " + phrase(a.kind()) + didYouMean(s, a.words, `"`)}
}

// kind is the type of a string with these words, "" when any will do.
func (a allowed) kind() string {
	quoted := make([]string, len(a.words))
	for i, w := range a.words {
		quoted[i] = strconv.Quote(w)
	}
	return strings.Join(quoted, "|")
}
