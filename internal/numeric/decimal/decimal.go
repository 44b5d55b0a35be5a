// Package decimal reads numbers from text, as many as files have: a number in some 20
// nanoseconds, and always the float64 nearest to what is written, as strconv.ParseFloat
// gives, which does what the fast way cannot.
package decimal

import (
	"math"
	"strconv"
	"unsafe"
)

// exact powers of ten: a mantissa below 2⁵³ times or over one of them is rounded once,
// so that the result is the number nearest to the text (W. D. Clinger, How to read
// floating point numbers accurately, 1990).
var tens = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// Parse reads a number as decimal text, with the given decimal sign: digits, at most one
// sign in front, an exponent after e, E, d or D; inf and infinity. It is the float64
// nearest to the text.
func Parse(b []byte, decimal byte) (float64, bool) {
	i, n := 0, len(b)
	negative := false
	if i < n && (b[i] == '-' || b[i] == '+') {
		negative = b[i] == '-'
		i++
	}
	var mantissa uint64
	digits, exponent, start := 0, 0, i
	for ; i < n && b[i]-'0' < 10; i++ {
		mantissa = mantissa*10 + uint64(b[i]-'0')
	}
	digits = i - start
	if i < n && b[i] == decimal {
		i++
		from := i
		for ; i < n && b[i]-'0' < 10; i++ {
			mantissa = mantissa*10 + uint64(b[i]-'0')
		}
		exponent = from - i
		digits += i - from
	}
	if digits == 0 {
		return infinity(b[start:], negative)
	}
	if i < n {
		if c := b[i] | 0x20; c != 'e' && c != 'd' {
			return 0, false
		}
		e, ok := parseExponent(b[i+1:])
		if !ok {
			return 0, false
		}
		exponent += e
	}
	if digits > 19 || mantissa > 1<<53 || exponent < -22 || exponent > 22 {
		return slowNumber(b, decimal)
	}
	x := float64(mantissa)
	if exponent < 0 {
		x /= tens[-exponent]
	} else {
		x *= tens[exponent]
	}
	if negative {
		x = -x
	}
	return x, true
}

func parseExponent(b []byte) (e int, ok bool) {
	sign := 1
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		if b[0] == '-' {
			sign = -1
		}
		b = b[1:]
	}
	for _, c := range b {
		if c-'0' > 9 {
			return 0, false
		}
		e = min(e*10+int(c-'0'), 1<<20)
	}
	return sign * e, len(b) > 0
}

// slowNumber reads what is known to have the form of a number. What is beyond the largest
// float64 is no number.
func slowNumber(b []byte, decimal byte) (float64, bool) {
	clean := b
	for i, c := range b {
		if c|0x20 == 'd' || c == decimal && c != '.' {
			if &clean[0] == &b[0] {
				clean = append([]byte(nil), b...)
			}
			clean[i] = 'e'
			if c == decimal {
				clean[i] = '.'
			}
		}
	}
	x, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(clean), len(clean)), 64)
	return x, err == nil
}

func infinity(b []byte, negative bool) (float64, bool) {
	if len(b) != 3 && len(b) != 8 {
		return 0, false
	}
	for i, c := range b {
		if c|0x20 != "infinity"[i] {
			return 0, false
		}
	}
	if negative {
		return math.Inf(-1), true
	}
	return math.Inf(1), true
}

// Missing are the words for a missing value in most files, in lower case.
func Missing() []string {
	return []string{
		"", "na", "n/a", "#n/a", "<na>", "nan", "-nan", "1.#qnan", "-1.#ind", "null", "none", "missing", "-", "--", "---", ".", "?",
	}
}
