package testrun

import (
	"slices"
	"strings"

	"github.com/greenbench/workbench/syntax"
)

// line is what the splitter needs to know about one line of Lua source.
type line struct {
	text    string
	comment string // the line comment with its dashes, or ""
	code    bool   // has tokens; a line without may still be inside a long string
	inside  bool   // begins inside a long string, a long comment or a continued string
	depth   int    // brackets and blocks open at its start
	begins  bool   // its first token can begin a statement after what came before
	value   bool   // its first token can begin an expression, see beginsValue
	ended   bool   // what came before can be the end of a statement
	scoped  bool   // declares a local outside any block, or returns or jumps outside any function
	returns bool   // returns outside any block
}

// blank reports whether the line separates: empty and not part of a string.
func (l *line) blank() bool { return !l.inside && strings.TrimSpace(l.text) == "" }

// separator reports whether the line is "---" and nothing else.
func (l *line) separator() bool { return !l.code && !l.inside && strings.TrimSpace(l.text) == "---" }

// ends reports whether a statement can be complete after the token.
func ends(token string) bool {
	switch token {
	case "break", "end", "false", "nil", "return", "true", "name", "number", "string", "unknown", "...", ";", ")", "}", "]":
		return true
	}
	return false
}

// beginsStatement reports whether a statement can begin with the token.
func beginsStatement(token string) bool {
	switch token {
	case "name", "local", "function", "if", "for", "while", "repeat", "do", "return", "break", "goto",
		"end", "until", "else", "elseif", "::", ";":
		return true
	}
	return false
}

// beginsValue reports whether the token begins an expression when it stands
// after a blank line or an expectation; elsewhere it continues the statement
// before it.
func beginsValue(token string) bool {
	switch token {
	case "string", "number", "not", "nil", "true", "false", "-", "#", "(", "{", "...":
		return true
	}
	return false
}

// scanner cuts Lua source into lines, following strings, comments and nesting.
// It accepts any text: what is wrong with it, the compiler will say.
type scanner struct {
	lines []line
	open  []bool // for each open bracket or block, whether it is a function
	last  string // the last token, "" at the start of the source
}

// scanLines returns the lines of src. A byte order mark and a first line that
// begins with # are left out of the text, as the loader does.
func scanLines(src string) []line {
	src = src[syntax.Preamble(src):]
	s := &scanner{}
	s.begin(false)
	for _, t := range syntax.Tokens(src) {
		text := t.Text(src)
		switch {
		case t.IsCode():
			s.token(t, src)
		case t.Kind == syntax.Comment:
			s.line().comment = strings.TrimRight(text, " \t\r")
		}
		first, rest, more := strings.Cut(text, "\n")
		for s.line().text += first; more; s.line().text += first {
			s.begin(t.Kind != syntax.Blank)
			first, rest, more = strings.Cut(rest, "\n")
		}
	}
	for i := range s.lines {
		s.lines[i].text = strings.TrimSuffix(s.lines[i].text, "\r")
	}
	return s.lines
}

func (s *scanner) line() *line { return &s.lines[len(s.lines)-1] }

func (s *scanner) begin(inside bool) {
	s.lines = append(s.lines, line{inside: inside, depth: len(s.open), ended: s.last == "" || ends(s.last)})
}

// token notes what a token says about its line and about the nesting.
func (s *scanner) token(t syntax.Token, src string) {
	word := t.Text(src)
	switch t.Kind {
	case syntax.Name:
		word = "name"
	case syntax.Number:
		word = "number"
	case syntax.String, syntax.Long:
		word = "string"
	case syntax.Unknown:
		word = "unknown"
	}
	l, depth := s.line(), len(s.open)
	if !l.code {
		l.code = true
		l.begins = l.ended && beginsStatement(word)
		l.value = l.ended && beginsValue(word)
	}
	inFunction := slices.Contains(s.open, true)
	switch word {
	case "local":
		l.scoped = l.scoped || depth == 0
	case "goto", "::":
		l.scoped = l.scoped || !inFunction
	case "return":
		l.scoped = l.scoped || !inFunction
		l.returns = l.returns || depth == 0
	}
	switch n := t.Nesting(src); {
	case n > 0:
		s.open = append(s.open, word == "function")
	case n < 0 && depth > 0:
		s.open = s.open[:depth-1]
	}
	s.last = word
}
