package bind

import (
	"reflect"
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// members are the names that a value has of its own.
type members struct {
	what  string // they are, in the plural
	names func(v any) []string
	get   func(v any, name string) any
}

// Members declares v.name for names that belong to the value and not to its type, such
// as those of the outputs of a model. Methods and properties come first. what says what
// they are, in the plural, where errors list them.
func Members[T, R any](what, doc string, names func(T) []string, get func(v T, name string) R, opts ...Option) TypeOption {
	f := Fn("__index", doc, func(_ *Call, p *struct {
		Self T      `arg:"self"`
		Name string `arg:"name" pos:"1"`
	},
	) (R, error) {
		return get(p.Self, p.Name), nil
	}, opts...)
	return func(t *Type) {
		metamethod("__index", f)(t)
		t.members = &members{
			what:  what,
			names: func(v any) []string { return names(v.(T)) },
			get:   func(v any, name string) any { return get(v.(T), name) },
		}
	}
}

// namesOf are the names that a value has of its own.
func (t *Type) namesOf(v lua.LValue) []string {
	u, ok := v.(*lua.LUserData)
	if t.members == nil || !ok || !reflect.TypeOf(u.Value).AssignableTo(t.goType) {
		return nil
	}
	return t.members.names(u.Value)
}

// Members are the names that a value has of its own, see the function of that name.
func (r *Registry) Members(v lua.LValue) []string {
	u, ok := v.(*lua.LUserData)
	if !ok {
		return nil
	}
	if t := r.registered(reflect.TypeOf(u.Value)); t != nil {
		return t.namesOf(v)
	}
	return nil
}

// Member is v.name, without its methods, of a name among the Members of v, and the name of
// its type.
func (r *Registry) Member(v lua.LValue, name string) (lua.LValue, string) {
	if !slices.Contains(r.Members(v), name) {
		return nil, ""
	}
	own := v.(*lua.LUserData).Value
	member := r.registered(reflect.TypeOf(own)).members.get(own, name)
	if u, ok := reflect.New(reflect.TypeOf(member)).Interface().(union); ok {
		reflect.ValueOf(u).Elem().Set(reflect.ValueOf(member))
		member = chosenOf(u)
	}
	return &lua.LUserData{Value: member}, r.typeName(reflect.TypeOf(member))
}

// chosenOf looks through unions of unions.
func chosenOf(u union) any {
	v := u.chosen()
	inner := reflect.New(reflect.TypeOf(v))
	inner.Elem().Set(reflect.ValueOf(v))
	if next, ok := inner.Interface().(union); ok {
		return chosenOf(next)
	}
	return v
}
