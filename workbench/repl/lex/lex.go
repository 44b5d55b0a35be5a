// Package lex splits Lua 5.1 source into tokens that remember where they stood,
// comments included. The parser of gopher-lua forgets both, and everything an
// interactive session does with text (is the input finished, what is left of
// the cursor, how does a block look on one line) needs them.
//
// The lexer accepts every string: what is not Lua becomes a token of kind
// Unknown, what is not closed a token with Open set.
//
// To teach the session another rewriting of its input, add a function over
// []Token beside Flatten (flatten.go) and Globalise (local.go).
package lex

import "strings"

// A Kind says what a token is.
type Kind uint8

// The kinds of token.
const (
	Name Kind = iota
	Keyword
	Number
	String  // '…' or "…"
	Long    // [[…]]
	Comment // -- … up to the line end, which is not part of it
	LongComment
	Op // operators and punctuation
	Unknown
)

// A Token is a piece of source; white space lies between tokens.
type Token struct {
	Kind       Kind
	Start, End int  // byte offsets: src[Start:End]
	Line       int  // of the first byte, from 1
	Open       bool // a string or long comment that is not closed
}

// Text is the token as it stands in the source it was read from.
func (t Token) Text(src string) string { return src[t.Start:t.End] }

// Is says whether the token is the given keyword or operator.
func (t Token) Is(src, text string) bool {
	return (t.Kind == Keyword || t.Kind == Op) && t.Text(src) == text
}

// Keywords lists the reserved words of the dialect, sorted (goto included).
func Keywords() []string {
	return []string{
		"and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
		"local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
	}
}

// IsKeyword says whether a word is reserved.
func IsKeyword(word string) bool {
	switch word {
	case "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
		"local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while":
		return true
	}
	return false
}

// Tokens reads all of src, comments included.
func Tokens(src string) []Token {
	l := lexer{src: src, line: 1}
	var out []Token
	for {
		t, ok := l.next()
		if !ok {
			return out
		}
		out = append(out, t)
	}
}

// Code reads src without its comments.
func Code(src string) []Token {
	all := Tokens(src)
	out := all[:0]
	for _, t := range all {
		if t.Kind != Comment && t.Kind != LongComment {
			out = append(out, t)
		}
	}
	return out
}

type lexer struct {
	src       string
	pos, line int
}

func (l *lexer) peek(i int) byte {
	if l.pos+i < len(l.src) {
		return l.src[l.pos+i]
	}
	return 0
}

func (l *lexer) next() (Token, bool) {
	for l.pos < len(l.src) && isSpace(l.src[l.pos]) {
		if l.src[l.pos] == '\n' {
			l.line++
		}
		l.pos++
	}
	if l.pos >= len(l.src) {
		return Token{}, false
	}
	t := Token{Start: l.pos, Line: l.line}
	c := l.src[l.pos]
	switch {
	case isLetter(c):
		for l.pos < len(l.src) && (isLetter(l.src[l.pos]) || isDigit(l.src[l.pos])) {
			l.pos++
		}
		if IsKeyword(l.src[t.Start:l.pos]) {
			t.Kind = Keyword
		}
	case isDigit(c), c == '.' && isDigit(l.peek(1)):
		t.Kind = Number
		l.number()
	case c == '"' || c == '\'':
		t.Kind = String
		t.Open = !l.quoted(c)
	case c == '[' && l.longOpening(0) >= 0:
		t.Kind = Long
		t.Open = !l.long(l.longOpening(0))
	case c == '-' && l.peek(1) == '-':
		t.Kind, t.Open = l.comment()
	case c == '#' && l.pos == 0 && l.peek(1) == '!': // the line that names the interpreter
		t.Kind = Comment
		l.toLineEnd()
	default:
		t.Kind = l.operator(c)
	}
	t.End = l.pos
	return t, true
}

func (l *lexer) number() {
	if l.peek(0) == '0' && (l.peek(1) == 'x' || l.peek(1) == 'X') {
		for l.pos += 2; isHex(l.peek(0)); l.pos++ {
		}
		return
	}
	for isDigit(l.peek(0)) {
		l.pos++
	}
	// "1..2" is two numbers and a concatenation to nobody: the reference reads
	// it as a malformed number, so the second point belongs to the number too.
	if l.peek(0) == '.' {
		for l.pos++; isDigit(l.peek(0)); l.pos++ {
		}
	}
	if c := l.peek(0); c == 'e' || c == 'E' {
		l.pos++
		if c := l.peek(0); c == '+' || c == '-' {
			l.pos++
		}
		for isDigit(l.peek(0)) {
			l.pos++
		}
	}
}

// quoted reads a string between quotes; false when its line ends first.
func (l *lexer) quoted(quote byte) bool {
	for l.pos++; l.pos < len(l.src); l.pos++ {
		switch l.src[l.pos] {
		case quote:
			l.pos++
			return true
		case '\\':
			if l.pos+1 < len(l.src) {
				l.pos++
				if l.src[l.pos] == '\n' {
					l.line++
				}
			}
		case '\n':
			return false
		}
	}
	return false
}

// longOpening is the level of the long bracket that opens at pos+at, or -1.
func (l *lexer) longOpening(at int) int {
	if l.peek(at) != '[' {
		return -1
	}
	n := 0
	for l.peek(at+1+n) == '=' {
		n++
	}
	if l.peek(at+1+n) != '[' {
		return -1
	}
	return n
}

// long reads a long string of the given level from its first bracket.
func (l *lexer) long(level int) bool {
	closing := "]" + strings.Repeat("=", level) + "]"
	end := strings.Index(l.src[l.pos+level+2:], closing)
	if end < 0 {
		l.line += strings.Count(l.src[l.pos:], "\n")
		l.pos = len(l.src)
		return false
	}
	next := l.pos + level + 2 + end + len(closing)
	l.line += strings.Count(l.src[l.pos:next], "\n")
	l.pos = next
	return true
}

func (l *lexer) comment() (Kind, bool) {
	if level := l.longOpening(2); level >= 0 {
		l.pos += 2
		return LongComment, !l.long(level)
	}
	l.toLineEnd()
	return Comment, false
}

func (l *lexer) toLineEnd() {
	for l.pos < len(l.src) && l.src[l.pos] != '\n' {
		l.pos++
	}
}

func (l *lexer) operator(c byte) Kind {
	for _, op := range [...]string{"...", "..", "==", "~=", "<=", ">=", "::"} {
		if strings.HasPrefix(l.src[l.pos:], op) {
			l.pos += len(op)
			return Op
		}
	}
	l.pos++
	if strings.IndexByte("+-*/%^#<>=(){}[];:,.", c) >= 0 {
		return Op
	}
	for l.pos < len(l.src) && l.src[l.pos]&0xC0 == 0x80 { // the rest of a UTF-8 sequence
		l.pos++
	}
	return Unknown
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'
}

func isLetter(c byte) bool { return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isHex(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
