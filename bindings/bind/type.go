package bind

import (
	"context"
	"fmt"
	"reflect"

	lua "github.com/yuin/gopher-lua"
)

// A Type is a Go type that Lua sees as a value with methods, properties and
// operators. T may be an interface: then it stands for every value that
// implements it, types registered earlier taking precedence.
type Type struct {
	name, doc   string
	goType      reflect.Type
	methods     []Func
	operators   []Func
	properties  []Property
	conversions []conversion
	casts       []cast
	members     *members // nil: the names are those of the type alone
	toString    func(context.Context, any) string
	same        func(a, b any) bool // == of two values; nil: whether they are one
}

// Name is the type's name in Lua: error texts say "want a kernel, got a mesh".
func (t Type) Name() string { return t.name }

// A TypeOption adds behaviour to a type.
type TypeOption func(*Type)

// TypeOf declares the Go type T under its Lua name. It panics when a method's
// receiver cannot be a T.
func TypeOf[T any](name, doc string, opts ...TypeOption) Type {
	return typeOf(name, doc, reflect.TypeFor[T](), opts)
}

// typeOf is what all instances of [TypeOf] share.
//
//go:noinline
func typeOf(name, doc string, goType reflect.Type, opts []TypeOption) Type {
	t := Type{name: name, doc: doc, goType: goType}
	for _, o := range opts {
		o(&t)
	}
	for _, m := range t.methods {
		if m.sig.self == nil {
			panic(fmt.Sprintf("bind: method %s of %s: the first field must be the receiver, tagged arg:\"self\"", m.name, name))
		}
		if self := m.sig.typ.FieldByIndex(m.sig.self.index).Type; !t.goType.AssignableTo(self) {
			panic(fmt.Sprintf("bind: method %s of %s: the receiver is a %s, not a %s", m.name, name, self, t.goType))
		}
	}
	return t
}

// Methods are called with a colon: a:sum().
//
//go:noinline
func Methods(fs ...Func) TypeOption {
	return func(t *Type) { t.methods = append(t.methods, fs...) }
}

// Operators are made with [Binary] and [Unary].
//
//go:noinline
func Operators(fs ...Func) TypeOption {
	return func(t *Type) {
		for _, f := range fs {
			if f.event == "" {
				panic(fmt.Sprintf("bind: operator %s of %s: declare it with Binary or Unary", f.name, t.name))
			}
			t.operators = append(t.operators, f)
		}
	}
}

// Properties are read with a dot: m.size. They cannot be assigned.
//
//go:noinline
func Properties(ps ...Property) TypeOption {
	return func(t *Type) { t.properties = append(t.properties, ps...) }
}

// A Property is a read-only field of a value; make it with [Prop].
type Property struct {
	name, doc string
	result    reflect.Type
	get       func(c *Call, v any) (any, error)
}

// Prop declares a property by its getter.
func Prop[T, R any](name, doc string, get func(T) R) Property {
	return property(name, doc, reflect.TypeFor[R](), func(_ *Call, v any) (any, error) { return get(v.(T)), nil })
}

// PropOf declares a property that is computed, which may take long, or fail.
func PropOf[T, R any](name, doc string, get func(c *Call, v T) (R, error)) Property {
	return property(name, doc, reflect.TypeFor[R](), func(c *Call, v any) (any, error) { return get(c, v.(T)) })
}

//go:noinline
func property(name, doc string, result reflect.Type, get func(c *Call, v any) (any, error)) Property {
	return Property{name: name, doc: doc, result: result, get: get}
}

// Index declares v[key]. Names of methods and properties come first; K decides
// which other keys are looked up here.
func Index[T, K, R any](doc string, get func(c *Call, v T, key K) (R, error), opts ...Option) TypeOption {
	f := Fn("__index", doc, func(c *Call, p *struct {
		Self T `arg:"self"`
		Key  K `arg:"index" pos:"1"`
	},
	) (R, error) {
		return get(c, p.Self, p.Key)
	}, opts...)
	return metamethod("__index", f)
}

