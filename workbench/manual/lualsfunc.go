package manual

import (
	"regexp"
	"strings"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/syntax"
)

// function writes a function with the classes of its tables before it; name is
// how it is declared.
func (d *definer) function(f bind.FuncDoc, name string) {
	class := strings.ReplaceAll(f.FullName, ":", ".")
	table := d.argumentClass(f, class)
	d.resultClass(f, class)
	d.line("")
	d.comment(f.Doc)
	if len(f.Errors) > 0 {
		d.line("---")
		d.comment("Errors: " + strings.Join(f.Errors, "; ") + ".")
	}
	for _, e := range f.Examples {
		d.line("---\n---```lua")
		d.comment(shown(e))
		d.line("---```")
	}
	var params []string
	declare := func(name, optional, kind, doc string) {
		if name != "..." {
			name = identifier(name)
		}
		params = append(params, name)
		d.line("---@param %s%s %s %s", name, optional, kind, doc)
	}
	for _, p := range f.Params {
		switch {
		case f.Style == "named":
		case p.Variadic:
			declare("...", "", d.kind(p.Type, tableClass(p, class), true), describeParam(p))
		case p.Position > 0:
			declare(p.Name, mark(p), d.kind(p.Type, tableClass(p, class), true), describeParam(p))
		}
	}
	if table != "" {
		optional := "?"
		for _, p := range f.Params {
			if isNamed(f, p) && p.Required {
				optional = ""
			}
		}
		declare("args", optional, table, "named arguments")
	}
	for _, r := range f.Returns {
		result := ""
		if len(r.Fields) > 0 {
			result = class + ".Result"
		}
		d.line("---@return %s # %s", d.kind(r.Type, result, false), oneLine(r.Doc))
	}
	d.overloads(f)
	for _, s := range f.See {
		d.line("---@see %s", strings.ReplaceAll(s, ":", "."))
	}
	d.line("function %s(%s) end", name, strings.Join(params, ", "))
}

// overloads writes the other way to call a function that takes any number of
// arguments: with one list of them.
func (d *definer) overloads(f bind.FuncDoc) {
	if len(f.Params) != 1 || !f.Params[0].Variadic || f.Params[0].Type == "any" {
		return
	}
	p := f.Params[0]
	if strings.Contains(p.Type, "|") {
		p.Type = "(" + p.Type + ")"
	}
	p.Type, p.Variadic, p.Required = p.Type+"[]", false, true
	f.Params = []bind.ParamDoc{p}
	self := ""
	if f.Kind == "method" {
		self = f.Type
	}
	d.line("---@overload %s", d.funType(f, self))
}

// argumentClass writes the class of the table of named arguments, and returns
// its name; "" if there is none.
func (d *definer) argumentClass(f bind.FuncDoc, class string) string {
	var named []bind.ParamDoc
	for _, p := range f.Params {
		if isNamed(f, p) {
			named = append(named, p)
		} else {
			d.fieldClass(p, class)
		}
	}
	if len(named) == 0 && f.Style != "named" {
		return ""
	}
	d.class(class+".Args", named, class)
	return class + ".Args"
}

// class writes a class whose fields are parameters; prefix begins the names of
// the classes of tables inside.
func (d *definer) class(name string, params []bind.ParamDoc, prefix string) {
	for _, p := range params {
		d.fieldClass(p, prefix)
	}
	d.line("\n---@class (exact) %s", name)
	for _, p := range params {
		kind := d.kind(p.Type, tableClass(p, prefix), true)
		if p.List {
			d.line("---@field [integer] %s %s", kind, describeParam(p))
			continue
		}
		d.line("---@field %s%s %s %s", p.Name, mark(p), kind, describeParam(p))
	}
}

// fieldClass writes the class of an argument that is a table of its own.
func (d *definer) fieldClass(p bind.ParamDoc, prefix string) {
	if class := tableClass(p, prefix); class != "" {
		d.class(class, p.Fields, class)
	}
}

// tableClass is the class of an argument that is a table of its own, "" if it is
// none.
func tableClass(p bind.ParamDoc, prefix string) string {
	if len(p.Fields) == 0 {
		return ""
	}
	return prefix + "." + p.Name
}

