package bind

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	lua "github.com/yuin/gopher-lua"
)

// A signature is what an argument struct says, read once per declaration.
type signature struct {
	typ        reflect.Type
	params     []*param // in the order of the fields, without self
	self       *param
	positional []*param // in order of position, without the variadic one
	variadic   *param
	list       *param
	named      []*param
	// constructor: written with braces even without arguments, kernel.white{}.
	constructor bool
}

// A param is one argument: a field of an argument struct.
type param struct {
	name, doc string
	required  bool
	defText   string // as written in the tag; "" when there is none
	def       lua.LValue
	allow     allowed
	index     []int
	codec     codec
	pos       int // 1, 2, …; 0 for named
}

// newSignature reads a struct. where names the declaration in a panic.
func newSignature(where string, t reflect.Type) *signature {
	fail := func(field, format string, args ...any) {
		panic(fmt.Sprintf("bind: %s, field %s of %s: %s", where, field, t, fmt.Sprintf(format, args...)))
	}
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("bind: %s: the arguments must be a struct, not %s", where, t))
	}
	s := &signature{typ: t}
	byPos := map[int]*param{}
	for _, f := range flatten(t, nil) {
		name, tagged := f.Tag.Lookup("arg")
		if name == "-" {
			continue
		}
		if !f.IsExported() {
			if tagged {
				fail(f.Name, "is not exported")
			}
			continue
		}
		if name == "" {
			name = snakeCase(f.Name)
		}
		p, err := newParam(name, f)
		if err != nil {
			fail(f.Name, "%v", err)
		}
		if s.byName(name) != nil || name == "self" && s.self != nil {
			fail(f.Name, "the name %q is taken", name)
		}
		if name == "self" {
			if len(s.params) > 0 {
				fail(f.Name, "the receiver comes first")
			}
			p.required = true
			s.self = p
			continue
		}
		s.params = append(s.params, p)
		pos, positional := f.Tag.Lookup("pos")
		switch n, err := strconv.Atoi(pos); {
		case !positional:
			s.named = append(s.named, p)
		case pos == "..." || pos == "list":
			if f.Type.Kind() != reflect.Slice {
				fail(f.Name, "pos:%q wants a slice", pos)
			}
			if s.variadic != nil || s.list != nil {
				fail(f.Name, "there is already a field for the rest")
			}
			p.required = false
			if pos == "list" {
				s.list = p
			} else {
				s.variadic = p
			}
		case err != nil || n < 1 || byPos[n] != nil:
			fail(f.Name, "pos:%q: want 1, 2, … once each, \"...\" or \"list\"", pos)
		default:
			p.pos, byPos[n] = n, p
		}
	}
	for i := 1; i <= len(byPos); i++ {
		p := byPos[i]
		if p == nil {
			panic(fmt.Sprintf("bind: %s: no field has pos:\"%d\"", where, i))
		}
		if i > 1 && p.required && !byPos[i-1].required {
			fail(p.name, "required after the optional %q", byPos[i-1].name)
		}
		s.positional = append(s.positional, p)
	}
	if s.list != nil && len(byPos) > 0 {
		fail(s.list.name, "pos:\"list\" excludes other positions")
	}
	return s
}

// byPosition reports whether the function takes its arguments by position,
// rather than in one table of names.
func (s *signature) byPosition() bool {
	return len(s.positional) > 0 || s.variadic != nil || len(s.params) == 0 && !s.constructor
}

func (s *signature) byName(name string) *param {
	for _, p := range s.params {
		if p.name == name {
			return p
		}
	}
	return nil
}

func (s *signature) names() []string {
	names := make([]string, len(s.params))
	for i, p := range s.params {
		names[i] = p.name
	}
	return names
}

func newParam(name string, f reflect.StructField) (*param, error) {
	p := &param{name: name, doc: f.Tag.Get("doc"), index: f.Index, required: !optionalPointer(f.Type)}
	var err error
	if p.allow, err = parseAllowed(f.Tag.Get("allow")); err != nil {
		return nil, err
	}
	if len(p.allow.words) > 0 && isNumber(f.Type) {
		return nil, fmt.Errorf("allow:%q: words for a number; an interval is written [1,10]", f.Tag.Get("allow"))
	}
	if p.codec, err = newCodec(f.Type, p.allow); err != nil {
		return nil, err
	}
	if text, ok := f.Tag.Lookup("default"); ok {
		p.required, p.defText = false, text
		if text != "nil" {
			p.def = literal(text, f.Type)
			if err := trial(p.codec, p.def, f.Type); err != nil {
				return nil, fmt.Errorf("default:%q: %w", text, err)
			}
		}
	}
	return p, nil
}

// isNumber tells types whose values are numbers only.
func isNumber(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return true
	case reflect.Slice, reflect.Pointer:
		return isNumber(t.Elem())
	}
	return false
}

// flatten lists the fields of a struct, those of embedded structs in their place.
func flatten(t reflect.Type, index []int) (fields []reflect.StructField) {
	for i := range t.NumField() {
		f := t.Field(i)
		f.Index = append(append([]int{}, index...), i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct && f.Tag.Get("arg") == "" {
			fields = append(fields, flatten(f.Type, f.Index)...)
			continue
		}
		fields = append(fields, f)
	}
	return fields
}

// hasArgTags reports whether a struct is a table of named values, not an opaque value.
func hasArgTags(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	for _, f := range flatten(t, nil) {
		if tag := f.Tag.Get("arg"); tag != "" && tag != "-" {
			return true
		}
	}
	return false
}

// optionalPointer reports whether a pointer field means "may be absent".
func optionalPointer(t reflect.Type) bool {
	if t.Kind() != reflect.Pointer {
		return false
	}
	if t.Implements(reflect.TypeFor[Decoder]()) || t.Implements(reflect.TypeFor[union]()) {
		return true
	}
	switch e := t.Elem(); e.Kind() {
	case reflect.Struct:
		return hasArgTags(e)
	case reflect.Interface, reflect.Pointer, reflect.Func, reflect.Chan:
		return false
	}
	return true
}

func snakeCase(s string) string {
	var b strings.Builder
	for i, r := range s {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// literal is the Lua value that a default tag means. A word that is not a
// number, true or false is a string; a string field takes the text as it is.
func literal(text string, t reflect.Type) lua.LValue {
	if t.Kind() == reflect.String {
		return lua.LString(text)
	}
	if inner, ok := strings.CutPrefix(text, "{"); ok && strings.HasSuffix(text, "}") {
		table := &lua.LTable{Metatable: lua.LNil}
		for item := range strings.SplitSeq(strings.TrimSuffix(inner, "}"), ",") {
			if item = strings.TrimSpace(item); item != "" {
				table.Append(scalarLiteral(item))
			}
		}
		return table
	}
	return scalarLiteral(text)
}

func scalarLiteral(text string) lua.LValue {
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return lua.LNumber(x)
	}
	if text == "true" || text == "false" {
		return lua.LBool(text == "true")
	}
	return lua.LString(strings.Trim(text, `"`))
}
