package bind

import (
	"context"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// Env says how to install modules in a Lua state.
type Env struct {
	Out   io.Writer   // where functions print; nil means os.Stdout
	Table *lua.LTable // where the modules go; nil means the globals
}

// state is a Registry in one Lua state.
type state struct {
	reg     *Registry
	out     io.Writer
	metas   map[*Type]*lua.LTable
	records map[reflect.Type]*lua.LTable
	names   map[*lua.LFunction]string
	nesting *Nesting
}

// stateKey is where the Lua registry holds the state.
const stateKey = "workbench.bind"

func stateOf(L *lua.LState) *state {
	if u, ok := L.G.Registry.RawGetString(stateKey).(*lua.LUserData); ok {
		if s, ok := u.Value.(*state); ok {
			return s
		}
	}
	return nil
}

func (s *state) call(L *lua.LState, fn *bound) *Call {
	ctx := L.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	return &Call{Context: ctx, L: L, Out: s.out, state: s, fn: fn}
}

// Open installs the modules in a Lua state: as globals, and for require.
func (r *Registry) Open(L *lua.LState, env Env) {
	s := &state{
		reg: r, out: env.Out,
		metas:   map[*Type]*lua.LTable{},
		records: map[reflect.Type]*lua.LTable{},
		names:   map[*lua.LFunction]string{},
		nesting: NestingOf(L),
	}
	if s.out == nil {
		s.out = os.Stdout
	}
	u := L.NewUserData()
	u.Value = s
	L.G.Registry.RawSetString(stateKey, u)
	for i := range r.types {
		s.openType(L, &r.types[i])
	}
	table := env.Table
	if table == nil {
		table = L.G.Global
	}
	loaded, _ := L.FindTable(L.G.Registry, "_LOADED", 1).(*lua.LTable)
	for _, m := range r.modules {
		if m.Global {
			s.openFunctions(L, m, table)
			continue
		}
		module := s.openModule(L, m, table)
		if loaded != nil {
			loaded.RawSetString(m.Name, module)
		}
	}
}

// openModule makes the module's table, or adds to the one that Lua's own
// library put there (math).
func (s *state) openModule(L *lua.LState, m Module, env *lua.LTable) *lua.LTable {
	if module, ok := env.RawGetString(m.Name).(*lua.LTable); ok && module.Metatable == lua.LNil {
		s.openFunctions(L, m, module)
		return module
	}
	module := L.NewTable()
	s.openFunctions(L, m, module)
	mt := L.NewTable()
	mt.RawSetString("__name", lua.LString("module "+m.Name))
	mt.RawSetString("__tostring", L.NewFunction(func(L *lua.LState) int {
		L.Push(lua.LString("module " + m.Name + ": " + summary(m.Doc)))
		return 1
	}))
	mt.RawSetString("__index", L.NewFunction(func(L *lua.LState) int {
		key := L.Get(2)
		name, ok := key.(lua.LString)
		if !ok {
			raise(L, &Error{Where: where(L), Err: fmt.Errorf("module '%s' has no entry %s", m.Name, keyLabel(key))})
		}
		raise(L, &Error{Where: where(L), Err: fmt.Errorf("module '%s' has no '%s'%s", m.Name, name, insteadOf(L, m, string(name)))})
		return 0
	}))
	if m.Call != nil {
		fn := &bound{Func: m.Call, kind: kindCall, full: m.Name}
		mt.RawSetString("__call", L.NewFunction(func(L *lua.LState) int {
			L.Remove(1)
			return s.run(L, fn)
		}))
	}
	module.Metatable = mt
	env.RawSetString(m.Name, module)
	return module
}

func (s *state) openFunctions(L *lua.LState, m Module, module *lua.LTable) {
	for i := range m.Funcs {
		fn := &bound{Func: &m.Funcs[i], kind: kindFunction, full: m.fullName(m.Funcs[i].name)}
		if !m.Global {
			fn.module = module
		}
		module.RawSetString(fn.name, s.function(L, fn))
	}
	for _, v := range m.Values {
		module.RawSetString(v.Name, s.encode(L, v.Value))
	}
}

func (m Module) fullName(name string) string {
	if m.Global {
		return name
	}
	return m.Name + "." + name
}

// didYouMean looks through the keywords first: rbf means se.
func (m Module) didYouMean(name string) string {
	for _, t := range m.Types {
		for _, method := range t.methods {
			if t.name == m.Name && method.name == name { // array.max(a)
				return fmt.Sprintf("; it is a method: write %s:%s(…) for a value %s", t.name[:1], name, t.name[:1])
			}
		}
	}
	for _, f := range m.Funcs {
		for _, w := range f.keywords {
			if plain(w) == plain(name) {
				return "; did you mean '" + f.name + "'?"
			}
		}
	}
	ofItself := slices.ContainsFunc(m.Types, func(t Type) bool { return t.name == m.Name })
	for _, t := range m.Types {
		for _, method := range t.methods {
			if !ofItself && method.name == name { // plot.save("x.png")
				return fmt.Sprintf("; it is a method of %s: write %s:%s(…)", article(t.name), t.name, name)
			}
		}
	}
	return DidYouMean(name, m.members())
}

// insteadOf ends the message that a module has no such name: what it has, or another module.
func insteadOf(L *lua.LState, m Module, name string) string {
	if text, ok := m.Foreign.Functions[name]; ok {
		return "; " + text
	}
	if meant := m.didYouMean(name); meant != "" {
		return meant
	}
	if m.Call != nil && IsMaker(m.Name, name) {
		return ItselfIsCalled(m.Name)
	}
	if text := Elsewhere(L, name, true); text != "" {
		return "; " + text
	}
	return "; ?" + m.Name + " lists what it has"
}

// IsMaker reports whether a name is one that other libraries give to what makes a value of a module.
func IsMaker(module, name string) bool {
	return slices.Contains([]string{module, "new", "make", "create"}, name)
}

// ItselfIsCalled ends the message that a module lacks a name which would make a value.
func ItselfIsCalled(module string) string {
	return "; the module itself is called: " + module + "{…}"
}

func (m Module) members() (names []string) {
	for _, f := range m.Funcs {
		names = append(names, f.name)
	}
	for _, v := range m.Values {
		names = append(names, v.Name)
	}
	return names
}

func (s *state) function(L *lua.LState, fn *bound) *lua.LFunction {
	f := L.NewFunction(func(L *lua.LState) int { return s.run(L, fn) })
	s.names[f] = fn.full
	return f
}

// Name returns the name under which help knows a Lua value: "kernel.matern"
// for the function, "kernel" for the module and for a value of that type.
func (r *Registry) Name(L *lua.LState, v lua.LValue) (string, bool) {
	s := stateOf(L)
	switch v := v.(type) {
	case *lua.LFunction:
		if s == nil {
			return "", false
		}
		name, ok := s.names[v]
		return name, ok
	case *lua.LUserData:
		t := r.registered(reflect.TypeOf(v.Value))
		if t == nil {
			return "", false
		}
		return t.name, true
	case *lua.LTable:
		for _, m := range r.modules {
			if L.G.Global.RawGetString(m.Name) == lua.LValue(v) {
				return m.Name, true
			}
		}
	}
	return "", false
}
