package bind

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// openType makes the metatable of a type.
func (s *state) openType(L *lua.LState, t *Type) {
	mt := L.NewTable()
	mt.RawSetString("__name", lua.LString(t.name))
	mt.RawSetString("__tostring", L.NewFunction(func(L *lua.LState) int {
		L.Push(lua.LString(s.toString(L, L.Get(1))))
		return 1
	}))
	mt.RawSetString("__concat", L.NewFunction(func(L *lua.LState) int {
		L.Push(lua.LString(s.toString(L, L.Get(1)) + s.toString(L, L.Get(2))))
		return 1
	}))
	// Lua asks __eq only if both metatables hold the same function.
	eq, ok := L.G.Registry.RawGetString(stateKey + ".eq").(*lua.LFunction)
	if !ok {
		eq = L.NewFunction(equal)
		L.G.Registry.RawSetString(stateKey+".eq", eq)
	}
	mt.RawSetString("__eq", eq)
	x := &index{state: s, typ: t, methods: map[string]*lua.LFunction{}, properties: map[string]*Property{}}
	for i := range t.methods {
		fn := &bound{Func: &t.methods[i], kind: kindMethod, owner: t.name, full: t.name + ":" + t.methods[i].name}
		x.methods[fn.name] = s.function(L, fn)
	}
	for i := range t.properties {
		x.properties[t.properties[i].name] = &t.properties[i]
	}
	for i := range t.operators {
		fn := &bound{Func: &t.operators[i], kind: kindOperator, owner: t.name, full: t.name + ":" + t.operators[i].event}
		switch {
		case fn.event == "__index":
			x.get = fn
		case fn.event == "__newindex":
			x.set = fn
		case fn.sig.self != nil:
			mt.RawSetString(fn.event, L.NewFunction(func(L *lua.LState) int { return s.run(L, fn) }))
		default:
			var self *lua.LFunction
			self = L.NewFunction(func(L *lua.LState) int { return s.runOperator(L, fn, self) })
			mt.RawSetString(fn.event, self)
		}
	}
	mt.RawSetString("__index", L.NewFunction(x.read))
	mt.RawSetString("__newindex", L.NewFunction(x.write))
	s.metas[t] = mt
}

// index answers v.name, v[key] and assignments to them.
type index struct {
	state      *state
	typ        *Type
	methods    map[string]*lua.LFunction
	properties map[string]*Property
	get, set   *bound
}

func (x *index) read(L *lua.LState) int {
	key := L.Get(2)
	name, isName := key.(lua.LString)
	if isName {
		if m, ok := x.methods[string(name)]; ok {
			L.Push(m)
			return 1
		}
		if p, ok := x.properties[string(name)]; ok {
			if u, ok := L.Get(1).(*lua.LUserData); ok && reflect.TypeOf(u.Value).AssignableTo(x.typ.goType) {
				value, err := p.get(x.state.call(L, nil), u.Value)
				if err != nil {
					raise(L, &Error{Where: where(L), Err: fmt.Errorf("%s of %s: %w", name, article(x.typ.name), err)})
				}
				L.Push(x.state.encode(L, value))
				return 1
			}
		}
	}
	if own := x.typ.namesOf(L.Get(1)); x.get != nil && (x.typ.members == nil || slices.Contains(own, string(name))) {
		c := x.state.call(L, x.get)
		if key := x.get.sig.positional[0]; !isName || key.codec.fits(c, name) {
			return x.state.run(L, x.get)
		}
	}
	err := x.unknown(key, x.typ.namesOf(L.Get(1)))
	if isName {
		if text := x.instead(L, string(name)); text != "" {
			err = fmt.Errorf("%s has no '%s'; %s", article(x.typ.name), name, text)
		}
		if message, ok := x.meant(L, string(name)); ok {
			err = errors.New(message)
		}
	}
	raise(L, &Error{Where: where(L), Err: err})
	return 0
}

// instead says which method a name of another tool stands for, or where its function is. Values that such tools have,
// too, are the only ones of which people expect it.
func (x *index) instead(L *lua.LState, name string) string {
	for _, p := range x.typ.properties {
		if strings.EqualFold(p.name, name) { // a.t is a.T
			return fmt.Sprintf("did you mean '%s'?", p.name)
		}
	}
	for i := range x.typ.methods {
		if f := &x.typ.methods[i]; slices.ContainsFunc(f.keywords, func(k string) bool { return plain(k) == plain(name) }) {
			return fmt.Sprintf("did you mean '%s'?", f.name)
		}
	}
	for _, m := range x.state.reg.modules {
		if text, ok := m.Foreign.Methods[x.typ.name][name]; ok {
			return text
		}
		if text, ok := m.Foreign.Functions[name]; ok && m.Name == x.typ.name {
			return text
		}
	}
	switch x.typ.name {
	case "mask":
		return strings.Replace(Elsewhere(L, name, true), "write a:", "write m:array():", 1)
	case "complex":
		return strings.Replace(Elsewhere(L, name, true), "write a:", "of its parts, which are arrays, write z.re:", 1)
	case "array":
		return Elsewhere(L, name, true)
	}
	return ""
}

