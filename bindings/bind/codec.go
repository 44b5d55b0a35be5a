package bind

import (
	"errors"
	"fmt"
	"math"
	"reflect"

	lua "github.com/yuin/gopher-lua"
)

// A codec reads Lua values into one Go type. It is built once per declaration.
type codec interface {
	// kind is the Lua type it reads, see kind.go.
	kind(r *Registry) string
	// fits is a quick look at the value alone; unions choose by it.
	fits(c *Call, v lua.LValue) bool
	// decode stores the value, or returns an *argError.
	decode(c *Call, v lua.LValue, dst reflect.Value) error
}

// A Decoder is a Go type that reads itself from Lua: a union, a shape, a unit.
type Decoder interface {
	// DecodeLua stores v. It returns ErrKind when v is of no type it takes, and
	// otherwise an error that says what is wrong with the value.
	DecodeLua(c *Call, v lua.LValue) error
	// LuaKind is the type for help and errors, in the notation of LuaCATS:
	// number, integer, boolean, string, function, table, "literal", names of
	// registered types, T[], {a=, b=}, and alternatives joined by |. A table
	// that holds only names is a {a=, b=} and not a table or T[].
	LuaKind() string
}

// Words is a string that is one of some words, which Go knows: as in a tag allow:"a|b".
type Words interface{ LuaWords() []string }

// ErrKind says that a Lua value is of the wrong type; the error text for the
// script is made from the declared kind.
var ErrKind = errors.New("wrong type of value")

// newCodec returns the codec of a Go type, or why an argument cannot have it.
func newCodec(t reflect.Type, allow allowed) (codec, error) {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[Decoder]()) {
		return decoderCodec{t, allow}, nil
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[union]()) {
		return newUnionCodec(t, allow)
	}
	if t == reflect.TypeFor[lua.LValue]() {
		return anyCodec{}, nil
	}
	if w, ok := reflect.Zero(t).Interface().(Words); ok && t.Kind() == reflect.String {
		return stringCodec{allowed{words: w.LuaWords()}}, nil
	}
	base, err := newBaseCodec(t, allow)
	if err != nil || t.PkgPath() == "" && t.Kind() != reflect.Pointer {
		return base, err
	}
	return namedCodec{t, allow, base}, nil
}

// newBaseCodec returns the codec of a type's structure, nil when the type can
// only be a registered one.
func newBaseCodec(t reflect.Type, allow allowed) (codec, error) {
	switch t.Kind() {
	case reflect.Float64, reflect.Float32:
		return numberCodec{allow}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return integerCodec{allow, t}, nil
	case reflect.Bool:
		return boolCodec{}, nil
	case reflect.String:
		return stringCodec{allow}, nil
	case reflect.Slice:
		elem := allow
		elem.nonempty = false
		inner, err := newCodec(t.Elem(), elem)
		return listCodec{t, inner, allow}, err
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			return nil, fmt.Errorf("%s: the keys of a map must be strings", t)
		}
		inner, err := newCodec(t.Elem(), allow)
		return mapCodec{t, inner, allow.nonempty}, err
	case reflect.Struct:
		if hasArgTags(t) {
			return newStructCodec(t)
		}
		return nil, nil
	case reflect.Pointer:
		if optionalPointer(t) {
			inner, err := newCodec(t.Elem(), allow)
			return pointerCodec{t.Elem(), inner}, err
		}
		return nil, nil
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return nil, fmt.Errorf("%s: use bind.Any for any value", t)
		}
		return nil, nil
	}
	return nil, fmt.Errorf("%s: an argument cannot have this type", t)
}

// trial decodes the default of a declaration where that needs no registry.
func trial(c codec, v lua.LValue, t reflect.Type) error {
	if _, named := c.(namedCodec); named || v == nil {
		return nil
	}
	if _, decoder := c.(decoderCodec); decoder {
		return nil
	}
	return c.decode(&Call{state: &state{reg: &Registry{}}}, v, reflect.New(t).Elem())
}

type numberCodec struct{ allow allowed }

func (numberCodec) kind(*Registry) string { return "number" }

func (numberCodec) fits(_ *Call, v lua.LValue) bool { return v.Type() == lua.LTNumber }

func (n numberCodec) decode(_ *Call, v lua.LValue, dst reflect.Value) error {
	x, ok := v.(lua.LNumber)
	if !ok {
		return mismatch("number", v)
	}
	if err := n.allow.number(float64(x)); err != nil {
		return err
	}
	dst.SetFloat(float64(x))
	return nil
}