// NewIndex declares v[key] = value; a value may be NaN.
func NewIndex[T, K, V any](doc string, set func(c *Call, v T, key K, value V) error, opts ...Option) TypeOption {
	f := Fn("__newindex", doc, func(c *Call, p *struct {
		Self  T `arg:"self"`
		Key   K `arg:"index" pos:"1"`
		Value V `arg:"value" pos:"2" allow:"nan"`
	},
	) (None, error) {
		return None{}, set(c, p.Self, p.Key, p.Value)
	}, opts...)
	return metamethod("__newindex", f)
}

// Len declares #v.
func Len[T any](doc string, length func(T) int, opts ...Option) TypeOption {
	f := Fn("__len", doc, func(_ *Call, p *struct {
		Self T `arg:"self"`
	},
	) (int, error) {
		return length(p.Self), nil
	}, opts...)
	return metamethod("__len", f)
}

// CallMeta makes the values callable: k(p, q). Its struct begins with the receiver.
func CallMeta(f Func) TypeOption { return metamethod("__call", f) }

func metamethod(event string, f Func) TypeOption {
	return func(t *Type) {
		f.event = event
		t.operators = append(t.operators, f)
	}
}

// ToString declares what tostring(v) shows; without it, the String method is
// used, and without that the type's name.
func ToString[T any](show func(T) string) TypeOption {
	return ToStringIn(func(_ context.Context, v T) string { return show(v) })
}

// ToStringIn is ToString of what may take a while to show, and ends with the context.
func ToStringIn[T any](show func(context.Context, T) string) TypeOption {
	return func(t *Type) { t.toString = func(ctx context.Context, v any) string { return show(ctx, v.(T)) } }
}

// Same declares when two values are equal by ==; without it, only when they are one.
func Same[T any](same func(a, b T) bool) TypeOption {
	return func(t *Type) { t.same = func(a, b any) bool { return same(a.(T), b.(T)) } }
}

// A conversion makes a value of a type from another Lua value.
type conversion struct {
	kind   string
	decode func(c *Call, v lua.LValue) (any, error)
}

// From lets other Lua values stand where a T is wanted: a nested table for an
// array, a list of constraints for a constraint. kind is written as in
// [Decoder]; decode returns ErrKind for a value it does not take. Help says so
// once, with the type, and not at every argument.
func From[T any](kind string, decode func(c *Call, v lua.LValue) (T, error)) TypeOption {
	return func(t *Type) { t.conversions = append(t.conversions, newConversion(kind, decode)) }
}

func newConversion[T any](kind string, decode func(c *Call, v lua.LValue) (T, error)) conversion {
	return conversion{kind, func(c *Call, v lua.LValue) (any, error) { return decode(c, v) }}
}

// A cast turns a value of a registered type into another Go type.
type cast struct {
	to  reflect.Type
	run func(c *Call, v any) (any, error)
}

// As lets a T stand where the Go type U is wanted: an array for a []float64.
func As[T, U any](convert func(c *Call, v T) (U, error)) TypeOption {
	return func(t *Type) {
		t.casts = append(t.casts, cast{reflect.TypeFor[U](), func(c *Call, v any) (any, error) { return convert(c, v.(T)) }})
	}
}

// An Adapter moves between Lua and a Go type that is not a value of its own in
// Lua and cannot implement [Decoder] because its package does not know Lua.
type Adapter struct {
	goType     reflect.Type
	conversion conversion
	encode     func(any) any
}

// Adapt declares an adapter for T. kind is written as in [Decoder]; decode
// returns ErrKind for a value it does not take; encode gives a value of another
// type that can be a result, and may be nil if T is never returned.
func Adapt[T any](kind string, decode func(c *Call, v lua.LValue) (T, error), encode func(T) any) Adapter {
	a := Adapter{goType: reflect.TypeFor[T](), conversion: newConversion(kind, decode)}
	if encode != nil {
		a.encode = func(v any) any { return encode(v.(T)) }
	}
	return a
}
