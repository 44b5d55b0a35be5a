// Package complete answers the Tab key: globals, members of modules and tables,
// methods and fields of values, names and values of arguments, files in quotes,
// keywords. Engine is the answer, Find (site.go) reads the place of the cursor.
//
// Completing never runs anything of the user: tables are read raw, an __index
// is followed only if it is a table, and what a value has is asked of the
// declarations; of the value only the names that are its own.
package complete

import (
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/sorting"
	"github.com/greenbench/workbench/syntax"
	"github.com/greenbench/workbench/workbench/repl/offer"
)

// An Engine completes in one Lua state. To complete a new kind of place, give
// it a Kind in site.go and a case in candidates.
type Engine struct {
	L        *lua.LState
	Registry *bind.Registry
	// Dir lists the files for a name in quotes; nil completes no files.
	Dir func(prefix string) []File
	// Own says whether a global is a variable of the user; nil: not known.
	Own func(name string, value lua.LValue) bool

	pages map[string]bind.FuncDoc // by full name; the module itself for a call
	types map[string]bind.TypeDoc
}

// Complete answers for a cursor at byte pos of line; pending is the input
// before the line, when the line continues one.
func (e *Engine) Complete(pending, current string, pos int) offer.Completion {
	e.load()
	before := current[:min(pos, len(current))]
	if pending != "" {
		before = pending + "\n" + before
	}
	s := Find(before)
	c := offer.Completion{Title: e.title(s), Candidates: e.candidates(s, before)}
	// A word never spans lines; what a string had in earlier lines stays.
	c.From = max(0, s.From-(len(before)-min(pos, len(current))))
	return c
}

func (e *Engine) load() {
	if e.pages != nil {
		return
	}
	e.pages, e.types = map[string]bind.FuncDoc{}, map[string]bind.TypeDoc{}
	for _, m := range e.Registry.Manual().Modules {
		for _, f := range m.Functions {
			e.pages[f.FullName] = f
		}
		if m.Call != nil {
			e.pages[m.Name] = *m.Call
		}
		for _, t := range m.Types {
			e.types[t.Name] = t
			for _, f := range t.Methods {
				e.pages[f.FullName] = f
			}
			for _, f := range t.Operators {
				if f.Name == "__call" {
					e.pages[t.Name+"("] = f
				}
			}
		}
	}
}

// candidates are what fits; if nothing begins like the prefix, what is spelt
// nearly so.
func (e *Engine) candidates(s Site, before string) []offer.Candidate {
	var all []offer.Candidate
	switch s.Kind {
	case Nothing:
		return nil
	case Text:
		if words := e.argument(s); words != nil {
			all = words
			break
		}
		return e.files(s, before)
	case Key:
		all = e.keys(e.resolve(s.Owner), before[s.From-1:s.From])
	case Member:
		all = e.members(e.resolve(s.Owner))
	case Method:
		all = e.methods(s)
	case Option:
		if fits := beginning(e.options(s), s.Prefix); len(fits) > 0 {
			return fits
		}
		all = append(e.options(s), e.words(before)...)
	case Word:
		if fits := beginning(e.argument(s), ""); s.Prefix == "" && len(fits) > 0 {
			return fits
		}
		if s.Prefix == "" && len(s.Call.Names) > 0 && e.Own != nil {
			if own := e.own(); len(own) > 0 {
				return beginning(own, "")
			}
		}
		all = e.words(before)
	}
	if fits := beginning(all, s.Prefix); len(fits) > 0 || len(s.Prefix) < 3 {
		return fits
	}
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = strings.TrimRight(c.Text, "({.:= ")
	}
	if near := bind.Suggest(s.Prefix, names); near != "" {
		return all[slices.Index(names, near):][:1]
	}
	return scattered(all, s.Prefix)
}

// scattered keeps the candidates that begin like the prefix and have its other letters in order: mtn is in matern.
func scattered(all []offer.Candidate, prefix string) (out []offer.Candidate) {
next:
	for _, c := range all {
		text := strings.ToLower(c.Text)
		if prefix == "" || text == "" || text[0] != strings.ToLower(prefix)[0] {
			continue
		}
		for _, r := range strings.ToLower(prefix) {
			_, rest, found := strings.Cut(text, string(r))
			if !found {
				continue next
			}
			text = rest
		}
		out = append(out, c)
	}
	sorting.By(out, func(a, b offer.Candidate) int { return strings.Compare(a.Text, b.Text) })
	return slices.CompactFunc(out, func(a, b offer.Candidate) bool { return a.Text == b.Text })
}

// keys are the texts that a table has values for, or the names that a value has of its own, with the quote that ends them.
func (e *Engine) keys(o owner, quote string) (out []offer.Candidate) {
	if t, ok := o.value.(*lua.LTable); ok {
		t.ForEach(func(k, _ lua.LValue) {
			if name, ok := k.(lua.LString); ok && !strings.ContainsAny(string(name), "\\\n\"'") {
				out = append(out, offer.Candidate{Text: string(name) + quote + "]", Show: string(name)})
			}
		})
		return out
	}
	for _, name := range e.Registry.Members(o.value) {
		out = append(out, offer.Candidate{Text: name + quote + "]", Show: name})
	}
	return out
}

