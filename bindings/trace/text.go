package trace

import (
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/syntax"
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
		if text != "" && text != f.text {
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
	from        int    // byte offset of its parameters
	first, last int    // lines, from 1
	parameters  []string
}

// functions lists the functions of a text, anonymous or named; named ones are
// written as anonymous.
func functions(source string) (found []functionText) {
	var open []functionText // of those around; a block is one that begins at line 0
	code := syntax.Code(source)
	for i := 0; i < len(code); i++ {
		t := code[i]
		switch {
		case t.Is(source, "function"):
			f := functionText{first: t.Line}
			for i++; i < len(code) && !code[i].Is(source, "("); i++ { // the name
			}
			if i == len(code) {
				return found
			}
			for f.from = code[i].Start; i < len(code) && !code[i].Is(source, ")"); i++ {
				if code[i].Kind == syntax.Name {
					f.parameters = append(f.parameters, code[i].Text(source))
				}
			}
			open = append(open, f)
		case t.Kind != syntax.Keyword:
		case t.Nesting(source) > 0:
			open = append(open, functionText{})
		case t.Nesting(source) < 0:
			last := len(open) - 1
			if last < 0 {
				return found // no program
			}
			if f := open[last]; f.first > 0 {
				f.text, f.last = "function"+source[f.from:t.End], t.Line
				found = append(found, f)
			}
			open = open[:last]
		}
	}
	return found
}
