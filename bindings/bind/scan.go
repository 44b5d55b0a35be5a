package bind

import "strings"

// resultMark begins the path of an expression that is known by its type only:
// what follows the closing bracket of a call.
const resultMark = "\x00"

// A scanner reads Lua source up to the cursor and knows which brackets are open
// there. It does not parse: text being typed rarely does.
type scanner struct {
	registry *Registry
	typeOf   func(string) string

	frames      []frame
	path        string // names, dots and colons right before the cursor; in a string, its text
	start       int    // where the visible part of path begins
	text        string
	key         string // the name before the last "="
	fieldStart  bool   // a name here would be a name in a table
	afterEquals bool   // nothing but a word since "key ="
	quoted      bool   // inside a string that is the value of key
}

// A frame is an open bracket.
type frame struct {
	open   byte
	callee string // path of what is called, "" when the bracket is no call
	key    string // the name whose value the bracket opens
	commas int
	used   []string // names that have values already
}

func (s *scanner) word() string { return s.text[s.start:] }

func (s *scanner) scan(text string) {
	s.text, s.start = text, len(text)
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case strings.HasPrefix(text[i:], "--"):
			i = s.comment(i)
		case c == '"' || c == '\'' || strings.HasPrefix(text[i:], "[[") || strings.HasPrefix(text[i:], "[="):
			i = s.str(i)
		case nameByte(c):
			i = s.name(i)
		case c == '.' || c == ':':
			s.path += string(c)
			i++
			if s.path == string(c) { // after something that has no name
				s.start = i
			}
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
			if s.path != "" && i < len(text) && nameByte(text[i]) {
				s.path, s.afterEquals, s.fieldStart = "", false, false
			}
		default:
			s.punctuation(text, i)
			i++
		}
		if s.path == "" || strings.HasPrefix(s.path, resultMark) && !strings.ContainsAny(s.path, ".:") {
			s.start = i
		}
	}
	if n := len(s.text); n > 0 && strings.ContainsRune(" \t\r\n", rune(s.text[n-1])) && s.path != "" {
		s.path, s.start, s.afterEquals, s.fieldStart = "", n, false, false
	}
}

func nameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (s *scanner) name(i int) int {
	end := i
	for end < len(s.text) && nameByte(s.text[end]) {
		end++
	}
	if s.path == "" {
		s.start = i
	}
	s.path += s.text[i:end]
	return end
}

func (s *scanner) comment(i int) int {
	body := i + 2
	if end, ok := s.long(body); ok {
		return end
	}
	if n := strings.IndexByte(s.text[i:], '\n'); n >= 0 {
		return i + n
	}
	s.path, s.fieldStart, s.afterEquals = "", false, false
	return len(s.text)
}

// long returns the end of a [[long string]] or [==[one]==] at i.
func (s *scanner) long(i int) (end int, ok bool) {
	if i >= len(s.text) || s.text[i] != '[' {
		return 0, false
	}
	level := 0
	for i+1+level < len(s.text) && s.text[i+1+level] == '=' {
		level++
	}
	if i+1+level >= len(s.text) || s.text[i+1+level] != '[' {
		return 0, false
	}
	closing := "]" + strings.Repeat("=", level) + "]"
	if n := strings.Index(s.text[i:], closing); n >= 0 {
		return i + n + len(closing), true
	}
	return len(s.text), true
}

func (s *scanner) str(i int) int {
	s.path = ""
	valueOf := s.afterEquals
	s.fieldStart, s.afterEquals = false, false
	if s.text[i] == '[' {
		if end, ok := s.long(i); ok {
			return end
		}
		s.punctuation(s.text, i)
		return i + 1
	}
	for end := i + 1; end < len(s.text); end++ {
		switch s.text[end] {
		case '\\':
			end++
		case s.text[i], '\n':
			return end + 1
		}
	}
	s.quoted, s.path, s.start = true, s.text[i+1:], i+1
	if !valueOf {
		s.key = ""
	}
	return len(s.text)
}

func (s *scanner) punctuation(text string, i int) {
	path := s.path
	s.path = ""
	start, equals := false, false
	switch c := text[i]; c {
	case '(', '[':
		s.frames = append(s.frames, frame{open: c, callee: callee(c, path)})
	case '{':
		f := frame{open: c, callee: path}
		if path == "" && s.afterEquals {
			f.key = s.key
		}
		s.frames = append(s.frames, f)
		start = true
	case ')', ']', '}':
		s.path = s.close()
	case ',', ';':
		if n := len(s.frames); n > 0 {
			s.frames[n-1].commas++
			start = s.frames[n-1].open == '{'
		}
	case '=':
		if n := len(s.frames); path != "" && n > 0 && s.frames[n-1].open == '{' && !comparison(text, i) {
			s.key, equals = path, true
			s.frames[n-1].used = append(s.frames[n-1].used, path)
		}
	}
	s.fieldStart, s.afterEquals = start, equals
}

func callee(open byte, path string) string {
	if open == '(' {
		return path
	}
	return ""
}

// close drops the innermost bracket and returns the path of what it ended.
func (s *scanner) close() string {
	n := len(s.frames)
	if n == 0 {
		return ""
	}
	f := s.frames[n-1]
	s.frames = s.frames[:n-1]
	if page := s.page(f.callee); page != nil && len(page.Returns) > 0 {
		return resultMark + splitKind(page.Returns[0].Type)[0]
	}
	return ""
}

func comparison(text string, i int) bool {
	return i > 0 && strings.ContainsRune("=~<>", rune(text[i-1])) || i+1 < len(text) && text[i+1] == '='
}
