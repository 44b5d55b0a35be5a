package complete

import (
	"strings"

	"github.com/greenbench/workbench/syntax"
)

// A Kind says what can stand at the cursor.
type Kind uint8

// The kinds of place.
const (
	Nothing Kind = iota // in a comment or a number
	Word                // a variable or a keyword
	Member              // after "value."
	Method              // after "value:"
	Option              // a name in a table of named arguments
	Text                // in a string
	Key                 // in a string between the brackets of value["…"]
)

// A Site is what the text before the cursor says about it.
type Site struct {
	Kind   Kind
	Prefix string   // what is already there of the word, or of the text in the string
	From   int      // where Prefix begins
	Owner  []string // names before the "." or ":"; nil when it is not a plain chain of names
	Call   Chain    // the function whose brackets are open around the cursor
	Arg    string   // name of the argument whose value stands here: "criterion" in criterion="
	Used   []string // names that the table of arguments has already
}

// A Chain is a name as it is written before a call: kernel.matern, k:gram.
type Chain struct {
	Names  []string
	Method bool // the last name follows a colon
}

// String is the chain as it is written.
func (c Chain) String() string {
	if n := len(c.Names) - 1; c.Method && n > 0 {
		return strings.Join(c.Names[:n], ".") + ":" + c.Names[n]
	}
	return strings.Join(c.Names, ".")
}

// Find reads the source before the cursor.
func Find(before string) Site {
	var tokens []syntax.Token
	for _, t := range syntax.Tokens(before) {
		switch {
		case t.IsCode():
			tokens = append(tokens, t)
		case t.End == len(before) && (t.Kind == syntax.Comment || t.Open):
			return Site{From: len(before)}
		}
	}
	f := finder{src: before, tokens: tokens}
	s := Site{Kind: Word, From: len(before)}
	end := len(tokens) // tokens before the word
	if end > 0 && tokens[end-1].End == len(before) {
		switch last := tokens[end-1]; last.Kind {
		case syntax.Name, syntax.Keyword:
			end--
			s.From, s.Prefix = last.Start, last.Text(before)
		case syntax.Number, syntax.Unknown:
			return Site{From: len(before)}
		case syntax.String:
			if last.Open {
				end--
				s.Kind, s.From = Text, last.Start+1
				s.Prefix = before[s.From:]
			}
		case syntax.Long:
			if last.Open {
				return Site{From: len(before)}
			}
		}
	}
	s.Call, s.Used = f.call(end)
	switch {
	case s.Kind == Text && f.is(end-1, "["):
		if names, _ := f.chain(end - 1); names != nil {
			s.Kind, s.Owner = Key, names
		}
	case s.Kind == Text:
		s.Arg = f.assigned(end)
	case f.is(end-1, "."), f.is(end-1, ":"):
		s.Kind = Member
		if f.is(end-1, ":") {
			s.Kind = Method
		}
		s.Owner, _ = f.chain(end - 1)
	case len(s.Call.Names) > 0 && f.beginsEntry(end):
		s.Kind = Option
	default:
		s.Arg = f.assigned(end)
	}
	return s
}

// finder looks back over tokens without comments.
type finder struct {
	src    string
	tokens []syntax.Token
}

func (f finder) is(i int, text string) bool {
	return i >= 0 && i < len(f.tokens) && f.tokens[i].Is(f.src, text)
}

// chain reads the names a.b.c that end before token i, and where they begin. It
// is nil when something else than names stands there.
func (f finder) chain(i int) (names []string, begin int) {
	for {
		if i < 1 || f.tokens[i-1].Kind != syntax.Name {
			return nil, i
		}
		i--
		names = append([]string{f.tokens[i].Text(f.src)}, names...)
		if !f.is(i-1, ".") {
			if f.is(i-1, ":") {
				return nil, i
			}
			return names, i
		}
		i--
	}
}

// callee reads what is called by a bracket at token i.
func (f finder) callee(i int) Chain {
	if names, _ := f.chain(i); names != nil {
		return Chain{Names: names}
	}
	if i >= 2 && f.tokens[i-1].Kind == syntax.Name && f.is(i-2, ":") {
		names, _ := f.chain(i - 2)
		return Chain{Names: append(names, f.tokens[i-1].Text(f.src)), Method: true}
	}
	return Chain{}
}

// call finds the call around the tokens before end, and the names its table has.
func (f finder) call(end int) (c Chain, used []string) {
	var open []int
	for i := range end {
		switch t := f.tokens[i]; {
		case t.Is(f.src, "("), t.Is(f.src, "{"), t.Is(f.src, "["):
			open = append(open, i)
		case len(open) > 0 && (t.Is(f.src, ")") || t.Is(f.src, "}") || t.Is(f.src, "]")):
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 {
		return Chain{}, nil
	}
	at := open[len(open)-1]
	if f.is(at, "[") {
		return Chain{}, nil
	}
	if c = f.callee(at); len(c.Names) == 0 && f.is(at, "{") && len(open) > 1 && f.is(at-1, "(") {
		c = f.callee(at - 1)
	}
	if f.is(at, "{") {
		used = f.keys(at, end)
	}
	return c, used
}

// keys lists the names followed by "=" in the table that opens at token at.
func (f finder) keys(at, end int) (names []string) {
	depth := 0
	for i := at; i < end; i++ {
		switch t := f.tokens[i]; {
		case t.Is(f.src, "("), t.Is(f.src, "{"), t.Is(f.src, "["):
			depth++
		case t.Is(f.src, ")"), t.Is(f.src, "}"), t.Is(f.src, "]"):
			depth--
		case depth == 1 && t.Kind == syntax.Name && f.is(i+1, "="):
			names = append(names, t.Text(f.src))
		}
	}
	return names
}

// beginsEntry says whether an entry of a table begins at token end.
func (f finder) beginsEntry(end int) bool {
	if f.is(end-1, "{") {
		return true
	}
	if !f.is(end-1, ",") && !f.is(end-1, ";") {
		return false
	}
	depth := 0
	for i := end - 1; i >= 0; i-- {
		switch t := f.tokens[i]; {
		case t.Is(f.src, ")"), t.Is(f.src, "}"), t.Is(f.src, "]"):
			depth++
		case t.Is(f.src, "("), t.Is(f.src, "{"), t.Is(f.src, "["):
			if depth == 0 {
				return t.Is(f.src, "{")
			}
			depth--
		}
	}
	return false
}

// assigned is the name before a "=" at the end of the tokens: name = |.
func (f finder) assigned(end int) string {
	if f.is(end-1, "=") && end >= 2 && f.tokens[end-2].Kind == syntax.Name {
		return f.tokens[end-2].Text(f.src)
	}
	return ""
}
