package bind

import (
	"context"
	"reflect"

	lua "github.com/yuin/gopher-lua"
)

// A Later is a record of which some fields, those tagged later:"true", take long and are computed when the first of
// them is asked for. To a script its table has them all: by name, printed, and passed
// on; the library that has next calls [Finish], for loops.
type Later interface {
	// Rest computes the whole record; nil where nothing is missing.
	Rest() func(ctx context.Context) (any, error)
}

// laterKey is where the metatable of a table that lacks fields has what computes them.
const laterKey = "__later"

// unfinished is a table that lacks fields.
type unfinished struct {
	state *state
	table *lua.LTable
	whole lua.LValue // the metatable that it has once it has them
	of    reflect.Type
	rest  func(ctx context.Context) (any, error)
}

// postpone has the fields that the table of a record lacks computed when they are asked for.
func (s *state) postpone(L *lua.LState, table *lua.LTable, of reflect.Type, rest func(ctx context.Context) (any, error)) {
	u := &unfinished{s, table, table.Metatable, of, rest}
	later := map[lua.LString]bool{}
	for _, f := range recordFields(of) {
		if f.later {
			later[lua.LString(f.name)] = true
		}
	}
	mt, own := L.NewTable(), L.NewUserData()
	own.Value = u
	mt.RawSetString(laterKey, own)
	for _, event := range []string{"__tostring", "__index"} {
		mt.RawSetString(event, u.whole.(*lua.LTable).RawGetString(event))
	}
	otherwise := mt.RawGetString("__index").(*lua.LFunction)
	mt.RawSetString("__index", L.NewFunction(func(L *lua.LState) int {
		name, ok := L.Get(2).(lua.LString)
		if !ok || !later[name] {
			return otherwise.GFunction(L)
		}
		u.mustFinish(L)
		L.Push(u.table.RawGetString(string(name)))
		return 1
	}))
	table.Metatable = mt
}

// finish computes the fields that a table lacks. Where that fails, or the context ends, who asks next has them computed
// anew.
func (u *unfinished) finish(L *lua.LState) error {
	if u.table.Metatable == u.whole {
		return nil
	}
	v, err := u.rest(u.state.call(L, nil))
	if err != nil {
		return err
	}
	record := reflect.ValueOf(v)
	for _, f := range recordFields(u.of) {
		if f.later && u.table.RawGetString(f.name) == lua.LNil { // nobody has assigned to it
			u.table.RawSetString(f.name, u.state.encodeValue(L, record.FieldByIndex(f.index)))
		}
	}
	u.table.Metatable = u.whole
	return nil
}

// mustFinish raises the error.
func (u *unfinished) mustFinish(L *lua.LState) {
	if err := u.finish(L); err != nil {
		raise(L, &Error{Where: where(L), Err: err})
	}
}

// pending is what a table lacks; nil: nothing.
func pending(table *lua.LTable) *unfinished {
	if mt, ok := table.Metatable.(*lua.LTable); ok {
		if u, ok := mt.RawGetString(laterKey).(*lua.LUserData); ok {
			return u.Value.(*unfinished)
		}
	}
	return nil
}

// Finish gives the table of a record the fields that were to be computed when they are asked for: for Go code that
// reads tables as they are. It does nothing to other tables.
func Finish(L *lua.LState, table *lua.LTable) error {
	if u := pending(table); u != nil {
		return u.finish(L)
	}
	return nil
}

// Pending are the names of the fields that a table is yet to have.
func Pending(table *lua.LTable) (names []string) {
	if u := pending(table); u != nil {
		for _, f := range recordFields(u.of) {
			if f.later {
				names = append(names, f.name)
			}
		}
	}
	return names
}
