package trace

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
)

// statesKey is where a Lua state keeps how to make another one like it.
const statesKey = "workbench.states"

// UseStates tells a state how to make another one with the same library, for
// functions that are called by several goroutines.
func UseStates(L *lua.LState, another func() (*lua.LState, error)) {
	u := L.NewUserData()
	u.Value = another
	L.G.Registry.RawSetString(statesKey, u)
}

// anotherState makes a state like L, if it knows how.
func anotherState(L *lua.LState) (*lua.LState, error) {
	if u, ok := L.G.Registry.RawGetString(statesKey).(*lua.LUserData); ok {
		if another, ok := u.Value.(func() (*lua.LState, error)); ok {
			return another()
		}
	}
	return nil, fmt.Errorf("this program has one Lua state")
}

// copier copies Lua values to another state with the same library: functions with
// the variables around them and the globals that they name, tables with all they
// hold. What is the library's becomes that of the other state.
type copier struct {
	from, to *lua.LState
	done     map[lua.LValue]lua.LValue
	upvalues map[*lua.Upvalue]*lua.Upvalue
	globals  map[string]bool
}

func newCopier(from, to *lua.LState) *copier {
	c := &copier{from, to, map[lua.LValue]lua.LValue{}, map[*lua.Upvalue]*lua.Upvalue{}, map[string]bool{}}
	c.done[from.G.Global] = to.G.Global
	c.pair(from.G.Global, to.G.Global)
	return c
}

func copyFunction(from, to *lua.LState, f *lua.LFunction) (*lua.LFunction, error) {
	v, err := newCopier(from, to).value(f)
	if err != nil {
		return nil, err
	}
	return v.(*lua.LFunction), nil
}

// CopyState makes another Lua state with the same library, for another goroutine, and
// copies values to it: functions with the variables around them and the globals they
// name, as they are now.
func CopyState(L *lua.LState, values ...lua.LValue) (*lua.LState, []lua.LValue, error) {
	other, err := anotherState(L)
	if err != nil {
		return nil, nil, err
	}
	c := newCopier(L, other)
	copies := make([]lua.LValue, len(values))
	for i, v := range values {
		if copies[i], err = c.value(v); err != nil {
			return nil, nil, err
		}
	}
	return other, copies, nil
}

// pair records the modules and functions of the library, which have the same names
// in both states.
func (c *copier) pair(from, to *lua.LTable) {
	from.ForEach(func(k, v lua.LValue) {
		name, ok := k.(lua.LString)
		if !ok {
			return
		}
		switch w := to.RawGetString(string(name)).(type) {
		case *lua.LFunction:
			if f, ok := v.(*lua.LFunction); ok && f.IsG && w.IsG {
				c.done[v] = w
			}
		case *lua.LTable:
			if t, ok := v.(*lua.LTable); ok && isLibrary(string(name), t) {
				c.done[v] = w
				c.pair(t, w)
			}
		}
	})
}

// isLibrary tells the modules of the library from tables that a script calls the same.
func isLibrary(name string, t *lua.LTable) bool {
	switch name {
	case "math", "string", "table", "os", "io", "coroutine", "package":
		return true
	}
	_, module := t.Metatable.(*lua.LTable)
	return module
}

// value is the copy of v.
func (c *copier) value(v lua.LValue) (lua.LValue, error) {
	if w, ok := c.done[v]; ok {
		return w, nil
	}
	switch v := v.(type) {
	case *lua.LNilType, lua.LBool, lua.LNumber, lua.LString:
		return v, nil
	case *lua.LTable:
		return c.table(v)
	case *lua.LFunction:
		if !v.IsG {
			return c.function(v)
		}
	case *lua.LUserData:
		return c.object(v)
	}
	return nil, fmt.Errorf("it uses %s, which belongs to one Lua state", bind.Describe(v))
}

func (c *copier) table(t *lua.LTable) (lua.LValue, error) {
	out := c.to.NewTable()
	c.done[t] = out
	for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
		key, err := c.value(k)
		if err != nil {
			return nil, err
		}
		value, err := c.value(v)
		if err != nil {
			return nil, err
		}
		out.RawSet(key, value)
	}
	var err error
	out.Metatable, err = c.value(t.Metatable)
	return out, err
}

func (c *copier) function(f *lua.LFunction) (lua.LValue, error) {
	out := c.to.NewFunctionFromProto(f.Proto)
	c.done[f] = out
	for i, u := range f.Upvalues {
		if c.upvalues[u] == nil {
			c.upvalues[u] = &lua.Upvalue{} // closed, for it is in no frame
			v, err := c.value(u.Value())
			if err != nil {
				return nil, err
			}
			c.upvalues[u].SetValue(v)
		}
		out.Upvalues[i] = c.upvalues[u]
	}
	env, err := c.value(f.Env)
	if err != nil {
		return nil, err
	}
	out.Env = env.(*lua.LTable)
	s := &scan{seen: map[*lua.FunctionProto]bool{}}
	s.proto(f.Proto)
	for _, name := range s.globals {
		if err := c.global(name); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// global copies a variable that scripts share.
func (c *copier) global(name string) error {
	if c.globals[name] {
		return nil
	}
	c.globals[name] = true
	v, err := c.value(c.from.G.Global.RawGetString(name))
	if err == nil {
		c.to.G.Global.RawSetString(name, v)
	}
	return err
}

// object is a value of the library, such as a kernel or an array: both states hold
// the same.
func (c *copier) object(u *lua.LUserData) (v lua.LValue, err error) {
	defer func() {
		if recover() != nil { // no value of the library's types
			err = fmt.Errorf("it uses %s, which belongs to one Lua state", bind.Describe(u))
		}
	}()
	v = bind.At(c.to).Lua(u.Value)
	c.done[u] = v
	return v, nil
}
