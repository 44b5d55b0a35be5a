package trace

import (
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// sourceKey is where a Lua state keeps how to find the texts of its chunks.
const sourceKey = "workbench.source"

// UseSource tells a state where the text of a chunk is found by its name, so that
// a traced function can be shown as it was written.
func UseSource(L *lua.LState, source func(chunk string) (text string, ok bool)) {
	u := L.NewUserData()
	u.Value = source
	L.G.Registry.RawSetString(sourceKey, u)
}

// sourceOf finds the text of a function in that of its chunk. Two functions on the
// same lines are told apart by their parameters; if that is not enough there is
// no text.
func sourceOf(L *lua.LState, p *lua.FunctionProto) (text string, ok bool) {
	name := strings.TrimLeft(p.SourceName, "@=")
	source, ok := chunkText(L, name)
	if !ok {
		return "", false
	}
	for _, f := range functions(source) {
		if f.first != p.LineDefined || f.last != p.LastLineDefined || !slices.Equal(f.parameters, parameters(p)) {
			continue
		}
		if ok && text != "" && text != f.text {
			return "", false
		}
		text = f.text
	}
	return text, text != ""
}

func chunkText(L *lua.LState, name string) (string, bool) {
	if u, ok := L.G.Registry.RawGetString(sourceKey).(*lua.LUserData); ok {
		if source, ok := u.Value.(func(string) (string, bool)); ok {
			return source(name)
		}
	}
	return "", false
}

// functionText is one function … end in a text.
type functionText struct {
	text        string // from "function", without a name
	first, last int    // lines
	parameters  []string
}

// functions lists the functions of a text, anonymous or named; named ones are
// written as anonymous.
func functions(source string) []functionText {
	type open struct {
		word       string
		at, line   int
		parameters []string
		body       int // where the parameter list begins
	}
	var found []functionText
	var stack []open
	s := words{text: source, line: 1}
	for s.next() {
		switch s.word {
		case "function":
			o := open{word: s.word, at: s.start, line: s.line}
			for s.next() && s.word != "(" { // the name
			}
			o.body = s.start
			for s.next() && s.word != ")" {
				if isName(s.word) {
					o.parameters = append(o.parameters, s.word)
				}
			}
			stack = append(stack, o)
		case "if", "do", "repeat": // for and while open with their do
			stack = append(stack, open{word: s.word})
		case "end", "until":
			if len(stack) == 0 {
				return found // no program
			}
			o := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if o.word == "function" {
				found = append(found, functionText{"function" + source[o.body:s.end], o.line, s.line, o.parameters})
			}
		}
	}
	return found
}

func isName(word string) bool { return word != "" && (isLetter(word[0]) || word[0] == '_') }

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80 }

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// words reads a text word by word: names, and single characters of everything
// else; strings and comments are passed over.
type words struct {
	text       string
	start, end int // of the word
	line       int
	word       string
}

func (s *words) next() bool {
	for s.end < len(s.text) {
		rest := s.text[s.end:]
		switch b := rest[0]; {
		case b == '\n':
			s.line++
			s.end++
		case b == ' ' || b == '\t' || b == '\r':
			s.end++
		case strings.HasPrefix(rest, "--"):
			s.end += 2
			if !s.long() {
				s.skipTo("\n")
			}
		case b == '[' && s.long():
		case b == '"' || b == '\'':
			s.quoted(b)
		default:
			s.start = s.end
			for s.end < len(s.text) && (isName(s.text[s.end:]) || s.end > s.start && isDigit(s.text[s.end])) {
				s.end++
			}
			if s.end == s.start {
				s.end++
			}
			s.word = s.text[s.start:s.end]
			return true
		}
	}
	return false
}

// long passes over [[…]] or [=[…]=].
func (s *words) long() bool {
	rest := s.text[s.end:]
	if !strings.HasPrefix(rest, "[") {
		return false
	}
	level := len(rest[1:]) - len(strings.TrimLeft(rest[1:], "="))
	if !strings.HasPrefix(rest[1+level:], "[") {
		return false
	}
	s.skipTo("]" + strings.Repeat("=", level) + "]")
	return true
}

// skipTo moves behind the next occurrence, counting lines.
func (s *words) skipTo(end string) {
	rest := s.text[s.end:]
	i := strings.Index(rest, end)
	if i < 0 {
		i = len(rest) - len(end)
	}
	s.line += strings.Count(rest[:i+len(end)], "\n")
	s.end += i + len(end)
}

func (s *words) quoted(quote byte) {
	for s.end++; s.end < len(s.text); s.end++ {
		switch s.text[s.end] {
		case '\\':
			s.end++
			if s.end < len(s.text) && s.text[s.end] == '\n' {
				s.line++
			}
		case '\n':
			s.line++
		case quote:
			s.end++
			return
		}
	}
}
