package chunk

import (
	"fmt"
	"unicode/utf8"

	"github.com/greenbench/workbench/syntax"
)

// token is a token as the grammar sees it: all strings are of one kind.
type token struct {
	syntax.Token
	text    string // as written; the value of a string
	newline bool   // a line break comes between it and the token before
}

// scanner reads the tokens that mean something and refuses what is no Lua. Errors are raised as *SyntaxError panics, which
// Parse recovers.
type scanner struct {
	words *syntax.Scanner
	tree  *Tree // being read
}

// fail raises a syntax error at the byte offset.
func (s *scanner) fail(offset int, hint, format string, args ...any) {
	line, col := s.tree.Position(offset)
	panic(&SyntaxError{File: s.tree.Name, Line: line, Column: col, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// failAtEnd raises the error of a text that ends inside something which began at the given line.
func (s *scanner) failAtEnd(what string, from int) {
	line, col := s.tree.Position(len(s.tree.Source))
	panic(&SyntaxError{
		File: s.tree.Name, Line: line, Column: col, Incomplete: true,
		Message: fmt.Sprintf("the %s that begins at line %d never ends", what, from),
	})
}

// next returns the next token; at the end of the text, syntax.End for ever.
func (s *scanner) next() token {
	before := s.words.Line()
	t := s.words.Next()
	for ; t.Kind != syntax.End && !t.IsCode(); t = s.words.Next() {
		if t.Open {
			s.failAtEnd("comment", t.Line)
		}
	}
	out := token{t, t.Text(s.tree.Source), t.Line != before}
	switch t.Kind {
	case syntax.String:
		out.text = s.quoted(t)
	case syntax.Long:
		if t.Open {
			s.failAtEnd("long string", t.Line)
		}
		out.Kind, out.text = syntax.String, syntax.LongValue(out.text, false)
	case syntax.Number:
		s.checkNumeral(out)
	case syntax.Unknown:
		s.unknown(out)
	}
	return out
}

func (s *scanner) checkNumeral(t token) {
	if _, ok := parseNumeral(t.text); !ok {
		s.fail(t.Start, numeralHint(t.text), "malformed number '%s'", t.text)
	}
}

// unknown refuses a character that Lua does not have.
func (s *scanner) unknown(t token) {
	r, size := utf8.DecodeRuneInString(t.text)
	found := t.text[:size]
	if r == utf8.RuneError && size <= 1 || r < ' ' {
		found = fmt.Sprintf("byte %#02x", t.text[0])
	}
	hint := characterHint(s.tree.Source[t.Start:])
	if t.Start == 0 && found == "!" {
		hint = "at the prompt a command of the system follows a ;, as in ;ls"
	}
	s.fail(t.Start, hint, "unexpected character '%s'", found)
}