// beginning keeps the candidates that begin with prefix, or if there are none
// those that do so in another case; sorted, each once.
func beginning(all []offer.Candidate, prefix string) []offer.Candidate {
	for _, same := range []func(string) bool{
		func(s string) bool { return strings.HasPrefix(s, prefix) },
		func(s string) bool { return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) },
	} {
		var out []offer.Candidate
		for _, c := range all {
			if same(c.Text) {
				out = append(out, c)
			}
		}
		if len(out) > 0 {
			sorting.By(out, func(a, b offer.Candidate) int { return strings.Compare(a.Text, b.Text) })
			return slices.CompactFunc(out, func(a, b offer.Candidate) bool { return a.Text == b.Text })
		}
	}
	return nil
}

// words are the names that can begin an expression or a statement: globals,
// keywords, and names that the unfinished input uses.
func (e *Engine) words(before string) []offer.Candidate {
	out := e.fields(e.L.G.Global)
	for _, k := range syntax.Keywords() {
		out = append(out, offer.Candidate{Text: k})
	}
	known := map[string]bool{}
	for _, c := range out {
		known[strings.TrimRight(c.Text, "({.:")] = true
	}
	for _, t := range syntax.Tokens(before) {
		if name := t.Text(before); t.Kind == syntax.Name && t.End < len(before) && !known[name] {
			known[name] = true
			out = append(out, offer.Candidate{Text: name})
		}
	}
	return out
}

// own are the variables of the user: what an argument is made of, where nothing is typed yet.
func (e *Engine) own() (out []offer.Candidate) {
	e.L.G.Global.ForEach(func(k, v lua.LValue) {
		if name, ok := k.(lua.LString); ok && syntax.IsName(string(name)) && e.Own(string(name), v) {
			out = append(out, offer.Candidate{Text: string(name)})
		}
	})
	return out
}

// members are what may follow "owner.".
func (e *Engine) members(o owner) []offer.Candidate {
	if t, ok := o.value.(*lua.LTable); ok {
		return e.fields(t)
	}
	if t, ok := e.types[o.kind]; ok {
		var out []offer.Candidate
		for _, p := range t.Properties {
			out = append(out, offer.Candidate{Text: p.Name, Show: p.Name + "  " + p.Type})
		}
		for _, name := range e.Registry.Members(o.value) {
			out = append(out, offer.Candidate{Text: name})
		}
		return out
	}
	return nil
}

// methods are what may follow "owner:".
func (e *Engine) methods(s Site) []offer.Candidate {
	o := e.resolve(s.Owner)
	var out []offer.Candidate
	switch {
	case o.kind == "string":
		if t, ok := e.L.G.Global.RawGetString("string").(*lua.LTable); ok {
			out = e.fields(t)
		}
	case e.types[o.kind].Name != "":
		for _, f := range e.types[o.kind].Methods {
			out = append(out, offer.Candidate{Text: f.Name + opening(f), Show: f.Name})
		}
	case o.value != nil:
		if t, ok := o.value.(*lua.LTable); ok {
			for _, c := range e.fields(t) {
				if strings.HasSuffix(c.Text, "(") {
					out = append(out, c)
				}
			}
		}
	default: // an expression nobody has evaluated: any method may be meant
		for _, p := range e.pages {
			if p.Kind == "method" {
				out = append(out, offer.Candidate{Text: p.Name + opening(p), Show: p.Name})
			}
		}
	}
	return out
}

// fields are the entries of a table with names, those of tables behind it
// through __index included.
func (e *Engine) fields(t *lua.LTable) []offer.Candidate {
	var out []offer.Candidate
	for depth := 0; t != nil && depth < 8; depth++ {
		t.ForEach(func(k, v lua.LValue) {
			name, ok := k.(lua.LString)
			if !ok || !syntax.IsName(string(name)) || strings.HasPrefix(string(name), "__") {
				return
			}
			out = append(out, offer.Candidate{Text: string(name) + e.suffix(v), Show: string(name)})
		})
		for _, name := range bind.Pending(t) {
			out = append(out, offer.Candidate{Text: name, Show: name})
		}
		t = behind(t)
	}
	return out
}

// behind is the table that t asks for what it has not, nil if there is none.
func behind(t *lua.LTable) *lua.LTable {
	if mt, ok := t.Metatable.(*lua.LTable); ok {
		if next, ok := mt.RawGetString("__index").(*lua.LTable); ok && next != t {
			return next
		}
	}
	return nil
}

// suffix is what a name of this value is mostly followed by.
func (e *Engine) suffix(v lua.LValue) string {
	switch v := v.(type) {
	case *lua.LFunction:
		if name, ok := e.Registry.Name(e.L, v); ok {
			return opening(e.pages[name])
		}
		return "("
	case *lua.LTable:
		if name, ok := e.Registry.Name(e.L, v); ok && name != "" {
			if _, callable := e.pages[name]; callable {
				return "" // array{…} as well as array.zeros
			}
			return "."
		}
	}
	return ""
}

func opening(f bind.FuncDoc) string {
	if f.Style == "named" {
		return "{"
	}
	return "("
}
