package chunk

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// shortString reads a string in single or double quotes. Escapes are those of Lua 5.1 and, as in LuaJIT, \xXX, \z and
// \u{XXX}; any other is refused, because "\d+" is always a mistake for "%d+".
func (s *scanner) shortString() string {
	quote, from, line := s.src[s.pos], s.pos, s.line
	s.pos++
	var value strings.Builder
	continued := false // the line before ended with a backslash
	for {
		n := 0
		for s.pos+n < len(s.src) {
			if c := s.src[s.pos+n]; c == quote || c == '\\' || c == '\n' || c == '\r' {
				break
			}
			n++
		}
		value.WriteString(s.src[s.pos : s.pos+n])
		s.pos += n
		if s.pos == len(s.src) && continued && n == 0 {
			s.failAtEnd("string", line)
		}
		if s.pos == len(s.src) || s.src[s.pos] == '\n' || s.src[s.pos] == '\r' {
			s.fail(max(from, s.lineFrom), "strings over several lines are written [[ … ]]", "the string has no closing %c on its line", quote)
		}
		if s.src[s.pos] == quote {
			s.pos++
			return value.String()
		}
		continued = s.escape(&value)
	}
}

// escape reads one escape sequence and reports whether it was a backslash before a line break.
func (s *scanner) escape(value *strings.Builder) bool {
	at := s.pos
	s.pos++
	c := s.peek(0)
	if i := strings.IndexByte("abfnrtv\\\"'", c); i >= 0 && c != 0 {
		value.WriteByte("\a\b\f\n\r\t\v\\\"'"[i])
		s.pos++
		return false
	}
	switch {
	case c == '\n' || c == '\r':
		s.lineBreak()
		value.WriteByte('\n')
		return true
	case isDigit(c):
		n := min(span(s.src[s.pos:], isDigit), 3)
		code, _ := strconv.Atoi(s.src[s.pos : s.pos+n])
		if code > 255 {
			s.fail(at, "", "escape \\%d: must be at most \\255", code)
		}
		value.WriteByte(byte(code))
		s.pos += n
	case c == 'x':
		if !isHexDigit(s.peek(1)) || !isHexDigit(s.peek(2)) {
			s.fail(at, "", "\\x needs two hexadecimal digits")
		}
		code, _ := strconv.ParseUint(s.src[s.pos+1:s.pos+3], 16, 8)
		value.WriteByte(byte(code))
		s.pos += 3
	case c == 'u':
		s.unicodeEscape(at, value)
	case c == 'z':
		s.pos++
		for s.pos < len(s.src) && strings.IndexByte(" \t\v\f\n\r", s.src[s.pos]) >= 0 {
			if s.src[s.pos] == '\n' || s.src[s.pos] == '\r' {
				s.lineBreak()
			} else {
				s.pos++
			}
		}
	default:
		found, hint := "\\", "a backslash itself is written \\\\"
		if s.pos < len(s.src) {
			_, size := utf8.DecodeRuneInString(s.src[s.pos:])
			found += s.src[s.pos : s.pos+size]
			hint += ", and patterns use %, as in \"%d+\""
		}
		s.fail(at, hint, "unknown escape %s", found)
	}
	return false
}

// unicodeEscape reads \u{XXX}, a code point in hexadecimal.
func (s *scanner) unicodeEscape(at int, value *strings.Builder) {
	digits := span(s.src[min(s.pos+2, len(s.src)):], isHexDigit)
	if s.peek(1) != '{' || digits == 0 || s.peek(2+digits) != '}' {
		s.fail(at, "", "\\u is written \\u{XXX}, a code point in hexadecimal")
	}
	code, err := strconv.ParseUint(s.src[s.pos+2:s.pos+2+digits], 16, 32)
	if err != nil || !utf8.ValidRune(rune(code)) {
		s.fail(at, "", "\\u{%s} is not a character", s.src[s.pos+2:s.pos+2+digits])
	}
	value.WriteRune(rune(code))
	s.pos += 3 + digits
}
