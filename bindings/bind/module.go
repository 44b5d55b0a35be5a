package bind

import (
	"fmt"
	"reflect"

	"github.com/greenbench/workbench/internal/numeric/remedy"
)

// A Module is one Lua module: a table of functions, types and constants.
type Module struct {
	Name  string // in Lua
	Doc   string // first sentence: the summary
	Funcs []Func
	Types []Type
	// Call, if set, makes the module itself callable: array{1, 2, 3}.
	Call   *Func
	Values []Value
	// Adapters teach the registry Go types that are not values of their own in Lua.
	Adapters []Adapter
	// Remedies say in Lua what to do about errors of Go, with what these name.
	Remedies map[remedy.Remedy]func(args ...any) string
	// Foreign says what to write for names of other tools that are no function here: len is #a.
	Foreign Foreign
	// Global installs the functions as globals, without a module table.
	Global bool
}

// Foreign are texts that say what to write for names of other tools.
type Foreign struct {
	Functions map[string]string
	Values    map[string]string            // constants
	Methods   map[string]map[string]string // by type and name: of arrays, that another type does not have
}

// A Value is a constant of a module.
type Value struct {
	Name, Doc string
	Value     any // anything that can be a result
}

// A Func is one Lua function. Make it with [Fn], [Make], [Binary] or [Unary].
type Func struct{ *declared }

// declared is behind a pointer: hundreds of declarations are passed around in lists, and by
// value each would be copied by code of its own.
type declared struct {
	name, doc string
	examples  []string
	returns   []ReturnDoc
	errors    []string
	see       []string
	keywords  []string

	sig    *signature
	result reflect.Type
	make   func() reflect.Value                 // a pointer to arguments as they are before any is given
	run    func(c *Call, args any) (any, error) // args is such a pointer
	checks bool                                 // an error of run is a wrong argument, so the usage line helps
	event  string
}

// Name is the name the function was declared with.
func (f Func) Name() string { return f.name }

// An Option adds documentation to a Func. The functions that make options are not inlined:
// there are more than a thousand calls, and each would hold the code of the option again.
type Option func(*Func)

// Example is runnable Lua; a line that ends in "--> text" prints that text.
//
//go:noinline
func Example(code string) Option { return func(f *Func) { f.examples = append(f.examples, code) } }

// Returns says what is returned: shape, unit, meaning.
//
//go:noinline
func Returns(doc string) Option {
	return func(f *Func) { f.returns = append(f.returns, ReturnDoc{Doc: doc}) }
}

// ReturnsAs is Returns for a result whose Go type does not tell its Lua type
// (any, Results); kind is written as in [Decoder]. Repeat it for several results.
//
//go:noinline
func ReturnsAs(kind, doc string) Option {
	return func(f *Func) { f.returns = append(f.returns, ReturnDoc{Type: kind, Doc: doc}) }
}

// Errors lists situations in which the function raises an error.
//
//go:noinline
func Errors(texts ...string) Option {
	return func(f *Func) { f.errors = append(f.errors, texts...) }
}

// See lists related functions by full name: "kernel.se", "array:sum".
//
//go:noinline
func See(names ...string) Option { return func(f *Func) { f.see = append(f.see, names...) } }

// Keywords are words people use for this function: search finds it by them, and
// a call by that name is answered with the right one.
//
//go:noinline
func Keywords(words ...string) Option {
	return func(f *Func) { f.keywords = append(f.keywords, words...) }
}

// Fn declares a Lua function. P points to a struct whose fields are the arguments
// (see the package comment for their tags), R is its result. It panics when the
// struct is not a valid declaration. All pointers share one instance of this code, where
// each struct by value would have one of its own.
func Fn[P, R any](name, doc string, run func(c *Call, args P) (R, error), opts ...Option) Func {
	return declare(name, doc, reflect.TypeFor[P](), reflect.TypeFor[R](), opts,
		func(c *Call, args any) (any, error) { return run(c, args.(P)) })
}

// declare is what all instances of [Fn] share: there are hundreds of them.
//
//go:noinline
func declare(name, doc string, pointer, result reflect.Type, opts []Option, run func(*Call, any) (any, error)) Func {
	if pointer.Kind() != reflect.Pointer {
		panic(fmt.Sprintf("bind: %s: declare the arguments as a pointer to a struct, not as %s", name, pointer))
	}
	args := pointer.Elem()
	f := Func{&declared{name: name, doc: doc, sig: newSignature(name, args), result: result, run: run}}
	f.make = func() reflect.Value { return reflect.New(args) }
	return f.with(opts)
}

// Make declares a constructor from a parameter struct: its fields with arg tags
// are the named arguments, and the struct is the value, once check accepts it; nil
// accepts all. Other fields keep the values of proto.
// Without an Example, the Lua expression that proto's String method writes is one.
func Make[R any](name, doc string, proto R, check func(R) error, opts ...Option) Func {
	t := reflect.TypeOf(proto)
	base, pointer := reflect.ValueOf(proto), false
	if t.Kind() == reflect.Pointer {
		t, base, pointer = t.Elem(), base.Elem(), true
	}
	f := Func{&declared{name: name, doc: doc, sig: newSignature(name, t), result: reflect.TypeFor[R](), checks: true}}
	f.sig.constructor = true
	f.make = func() reflect.Value {
		p := reflect.New(t)
		p.Elem().Set(base)
		return p
	}
	f.run = func(_ *Call, made any) (any, error) {
		if !pointer {
			made = reflect.ValueOf(made).Elem().Interface()
		}
		if check != nil {
			if err := check(made.(R)); err != nil {
				return nil, err
			}
		}
		return made, nil
	}
	f = f.with(opts)
	if s, ok := any(proto).(interface{ String() string }); ok && len(f.examples) == 0 {
		f.examples = []string{s.String() + "  --> " + s.String()}
	}
	return f
}

type pair[A, B any] struct {
	Left  A `arg:"left" pos:"1" allow:"nan"`
	Right B `arg:"right" pos:"2" allow:"nan"`
}

// Binary declares a binary operator of a type by its event: "__add", "__lt", ….
// NaN is a number to operators.
// A and B are the types of the operands as they stand in the script, so for
// 3 * k as well as k * 3 both must be unions such as Either[float64, Kernel].
// When they do not fit, the operator of the right operand is tried.
func Binary[A, B, R any](event, doc string, run func(c *Call, a A, b B) (R, error), opts ...Option) Func {
	f := Fn(event, doc, func(c *Call, p *pair[A, B]) (R, error) { return run(c, p.Left, p.Right) }, opts...)
	f.event = event
	return f
}

// Unary declares a unary operator of a type: "__unm".
func Unary[A, R any](event, doc string, run func(c *Call, a A) (R, error), opts ...Option) Func {
	f := Fn(event, doc, func(c *Call, p *struct {
		Operand A `arg:"operand" pos:"1" allow:"nan"`
	},
	) (R, error) {
		return run(c, p.Operand)
	}, opts...)
	f.event = event
	return f
}

// None is the result type of a function that returns nothing.
type None struct{}

// Results is the result type of a function that returns several values.
type Results []any

func (f Func) with(opts []Option) Func {
	for _, o := range opts {
		o(&f)
	}
	return f
}
