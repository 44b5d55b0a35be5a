package syntax

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Scanner reads a source token by token.
type Scanner struct {
	src       string
	pos, line int
}

// NewScanner begins at the first byte of src.
func NewScanner(src string) *Scanner { return &Scanner{src: src, line: 1} }

// Line is the line of the byte that is read next.
func (s *Scanner) Line() int { return s.line }

// Skip passes n bytes, whatever they are.
func (s *Scanner) Skip(n int) { s.pass(n) }

// Next is the next token; at the end of the source an empty one of the kind End.
func (s *Scanner) Next() Token {
	t := Token{Start: s.pos, Line: s.line}
	if s.pos < len(s.src) {
		var n int
		t.Kind, n, t.Open = classify(s.src[s.pos:], s.pos == 0)
		switch t.Kind {
		case Blank, LongComment, String, Long: // those that line breaks can be in
			s.pass(n)
		default:
			s.pos += n
		}
	}
	t.End = s.pos
	return t
}

// pass moves on, counting lines.
func (s *Scanner) pass(n int) {
	for end := s.pos + n; s.pos < end; {
		if n := LineBreak(s.src[s.pos:end]); n > 0 {
			s.pos += n
			s.line++
		} else {
			s.pos++
		}
	}
}

// classify returns the kind and the length of the token that src, which is not empty,
// begins with, and whether it is not closed.
func classify(src string, first bool) (kind Kind, n int, open bool) {
	switch c := src[0]; {
	case IsSpace(c):
		return Blank, Span(src, IsSpace), false
	case IsNameStart(c), c >= utf8.RuneSelf && nameLength(src) > 0:
		n = nameLength(src)
		if IsKeyword(src[:n]) {
			return Keyword, n, false
		}
		return Name, n, false
	case IsDigit(c), c == '.' && len(src) > 1 && IsDigit(src[1]):
		return Number, numberLength(src), false
	case c == '"' || c == '\'':
		n, open = quotedLength(src)
		return String, n, open
	case c == '[':
		if n, open = longLength(src); n > 0 {
			return Long, n, open
		}
	case strings.HasPrefix(src, "--"):
		if n, open = longLength(src[2:]); n > 0 {
			return LongComment, n + 2, open
		}
		return Comment, toLineEnd(src), false
	case first && strings.HasPrefix(src, "#!"): // the line that names the interpreter
		return Comment, toLineEnd(src), false
	}
	return symbol(src)
}

// nameLength is how much of src is a name: letters, digits and _, of which it does not begin with a digit. Letters of all
// scripts are letters, and digits above or below the line can follow them: λ, σ², x₁.
func nameLength(src string) (n int) {
	for n < len(src) {
		if c := src[n]; c < utf8.RuneSelf {
			if !IsNameByte(c) || n == 0 && IsDigit(c) {
				return n
			}
			n++
			continue
		}
		r, size := utf8.DecodeRuneInString(src[n:])
		if !unicode.IsLetter(r) && (n == 0 || !unicode.Is(unicode.M, r) && !strings.ContainsRune("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", r)) {
			return n
		}
		n += size
	}
	return n
}

// symbol reads an operator, or a character of another language in one piece.
func symbol(src string) (kind Kind, n int, open bool) {
	for _, op := range [...]string{"...", "..", "==", "~=", "<=", ">=", "::"} {
		if src[0] == op[0] && strings.HasPrefix(src, op) {
			return Op, len(op), false
		}
	}
	if strings.IndexByte("+-*/%^#<>=(){}[];:,.", src[0]) >= 0 {
		return Op, 1, false
	}
	n = 1
	for n < len(src) && src[n]&0xC0 == 0x80 { // the rest of a UTF-8 sequence
		n++
	}
	return Unknown, n, false
}

// numberLength takes what the reference takes: digits, letters and points in any order,
// and the sign of an exponent. "1..2" is two numbers and a concatenation to nobody.
func numberLength(src string) int {
	exponent := "eE"
	if len(src) > 1 && src[0] == '0' && src[1]|0x20 == 'x' {
		exponent = "pP"
	}
	n := 0
	for n < len(src) && (IsNameByte(src[n]) || src[n] == '.') {
		n++
		if strings.IndexByte(exponent, src[n-1]) >= 0 && n < len(src) && (src[n] == '+' || src[n] == '-') {
			n++
		}
	}
	return n
}

// quotedLength reads a string between quotes; one that is not closed ends with its line.
func quotedLength(src string) (n int, open bool) {
	for n = 1; n < len(src); {
		switch c := src[n]; c {
		case src[0]:
			return n + 1, false
		case '\n', '\r':
			return n, true
		case '\\':
			n += escapeLength(src[n:])
		default:
			n++
		}
	}
	return n, true
}

// escapeLength is the length of a backslash with what it takes the meaning from: a
// character, a line break or, after z, all white space that follows.
func escapeLength(src string) int {
	switch n := LineBreak(src[1:]); {
	case len(src) == 1:
		return 1
	case n > 0:
		return 1 + n
	case src[1] == 'z':
		return 2 + Span(src[2:], IsSpace)
	}
	return 2
}

// longLength reads [[…]], [=[…]=] and so on; n is 0 where src begins with none.
func longLength(src string) (n int, open bool) {
	if !strings.HasPrefix(src, "[") {
		return 0, false
	}
	level := Span(src[1:], func(c byte) bool { return c == '=' })
	if !strings.HasPrefix(src[1+level:], "[") {
		return 0, false
	}
	end := strings.Index(src[level+2:], "]"+src[1:1+level]+"]")
	if end < 0 {
		return len(src), true
	}
	return end + 2*(level+2), false
}
