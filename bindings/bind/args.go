package bind

import (
	"fmt"
	"iter"
	"reflect"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// decodeCall reads the arguments on the Lua stack, after the receiver if there
// is one, into the argument struct.
func (s *signature) decodeCall(c *Call, dst reflect.Value) error {
	L := c.L
	top, first := L.GetTop(), 1
	if s.self != nil {
		if err := s.decodeSelf(c, dst); err != nil {
			return err
		}
		first = 2
	} else if top > 0 && L.Get(1) == c.fn.module && c.fn.module != nil {
		return &argError{msg: fmt.Sprintf("write %s with a dot, not a colon", c.fn.full)}
	}
	for s.variadic == nil && top >= first && L.Get(top) == lua.LNil {
		top--
	}
	if s.byPosition() {
		return s.decodePositions(c, first, top, dst)
	}
	if top < first {
		return s.decodeTable(c, nil, dst, c.fn.full)
	}
	table, ok := L.Get(first).(*lua.LTable)
	if !ok || top > first {
		values := make([]lua.LValue, 0, top-first+1)
		for i := first; i <= top; i++ {
			values = append(values, L.Get(i))
		}
		return s.byNames(c, values)
	}
	return s.decodeTable(c, table, dst, c.fn.full)
}

// decodeSelf reads the receiver; without one, the call was written with a dot.
func (s *signature) decodeSelf(c *Call, dst reflect.Value) error {
	v := lua.LValue(lua.LNil)
	if c.L.GetTop() > 0 {
		v = c.L.Get(1)
	}
	field := dst.FieldByIndex(s.self.index)
	if u, ok := v.(*lua.LUserData); ok && u.Value != nil && reflect.TypeOf(u.Value).AssignableTo(field.Type()) {
		field.Set(reflect.ValueOf(u.Value))
		return nil
	}
	owner, got := article(c.fn.owner), describe(v)
	if v == lua.LNil {
		got = "nothing"
	}
	if c.fn.kind != kindMethod {
		return mismatch(c.fn.owner, v)
	}
	return &argError{msg: fmt.Sprintf("want %s before the colon, got %s; call it as x:%s(…), not x.%s(…), where x is %s",
		owner, got, c.fn.name, c.fn.name, owner)}
}

// decodePositions reads arguments first…top by position, and the optional table
// of named ones after them.
func (s *signature) decodePositions(c *Call, first, top int, dst reflect.Value) error {
	L, n := c.L, top-first+1
	var options *lua.LTable
	if s.endsInOptions(c, first, n) {
		options = L.Get(top).(*lua.LTable)
		n--
	}
	if err := s.checkNames(c, options, n, 0, c.fn.full); err != nil {
		return err
	}
	if n == 1 && options == nil {
		if err := s.wholeTable(c, L.Get(first), c.fn.full); err != nil {
			return err
		}
	}
	for i, p := range s.positional {
		var v lua.LValue = lua.LNil
		if i < n {
			v = L.Get(first + i)
		}
		if v == lua.LNil && options != nil {
			v = options.RawGetString(p.name)
		}
		if err := p.decode(c, v, i < n, dst); err != nil {
			return err
		}
	}
	rest := n - len(s.positional)
	switch {
	case s.variadic != nil && rest > 0:
		if err := s.decodeVariadic(c, first+len(s.positional), rest, dst); err != nil {
			return err
		}
	case s.variadic != nil && s.variadic.allow.nonempty:
		return s.variadic.missing(c)
	case rest > 0:
		return &argError{msg: s.tooMany(n) + c.fn.asIn()}
	}
	return s.decodeNamed(c, options, dst)
}

func (s *signature) tooMany(got int) string {
	most := fmt.Sprintf("at most %d arguments", len(s.positional))
	switch len(s.positional) {
	case 0:
		most = "no arguments"
	case 1:
		most = "one argument"
	}
	if s.self != nil {
		most += " after the colon"
	}
	if len(s.named) > 0 {
		most += " and a table of named ones"
	}
	return fmt.Sprintf("takes %s, got %d", most, got)
}

// asIn shows a right call, from the examples.
func (f *bound) asIn() string {
	if len(f.sig.named) == 0 || len(f.sig.positional) < 2 {
		return "" // the usage says it all
	}
	for _, e := range f.examples {
		for line := range strings.SplitSeq(e, "\n") {
			if line, _, _ = strings.Cut(line, "  -->"); strings.Contains(line, f.full+"(") && len(line) < 120 {
				return "; as in " + line
			}
		}
	}
	return ""
}

// endsInOptions reports whether the last of n arguments is the table of named
// ones: a table that is one too many, or one that holds only names where the
// argument at that position has no use for names.
func (s *signature) endsInOptions(c *Call, first, n int) bool {
	if n == 0 {
		return false
	}
	table, ok := c.L.Get(first + n - 1).(*lua.LTable)
	if !ok {
		return false
	}
	if s.variadic == nil && n > len(s.positional) {
		empty := table.MaxN() == 0 && !namesOnly(table)
		return n == len(s.positional)+1 && (len(s.named) > 0 || empty)
	}
	if key, _ := namedEntry(table); key == nil || table.MaxN() > 0 {
		return false
	}
	var at codec
	if n <= len(s.positional) {
		at = s.positional[n-1].codec
	} else {
		at = s.variadic.codec.(listCodec).elem
	}
	for _, k := range splitKind(at.kind(c.state.reg)) {
		if k == "any" || strings.HasPrefix(k, "{") || strings.HasPrefix(k, "table<") {
			return false
		}
	}
	return true
}

// decodeVariadic reads the rest of the arguments, or the one list that holds them.
func (s *signature) decodeVariadic(c *Call, first, n int, dst reflect.Value) error {
	field := dst.FieldByIndex(s.variadic.index)
	list := s.variadic.codec.(listCodec)
	if table, ok := c.L.Get(first).(*lua.LTable); ok && n == 1 && list.scalar() {
		if err := list.decode(c, table, field); err != nil {
			return atName(err, s.variadic.name)
		}
		return nil
	}
	out := reflect.MakeSlice(field.Type(), n, n)
	for i := range n {
		if err := list.elem.decode(c, c.L.Get(first+i), out.Index(i)); err != nil {
			return atName(atIndex(withRemedy(c, err, list.elem.kind(c.state.reg), c.L.Get(first+i)), i+1), s.variadic.name)
		}
	}
	field.Set(out)
	return nil
}

// decodeTable reads a table of named arguments; its array part holds the
// positional ones, if any. full names the function in hints, "" in nested tables.
func (s *signature) decodeTable(c *Call, table *lua.LTable, dst reflect.Value, full string) error {
	if table == nil {
		table = &lua.LTable{Metatable: lua.LNil}
	}
	n, rest := table.MaxN(), s.rest()
	indexed := n // how much of the array part is taken
	if rest == nil {
		indexed = min(n, len(s.positional))
	}
	if err := s.checkNames(c, table, min(n, len(s.positional)), indexed, full); err != nil {
		return err
	}
	for i, p := range s.positional {
		v := table.RawGetInt(i + 1)
		if v == lua.LNil {
			v = table.RawGetString(p.name)
		}
		if err := p.decode(c, v, i < n, dst); err != nil {
			return err
		}
	}
	switch {
	case rest != nil && n > len(s.positional):
		list := rest.codec.(listCodec)
		if err := list.decodeTable(c, table, len(s.positional), dst.FieldByIndex(rest.index)); err != nil {
			return atName(err, rest.name)
		}
	case rest != nil && rest.allow.nonempty:
		return rest.missing(c)
	}
	return s.decodeNamed(c, table, dst)
}

// checkNames refuses entries of the table that no argument takes: those with
// unknown names, those of the first n positional arguments, which were given by
// position, and array entries after the first indexed ones.
func (s *signature) checkNames(c *Call, table *lua.LTable, n, indexed int, full string) error {
	if table == nil {
		return nil
	}
	if err := Finish(c.L, table); err != nil {
		return err
	}
	for key, v := range entries(table) {
		if i, ok := key.(lua.LNumber); ok && i >= 1 && i <= lua.LNumber(indexed) {
			continue
		}
		name, ok := key.(lua.LString)
		if !ok {
			return s.unnamed(c, table, v, full)
		}
		switch p := s.byName(string(name)); {
		case p == nil || p == s.rest():
			return &argError{msg: fmt.Sprintf("unknown argument '%s'%s", name, s.unknownName(c, string(name), full))}
		case p.pos > 0 && p.pos <= n:
			return &argError{path: p.name, msg: "given twice, by position and by name"}
		}
	}
	return nil
}

func (s *signature) decodeNamed(c *Call, table *lua.LTable, dst reflect.Value) error {
	for _, p := range s.named {
		var v lua.LValue = lua.LNil
		if table != nil {
			v = table.RawGetString(p.name)
		}
		if err := p.decode(c, v, false, dst); err != nil {
			return err
		}
	}
	return nil
}

// rest is the field that takes any number of values, nil if there is none.
func (s *signature) rest() *param {
	if s.list != nil {
		return s.list
	}
	return s.variadic
}

// decode stores v, or the default when it is absent. given says that a nil was
// written where the argument stands.
func (p *param) decode(c *Call, v lua.LValue, given bool, dst reflect.Value) error {
	if v == lua.LNil {
		if p.required {
			if given {
				return atName(mismatch(p.kind(c.state.reg), v), p.name)
			}
			return p.missing(c)
		}
		if p.def == nil {
			return nil
		}
		v = p.def
	}
	if err := p.codec.decode(c, v, dst.FieldByIndex(p.index)); err != nil {
		return atName(withRemedy(c, err, p.kind(c.state.reg), v), p.name)
	}
	return nil
}

func (p *param) kind(r *Registry) string { return p.codec.kind(r) }

func (p *param) missing(c *Call) error {
	if list, ok := p.codec.(listCodec); ok && !p.required {
		return &argError{path: p.name, msg: "missing; want " + plural(list.elem.kind(c.state.reg))}
	}
	return &argError{path: p.name, msg: "missing; want " + phrase(p.kind(c.state.reg))}
}

// namedCall shows how a function of named arguments is written.
func (s *signature) namedCall(full string) string {
	var parts []string
	if s.list != nil {
		parts = append(parts, s.list.name, "…")
	}
	for _, p := range s.named {
		parts = append(parts, p.name+"=…")
	}
	return full + "{" + strings.Join(parts, ", ") + "}"
}

// entries iterates over a table in the order of the script.
func entries(t *lua.LTable) iter.Seq2[lua.LValue, lua.LValue] {
	return func(yield func(k, v lua.LValue) bool) {
		for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
			if !yield(k, v) {
				return
			}
		}
	}
}

// namedEntry returns the first entry outside the array part, nil if there is none.
func namedEntry(t *lua.LTable) (key, value lua.LValue) {
	n := lua.LNumber(t.MaxN())
	for k, v := range entries(t) {
		if i, ok := k.(lua.LNumber); !ok || i < 1 || i > n {
			return k, v
		}
	}
	return nil, nil
}

// namesOnly reports whether a table has names and no array part.
func namesOnly(t *lua.LTable) bool {
	key, _ := namedEntry(t)
	return key != nil && t.MaxN() == 0
}

func keyText(key lua.LValue) string {
	if s, ok := key.(lua.LString); ok {
		return "'" + string(s) + "'"
	}
	return key.String()
}