func (x *index) write(L *lua.LState) int {
	key := L.Get(2)
	name, isName := key.(lua.LString)
	if isName {
		_, method := x.methods[string(name)]
		_, property := x.properties[string(name)]
		if method || property {
			raise(L, &Error{Where: where(L), Err: fmt.Errorf("'%s' of %s is read-only", name, article(x.typ.name))})
		}
	}
	if x.set != nil {
		c := x.state.call(L, x.set)
		if key := x.set.sig.positional[0]; !isName || key.codec.fits(c, name) {
			return x.state.run(L, x.set)
		}
	}
	raise(L, &Error{Where: where(L), Err: fmt.Errorf("%s cannot be assigned to, make another one: %w", article(x.typ.name), x.unknown(key, nil))})
	return 0
}

// manyMethods is from how many methods on all of them are listed only where none
// has a name like the one that is not there.
const manyMethods = 30

// unknown lists what the value has, its own names among it.
func (x *index) unknown(key lua.LValue, own []string) error {
	t := x.typ
	name, ok := key.(lua.LString)
	var methods, fields []string
	for _, m := range t.methods {
		methods = append(methods, m.name)
	}
	for _, p := range t.properties {
		fields = append(fields, p.name)
	}
	var b strings.Builder
	near := ""
	if ok {
		near = cmp.Or(t.deeper(string(name)), DidYouMean(string(name), slices.Concat(own, methods, fields)), t.nearlyDeeper(string(name)))
		fmt.Fprintf(&b, "%s has no '%s'%s", article(t.name), name, near)
	} else {
		fmt.Fprintf(&b, "%s has no entry %s", article(t.name), keyLabel(key))
	}
	if near != "" && len(methods) > manyMethods {
		return errors.New(b.String())
	}
	for _, o := range t.operators {
		if o.event == "__call" {
			b.WriteString("\n  it is called like a function: " + t.name + o.sig.parentheses(usageWidth))
		}
	}
	if len(own) > 0 {
		b.WriteString("\n  " + t.members.what + ": " + strings.Join(own, ", "))
	}
	if len(fields) > 0 {
		b.WriteString("\n  fields: " + strings.Join(fields, ", "))
	}
	if len(methods) > 0 {
		b.WriteString("\n  methods: " + strings.Join(methods, ", "))
	}
	return fmt.Errorf("%s", b.String())
}

// deeper says which property of a type has a field of the name.
func (t *Type) deeper(name string) string {
	for _, p := range t.properties {
		if slices.Contains(p.fieldNames(), name) {
			return fmt.Sprintf("; it stands in its %s: .%[1]s.%s", p.name, name)
		}
	}
	return ""
}

// nearlyDeeper says which field of a property has a name like this one.
func (t *Type) nearlyDeeper(name string) string {
	for _, p := range t.properties {
		if text := DidYouMean(name, p.fieldNames()); text != "" {
			return strings.Replace(text, "'", "'."+p.name+".", 1)
		}
	}
	return ""
}

// fieldNames are those of what a property is, if that is a struct of arguments.
func (p Property) fieldNames() (names []string) {
	if !hasArgTags(p.result) {
		return nil
	}
	for _, f := range flatten(p.result, nil) {
		if f.IsExported() {
			names = append(names, cmp.Or(f.Tag.Get("arg"), snakeCase(f.Name)))
		}
	}
	return names
}

func equal(L *lua.LState) int {
	a, ok1 := L.Get(1).(*lua.LUserData)
	b, ok2 := L.Get(2).(*lua.LUserData)
	if s := stateOf(L); ok1 && ok2 && s != nil && reflect.TypeOf(a.Value) == reflect.TypeOf(b.Value) {
		if t := s.reg.registered(reflect.TypeOf(a.Value)); t != nil && t.same != nil {
			L.Push(lua.LBool(t.same(a.Value, b.Value)))
			return 1
		}
	}
	same := ok1 && ok2 && reflect.TypeOf(a.Value) == reflect.TypeOf(b.Value) &&
		reflect.ValueOf(a.Value).Comparable() && a.Value == b.Value
	L.Push(lua.LBool(same))
	return 1
}

// toString is tostring(v) for the values bind makes, and for what stands
// beside them in a concatenation.
func (s *state) toString(L *lua.LState, v lua.LValue) string {
	u, ok := v.(*lua.LUserData)
	if !ok {
		return v.String()
	}
	t := s.reg.registered(reflect.TypeOf(u.Value))
	if t != nil && t.toString != nil {
		return t.toString(s.call(L, nil), u.Value)
	}
	if str, ok := u.Value.(fmt.Stringer); ok {
		return str.String()
	}
	return valueName(v)
}
