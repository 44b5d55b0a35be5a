package bind

import (
	"math"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// A kind is a Lua type as text, in the notation of LuaCATS: number, integer,
// boolean, string, function, table, any, false, "literal", name of a registered
// type, T[], table<string, T>, {a=, b=}, and alternatives T|U. It is what help
// shows; phrase says it in a sentence.

// splitKind returns the alternatives of a kind, looking past brackets and quotes.
func splitKind(kind string) []string {
	var parts []string
	depth, start, quoted := 0, 0, false
	for i, r := range kind {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case strings.ContainsRune("({<", r):
			depth++
		case strings.ContainsRune(")}>", r):
			depth--
		case r == '|' && depth == 0:
			parts = append(parts, kind[start:i])
			start = i + 1
		}
	}
	return append(parts, kind[start:])
}

// joinKinds makes one kind of several, without repetitions.
func joinKinds(kinds ...string) string {
	var all []string
	for _, k := range kinds {
		for _, part := range splitKind(k) {
			seen := part == ""
			for _, a := range all {
				seen = seen || a == part
			}
			if !seen {
				all = append(all, part)
			}
		}
	}
	return strings.Join(all, "|")
}

func listKind(elem string) string {
	if len(splitKind(elem)) > 1 {
		return "(" + elem + ")[]"
	}
	return elem + "[]"
}

// phrase says a kind in words: `a number, a list of numbers or "auto"`.
func phrase(kind string) string {
	parts := splitKind(kind)
	for i, p := range parts {
		parts[i] = phraseOne(p)
	}
	return enumerate(parts, "or")
}

func phraseOne(kind string) string {
	switch {
	case kind == "boolean":
		return "true or false"
	case kind == "any":
		return "a value"
	case kind == "false", kind == "true", kind == "nil", strings.HasPrefix(kind, `"`):
		return kind
	case strings.HasPrefix(kind, "{"):
		return "a table " + kind
	case strings.HasPrefix(kind, "table<string, "):
		return "a table of named " + plural(strings.TrimSuffix(strings.TrimPrefix(kind, "table<string, "), ">"))
	}
	if elem, ok := strings.CutSuffix(kind, "[]"); ok {
		return "a list of " + plural(elem)
	}
	return article(kind)
}

func plural(kind string) string {
	parts := splitKind(strings.TrimSuffix(strings.TrimPrefix(kind, "("), ")"))
	for i, p := range parts {
		switch elem, isList := strings.CutSuffix(p, "[]"); {
		case isList:
			parts[i] = "lists of " + plural(elem)
		case strings.HasPrefix(p, "{"):
			parts[i] = "tables " + p
		case p == "any":
			parts[i] = "values"
		case strings.HasPrefix(p, `"`) || p == "false" || p == "true":
		case strings.HasSuffix(p, "h"):
			parts[i] = p + "es"
		default:
			parts[i] = p + "s"
		}
	}
	return enumerate(parts, "or")
}

// article puts "a" or "an" before a type's name.
func article(name string) string {
	if name != "" && strings.ContainsRune("aeiouAEIOU", rune(name[0])) && !strings.HasPrefix(name, "uni") {
		return "an " + name
	}
	return "a " + name
}

// enumerate joins "a", "b", "c" to "a, b or c".
func enumerate(parts []string, conjunction string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " " + conjunction + " " + parts[len(parts)-1]
}

// literalsOf returns the string literals among the alternatives of a kind.
func literalsOf(kind string) (words []string) {
	for _, p := range splitKind(kind) {
		if s, err := strconv.Unquote(p); err == nil && strings.HasPrefix(p, `"`) {
			words = append(words, s)
		}
	}
	return words
}

// Describe says what a Lua value is, for an error text: a number (3),
// a string ("atuo"), a mesh.
func Describe(v lua.LValue) string { return describe(v) }

func describe(v lua.LValue) string {
	switch v := v.(type) {
	case nil, *lua.LNilType:
		return "nil"
	case lua.LBool:
		return v.String()
	case lua.LNumber:
		return "a number (" + formatNumber(float64(v)) + ")"
	case lua.LString:
		return "a string (" + quote(string(v)) + ")"
	case *lua.LFunction:
		return "a function"
	case *lua.LTable:
		if key, _ := namedEntry(v); key != nil && v.Metatable == lua.LNil {
			return "a table {" + strings.Trim(keyText(key), "'") + "=…}"
		}
	}
	return article(valueName(v))
}

// TypeName is the name of a value's type: mesh, array, number, nil.
func TypeName(v lua.LValue) string { return valueName(v) }

// Article puts a or an before a name.
func Article(name string) string { return article(name) }

// valueName is the type name of a value: the __name of its metatable if it has one.
func valueName(v lua.LValue) string {
	var mt lua.LValue
	switch v := v.(type) {
	case *lua.LUserData:
		mt = v.Metatable
	case *lua.LTable:
		mt = v.Metatable
	}
	if t, ok := mt.(*lua.LTable); ok {
		if name, ok := t.RawGetString("__name").(lua.LString); ok {
			return string(name)
		}
	}
	return v.Type().String()
}

// quote shows a string in an error text, shortened.
func quote(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		s = string(r[:most-1]) + "…"
	}
	return strconv.Quote(s)
}

func formatNumber(x float64) string {
	switch {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	case x == math.Trunc(x) && math.Abs(x) < 1e15:
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