type integerCodec struct {
	allow allowed
	typ   reflect.Type
}

func (integerCodec) kind(*Registry) string { return "integer" }

func (integerCodec) fits(_ *Call, v lua.LValue) bool { return v.Type() == lua.LTNumber }

// Beyond this magnitude neighbouring integers are the same number in Lua.
const maxInteger = 1 << 53

func (n integerCodec) decode(_ *Call, v lua.LValue, dst reflect.Value) error {
	number, ok := v.(lua.LNumber)
	if !ok {
		return mismatch("integer", v)
	}
	x := float64(number)
	switch {
	case x != math.Trunc(x):
		return &argError{value: formatNumber(x), msg: "must be an integer"}
	case math.Abs(x) > maxInteger:
		return &argError{value: formatNumber(x), msg: "is too large"}
	}
	allow := n.allow
	if dst.CanUint() && x < 0 && !allow.hasLow {
		allow.low, allow.hasLow = 0, true
	}
	if err := allow.number(x); err != nil {
		return err
	}
	if dst.CanUint() {
		if dst.OverflowUint(uint64(x)) {
			return &argError{value: formatNumber(x), msg: "is too large"}
		}
		dst.SetUint(uint64(x))
		return nil
	}
	if dst.OverflowInt(int64(x)) {
		return &argError{value: formatNumber(x), msg: "is too large"}
	}
	dst.SetInt(int64(x))
	return nil
}

type boolCodec struct{}

func (boolCodec) kind(*Registry) string { return "boolean" }

func (boolCodec) fits(_ *Call, v lua.LValue) bool { return v.Type() == lua.LTBool }

func (boolCodec) decode(_ *Call, v lua.LValue, dst reflect.Value) error {
	b, ok := v.(lua.LBool)
	if !ok {
		return mismatch("boolean", v)
	}
	dst.SetBool(bool(b))
	return nil
}

type stringCodec struct{ allow allowed }

func (s stringCodec) kind(*Registry) string {
	if len(s.allow.words) > 0 {
		return s.allow.kind()
	}
	return "string"
}

func (stringCodec) fits(_ *Call, v lua.LValue) bool { return v.Type() == lua.LTString }

func (s stringCodec) decode(_ *Call, v lua.LValue, dst reflect.Value) error {
	text, ok := v.(lua.LString)
	if !ok {
		return mismatch(s.kind(nil), v)
	}
	if err := s.allow.text(string(text)); err != nil {
		return err
	}
	dst.SetString(string(text))
	return nil
}

// decoderCodec hands the value to the type itself.
type decoderCodec struct {
	typ   reflect.Type
	allow allowed
}

func (d decoderCodec) kind(*Registry) string {
	return reflect.New(d.typ).Interface().(Decoder).LuaKind()
}

func (d decoderCodec) fits(c *Call, v lua.LValue) bool {
	return fitsKind(c.state.reg, d.kind(c.state.reg), v)
}

func (d decoderCodec) decode(c *Call, v lua.LValue, dst reflect.Value) error {
	err := dst.Addr().Interface().(Decoder).DecodeLua(c, v)
	if err != nil {
		return asArgError(err, d.kind(c.state.reg), v)
	}
	return d.allow.check(dst)
}

// fitsKind is fits for a type known only by its kind.
func fitsKind(r *Registry, kind string, v lua.LValue) bool {
	for _, k := range splitKind(kind) {
		switch v := v.(type) {
		case lua.LNumber:
			if k == "number" || k == "integer" {
				return true
			}
		case lua.LString:
			if k == "string" || k[0] == '"' {
				return true
			}
		case lua.LBool:
			if k == "boolean" || k == v.String() {
				return true
			}
		case *lua.LFunction:
			if k == "function" {
				return true
			}
		case *lua.LTable:
			if k[0] == '{' || k[len(k)-1] == '>' || (k == "table" || k[len(k)-1] == ']') && !namesOnly(v) {
				return true
			}
		case *lua.LUserData:
			if k == r.typeName(reflect.TypeOf(v.Value)) {
				return true
			}
		}
		if k == "any" {
			return true
		}
	}
	return false
}

// asArgError turns an error of DecodeLua or of a conversion into one that
// names the wanted kind.
func asArgError(err error, kind string, v lua.LValue) error {
	var arg *argError
	switch is := errors.As(err, &arg); {
	case errors.Is(err, ErrKind), is && arg.wrongKind:
		return mismatch(kind, v)
	case is:
		return arg
	}
	return &argError{msg: err.Error(), cause: err}
}
