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

// Where no frame is left of a call, what was called has the type of the global of that name, and none if there is no such global.
func TestCallsWithoutFrames(t *testing.T) {
	s := newState(t, Options{})
	if err := s.run("g = 5 t = {h = 'x'}"); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"g()": "attempt to call a number: 'g'", "t.h()": "attempt to call a string: 't.h'",
		"local f f()": "attempt to call something that is not a function: 'f'",
	} {
		s.lib.sources["case.lua"] = &source{text: text}
		if got := s.lib.Explain(nil, "case.lua:1: attempt to call a non-function object"); got != "case.lua:1: "+want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
