package bind

import (
	"reflect"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// A Manual describes all modules of a Registry: enough to write the HTML
// manual, editor definitions (LuaCATS) and the tables of lint.
type Manual struct {
	Modules []ModuleDoc `json:"modules"`
}

// A ModuleDoc describes one module.
type ModuleDoc struct {
	Name      string     `json:"name"`
	Summary   string     `json:"summary"`
	Doc       string     `json:"doc"`
	Global    bool       `json:"global,omitempty"` // its functions are globals
	Call      *FuncDoc   `json:"call,omitempty"`   // the module itself is callable
	Functions []FuncDoc  `json:"functions"`
	Types     []TypeDoc  `json:"types,omitempty"`
	Values    []ValueDoc `json:"values,omitempty"`
}

// A TypeDoc describes one type of values.
type TypeDoc struct {
	Name       string     `json:"name"`
	Module     string     `json:"module"`
	Summary    string     `json:"summary"`
	Doc        string     `json:"doc"`
	Properties []ValueDoc `json:"properties,omitempty"`
	Methods    []FuncDoc  `json:"methods,omitempty"`
	Operators  []FuncDoc  `json:"operators,omitempty"`
	Accepts    []string   `json:"accepts,omitempty"` // kinds that can stand wherever this type is wanted
}

// A ValueDoc describes a constant or a property.
type ValueDoc struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Doc  string `json:"doc"`
}

// A FuncDoc describes a function, method or operator.
type FuncDoc struct {
	Name      string      `json:"name"`     // "matern", "sum", "__add"
	FullName  string      `json:"fullName"` // "kernel.matern", "array:sum", "array:__add"
	Module    string      `json:"module"`
	Type      string      `json:"type,omitempty"` // of methods and operators
	Kind      string      `json:"kind"`           // "function", "method", "operator", "call"
	Style     string      `json:"style"`          // "named": one table; "positional"; "operator"
	Signature string      `json:"signature"`
	Summary   string      `json:"summary"`
	Doc       string      `json:"doc"`
	Params    []ParamDoc  `json:"params,omitempty"`
	Returns   []ReturnDoc `json:"returns,omitempty"`
	Errors    []string    `json:"errors,omitempty"`
	Examples  []string    `json:"examples,omitempty"`
	See       []string    `json:"see,omitempty"`
	Keywords  []string    `json:"keywords,omitempty"`
}

// A ParamDoc describes an argument, or a field of a table.
type ParamDoc struct {
	Name     string `json:"name"`
	Type     string `json:"type"` // in the notation of LuaCATS, {a=, b=} standing for Fields
	Doc      string `json:"doc"`
	Required bool   `json:"required"`
	Default  string `json:"default,omitempty"` // as written in Lua; "" when there is none
	Allowed  string `json:"allowed,omitempty"` // "> 0"
	Position int    `json:"position,omitempty"`
	// Variadic: any number of them, or one list. List: the array part of the table.
	Variadic bool       `json:"variadic,omitempty"`
	List     bool       `json:"list,omitempty"`
	Fields   []ParamDoc `json:"fields,omitempty"` // of a table, or of each table in a list
}

// A ReturnDoc describes a result.
type ReturnDoc struct {
	Type   string     `json:"type"`
	Doc    string     `json:"doc,omitempty"`
	Fields []ValueDoc `json:"fields,omitempty"` // of a table with fixed names
}

// Manual returns the description of everything in the registry.
func (r *Registry) Manual() Manual {
	var manual Manual
	for _, m := range r.modules {
		manual.Modules = append(manual.Modules, r.describeModule(m))
	}
	return manual
}

func (r *Registry) describeModule(m Module) ModuleDoc {
	d := ModuleDoc{Name: m.Name, Summary: summary(m.Doc), Doc: m.Doc, Global: m.Global, Functions: []FuncDoc{}}
	for _, p := range r.pages {
		switch {
		case p.Module != m.Name || p.Type != "":
		case p.Kind == kindCall:
			d.Call = &p
		default:
			d.Functions = append(d.Functions, p)
		}
	}
	for i := range m.Types {
		d.Types = append(d.Types, r.describeType(m.Name, &m.Types[i]))
	}
	for _, v := range m.Values {
		d.Values = append(d.Values, ValueDoc{v.Name, r.resultKind(reflect.TypeOf(v.Value)), v.Doc})
	}
	return d
}

func (r *Registry) describeType(module string, t *Type) TypeDoc {
	d := TypeDoc{Name: t.name, Module: module, Summary: summary(t.doc), Doc: t.doc}
	for _, p := range t.properties {
		d.Properties = append(d.Properties, ValueDoc{p.name, r.resultKind(p.result), p.doc})
	}
	for _, p := range r.pages {
		switch {
		case p.Type != t.name:
		case p.Kind == kindMethod:
			d.Methods = append(d.Methods, p)
		default:
			d.Operators = append(d.Operators, p)
		}
	}
	for _, c := range t.conversions {
		d.Accepts = append(d.Accepts, c.kind)
	}
	return d
}

