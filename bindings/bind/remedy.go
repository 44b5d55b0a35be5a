package bind

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// withRemedy ends an error about a value of a wrong kind by what to write instead.
func withRemedy(c *Call, err error, kind string, v lua.LValue) error {
	if fn, ok := v.(*lua.LFunction); ok && c.state.names[fn] != "" {
		return &argError{msg: fmt.Sprintf("%v %s; did you mean to call it?", err, c.state.names[fn])}
	}
	e, ok := err.(*argError)
	if !ok || !e.wrongKind || e.path != "" || strings.Contains(e.msg, "did you mean") {
		return err
	}
	at := *e
	at.msg += c.state.reg.remedy(kind, v)
	return &at
}

// remedy says what to write instead of v where a kind is wanted: the number without its quotes, the call of the
// function that a string names, a property of the value; or what makes values of the kind. It is "" where that is plain.
func (r *Registry) remedy(kind string, v lua.LValue) string {
	wanted := splitKind(kind)
	switch v := v.(type) {
	case lua.LString:
		text := strings.TrimSpace(string(v))
		_, err := strconv.ParseFloat(text, 64)
		if err == nil && (slices.Contains(wanted, "number") || slices.Contains(wanted, "integer")) {
			return "; write " + text + ", without quotes"
		}
		for _, k := range wanted {
			if call := r.namedBy(k, text); call != "" {
				return "; write " + call
			}
		}
	case *lua.LUserData:
		t := r.typeNamed(valueName(v))
		if t == nil {
			break
		}
		var fits []string
		for _, p := range t.properties {
			if slices.Contains(wanted, r.resultKind(p.result)) {
				fits = append(fits, "x."+p.name)
			}
		}
		if len(fits) > 0 {
			return fmt.Sprintf("; write %s, where x is %s", enumerate(fits, "or"), article(t.name))
		}
	}
	for _, k := range wanted {
		if slices.Contains([]string{"number", "integer", "boolean", "string", "function", "any"}, k) || strings.HasSuffix(k, "[]") {
			return ""
		}
		if makers := r.makers(k); len(makers) > 0 {
			return fmt.Sprintf("; %s is made by %s", article(k), enumerate(makers, "or"))
		}
	}
	return ""
}

// namedBy is the call that a string stands for where a value of the kind is wanted: kernel.matern{…} for "matern", and
// data.load("mine.npz") for the name of a file.
func (r *Registry) namedBy(kind, text string) string {
	for i := range r.pages {
		p := &r.pages[i]
		if p.Kind != "function" || !p.returns(kind) {
			continue
		}
		if plain(p.Name) == plain(text) || slices.ContainsFunc(p.Keywords, func(k string) bool { return plain(k) == plain(text) }) {
			return p.FullName + brackets(p.Style)
		}
		if ext := filepath.Ext(text); p.Name == "load" && len(ext) > 1 && len(ext) < 9 && !strings.Contains(ext, " ") {
			return fmt.Sprintf("%s(%s)", p.FullName, quote(text))
		}
	}
	return ""
}

// returns reports whether the first result can be of a kind.
func (p *FuncDoc) returns(kind string) bool {
	return len(p.Returns) > 0 && slices.Contains(splitKind(p.Returns[0].Type), kind)
}

func brackets(style string) string {
	if style == "named" {
		return "{…}"
	}
	return "(…)"
}

// makers are functions that make values of a kind, those of its own module first, two at most.
func (r *Registry) makers(kind string) (calls []string) {
	t := r.typeNamed(kind)
	if t == nil {
		return nil
	}
	module := ""
	for _, m := range r.modules {
		if slices.ContainsFunc(m.Types, func(of Type) bool { return of.name == kind }) {
			module = m.Name
			if m.Call != nil && kind == module {
				return []string{module + "{…}"}
			}
		}
	}
	for _, own := range []bool{true, false} {
		if len(calls) > 0 {
			break
		}
		for i := range r.pages {
			p := &r.pages[i]
			if p.Kind == "function" && (p.Module == module) == own && p.returns(kind) && len(calls) < 2 {
				calls = append(calls, p.FullName+brackets(p.Style))
			}
		}
	}
	return calls
}

