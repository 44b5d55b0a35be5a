package bind

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/internal/sorting"
)

// encode returns the Lua value of a result.
func (s *state) encode(L *lua.LState, v any) lua.LValue {
	switch v := v.(type) {
	case nil:
		return lua.LNil
	case float64:
		return lua.LNumber(v)
	case int:
		return lua.LNumber(v)
	case bool:
		return lua.LBool(v)
	case string:
		return lua.LString(v)
	case Any: // before LValue, which it embeds
		if v.LValue == nil {
			return lua.LNil
		}
		return v.LValue
	case lua.LValue:
		return v
	}
	return s.encodeValue(L, reflect.ValueOf(v))
}

func (s *state) encodeValue(L *lua.LState, v reflect.Value) lua.LValue {
	t := v.Type()
	switch t.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return lua.LNil
		}
	}
	if t.Kind() == reflect.Interface {
		return s.encode(L, v.Interface())
	}
	if found := s.reg.registered(t); found != nil {
		u := L.NewUserData()
		u.Value, u.Metatable = v.Interface(), s.metas[found]
		return u
	}
	if a := s.reg.adapter(t); a != nil && a.encode != nil {
		return s.encode(L, a.encode(v.Interface()))
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[union]()) {
		p := reflect.New(t)
		p.Elem().Set(v)
		return s.encode(L, p.Interface().(union).chosen())
	}
	switch v.Kind() {
	case reflect.Float64, reflect.Float32:
		return lua.LNumber(v.Float())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return lua.LNumber(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return lua.LNumber(v.Uint())
	case reflect.Bool:
		return lua.LBool(v.Bool())
	case reflect.String:
		return lua.LString(v.String())
	case reflect.Pointer:
		return s.encodeValue(L, v.Elem())
	case reflect.Slice, reflect.Array:
		table := L.CreateTable(v.Len(), 0)
		for i := range v.Len() {
			table.RawSetInt(i+1, s.encodeValue(L, v.Index(i)))
		}
		return table
	case reflect.Map:
		return s.encodeMap(L, v)
	case reflect.Struct:
		if hasArgTags(t) {
			return s.encodeRecord(L, v)
		}
	}
	panic(fmt.Sprintf("a result has the type %s, which no module declares", t))
}

// encodeMap writes the entries in the order of their names.
func (s *state) encodeMap(L *lua.LState, v reflect.Value) lua.LValue {
	if v.Type().Key().Kind() != reflect.String {
		panic(fmt.Sprintf("a result has the type %s; the keys must be strings", v.Type()))
	}
	keys := v.MapKeys()
	sorting.By(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	table := L.CreateTable(0, len(keys))
	for _, k := range keys {
		table.RawSetString(k.String(), s.encodeValue(L, v.MapIndex(k)))
	}
	return table
}

// encodeRecord writes a struct with arg tags as a table that prints itself and
// refuses names it does not have.
func (s *state) encodeRecord(L *lua.LState, v reflect.Value) lua.LValue {
	t := v.Type()
	table := L.NewTable()
	var rest func(ctx context.Context) (any, error)
	if l, ok := v.Interface().(Later); ok {
		rest = l.Rest()
	}
	for _, f := range recordFields(t) {
		if f.later && rest != nil {
			table.RawSetString(f.name, lua.LTrue) // its place among the others
			table.RawSetString(f.name, lua.LNil)
			continue
		}
		table.RawSetString(f.name, s.encodeValue(L, v.FieldByIndex(f.index)))
	}
	mt, ok := s.records[t]
	if !ok {
		mt = s.recordMeta(L, t)
		s.records[t] = mt
	}
	table.Metatable = mt
	if rest != nil {
		s.postpone(L, table, t, rest)
	}
	return table
}

type recordField struct {
	name, doc string
	index     []int
	typ       reflect.Type
	later     bool
}

func recordFields(t reflect.Type) (fields []recordField) {
	for _, f := range flatten(t, nil) {
		if name := f.Tag.Get("arg"); name != "" && name != "-" && f.IsExported() {
			fields = append(fields, recordField{name, f.Tag.Get("doc"), f.Index, f.Type, f.Tag.Get("later") != ""})
		}
	}
	return fields
}

func (s *state) recordMeta(L *lua.LState, t reflect.Type) *lua.LTable {
	var names []string
	for _, f := range recordFields(t) {
		names = append(names, f.name)
	}
	mt := L.NewTable()
	mt.RawSetString("__tostring", L.NewFunction(func(L *lua.LState) int {
		table, ok := L.Get(1).(*lua.LTable)
		if !ok {
			return 0
		}
		L.Push(lua.LString(s.showRecord(L, table)))
		return 1
	}))
	mt.RawSetString("__index", L.NewFunction(func(L *lua.LState) int {
		if name, ok := L.Get(2).(lua.LString); ok && !slices.Contains(names, string(name)) {
			raise(L, &Error{Where: where(L), Err: fmt.Errorf("no field '%s'%s\n  fields: %s",
				name, DidYouMean(string(name), names), strings.Join(names, ", "))})
		}
		L.Push(lua.LNil)
		return 1
	}))
	return mt
}

// showRecord writes one line if it is short, else one line per field.
func (s *state) showRecord(L *lua.LState, table *lua.LTable) string {
	if u := pending(table); u != nil {
		u.mustFinish(L)
	}
	var names, values []string
	width, total := 0, 0
	for k, v := range entries(table) {
		names, values = append(names, k.String()), append(values, s.show(L, v))
		width = max(width, len(k.String()))
		total += len(k.String()) + len(values[len(values)-1]) + 5
	}
	var b strings.Builder
	if total < 76 {
		for i := range names {
			names[i] += " = " + values[i]
		}
		return "{" + strings.Join(names, ", ") + "}"
	}
	for i := range names {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%-*s  %s", width, names[i], strings.ReplaceAll(values[i], "\n", "\n"+strings.Repeat(" ", width+2)))
	}
	return b.String()
}

// show writes a value inside a record: numbers to six digits, lists in braces.
func (s *state) show(L *lua.LState, v lua.LValue) string {
	switch v := v.(type) {
	case lua.LNumber:
		if text := formatNumber(float64(v)); len(text) <= 9 {
			return text
		}
		return fmt.Sprintf("%.6g", float64(v))
	case lua.LString:
		return string(v)
	case *lua.LTable:
		if mt, ok := v.Metatable.(*lua.LTable); ok && mt.RawGetString("__tostring") != lua.LNil {
			return s.showRecord(L, v)
		}
		const most = 8
		var parts []string
		for k, e := range entries(v) {
			if len(parts) == most {
				parts = append(parts, "…")
				break
			}
			if _, ok := k.(lua.LString); ok {
				parts = append(parts, k.String()+" = "+s.show(L, e))
				continue
			}
			parts = append(parts, s.show(L, e))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return s.toString(L, v)
}
