package everywhere

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/syntax"
)

// Question answers what is typed in place of code: ?name or name? with the page of a name,
// ??name with where it is defined, ?*text* with a search. It reports false for anything else.
func (d *Desk) Question(L *lua.LState, text string) (page string, asked bool) {
	text = strings.TrimSpace(text)
	name := strings.TrimSpace(strings.TrimRight(text, "?"))
	switch {
	case strings.HasPrefix(text, "??"):
		return d.definition(L, strings.TrimSpace(text[2:])), true
	case strings.HasPrefix(text, "?"):
		return d.About(L, strings.TrimSpace(text[1:])), true
	case strings.HasSuffix(text, "??") && isPath(name):
		return d.definition(L, name), true
	case strings.HasSuffix(text, "?") && isPath(name):
		return d.About(L, name), true
	}
	return "", false
}

// About is the page of a name as a person writes it: a variable, a function, a member of a
// variable, or words to search for. An empty name asks how to find help.
func (d *Desk) About(L *lua.LState, name string) string {
	name = strings.TrimRight(name, "(){} ")
	switch {
	case name == "":
		return d.Overview()
	case strings.Contains(name, "*"), strings.Contains(name, " "):
		return d.Search(name)
	}
	if page, ok := d.Page(L, name); ok {
		return page
	}
	return d.Answer(L, lua.LString(name), name)
}

// Page is the page of a name that is known.
func (d *Desk) Page(L *lua.LState, name string) (string, bool) {
	if page, ok := d.Variable(L, name); ok {
		return page, true
	}
	for _, n := range append([]string{name}, d.memberNames(L, name)...) {
		if page, ok := d.Help(n); ok {
			return page, true
		}
	}
	if v := LookUp(L, name); v != lua.LNil {
		return d.Answer(L, v, name), true
	}
	return "", false
}

// memberNames are what help may know a member of a variable by: for k:gram,
// where k is a kernel, kernel:gram.
func (d *Desk) memberNames(L *lua.LState, name string) []string {
	i := strings.LastIndexAny(name, ".:")
	if i < 0 {
		return nil
	}
	kind, ok := d.Registry.Name(L, LookUp(L, name[:i]))
	if !ok {
		return nil
	}
	return []string{kind + ":" + name[i+1:], kind + "." + name[i+1:]}
}

// definition is the answer to ??name: where something comes from.
func (d *Desk) definition(L *lua.LState, name string) string {
	name = strings.TrimRight(name, "(){} ")
	if f, ok := LookUp(L, name).(*lua.LFunction); ok {
		if text, ok := d.Definition(f); ok {
			return text
		}
		return d.About(L, name) + "\nWritten in Go.\n"
	}
	return d.About(L, name)
}

// isPath says whether s is a name, or names joined by dots and a colon, or a
// keyword.
func isPath(s string) bool {
	want := true // a name comes next
	for _, t := range syntax.Code(s) {
		word := t.Kind == syntax.Name || t.Kind == syntax.Keyword
		if word != want || !word && !t.Is(s, ".") && !t.Is(s, ":") {
			return false
		}
		want = !want
	}
	return !want
}
