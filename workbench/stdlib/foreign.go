package stdlib

import (
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"

	"github.com/greenbench/workbench/bindings/bind"
)

// tableMethods say how to do with a table what is a method of lists and dictionaries elsewhere.
var tableMethods = map[string]string{
	"append": "table.insert(t, x)", "push": "table.insert(t, x)", "add": "table.insert(t, x)", "insert": "table.insert(t, i, x)",
	"pop": "table.remove(t)", "remove": "table.remove(t, i)", "extend": "for i, x in ipairs(u) do table.insert(t, x) end",
	"keys": "for k, v in pairs(t) do … end", "values": "for k, v in pairs(t) do … end", "items": "for k, v in pairs(t) do … end",
	"sort": "table.sort(t)", "join": `table.concat(t, ", ")`, "length": "#t", "len": "#t", "size": "#t", "get": "t[key] or default",
	"copy": "array(t), of numbers", "map": "for i, x in ipairs(t) do … end", "forEach": "for i, x in ipairs(t) do … end",
	"filter": "for i, x in ipairs(t) do … end", "index": "for i, x in ipairs(t) do … end", "contains": "for i, x in ipairs(t) do … end",
}

// stringMethods say how to do with a string what is a method of strings elsewhere.
var stringMethods = map[string]string{
	"split": `for word in s:gmatch("[^,]+") do … end`, "strip": `s:match("^%s*(.-)%s*$")`, "trim": `s:match("^%s*(.-)%s*$")`,
	"replace": `(s:gsub("old", "new"))`, "startswith": `s:sub(1, #p) == p`, "endswith": `s:sub(-#p) == p`,
	"length": "#s", "size": "#s", "contains": "s:find(p, 1, true)", "includes": "s:find(p, 1, true)", "indexOf": "s:find(p, 1, true)",
	"index": "s:find(p, 1, true)", "join": `table.concat(list, ", ")`, "toUpperCase": "s:upper()", "toLowerCase": "s:lower()",
	"charAt": "s:sub(i, i)", "substring": "s:sub(i, j)", "substr": "s:sub(i, j)", "slice": "s:sub(i, j)", "isdigit": `s:find("^%d+$")`,
	"capitalize": `(s:gsub("^%l", string.upper))`, "encode": "s itself: strings are bytes", "concat": "s .. t", "fmt": "string.format(…)",
}

// otherMethod says what to write for a method that a table or a string lacks; receiver is nil where it is not known.
func otherMethod(receiver lua.LValue, name string) string {
	table, text := tableMethods[name], stringMethods[name]
	switch v := receiver.(type) {
	case lua.LString:
		table = ""
	case *lua.LTable:
		if v.Metatable != lua.LNil {
			return ""
		}
		if v.RawGetString("gmatch") == lua.LNil { // else it is the library of strings
			text = ""
		}
	case nil, *lua.LNilType:
	default:
		return ""
	}
	switch {
	case table != "":
		return "write " + table
	case text != "":
		return "write " + text
	}
	return ""
}

// receiver is the value before the colon of the call that failed, or at the beginning of its path.
func (x *explainer) receiver(text string, method bool) lua.LValue {
	if f := x.top(); method && f.exists() && !f.isGo() {
		return x.thread.Get(int(f.instruction()>>18&0xff) + 2)
	}
	if !method {
		if i := strings.LastIndexByte(text, '.'); i > 0 {
			text = text[:i]
		}
	}
	return x.lookup(text)
}

// nowhere is the end of the message about a name that nothing has, nor anything like it: where to look.
func (x *explainer) nowhere(text string) string {
	names := path(text)
	switch {
	case names == nil || x.source.locals[names[0]]:
		return ""
	case len(names) == 1 && x.calling && x.lookup(text) == lua.LNil:
		return "nothing has this name; ?*" + text + "* searches the help"
	case len(names) == 1 && x.lookup(text) == lua.LNil:
		return "no variable has this name; who() lists them"
	case len(names) == 2 && x.lookup(text) == lua.LNil && x.lib.main.G.Registry.RawGetString("_LOADED").(*lua.LTable).RawGetString(names[0]) != lua.LNil:
		return "?" + names[0] + " lists what there is"
	}
	return ""
}

// element says why an element of text is nil: a string has none, a list ends before.
func (x *explainer) element(text string) string {
	switch {
	case strings.HasPrefix(text, "io.open("):
		return "the file cannot be opened: assert(" + text + ") says why"
	case strings.HasPrefix(text, "tonumber("):
		return "tonumber gives nil for what is no number"
	case !strings.HasSuffix(text, "]"):
		return ""
	}
	object, index, _ := strings.Cut(strings.TrimSuffix(text, "]"), "[")
	if _, err := strconv.Atoi(index); err != nil {
		return ""
	}
	switch v := x.lookup(object).(type) {
	case lua.LString:
		return "a character of a string is " + object + ":sub(" + index + ", " + index + ")"
	case *lua.LTable:
		if n := v.Len(); v.Metatable == lua.LNil {
			return object + " has " + strconv.Itoa(n) + " entries, counted from 1"
		}
	}
	return ""
}

// joining says how strings are joined or formatted where arithmetic was tried with one.
func (x *explainer) joining() string {
	operators := map[string]bool{}
	literal := false
	for _, e := range x.source.at(x.name, x.line) {
		if o, ok := e.(*ast.ArithmeticOpExpr); ok {
			operators[o.Operator] = true
			_, left := o.Lhs.(*ast.StringExpr)
			literal = literal || left
		}
	}
	switch {
	case operators["%"] && literal:
		return `; strings are formatted by string.format("n is %g", n)`
	case operators["+"]:
		return `; strings are joined by .., as in "n = " .. n`
	}
	return "; tonumber(…) makes a number of a string that is one"
}

// ordering says how what cannot be compared can be.
func ordering(a, b string) string {
	switch {
	case a == "string" && b == "number", a == "number" && b == "string":
		return "; tonumber(…) makes a number of a string that is one"
	case a == "table" && b == "table":
		return "; tables have no order: compare numbers of them, as in #t < #u"
	}
	return masking(a, b)
}

// looped says how the elements of a value are gone through.
func looped(typeName string) string {
	switch typeName {
	case "array", "mask", "complex":
		return "write for i = 1, #a do … a[i] … end"
	case "table":
		return "write for i, v in ipairs(t) do … end for a list, pairs(t) for names"
	case "number":
		return "write for i = 1, n do … end"
	}
	return "write pairs(…) or ipairs(…) of a table after in"
}

// expected says what to do about an argument of a wrong type.
func expected(function, why string) string {
	switch {
	case strings.HasPrefix(why, "number expected, got string") && function == "format":
		return "; %s shows anything"
	case strings.HasPrefix(why, "number expected, got string"):
		return "; tonumber(…) makes a number of a string that is one"
	case strings.HasPrefix(why, "string expected, got no value"):
		return "; methods of a string are called with a colon, as in s:upper()"
	}
	return ""
}

// has lists what an object of a registered type has instead.
func (x *explainer) has(typeName string) string {
	if names := bind.Names(x.lib.main, typeName); names != "" {
		return "; " + bind.Article(typeName) + " has " + names
	}
	return ""
}
