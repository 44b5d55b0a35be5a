package complete

import (
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/workbench/repl/offer"
)

// An owner is what stands before a "." or ":", as far as it is known without
// running anything: its value, or only the name of its type.
type owner struct {
	value lua.LValue
	kind  string // registered type, or "string"
}

// resolve follows a chain of names from the globals. The zero owner is unknown.
func (e *Engine) resolve(names []string) owner {
	if len(names) == 0 {
		return owner{}
	}
	o := e.known(raw(e.L.G.Global, names[0]))
	for _, name := range names[1:] {
		switch v := o.value.(type) {
		case *lua.LTable:
			o = e.known(raw(v, name))
		case *lua.LUserData:
			if member, kind := e.Registry.Member(v, name); member != nil {
				o = owner{member, kind}
				break
			}
			o = owner{kind: e.property(o.kind, name)}
		default:
			o = owner{kind: e.property(o.kind, name)}
		}
	}
	return o
}

// raw reads a field without metamethods, through __index tables only.
func raw(t *lua.LTable, name string) lua.LValue {
	for depth := 0; t != nil && depth < 8; depth++ {
		if v := t.RawGetString(name); v != lua.LNil {
			return v
		}
		t = behind(t)
	}
	return lua.LNil
}

func (e *Engine) known(v lua.LValue) owner {
	switch v := v.(type) {
	case *lua.LNilType:
		return owner{}
	case lua.LString:
		return owner{value: v, kind: "string"}
	case *lua.LUserData:
		name, _ := e.Registry.Name(e.L, v)
		return owner{value: v, kind: name}
	}
	return owner{value: v}
}

// property is the type of a property, where it is a registered one.
func (e *Engine) property(kind, name string) string {
	for _, p := range e.types[kind].Properties {
		if p.Name == name {
			return p.Type
		}
	}
	return ""
}

// page finds the declaration of what is called at the site.
func (e *Engine) page(c Chain) (bind.FuncDoc, lua.LValue, bool) {
	n := len(c.Names)
	switch {
	case n == 0:
		return bind.FuncDoc{}, nil, false
	case c.Method:
		o := e.resolve(c.Names[:n-1])
		p, ok := e.pages[o.kind+":"+c.Names[n-1]]
		return p, nil, ok
	}
	o := e.resolve(c.Names)
	switch v := o.value.(type) {
	case *lua.LFunction, *lua.LTable:
		if name, ok := e.Registry.Name(e.L, v); ok {
			p, ok := e.pages[name]
			return p, v, ok
		}
		return bind.FuncDoc{}, v, false
	case *lua.LUserData:
		p, ok := e.pages[o.kind+"("]
		return p, v, ok
	}
	return bind.FuncDoc{}, nil, false
}

// title is the signature of the function around the cursor.
func (e *Engine) title(s Site) string {
	p, v, ok := e.page(s.Call)
	if ok {
		return p.Signature
	}
	if f, ok := v.(*lua.LFunction); ok && !f.IsG && f.Proto != nil {
		return s.Call.String() + Parameters(f)
	}
	return ""
}

// Parameters lists the parameters of a function written in Lua: "(a, b, ...)".
func Parameters(f *lua.LFunction) string {
	var names []string
	for i := 0; i < int(f.Proto.NumParameters) && i < len(f.Proto.DbgLocals); i++ {
		names = append(names, f.Proto.DbgLocals[i].Name)
	}
	if f.Proto.IsVarArg != 0 {
		names = append(names, "...")
	}
	return "(" + strings.Join(names, ", ") + ")"
}

// options are the names of arguments that the table does not have yet.
func (e *Engine) options(s Site) []offer.Candidate {
	p, _, _ := e.page(s.Call)
	var out []offer.Candidate
next:
	for _, a := range p.Params {
		if a.Variadic || a.List || p.Style == "positional" && a.Position > 0 {
			continue
		}
		for _, used := range s.Used {
			if used == a.Name {
				continue next
			}
		}
		show := a.Name
		switch {
		case a.Default != "":
			show += "=" + a.Default
		case a.Required:
			show += "=  (" + a.Type + ")"
		}
		out = append(out, offer.Candidate{Text: a.Name + "=", Show: show})
	}
	return out
}

// argument are the words that an argument can be: criterion="reml".
func (e *Engine) argument(s Site) []offer.Candidate {
	if s.Arg == "" {
		return nil
	}
	p, _, ok := e.page(s.Call)
	if !ok {
		return nil
	}
	for _, a := range p.Params {
		if a.Name == s.Arg {
			return literals(a.Type, s.Kind == Text)
		}
	}
	return nil
}

// literals are the strings among the alternatives of a type such as
// number|"auto". The opening quote is there when the cursor is in the string.
func literals(kind string, quoted bool) []offer.Candidate {
	var out []offer.Candidate
	for part := range strings.SplitSeq(kind, "|") {
		word, err := strconv.Unquote(part)
		if err != nil || !strings.HasPrefix(part, `"`) {
			continue
		}
		text := part
		if quoted {
			text = word + `"`
		}
		out = append(out, offer.Candidate{Text: text, Show: word})
	}
	return out
}