// byNames is the error for values that were given by position to a function of named arguments: how the call is
// written, with the names of those arguments that they fit in order.
func (s *signature) byNames(c *Call, values []lua.LValue) error {
	full := c.fn.full
	if elem := s.listElem(); elem != nil && len(values) > 0 && !slices.ContainsFunc(values, func(v lua.LValue) bool { return !elem.fits(c, v) }) {
		return &argError{msg: fmt.Sprintf("takes one table, not a list of arguments: write %s{%s}", full, shown(values))}
	}
	if inner := s.inList(c, values); inner != "" {
		return &argError{msg: "takes one table of tables: write " + full + inner}
	}
	var parts []string
	free := slices.Clone(s.named)
	if list, several := listValue(values); several && len(free) > 0 && free[0].codec.fits(c, list) { // random.normal(3, 3)
		return &argError{msg: fmt.Sprintf("takes one table of named arguments: write %s{%s = %s}", full, free[0].name, brief(list))}
	}
	for n, v := range values {
		i := slices.IndexFunc(free, func(p *param) bool { return v != lua.LNil && p.codec.fits(c, v) })
		if i < 0 || n == 0 && i > 0 {
			parts = nil
			break
		}
		parts = append(parts, free[i].name+" = "+shown([]lua.LValue{v}))
		free = slices.Delete(free, i, i+1)
	}
	what := "takes one table of named arguments: "
	if s.list != nil {
		what = "takes one table: "
	}
	if len(parts) > 0 {
		return &argError{msg: what + "write " + full + "{" + strings.Join(parts, ", ") + "}"}
	}
	return &argError{msg: what + s.namedCall(full)}
}

// listValue is the list of several numbers.
func listValue(values []lua.LValue) (list *lua.LTable, several bool) {
	list = &lua.LTable{Metatable: lua.LNil}
	for _, v := range values {
		if v.Type() != lua.LTNumber {
			return list, false
		}
		list.Append(v)
	}
	return list, len(values) > 1
}

// inList writes values where they belong in the list of tables that a function takes: {{y = …}}, or {{x = …, y = …}} of
// two that fit alike; what else there may be, a format or a title, has names that this cannot know.
func (s *signature) inList(c *Call, values []lua.LValue) string {
	if s.list == nil || len(values) == 0 {
		return ""
	}
	elem := s.list.codec.(listCodec).elem
	if named, ok := elem.(namedCodec); ok && named.base != nil {
		elem = named.base
	}
	table, ok := elem.(structCodec)
	if !ok {
		return ""
	}
	main, at := table.sig.mainParam(), slices.IndexFunc(table.sig.named, func(p *param) bool { return p.name == "x" })
	if main == nil || !main.codec.fits(c, values[0]) {
		return ""
	}
	if len(values) > 1 && at >= 0 && table.sig.named[at] != main && table.sig.named[at].codec.fits(c, values[0]) && main.codec.fits(c, values[1]) {
		return "{{x = " + shown(values[:1]) + ", " + main.name + " = " + shown(values[1:2]) + "}}"
	}
	return "{{" + main.name + " = " + shown(values[:1]) + "}}"
}

// listElem is what the array part of the table of arguments holds, nil if it is nothing or tables.
func (s *signature) listElem() codec {
	if s.list == nil {
		return nil
	}
	elem := s.list.codec.(listCodec).elem
	if named, ok := elem.(namedCodec); ok && named.base != nil {
		elem = named.base
	}
	if _, tables := elem.(structCodec); tables {
		return nil
	}
	return elem
}

// shown writes values for a call to copy: numbers and short strings as they are, others as …
func shown(values []lua.LValue) string {
	texts := make([]string, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case lua.LNumber:
			texts[i] = formatNumber(float64(v))
		case lua.LString:
			texts[i] = quote(string(v))
		case lua.LBool:
			texts[i] = v.String()
		default:
			texts[i] = "…"
		}
	}
	return strings.Join(texts, ", ")
}

// unknownName is the end of the error about a name that no argument has: a name like it, or all there are.
func (s *signature) unknownName(c *Call, name, full string) string {
	if hint := cmp.Or(s.inside(name, full), DidYouMean(name, s.names()), c.takenBy(name, full), s.partOf(name)); hint != "" {
		return hint
	}
	names := s.names()
	if len(names) == 0 {
		return "; there are none"
	}
	return "; want " + enumerate(names, "or")
}

// partOf finds the arguments of whose name the given one is a part: mesh for input_mesh.
func (s *signature) partOf(name string) string {
	var found []string
	for _, n := range s.names() {
		if slices.Contains(strings.Split(n, "_"), strings.ToLower(name)) {
			found = append(found, "'"+n+"'")
		}
	}
	if len(found) == 0 {
		return ""
	}
	return "; did you mean " + enumerate(found, "or") + "?"
}

// wholeTable says that a list stands where arguments belong one by one: mesh.uniform{0, 1, 10}.
func (s *signature) wholeTable(c *Call, v lua.LValue, full string) error {
	table, ok := v.(*lua.LTable)
	if !ok || len(s.positional) == 0 || table.MaxN() < 1 || table.MaxN() > len(s.positional) || namesOnly(table) || s.positional[0].codec.fits(c, table) {
		return nil
	}
	values := make([]lua.LValue, table.MaxN())
	for i := range values {
		values[i] = table.RawGetInt(i + 1)
		if !s.positional[i].codec.fits(c, values[i]) {
			return nil
		}
	}
	return &argError{msg: fmt.Sprintf("takes its arguments in round brackets: write %s(%s)", full, shown(values))}
}
