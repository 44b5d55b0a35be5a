package syntax

import (
	"slices"
	"strings"
)

// A Kind says what a token is.
type Kind uint8

// The kinds of token.
const (
	End         Kind = iota // after the last byte, for ever
	Blank                   // white space
	Comment                 // -- … up to the line end, which is not part of it
	LongComment             // --[[ … ]]
	Name
	Keyword
	Number  // also what only begins like one: 3x, 1..2
	String  // '…' or "…"
	Long    // [[…]]
	Op      // operators and punctuation
	Unknown // one character that means nothing in Lua
)

// A Token is the piece Start:End of a source, in bytes.
type Token struct {
	Kind       Kind
	Open       bool // a string or long comment that is not closed
	Start, End int
	Line       int // of the first byte, from 1
}

// Text is the token as it stands in the source it was read from.
func (t Token) Text(src string) string { return src[t.Start:t.End] }

// Is says whether the token is the given keyword or operator.
func (t Token) Is(src, text string) bool {
	return (t.Kind == Keyword || t.Kind == Op) && t.Text(src) == text
}

// IsCode says whether the token is neither white space nor a comment.
func (t Token) IsCode() bool { return t.Kind > LongComment }

// Tokens reads all of src, white space and comments included, without the End.
func Tokens(src string) (out []Token) {
	s := NewScanner(src)
	for t := s.Next(); t.Kind != End; t = s.Next() {
		out = append(out, t)
	}
	return out
}

// Code reads src without white space and comments.
func Code(src string) (out []Token) {
	s := NewScanner(src)
	for t := s.Next(); t.Kind != End; t = s.Next() {
		if t.IsCode() {
			out = append(out, t)
		}
	}
	return out
}

// keywords are sorted.
var keywords = [...]string{
	"and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
	"local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
}

// Keywords lists the reserved words, sorted; goto is one of them, as in LuaJIT.
func Keywords() []string { return slices.Clone(keywords[:]) }

// IsKeyword says whether a word is reserved.
func IsKeyword(word string) bool {
	_, found := slices.BinarySearch(keywords[:], word)
	return found
}

// IsName says whether a text can be the name of a variable or, after a dot, of a field.
func IsName(text string) bool {
	return text != "" && nameLength(text) == len(text) && !IsKeyword(text)
}

// Nesting is the change of depth at a token: 1 where a block or bracket opens, -1 where
// it closes. The loops while and for open with their do.
func (t Token) Nesting(src string) int {
	if t.Kind != Keyword && t.Kind != Op {
		return 0
	}
	switch t.Text(src) {
	case "function", "do", "if", "repeat", "(", "[", "{":
		return 1
	case "end", "until", ")", "]", "}":
		return -1
	}
	return 0
}

// Preamble is the length of what stands before the code of a file: a byte order mark,
// and a first line that begins with #, without its end.
func Preamble(src string) int {
	n := len(src) - len(strings.TrimPrefix(src, "\ufeff"))
	if strings.HasPrefix(src[n:], "#") {
		n += toLineEnd(src[n:])
	}
	return n
}

// LineBreak is the length of the line break that s begins with, 0 if it begins with
// none: \n, \r, \r\n and \n\r are one each.
func LineBreak(s string) int {
	switch {
	case s == "" || s[0] != '\n' && s[0] != '\r':
		return 0
	case len(s) > 1 && s[1] != s[0] && (s[1] == '\n' || s[1] == '\r'):
		return 2
	}
	return 1
}

// Span is how many leading bytes of s are in the class.
func Span(s string, class func(byte) bool) int {
	n := 0
	for n < len(s) && class(s[n]) {
		n++
	}
	return n
}

// IsSpace says whether a byte is white space.
func IsSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// IsDigit says whether a byte is a decimal digit.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsHexDigit says whether a byte is a hexadecimal digit.
func IsHexDigit(c byte) bool { return IsDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// IsNameStart says whether a name can begin with a byte: of the letters only those of ASCII are one byte.
func IsNameStart(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }

// IsNameByte says whether a byte can be in a name.
func IsNameByte(c byte) bool { return IsNameStart(c) || IsDigit(c) }

func toLineEnd(s string) int {
	if n := strings.IndexAny(s, "\n\r"); n >= 0 {
		return n
	}
	return len(s)
}