// resultClass writes the class of a result that is a table with fixed names.
func (d *definer) resultClass(f bind.FuncDoc, class string) {
	for _, r := range f.Returns {
		if len(r.Fields) == 0 {
			continue
		}
		d.line("\n---@class %s.Result", class)
		for _, x := range r.Fields {
			d.line("---@field %s %s %s", x.Name, d.kind(x.Type, "", false), oneLine(x.Doc))
		}
		return
	}
}

// isNamed says whether an argument stands in the table of named ones.
func isNamed(f bind.FuncDoc, p bind.ParamDoc) bool {
	return f.Style == "named" || p.Position == 0 && !p.Variadic
}

// funType is the type of a function whose arguments go by position.
func (d *definer) funType(f bind.FuncDoc, self string) string {
	var params, results []string
	if self != "" {
		params = append(params, "self: "+self)
	}
	for _, p := range f.Params {
		kind := d.kind(p.Type, "", true)
		switch {
		case p.Variadic:
			params = append(params, "...: "+kind)
		default:
			params = append(params, identifier(p.Name)+mark(p)+": "+kind)
		}
	}
	for _, r := range f.Returns {
		results = append(results, d.kind(r.Type, "", false))
	}
	text := "fun(" + strings.Join(params, ", ") + ")"
	if len(results) > 0 {
		text += ": " + strings.Join(results, ", ")
	}
	return text
}

func mark(p bind.ParamDoc) string {
	if p.Required || p.Variadic || p.List {
		return ""
	}
	return "?"
}

// describeParam is what stands behind a type: the text, the default, the range.
func describeParam(p bind.ParamDoc) string {
	text := oneLine(p.Doc)
	if p.Default != "" && p.Default != `""` {
		text += "; default " + p.Default
	}
	if p.Allowed != "" {
		text += "; " + p.Allowed
	}
	return text
}

// identifier is a parameter name that is no word of Lua.
func identifier(name string) string {
	if syntax.IsKeyword(name) {
		return name + "_"
	}
	return name
}

var (
	braces     = regexp.MustCompile(`\{[^{}]*\}`)
	numberList = regexp.MustCompile(`\b(number|integer)\[\]`)
)

// kind translates a kind of package bind, which is LuaCATS but for {a=, b=}: that
// is the class given, or else a table with these names. As an argument, a type
// has the name that includes what can stand for it, and an array stands for a
// list of numbers.
func (d *definer) kind(kind, class string, argument bool) string {
	var out strings.Builder
	for rest := kind; rest != ""; {
		at := braces.FindStringIndex(rest)
		if at == nil {
			at = []int{len(rest), len(rest)}
		}
		out.WriteString(d.plainKind(rest[:at[0]], class, argument))
		if fields := rest[at[0]:at[1]]; class == "" {
			out.WriteString(tableKind(fields))
		} else if fields != "" {
			out.WriteString(class)
		}
		rest = rest[at[1]:]
	}
	if _, ok := d.types["array"]; ok && argument && !strings.Contains(kind, "array") {
		return numberList.ReplaceAllString(out.String(), "($1[]|array)")
	}
	return out.String()
}

// tableKind writes {a=, b=} as LuaCATS does; {name=, …} is a table with any names.
func tableKind(fields string) string {
	switch {
	case fields == "":
		return ""
	case strings.Contains(fields, "…"):
		return "table<string, any>"
	}
	var names []string
	for name := range strings.SplitSeq(strings.Trim(fields, "{}"), ",") {
		names = append(names, strings.TrimSuffix(strings.TrimSpace(name), "=")+": any")
	}
	return "{ " + strings.Join(names, ", ") + " }"
}

// luaTypes are the types that need no declaration.
const luaTypes = " any nil boolean number integer string table function true false "

// plainKind translates the names in a kind without braces. A type that no module
// declares can be anything.
func (d *definer) plainKind(kind, class string, argument bool) string {
	var out strings.Builder
	for _, t := range tokens(kind) {
		name := t.text
		like, declared := d.types[name]
		switch {
		case t.class != "name":
		case name == "table" && class != "":
			name = class
		case like && argument:
			name += ".Like"
		case !declared && !strings.Contains(luaTypes, " "+name+" "):
			name = "any"
		}
		out.WriteString(name)
	}
	return out.String()
}