// modulePages describes everything callable in a module, in the order of help.
func (r *Registry) modulePages(m Module) (pages []FuncDoc) {
	add := func(f *Func, kind, typ, full string) {
		b := &bound{Func: f, kind: kind, full: full, owner: typ}
		pages = append(pages, r.describeFunc(m.Name, b))
	}
	if m.Call != nil {
		add(m.Call, kindCall, "", m.Name)
	}
	for i := range m.Funcs {
		add(&m.Funcs[i], kindFunction, "", m.fullName(m.Funcs[i].name))
	}
	for _, t := range m.Types {
		for i := range t.methods {
			add(&t.methods[i], kindMethod, t.name, t.name+":"+t.methods[i].name)
		}
		for i := range t.operators {
			add(&t.operators[i], kindOperator, t.name, t.name+":"+t.operators[i].event)
		}
	}
	return pages
}

func (r *Registry) describeFunc(module string, b *bound) FuncDoc {
	d := FuncDoc{
		Name: b.name, FullName: b.full, Module: module, Type: b.owner, Kind: b.kind, Style: "named",
		Signature: b.signature(r, 0), Summary: summary(b.doc), Doc: b.doc,
		Errors: b.errors, Examples: b.examples, Keywords: b.keywords,
	}
	for _, name := range b.see { // several functions may share a list in which each is
		if name != b.full {
			d.See = append(d.See, name)
		}
	}
	switch {
	case b.kind == kindOperator && b.event != "__call":
		d.Style = "operator"
	case b.sig.byPosition():
		d.Style = "positional"
	}
	for _, p := range b.sig.params {
		d.Params = append(d.Params, r.describeParam(b.sig, p))
	}
	d.Returns = r.describeReturns(b.Func)
	return d
}

func (r *Registry) describeReturns(f *Func) []ReturnDoc {
	kind := r.resultKind(f.result)
	if kind == "" {
		return nil
	}
	if len(f.returns) == 0 {
		return []ReturnDoc{{Type: kind, Fields: r.recordDoc(f.result)}}
	}
	returns := make([]ReturnDoc, len(f.returns))
	for i, d := range f.returns {
		if d.Type == "" {
			d.Type, d.Fields = kind, r.recordDoc(f.result)
		}
		returns[i] = d
	}
	return returns
}

// recordDoc lists the fields of a struct that becomes a table.
func (r *Registry) recordDoc(t reflect.Type) (fields []ValueDoc) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || !hasArgTags(t) || r.registered(t) != nil {
		return nil
	}
	for _, f := range recordFields(t) {
		fields = append(fields, ValueDoc{f.name, r.resultKind(f.typ), f.doc})
	}
	return fields
}

func (r *Registry) describeParam(s *signature, p *param) ParamDoc {
	d := ParamDoc{
		Name: p.name, Type: p.kind(r), Doc: p.doc, Required: p.required, Default: p.defaultText(),
		Allowed: p.allow.String(), Position: p.pos, Variadic: p == s.variadic, List: p == s.list,
	}
	if d.Variadic || d.List {
		d.Type = p.codec.(listCodec).elem.kind(r)
	}
	if inner := r.nested(p.codec); inner != nil {
		for _, q := range inner.params {
			d.Fields = append(d.Fields, r.describeParam(inner, q))
		}
	}
	return d
}

// defaultText is the default as it is written in Lua.
func (p *param) defaultText() string {
	if p.def == nil {
		return ""
	}
	if s, ok := p.def.(lua.LString); ok {
		return strconv.Quote(string(s))
	}
	return p.defText
}

// nested returns the fields of the table that a codec reads, nil if it is none.
func (r *Registry) nested(c codec) *signature {
	switch c := c.(type) {
	case structCodec:
		return c.sig
	case pointerCodec:
		return r.nested(c.elem)
	case listCodec:
		return r.nested(c.elem)
	case mapCodec:
		return r.nested(c.elem)
	case namedCodec:
		if c.base != nil && r.registered(c.typ) == nil && r.adapter(c.typ) == nil {
			return r.nested(c.base)
		}
	case unionCodec:
		if s := r.nested(c.firstCodec); s != nil || c.secondCodec == nil {
			return s
		}
		return r.nested(c.secondCodec)
	}
	return nil
}

// summary is the first sentence of a description.
func summary(doc string) string {
	doc = strings.TrimSpace(doc)
	for i := range doc {
		if strings.HasPrefix(doc[i:], ". ") || strings.HasPrefix(doc[i:], ".\n") {
			return strings.ReplaceAll(doc[:i+1], "\n", " ")
		}
	}
	first, _, _ := strings.Cut(doc, "\n\n")
	return strings.ReplaceAll(first, "\n", " ")
}
