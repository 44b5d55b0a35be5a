package bind

import (
	"fmt"
	"reflect"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// listCodec reads the array part of a table; of a list of scalars also one
// scalar, which is a list of one.
type listCodec struct {
	typ   reflect.Type
	elem  codec
	allow allowed
}

func (l listCodec) kind(r *Registry) string { return listKind(l.elem.kind(r)) }

func (l listCodec) scalar() bool {
	switch l.elem.(type) {
	case numberCodec, integerCodec, stringCodec, boolCodec:
		return true
	}
	return false
}

func (l listCodec) fits(c *Call, v lua.LValue) bool {
	switch v := v.(type) {
	case *lua.LTable:
		return !namesOnly(v)
	case *lua.LUserData:
		return c.state.reg.castTo(v.Value, l.typ) != nil
	}
	return l.scalar() && l.elem.fits(c, v)
}

func (l listCodec) decode(c *Call, v lua.LValue, dst reflect.Value) error {
	table, ok := v.(*lua.LTable)
	if !ok {
		return l.decodeOther(c, v, dst)
	}
	if key, _ := namedEntry(table); key != nil {
		return mismatch(l.kind(c.state.reg), v)
	}
	return l.decodeTable(c, table, 0, dst)
}

// decodeTable reads the array part after the first skip entries.
func (l listCodec) decodeTable(c *Call, table *lua.LTable, skip int, dst reflect.Value) error {
	n := table.MaxN() - skip
	out := reflect.MakeSlice(l.typ, n, n)
	for i := range n {
		v := table.RawGetInt(skip + i + 1)
		if err := l.elem.decode(c, v, out.Index(i)); err != nil {
			return atIndex(err, i+1)
		}
	}
	if l.allow.nonempty && n == 0 {
		return &argError{msg: "must not be empty"}
	}
	dst.Set(out)
	return nil
}

func (l listCodec) decodeOther(c *Call, v lua.LValue, dst reflect.Value) error {
	if u, ok := v.(*lua.LUserData); ok {
		if run := c.state.reg.castTo(u.Value, l.typ); run != nil {
			if err := setCast(c, run, u.Value, dst); err != nil {
				return err
			}
			return l.allow.check(dst) // an array is no way around what a list may hold
		}
	}
	if !l.scalar() || !l.elem.fits(c, v) {
		err := mismatch(l.kind(c.state.reg), v)
		if v.Type() == lua.LTUserData && l.elem.fits(c, v) {
			err.msg += "; put them in braces: {a, b}"
		}
		return err
	}
	out := reflect.MakeSlice(l.typ, 1, 1)
	if err := l.elem.decode(c, v, out.Index(0)); err != nil {
		return err
	}
	dst.Set(out)
	return nil
}

func setCast(c *Call, run func(*Call, any) (any, error), v any, dst reflect.Value) error {
	out, err := run(c, v)
	if err != nil {
		return &argError{msg: err.Error(), cause: err}
	}
	dst.Set(reflect.ValueOf(out))
	return nil
}

// mapCodec reads the named entries of a table.
type mapCodec struct {
	typ      reflect.Type
	elem     codec
	nonempty bool
}

func (m mapCodec) kind(r *Registry) string { return "table<string, " + m.elem.kind(r) + ">" }

func (mapCodec) fits(_ *Call, v lua.LValue) bool { return v.Type() == lua.LTTable }

func (m mapCodec) decode(c *Call, v lua.LValue, dst reflect.Value) error {
	table, ok := v.(*lua.LTable)
	if !ok {
		return mismatch(m.kind(c.state.reg), v)
	}
	if err := Finish(c.L, table); err != nil {
		return err
	}
	out := reflect.MakeMap(m.typ)
	for key, v := range entries(table) {
		name, ok := key.(lua.LString)
		if !ok {
			return &argError{path: "[" + keyText(key) + "]", msg: "the key must be a name"}
		}
		elem := reflect.New(m.typ.Elem()).Elem()
		if err := m.elem.decode(c, v, elem); err != nil {
			return atName(err, string(name))
		}
		out.SetMapIndex(reflect.ValueOf(string(name)).Convert(m.typ.Key()), elem)
	}
	if m.nonempty && out.Len() == 0 {
		return &argError{msg: "must not be empty"}
	}
	dst.Set(out)
	return nil
}

// structCodec reads a table of named values into a struct with arg tags.
type structCodec struct{ sig *signature }

func newStructCodec(t reflect.Type) (codec, error) {
	return structCodec{newSignature("nested", t)}, nil
}

func (s structCodec) kind(r *Registry) string {
	var parts []string
	for _, p := range s.sig.positional {
		parts = append(parts, p.name)
	}
	for _, p := range s.sig.named {
		parts = append(parts, p.name+"=")
	}
	if rest := s.sig.rest(); rest != nil {
		parts = append([]string{rest.name, "..."}, parts...)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func (structCodec) fits(_ *Call, v lua.LValue) bool { return v.Type() == lua.LTTable }

func (s structCodec) decode(c *Call, v lua.LValue, dst reflect.Value) error {
	table, ok := v.(*lua.LTable)
	if !ok {
		err := mismatch(s.kind(c.state.reg), v)
		if p := s.sig.mainParam(); p != nil && v != lua.LNil && p.codec.fits(c, v) {
			err.msg += fmt.Sprintf("; write {%s = %s}", p.name, shown([]lua.LValue{v}))
		}
		return err
	}
	return s.sig.decodeTable(c, table, dst, "")
}

// pointerCodec reads an optional plain value.
type pointerCodec struct {
	elemType reflect.Type
	elem     codec
}

func (p pointerCodec) kind(r *Registry) string { return p.elem.kind(r) }

func (p pointerCodec) fits(c *Call, v lua.LValue) bool { return p.elem.fits(c, v) }

func (p pointerCodec) decode(c *Call, v lua.LValue, dst reflect.Value) error {
	out := reflect.New(p.elemType)
	if err := p.elem.decode(c, v, out.Elem()); err != nil {
		return err
	}
	dst.Set(out)
	return nil
}

// namedCodec reads a type that may be registered, adapted, or neither; which
// one is known only when a Registry uses the declaration.
type namedCodec struct {
	typ   reflect.Type
	allow allowed
	base  codec // reads the type's structure; nil if it must be registered
}

func (n namedCodec) kind(r *Registry) string {
	if a := r.adapter(n.typ); a != nil {
		return a.conversion.kind
	}
	t := r.registered(n.typ)
	if t == nil && n.base != nil {
		return n.base.kind(r)
	}
	return r.typeName(n.typ)
}

func (n namedCodec) fits(c *Call, v lua.LValue) bool {
	r := c.state.reg
	if u, ok := v.(*lua.LUserData); ok && u.Value != nil {
		if reflect.TypeOf(u.Value).AssignableTo(n.typ) || r.castTo(u.Value, n.typ) != nil {
			return true
		}
	}
	if a := r.adapter(n.typ); a != nil {
		return fitsKind(r, a.conversion.kind, v)
	}
	if t := r.registered(n.typ); t != nil {
		for _, conv := range t.conversions {
			if fitsKind(r, conv.kind, v) {
				return true
			}
		}
		return false
	}
	return n.base != nil && n.base.fits(c, v)
}

func (n namedCodec) decode(c *Call, v lua.LValue, dst reflect.Value) error {
	r := c.state.reg
	if u, ok := v.(*lua.LUserData); ok && u.Value != nil {
		if reflect.TypeOf(u.Value).AssignableTo(n.typ) {
			dst.Set(reflect.ValueOf(u.Value))
			return nil
		}
		if run := r.castTo(u.Value, n.typ); run != nil {
			if err := setCast(c, run, u.Value, dst); err != nil {
				return err
			}
			return n.allow.check(dst)
		}
	}
	if a := r.adapter(n.typ); a != nil {
		return n.convert(c, a.conversion, v, dst)
	}
	t := r.registered(n.typ)
	if t == nil && n.base != nil {
		return n.base.decode(c, v, dst)
	}
	if t != nil {
		for _, conv := range t.conversions {
			if fitsKind(r, conv.kind, v) {
				return n.convert(c, conv, v, dst)
			}
		}
	}
	return mismatch(n.kind(r), v)
}

func (n namedCodec) convert(c *Call, conv conversion, v lua.LValue, dst reflect.Value) error {
	out, err := conv.decode(c, v)
	if err != nil {
		return asArgError(err, n.kind(c.state.reg), v)
	}
	if out == nil {
		dst.SetZero()
		return nil
	}
	dst.Set(reflect.ValueOf(out))
	if dst.Kind() == reflect.Slice && dst.Len() == 1 && v.Type() != lua.LTTable {
		return n.allow.check(dst.Index(0)) // so that the error does not speak of a list
	}
	return n.allow.check(dst)
}
