package testrun

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// DefaultRel is the relative tolerance of a comparison that names none. A
// failure says that it was the default that refused.
const DefaultRel = 1e-9

// Tolerance says how far a number may lie from the expected one. The zero
// value demands equality.
type Tolerance struct {
	Rel float64 // |got - want| <= Abs + Rel*|want|
	Abs float64
	ULP int  // or at most so many floating-point numbers away
	NaN bool // NaN equals NaN

	// Default marks a tolerance that nobody chose.
	Default bool
}

// defaultTolerance returns the tolerance of comparisons that name none.
func defaultTolerance() Tolerance { return Tolerance{Rel: DefaultRel, Default: true} }

// Check returns an error naming the first member that is not allowed.
func (t Tolerance) Check() error {
	for _, m := range []struct {
		name  string
		value float64
	}{{"rel", t.Rel}, {"abs", t.Abs}} {
		if !(m.value >= 0) || math.IsInf(m.value, 1) {
			return fmt.Errorf("%s %g: must be a finite number >= 0", m.name, m.value)
		}
	}
	if t.ULP < 0 {
		return fmt.Errorf("ulp %d: must be >= 0", t.ULP)
	}
	return nil
}

// Accepts reports whether got agrees with want. Infinities agree with
// themselves only, NaN with NaN only when t.NaN is set.
func (t Tolerance) Accepts(got, want float64) bool { return t.excess(got, want) <= 1 }

// excess returns the error in units of what is allowed: at most 1 when got
// agrees with want, and +Inf when no finite tolerance could make them agree.
func (t Tolerance) excess(got, want float64) float64 {
	switch {
	case got == want:
		return 0
	case math.IsNaN(got) && math.IsNaN(want) && t.NaN:
		return 0
	case math.IsNaN(got - want), math.IsInf(got, 0), math.IsInf(want, 0):
		return math.Inf(1)
	}
	if t.ULP > 0 && ulps(got, want) <= uint64(t.ULP) {
		return 0
	}
	// The test is the stated inequality and not a quotient, which would round.
	diff, allowed := math.Abs(got-want), t.Abs+t.Rel*math.Abs(want)
	if diff <= allowed {
		return 0.5
	}
	return max(diff/allowed, math.Nextafter(1, 2))
}

// ulps returns how many floating-point numbers lie between a and b, counting
// one of the ends; a and b are finite, and the two zeros are one number.
func ulps(a, b float64) uint64 {
	i, j := ordinal(a), ordinal(b)
	if i < j {
		i, j = j, i
	}
	return uint64(i) - uint64(j)
}

// ordinal maps floating-point numbers to integers in the same order.
func ordinal(x float64) int64 {
	if b := int64(math.Float64bits(x)); b >= 0 {
		return b
	}
	return -int64(math.Float64bits(-x))
}

// String returns the tolerance as failures state it: "rel 1e-9 (default: none
// was given)", "rel 1e-4, abs 1e-8", "4 ulp", "exact".
func (t Tolerance) String() string {
	var parts []string
	if t.Rel > 0 {
		parts = append(parts, "rel "+short(t.Rel))
	}
	if t.Abs > 0 {
		parts = append(parts, "abs "+short(t.Abs))
	}
	if t.ULP > 0 {
		parts = append(parts, strconv.Itoa(t.ULP)+" ulp")
	}
	if parts == nil {
		parts = []string{"exact"}
	}
	if t.NaN {
		parts = append(parts, "nan = nan")
	}
	text := strings.Join(parts, ", ")
	if t.Default {
		text += " (default: none was given)"
	}
	return text
}

// short writes a tolerance the way people do: 1e-9, not 1e-09.
func short(x float64) string {
	format := byte('g')
	if x < 0.01 {
		format = 'e'
	}
	s := strconv.FormatFloat(x, format, -1, 64)
	mantissa, exponent, ok := strings.Cut(s, "e")
	if !ok {
		return s
	}
	n, _ := strconv.Atoi(exponent)
	return mantissa + "e" + strconv.Itoa(n)
}

// ParseTolerance reads what follows "-- tol:": one number, the relative
// tolerance, or a list such as "rel=1e-9 abs=1e-12 ulp=4 nan". The word
// "exact" demands equality, "default" returns to the default.
func ParseTolerance(text string) (Tolerance, error) {
	var t Tolerance
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' })
	if len(fields) == 0 {
		return t, fmt.Errorf("tol: want a number or rel=, abs=, ulp=, nan, exact, default")
	}
	if len(fields) == 1 {
		switch fields[0] {
		case "exact":
			return t, nil
		case "default":
			return defaultTolerance(), nil
		}
	}
	onlyNaN := true
	for _, f := range fields {
		if err := t.set(f); err != nil {
			return Tolerance{}, fmt.Errorf("tol: %w", err)
		}
		onlyNaN = onlyNaN && f == "nan"
	}
	if onlyNaN {
		t.Rel, t.Default = DefaultRel, true
	}
	if err := t.Check(); err != nil {
		return Tolerance{}, fmt.Errorf("tol: %w", err)
	}
	return t, nil
}

// set reads one field of a tolerance.
func (t *Tolerance) set(field string) error {
	if field == "nan" {
		t.NaN = true
		return nil
	}
	name, value, ok := strings.Cut(field, "=")
	if !ok {
		name, value = "rel", field
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return fmt.Errorf("%s: want a number or rel=, abs=, ulp=, nan, exact, default", field)
	}
	switch name {
	case "rel":
		t.Rel = v
	case "abs":
		t.Abs = v
	case "ulp":
		if v != math.Trunc(v) || math.Abs(v) > math.MaxInt32 {
			return fmt.Errorf("ulp %s: must be a whole number", value)
		}
		t.ULP = int(v)
	default:
		return fmt.Errorf("%s: want rel, abs, ulp or nan", name)
	}
	return nil
}
