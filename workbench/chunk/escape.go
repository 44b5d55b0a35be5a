package chunk

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/greenbench/workbench/syntax"
)

// quoted is the value of a string in single or double quotes. Escapes are those of Lua 5.1 and, as in LuaJIT, \xXX, \z and
// \u{XXX}; any other is refused, because "\d+" is always a mistake for "%d+".
func (s *scanner) quoted(t syntax.Token) string {
	text := s.tree.Source[:t.End]
	if !t.Open {
		text = text[:t.End-1]
	}
	body := text[t.Start+1:]
	var value strings.Builder
	continued := false // the escape that ends what there is of the string takes in the next line
	for {
		n := strings.IndexByte(body, '\\')
		if n < 0 {
			break
		}
		value.WriteString(body[:n])
		body = body[n+1:]
		if continued = body == ""; continued {
			break
		}
		n = s.escape(&value, body, len(text)-len(body))
		continued = n == len(body) && (syntax.LineBreak(body) > 0 || body[0] == 'z')
		body = body[n:]
	}
	switch {
	case !t.Open:
	case continued && t.End == len(s.tree.Source):
		s.failAtEnd("string", t.Line)
	default:
		lineFrom := strings.LastIndexAny(text, "\n\r") + 1
		s.fail(max(t.Start, lineFrom), quoteHint(s.tree.Source, t.Start), "the string has no closing %c on its line", text[t.Start])
	}
	value.WriteString(body)
	return value.String()
}

// quoteHint says what was probably meant by the quote at a place of the source that opens a string without an end.
func quoteHint(src string, at int) string {
	before := src[:at]
	word := strings.TrimRight(before, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_)]}.")
	switch {
	case src[at] == '\'' && strings.HasSuffix(word, "'"):
		return `a ' in a string is written \', or the string stands between "`
	case src[at] == '\'' && word != before:
		return "the transpose of an array is M.T"
	}
	return "strings over several lines are written [[ … ]]"
}

// escape writes the meaning of an escape, whose text is what follows its backslash, and returns how much of it that is.
// The text, which is not empty, begins at the offset, and may be cut off anywhere.
func (s *scanner) escape(value *strings.Builder, text string, offset int) (length int) {
	at := offset - 1
	if i := strings.IndexByte("abfnrtv\\\"'", text[0]); i >= 0 {
		value.WriteByte("\a\b\f\n\r\t\v\\\"'"[i])
		return 1
	}
	switch c := text[0]; {
	case c == '\n' || c == '\r':
		value.WriteByte('\n')
		return syntax.LineBreak(text)
	case syntax.IsDigit(c):
		n := min(syntax.Span(text, syntax.IsDigit), 3)
		code, _ := strconv.Atoi(text[:n])
		if code > 255 {
			s.fail(at, "", "escape \\%d: must be at most \\255", code)
		}
		value.WriteByte(byte(code))
		return n
	case c == 'x':
		if syntax.Span(text[1:], syntax.IsHexDigit) < 2 {
			s.fail(at, "", "\\x needs two hexadecimal digits")
		}
		code, _ := strconv.ParseUint(text[1:3], 16, 8)
		value.WriteByte(byte(code))
		return 3
	case c == 'u':
		return s.unicodeEscape(value, text, at)
	case c == 'z':
		return 1 + syntax.Span(text[1:], syntax.IsSpace)
	}
	_, size := utf8.DecodeRuneInString(text)
	s.fail(at, "a backslash itself is written \\\\, and patterns use %, as in \"%d+\"", "unknown escape \\%s", text[:size])
	return 0
}

// unicodeEscape reads \u{XXX}, a code point in hexadecimal.
func (s *scanner) unicodeEscape(value *strings.Builder, text string, at int) (length int) {
	digits, closed := "", false
	if rest, ok := strings.CutPrefix(text, "u{"); ok {
		digits = rest[:syntax.Span(rest, syntax.IsHexDigit)]
		closed = strings.HasPrefix(rest[len(digits):], "}")
	}
	if digits == "" || !closed {
		s.fail(at, "", "\\u is written \\u{XXX}, a code point in hexadecimal")
	}
	code, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || !utf8.ValidRune(rune(code)) {
		s.fail(at, "", "\\u{%s} is not a character", digits)
	}
	value.WriteRune(rune(code))
	return len("u{}") + len(digits)
}
