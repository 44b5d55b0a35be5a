package stdlib

import (
	"strings"
	"testing"
)

// Where a variable took the name of a module, errors about what the module has say so; about what
// it has not either, and about a local of that name, they do not.
func TestModulesThatWereHidden(t *testing.T) {
	const note = "'string' is now your variable"
	for script, noted := range map[string]bool{
		"string = {} string.upper('a')":         true,
		"string = 5 print(string.upper.x)":      true,
		"string = false string()":               true,
		"string = {} string.uper('a')":          false,
		"string = {} string.own.upper('a')":     false,
		"local string = {} string.upper('a')":   false,
		"other = {} other.upper('a')":           false,
		"string.own = {} string.own.upper('a')": false,
	} {
		s := newState(t, Options{})
		if err := s.run(script); err == nil || strings.Contains(err.Error(), note) != noted {
			t.Errorf("%s: %v; %q is there: want %t", script, err, note, noted)
		}
	}
}

// Where no frame is left, what was called has the type of the global of that name, and none if there is no such global; an operand has a
// name where there is one only.
func TestMessagesWithoutFrames(t *testing.T) {
	s := newState(t, Options{})
	if err := s.run("g = 5 t = {h = 'x'} callable = setmetatable({}, {__call = print})"); err != nil {
		t.Fatal(err)
	}
	longest := strings.Repeat("n", 60) // of names that are said
	const call, join, minus = "attempt to call a non-function object", "attempt to concatenate a nil value", "__unm undefined"
	for _, c := range []struct{ text, message, want string }{
		{"g()", call, "attempt to call a number: 'g'"},
		{"print(1) g()", call, "attempt to call a number: 'g'"},
		{"print(1) t()", call, "attempt to call a table: 't'"},
		{"callable() t()", call, "attempt to call a table: 't'"},
		{"t.h()", call, "attempt to call a string: 't.h'"},
		{"local f f()", call, "attempt to call something that is not a function: 'f'"},
		{"local " + longest + " " + longest + "()", call, "attempt to call something that is not a function: '" + longest + "'"},
		{"local x" + longest + " x" + longest + "()", call, "attempt to call something that is not a function"},
		{"local b local c = 'a' .. b", join, "attempt to concatenate nil: 'b'"},
		{"local a, b local c = a .. b", join, "attempt to concatenate nil"},
		{"local b local c = -b", minus, "attempt to do arithmetic (-) on this value: 'b'"},
	} {
		s.lib.sources["case.lua"] = &source{text: c.text}
		if got := s.lib.Explain(nil, "case.lua:1: "+c.message); got != "case.lua:1: "+c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}
