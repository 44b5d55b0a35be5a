package testrun

import (
	"slices"
	"strings"
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

// opens reports whether a word or symbol opens a block or bracket. The do of
// for and while counts, and so these do not.
func opens(token string) bool {
	switch token {
	case "function", "do", "if", "repeat", "(", "{", "[":
		return true
	}
	return false
}

// closes reports whether a word or symbol closes what opens opened.
func closes(token string) bool {
	switch token {
	case "end", "until", ")", "}", "]":
		return true
	}
	return false
}

// ends reports whether a statement can be complete after the token.
func ends(token string) bool {
	switch token {
	case "and", "or", "not", "function", "if", "then", "elseif", "else", "do", "repeat", "until", "while", "for", "in", "local", "goto",
		"+", "-", "*", "/", "%", "^", "#", "==", "~=", "<=", ">=", "<", ">", "=", ",", ".", ":", "..", "::", "(", "{", "[":
		return false
	}
	return true
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

func isKeyword(word string) bool {
	switch word {
	case "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local",
		"nil", "not", "or", "repeat", "return", "then", "true", "until", "while":
		return true
	}
	return false
}

// scanner splits Lua source into lines, following strings, comments and
// nesting. It accepts any text: what is wrong with it, the compiler will say.
type scanner struct {
	src   string
	pos   int
	lines []line
	start int    // of the current line
	open  []bool // for each open bracket or block, whether it is a function
	last  string // the last token, "" at the start of the source
}

// scanLines returns the lines of src. A byte order mark and a first line that
// begins with # are left out of the text, as the loader does.
func scanLines(src string) []line {
	src = strings.TrimPrefix(src, "\ufeff")
	if strings.HasPrefix(src, "#") {
		end := strings.IndexByte(src, '\n')
		if end < 0 {
			end = len(src)
		}
		src = src[end:]
	}
	s := &scanner{src: src}
	s.begin(false)
	for s.pos < len(s.src) {
		s.step()
	}
	s.line().text = s.src[s.start:]
	return s.lines
}

func (s *scanner) line() *line { return &s.lines[len(s.lines)-1] }

func (s *scanner) begin(inside bool) {
	s.start = s.pos
	s.lines = append(s.lines, line{inside: inside, depth: len(s.open), ended: s.last == "" || ends(s.last)})
}

// newline ends the current line at the line feed under the cursor.
func (s *scanner) newline(inside bool) {
	s.line().text = strings.TrimSuffix(s.src[s.start:s.pos], "\r")
	s.pos++
	s.begin(inside)
}

// step consumes one token, one comment or one blank.
func (s *scanner) step() {
	c := s.src[s.pos]
	switch {
	case c == '\n':
		s.newline(false)
	case c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f':
		s.pos++
	case strings.HasPrefix(s.src[s.pos:], "--"):
		s.skipComment()
	case c == '"' || c == '\'':
		s.token("string")
		s.skipString(c)
	case c == '[' && s.longBracket() >= 0:
		s.token("string")
		s.skipLong(s.longBracket())
	case isDigit(c) || c == '.' && s.pos+1 < len(s.src) && isDigit(s.src[s.pos+1]):
		s.token("number")
		s.skipNumber()
	case isLetter(c):
		n := 1
		for s.pos+n < len(s.src) && (isLetter(s.src[s.pos+n]) || isDigit(s.src[s.pos+n])) {
			n++
		}
		word := s.src[s.pos : s.pos+n]
		if !isKeyword(word) {
			word = "name"
		}
		s.token(word)
		s.pos += n
	default:
		op := s.operator()
		s.token(op)
		s.pos += len(op)
	}
}

// token notes what a token says about its line and about the nesting.
func (s *scanner) token(word string) {
	l := s.line()
	if !l.code {
		l.code = true
		l.begins = l.ended && beginsStatement(word)
		l.value = l.ended && beginsValue(word)
	}
	switch depth := len(s.open); {
	case word == "local" && depth == 0, word == "goto", word == "::":
		l.scoped = l.scoped || !slices.Contains(s.open, true)
	case word == "return":
		l.scoped = l.scoped || !slices.Contains(s.open, true)
		l.returns = l.returns || depth == 0
	case opens(word):
		s.open = append(s.open, word == "function")
	case closes(word) && depth > 0:
		s.open = s.open[:depth-1]
	}
	s.last = word
}

// operator returns the symbol under the cursor.
func (s *scanner) operator() string {
	rest := s.src[s.pos:]
	for _, op := range []string{"...", "..", "::", "==", "~=", "<=", ">="} {
		if strings.HasPrefix(rest, op) {
			return op
		}
	}
	return rest[:1]
}

// longBracket returns the level of the long bracket under the cursor, or -1.
func (s *scanner) longBracket() int {
	level := 0
	for i := s.pos + 1; i < len(s.src); i++ {
		switch s.src[i] {
		case '=':
			level++
		case '[':
			return level
		default:
			return -1
		}
	}
	return -1
}

// skipLong consumes a long bracket and what it encloses.
func (s *scanner) skipLong(level int) {
	s.pos += level + 2
	end := "]" + strings.Repeat("=", level) + "]"
	for s.pos < len(s.src) {
		switch {
		case strings.HasPrefix(s.src[s.pos:], end):
			s.pos += len(end)
			return
		case s.src[s.pos] == '\n':
			s.newline(true)
		default:
			s.pos++
		}
	}
}

// skipString consumes a quoted string; one that is not closed ends with its line.
func (s *scanner) skipString(quote byte) {
	s.pos++
	for s.pos < len(s.src) {
		switch s.src[s.pos] {
		case quote:
			s.pos++
			return
		case '\n':
			return
		case '\\':
			s.skipEscape()
		default:
			s.pos++
		}
	}
}

// skipEscape consumes a backslash and what it escapes, a line end included.
func (s *scanner) skipEscape() {
	s.pos++
	if strings.HasPrefix(s.src[s.pos:], "\r\n") {
		s.pos++
	}
	if s.pos >= len(s.src) {
		return
	}
	if s.src[s.pos] == '\n' {
		s.newline(true)
		return
	}
	s.pos++
}

// skipNumber consumes a number, or what looks like one.
func (s *scanner) skipNumber() {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case (c == 'e' || c == 'E') && s.pos+1 < len(s.src) && (s.src[s.pos+1] == '+' || s.src[s.pos+1] == '-'):
			s.pos += 2
		case isDigit(c) || isLetter(c):
			s.pos++
		case c == '.' && !strings.HasPrefix(s.src[s.pos:], ".."):
			s.pos++
		default:
			return
		}
	}
}

// skipComment consumes a comment and keeps the text of one that ends its line.
func (s *scanner) skipComment() {
	from := s.pos
	s.pos += 2
	if s.pos < len(s.src) && s.src[s.pos] == '[' {
		if level := s.longBracket(); level >= 0 {
			s.skipLong(level)
			return
		}
	}
	end := strings.IndexByte(s.src[s.pos:], '\n')
	if end < 0 {
		end = len(s.src) - s.pos
	}
	s.pos += end
	s.line().comment = strings.TrimRight(s.src[from:s.pos], " \t\r")
}
