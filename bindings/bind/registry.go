package bind

import (
	"errors"
	"iter"
	"maps"
	"reflect"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/internal/numeric/remedy"
)

// A Registry is a set of modules that know each other's types. It does not
// change once made, and may be opened in any number of Lua states at a time.
type Registry struct {
	modules  []Module
	types    []Type
	adapters []Adapter
	remedies map[remedy.Remedy]func(args ...any) string
	pages    []FuncDoc // every function, method and operator, in order of declaration

	byGoType sync.Map // reflect.Type → *Type; nil when it is no registered type
	codecs   sync.Map // reflect.Type → codec, for Decode
}

// New collects modules. Types may be used by modules listed before their own.
func New(modules ...Module) *Registry {
	r := &Registry{modules: modules, remedies: map[remedy.Remedy]func(args ...any) string{}}
	for _, m := range modules {
		maps.Copy(r.remedies, m.Remedies)
		r.types = append(r.types, m.Types...)
		r.adapters = append(r.adapters, m.Adapters...)
	}
	for _, m := range modules {
		r.pages = append(r.pages, r.modulePages(m)...)
	}
	return r
}

// Modules iterates over the modules in the order help shows them.
func (r *Registry) Modules() iter.Seq[Module] {
	return func(yield func(Module) bool) {
		for _, m := range r.modules {
			if !yield(m) {
				return
			}
		}
	}
}

// Functions iterates over everything that can be called, with its description:
// functions of modules, methods and operators of types.
func (r *Registry) Functions() iter.Seq[FuncDoc] {
	return func(yield func(FuncDoc) bool) {
		for _, p := range r.pages {
			if !yield(p) {
				return
			}
		}
	}
}

// registered returns the Type whose declaration covers the Go type: the one
// declared for it, or else the first interface it implements.
func (r *Registry) registered(t reflect.Type) *Type {
	if t == nil {
		return nil
	}
	if found, ok := r.byGoType.Load(t); ok {
		return found.(*Type)
	}
	var found *Type
	for i := range r.types {
		if r.types[i].goType == t {
			found = &r.types[i]
			break
		}
		if found == nil && r.types[i].goType.Kind() == reflect.Interface && t.Implements(r.types[i].goType) {
			found = &r.types[i]
		}
	}
	r.byGoType.Store(t, found)
	return found
}

func (r *Registry) typeNamed(name string) *Type {
	for i := range r.types {
		if r.types[i].name == name {
			return &r.types[i]
		}
	}
	return nil
}

func (r *Registry) adapter(t reflect.Type) *Adapter {
	for i := range r.adapters {
		if r.adapters[i].goType == t {
			return &r.adapters[i]
		}
	}
	return nil
}

// castTo returns how to turn v into another Go type, nil if there is no way.
func (r *Registry) castTo(v any, to reflect.Type) func(*Call, any) (any, error) {
	t := r.registered(reflect.TypeOf(v))
	if t == nil {
		return nil
	}
	for _, c := range t.casts {
		if c.to == to {
			return c.run
		}
	}
	return nil
}

// typeName is the name in Lua of a Go type that is a value there.
func (r *Registry) typeName(t reflect.Type) string {
	if t == nil {
		return "nil"
	}
	if found := r.registered(t); found != nil {
		return found.name
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Name() == "" {
		return "value"
	}
	return strings.ToLower(t.Name())
}

func (r *Registry) codecOf(t reflect.Type) (codec, error) {
	if found, ok := r.codecs.Load(t); ok {
		return found.(codec), nil
	}
	c, err := newCodec(t, allowed{})
	if err == nil {
		r.codecs.Store(t, c)
	}
	return c, err
}

// resultKind is the kind of a Go type as a result.
func (r *Registry) resultKind(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[None]():
		return ""
	case reflect.TypeFor[Results](), reflect.TypeFor[lua.LValue](), reflect.TypeFor[any]():
		return "any"
	}
	if a := r.adapter(t); a != nil {
		return a.conversion.kind
	}
	if r.registered(t) != nil {
		return r.typeName(t)
	}
	switch t.Kind() {
	case reflect.Slice:
		return listKind(r.resultKind(t.Elem()))
	case reflect.Map:
		return "table<string, " + r.resultKind(t.Elem()) + ">"
	case reflect.Pointer:
		if optionalPointer(t) {
			return joinKinds(r.resultKind(t.Elem()), "nil")
		}
	case reflect.Struct:
		if hasArgTags(t) && !reflect.PointerTo(t).Implements(reflect.TypeFor[union]()) {
			return "table"
		}
	}
	if c, err := newCodec(t, allowed{}); err == nil {
		return c.kind(r)
	}
	return r.typeName(t)
}

// worded is an error in the words of a script.
type worded struct {
	error
	text string
}

func (w *worded) Error() string { return w.text }

func (w *worded) Unwrap() error { return w.error }

// inWords puts the remedies of an error into Lua, those that a module has words for.
func (r *Registry) inWords(err error) error {
	var e *remedy.Error
	if !errors.As(err, &e) {
		return err
	}
	return &worded{err, remedy.Reword(err, func(e *remedy.Error) string {
		if say := r.remedies[e.Remedy]; say != nil {
			return say(e.Args...)
		}
		return e.Text()
	})}
}
