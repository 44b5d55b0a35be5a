package stdlib

import (
	"math"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// directive is one % of a format.
type directive struct {
	minus, plus, space, sharp, zero bool
	width                           int
	precision                       int // -1: none given
	verb                            byte
}

// stringFormat (format, ...) follows C's printf.
func stringFormat(c call) int {
	format := c.text(1)
	var out strings.Builder
	argument := 1
	for i := 0; i < len(format); i++ {
		if n := strings.IndexByte(format[i:], '%'); n != 0 {
			if n < 0 {
				n = len(format) - i
			}
			out.WriteString(format[i : i+n])
			i += n - 1
			continue
		}
		if i+1 < len(format) && format[i+1] == '%' {
			out.WriteByte('%')
			i++
			continue
		}
		d, length := c.directive(format[i+1:])
		i += length
		argument++
		if argument > c.GetTop() {
			c.fail(argument, "no value")
		}
		text := c.formatValue(d, argument)
		c.checkLength(float64(out.Len() + len(text)))
		out.WriteString(text)
	}
	return c.push(lua.LString(out.String()))
}

// directive reads what follows a %, and returns its length.
func (c call) directive(s string) (d directive, length int) {
	d.precision = -1
	i := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '-':
			d.minus = true
			continue
		case '+':
			d.plus = true
			continue
		case ' ':
			d.space = true
			continue
		case '#':
			d.sharp = true
			continue
		case '0':
			d.zero = true
			continue
		}
		break
	}
	number := func() int {
		from := i
		for i < len(s) && '0' <= s[i] && s[i] <= '9' {
			i++
		}
		n, _ := strconv.Atoi("0" + s[from:i])
		if i-from > 2 {
			c.refuse("invalid format (width or precision too long)")
		}
		return n
	}
	d.width = number()
	if i < len(s) && s[i] == '.' {
		i++
		d.precision = number()
	}
	if i == len(s) {
		c.refuse("invalid option '%%%s' to 'format'", s)
	}
	d.verb = s[i]
	return d, i + 1
}

func (c call) formatValue(d directive, i int) string {
	switch d.verb {
	case 'd', 'i':
		return d.integer(c.number(i))
	case 'u', 'o', 'x', 'X':
		return d.unsigned(c.number(i))
	case 'e', 'E', 'f', 'F', 'g', 'G', 'a', 'A':
		return d.float(c.number(i))
	case 'c':
		return d.pad("", string([]byte{byte(c.integer(i))}), false)
	case 'q':
		return quoted(c.text(i))
	case 's':
		s := c.lib.ToString(c.LState, c.Get(i))
		if d.precision >= 0 && d.precision < len(s) {
			s = s[:d.precision]
		}
		return d.pad("", s, false)
	}
	c.refuse("invalid option '%%%c' to 'format'", d.verb)
	return ""
}

// pad fills a text up to the width: with zeros between sign and digits, or spaces before or after.
func (d directive) pad(sign, digits string, zeros bool) string {
	missing := d.width - len(sign) - len(digits)
	switch {
	case missing <= 0:
		return sign + digits
	case d.minus:
		return sign + digits + strings.Repeat(" ", missing)
	case d.zero && zeros:
		return sign + strings.Repeat("0", missing) + digits
	}
	return strings.Repeat(" ", missing) + sign + digits
}

// sign returns what stands before the digits.
func (d directive) sign(negative bool) string {
	switch {
	case negative:
		return "-"
	case d.plus:
		return "+"
	case d.space:
		return " "
	}
	return ""
}

// digits applies the precision of an integer: the least number of digits.
func (d directive) digits(s string) string {
	if d.precision == 0 && s == "0" {
		return ""
	}
	return strings.Repeat("0", max(d.precision-len(s), 0)) + s
}

func (d directive) integer(x float64) string {
	n := int64(toInt(x))
	magnitude := uint64(n)
	if n < 0 {
		magnitude = -magnitude
	}
	return d.pad(d.sign(n < 0), d.digits(strconv.FormatUint(magnitude, 10)), d.precision < 0)
}

// unsigned formats negative numbers as C does, modulo 2^64.
func (d directive) unsigned(x float64) string {
	n := uint64(toInt(x))
	if x >= math.MaxInt64 {
		n = math.MaxUint64
		if x < math.MaxUint64 {
			n = uint64(x)
		}
	}
	base, prefix := 10, ""
	switch d.verb {
	case 'o':
		base = 8
	case 'x', 'X':
		base, prefix = 16, "0x"
	}
	s := d.digits(strconv.FormatUint(n, base))
	if !d.sharp || n == 0 {
		prefix = ""
	}
	if d.sharp && base == 8 && !strings.HasPrefix(s, "0") {
		s = "0" + s
	}
	if d.verb == 'X' {
		s, prefix = strings.ToUpper(s), strings.ToUpper(prefix)
	}
	return d.pad(prefix, s, d.precision < 0)
}

func (d directive) float(x float64) string {
	capital := d.verb < 'a'
	sign := d.sign(math.Signbit(x) && x == x)
	var s string
	switch x = math.Abs(x); {
	case x != x:
		s = "nan"
	case math.IsInf(x, 0):
		s = "inf"
	default:
		s = d.magnitude(x)
	}
	finite := s != "nan" && s != "inf"
	if capital {
		s, sign = strings.ToUpper(s), strings.ToUpper(sign)
	}
	return d.pad(sign, s, finite)
}

// magnitude formats a finite number without its sign.
func (d directive) magnitude(x float64) string {
	precision := d.precision
	if precision < 0 {
		precision = 6
	}
	switch d.verb | 0x20 {
	case 'e':
		return d.point(strconv.FormatFloat(x, 'e', precision, 64), precision)
	case 'f':
		return d.point(strconv.FormatFloat(x, 'f', precision, 64), precision)
	case 'a':
		s := strconv.FormatFloat(x, 'x', d.precision, 64)
		if n := len(s); s[n-2] == '0' { // Go writes p+01, C p+1
			s = s[:n-2] + s[n-1:]
		}
		return s
	}
	precision = max(precision, 1)
	if !d.sharp {
		return strconv.FormatFloat(x, 'g', precision, 64)
	}
	// %#g keeps zeros at the end: the exponent after rounding decides the style.
	s := strconv.FormatFloat(x, 'e', precision-1, 64)
	exponent, _ := strconv.Atoi(s[strings.IndexByte(s, 'e')+1:])
	if exponent < -4 || exponent >= precision {
		return d.point(s, precision-1)
	}
	return d.point(strconv.FormatFloat(x, 'f', precision-1-exponent, 64), precision-1-exponent)
}

// point adds the decimal point that the flag # asks for when there are no digits after it.
func (d directive) point(s string, precision int) string {
	if !d.sharp || precision > 0 {
		return s
	}
	if digits, exponent, ok := strings.Cut(s, "e"); ok {
		return digits + ".e" + exponent
	}
	return s + "."
}

// quoted writes a string so that Lua can read it.
func quoted(s string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, b := range []byte(s) {
		switch b {
		case '"', '\\', '\n':
			out.WriteByte('\\')
			out.WriteByte(b)
		case '\r':
			out.WriteString("\\r")
		case 0:
			out.WriteString("\\000")
		default:
			out.WriteByte(b)
		}
	}
	out.WriteByte('"')
	return out.String()
}
