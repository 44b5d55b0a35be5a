package chunk

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// kind is the class of a token.
type kind uint8

const (
	endOfFile kind = iota
	nameToken
	stringToken
	numberToken
	keyword
	symbol
)

// token is one word of the source.
type token struct {
	kind     kind
	text     string // a name, keyword, symbol or numeral as written; the value of a string
	line     int
	start    int  // byte offset of its first byte
	end      int  // byte offset after its last
	lineFrom int  // byte offset of the beginning of its line
	newline  bool // a line break comes between it and the token before
}

func isKeyword(s string) bool {
	switch s {
	case "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil", "not",
		"or", "repeat", "return", "then", "true", "until", "while":
		return true
	}
	return false
}

// scanner splits a source text into tokens. Errors are raised as *SyntaxError panics, which Parse recovers.
type scanner struct {
	name     string
	src      string
	pos      int // offset of the next byte
	line     int
	lineFrom int // offset of the beginning of that line
}

// column returns the column, in characters from 1, of a byte offset in the line that begins at lineFrom.
func column(src string, lineFrom, offset int) int {
	return utf8.RuneCountInString(src[lineFrom:offset]) + 1
}

// fail raises a syntax error at the byte offset, which is in the current line.
func (s *scanner) fail(offset int, hint, format string, args ...any) {
	panic(&SyntaxError{
		File: s.name, Line: s.line, Column: column(s.src, s.lineFrom, offset),
		Message: fmt.Sprintf(format, args...), Hint: hint,
	})
}

// failAtEnd raises the error of a text that ends inside something which began at the given line.
func (s *scanner) failAtEnd(what string, line int) {
	panic(&SyntaxError{
		File: s.name, Line: s.line, Column: column(s.src, s.lineFrom, len(s.src)), Incomplete: true,
		Message: fmt.Sprintf("the %s that begins at line %d never ends", what, line),
	})
}

// peek returns the byte at the given distance, 0 after the end.
func (s *scanner) peek(distance int) byte {
	if s.pos+distance < len(s.src) {
		return s.src[s.pos+distance]
	}
	return 0
}

// lineBreak passes one line break: \n, \r, \r\n or \n\r.
func (s *scanner) lineBreak() {
	first := s.src[s.pos]
	s.pos++
	if next := s.peek(0); (next == '\n' || next == '\r') && next != first && s.pos < len(s.src) {
		s.pos++
	}
	s.line++
	s.lineFrom = s.pos
}

// next returns the next token; at the end of the text, endOfFile for ever.
func (s *scanner) next() token {
	before := s.line
	s.skipBlank()
	t := token{line: s.line, start: s.pos, lineFrom: s.lineFrom, newline: s.line != before}
	if s.pos == len(s.src) {
		t.end = s.pos
		return t
	}
	c := s.src[s.pos]
	switch {
	case isNameStart(c):
		t.text = s.src[s.pos : s.pos+span(s.src[s.pos:], isNameByte)]
		s.pos += len(t.text)
		t.kind = nameToken
		if isKeyword(t.text) {
			t.kind = keyword
		}
	case isDigit(c) || c == '.' && isDigit(s.peek(1)):
		t.kind, t.text = numberToken, s.numeral()
	case c == '"' || c == '\'':
		t.kind, t.text = stringToken, s.shortString()
	case c == '[' && s.longBracket() >= 0:
		t.kind, t.text = stringToken, s.longString("long string")
	default:
		t.kind, t.text = symbol, s.symbol()
		s.pos += len(t.text)
	}
	t.end = s.pos
	return t
}

// skipBlank passes white space and comments.
func (s *scanner) skipBlank() {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case c == '\n' || c == '\r':
			s.lineBreak()
		case c == ' ' || c == '\t' || c == '\v' || c == '\f':
			s.pos++
		case c == '-' && s.peek(1) == '-':
			s.pos += 2
			if s.peek(0) == '[' && s.longBracket() >= 0 {
				s.longString("comment")
				continue
			}
			if n := strings.IndexAny(s.src[s.pos:], "\n\r"); n >= 0 {
				s.pos += n
			} else {
				s.pos = len(s.src)
			}
		default:
			return
		}
	}
}

// longBracket returns the number of = in the opening long bracket at the current position, -1 if there is none.
func (s *scanner) longBracket() int {
	level := span(s.src[s.pos+1:], func(c byte) bool { return c == '=' })
	if s.peek(1+level) == '[' {
		return level
	}
	return -1
}

// longString reads [[…]], [=[…]=] and so on.
func (s *scanner) longString(what string) string {
	level, line := s.longBracket(), s.line
	closing := "]" + strings.Repeat("=", level) + "]"
	s.pos += level + 2
	if c := s.peek(0); c == '\n' || c == '\r' {
		s.lineBreak()
	}
	var value strings.Builder
	for {
		n := strings.IndexAny(s.src[s.pos:], "\n\r]")
		if n < 0 {
			s.pos = len(s.src)
			s.failAtEnd(what, line)
		}
		value.WriteString(s.src[s.pos : s.pos+n])
		s.pos += n
		switch {
		case s.src[s.pos] != ']':
			s.lineBreak()
			value.WriteByte('\n')
		case strings.HasPrefix(s.src[s.pos:], closing):
			s.pos += len(closing)
			return value.String()
		default:
			s.pos++
			value.WriteByte(']')
		}
	}
}

// numeral reads a number and refuses what merely begins like one.
func (s *scanner) numeral() string {
	n, exponent := 0, "eE"
	rest := s.src[s.pos:]
	if len(rest) > 1 && rest[0] == '0' && (rest[1] == 'x' || rest[1] == 'X') {
		exponent = "pP"
	}
	for n < len(rest) && (isNameByte(rest[n]) || rest[n] == '.') {
		n++
		if strings.IndexByte(exponent, rest[n-1]) >= 0 && n < len(rest) && (rest[n] == '+' || rest[n] == '-') {
			n++
		}
	}
	text := rest[:n]
	if _, ok := parseNumeral(text); !ok {
		hint := ""
		if strings.Contains(text, "..") {
			hint = "put a space before .. after a number"
		}
		s.fail(s.pos, hint, "malformed number '%s'", text)
	}
	s.pos += n
	return text
}

const symbols2 = "== ~= <= >= :: .."

// symbol returns the operator or punctuation at the current position.
func (s *scanner) symbol() string {
	rest := s.src[s.pos:]
	if strings.HasPrefix(rest, "...") {
		return "..."
	}
	if len(rest) > 1 && strings.Contains(symbols2, rest[:2]) && rest[1] != ' ' && rest[0] != ' ' {
		return rest[:2]
	}
	if strings.IndexByte("+-*/%^#<>=(){}[];:,.", rest[0]) >= 0 {
		return rest[:1]
	}
	r, size := utf8.DecodeRuneInString(rest)
	found := rest[:size]
	if r == utf8.RuneError && size <= 1 || r < ' ' {
		found = fmt.Sprintf("byte %#02x", rest[0])
	}
	s.fail(s.pos, characterHint(rest), "unexpected character '%s'", found)
	return ""
}
