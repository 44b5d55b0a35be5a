package trace

import (
	"fmt"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// Each text holds one function between « and » (named ones are found without
// their name), at the lines that are given.
func TestFunctionsOfAText(t *testing.T) {
	for _, text := range []string{
		"«function(p, q) return 1 end»",
		"k = define(«function(p, q)\n  -- end\n  return [[end]], 'end', \"\\\"end\"\nend»)",
		"k = «function(p) if p then return 1 elseif q then return 2 else return 3 end end»",
		"k = «function(...) for i = 1, 3 do local s = 0 while s do s = nil end end end»",
		"k = «function() repeat local x = 1 until x end»",
		"k = «function() do end return t.x end»",
		"--[==[ function() ]] end\n]==] k = «function(a)\n\n return a end»",
		"k = «function() return 'it''s' .. \"a\\\nb\" end»",
		"x = 1e5 y = 0xe+1 k = «function() return 3 end»",
	} {
		at := strings.Index(text, "«")
		want := text[at+len("«") : strings.Index(text, "»")]
		source := strings.NewReplacer("«", "", "»", "").Replace(text)
		found := functions(source)
		if len(found) != 1 || found[0].text != want {
			t.Errorf("in %q found %+v, want %q", source, found, want)
			continue
		}
		first := 1 + strings.Count(source[:at], "\n")
		if f := found[0]; f.first != first || f.last != first+strings.Count(want, "\n") {
			t.Errorf("in %q: lines %d to %d", source, f.first, f.last)
		}
	}
	nested := functions("function outer(a)\n return function(b, c) return b end\nend local function inner() end")
	if got := fmt.Sprint(nested); got != "[{function(b, c) return b end 34 2 2 [b c]} {function(a)\n return function(b, c) return b end\nend 14 1 3 [a]} {function() end 78 3 3 []}]" {
		t.Errorf("nested: %s", got)
	}
}

// No text makes the reader panic or run on.
func FuzzFunctions(f *testing.F) {
	for _, text := range []string{
		"function", "function(", "function f(a, b", "end end", "--", "--[", "--[[", "[==[", "'", "\"\\", "function() end", "if until repeat", "function(function(end)",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, fn := range functions(text) {
			if !strings.HasPrefix(fn.text, "function") || fn.first > fn.last {
				t.Errorf("found %+v", fn)
			}
		}
	})
}

// compiled is the function that an expression of a plain state is.
func compiled(t *testing.T, L *lua.LState, source string) *lua.LFunction {
	t.Helper()
	if err := L.DoString(source); err != nil {
		t.Fatal(err)
	}
	f, ok := L.Get(-1).(*lua.LFunction)
	if !ok {
		t.Fatalf("%s is no function", source)
	}
	L.SetTop(0)
	return f
}

// A function has the text of those that begin and end where it does and have its parameters, and none where these differ.
func TestTextsOfFunctionsSideBySide(t *testing.T) {
	for source, want := range map[string]string{
		"f = function(p) return 1 end local g = function(p, q) return 2 end":                                 "function(p) return 1 end",
		"f = function(p) return 1 end local g = function(p)\nreturn 2 end":                                   "function(p) return 1 end",
		"local g = function(p)\nreturn 2 end f = function(p) return 1 end":                                   "function(p) return 1 end",
		"f = function(p) return 1 end local g = function(p) return 1 end":                                    "function(p) return 1 end",
		"f = function(p) return 1 end local g = function(p) return 2 end":                                    "",
		"f = function(p) return 1 end local g = function(p) return 2 end local h = function(p) return 1 end": "",
	} {
		L := lua.NewState()
		UseSource(L, func(string) (string, bool) { return source, true })
		text, ok := sourceOf(L, compiled(t, L, source+" return f").Proto)
		if L.Close(); text != want || ok != (want != "") {
			t.Errorf("%s: the text %q, %t, want %q", source, text, ok, want)
		}
	}
}

// pure means: one path, nothing outside that changes. Anything that is not plainly
// so is not.
func TestPureFunctions(t *testing.T) {
	L := lua.NewState()
	defer L.Close()
	for source, pure := range map[string]bool{
		"return function(i, j) return math.exp(-i) + j^2 % 3 end":                                    true,
		"local exp, l = math.exp, 0.5 return function(i) return exp(-i/l) end":                       true,
		"local function f(x) return x + 1 end return function(i) return f(f(i)) end":                 true,
		"return function(i) local s = 0 for k = 1, 3 do s = s + k*i end return s end":                true,
		"return function(i) local function g(x) return -x end return g(i) end":                       true,
		"return function(i) if i == 3 then return 1 end return 0 end":                                false,
		"return function(i) return i == 3 and 1 or 0 end":                                            false,
		"return function(i) return math.random() end":                                                false,
		"local r = math.random return function(i) return r() end":                                    false,
		"local n = 0 return function(i) n = n + 1 return n end":                                      false,
		"local t = {1, 2} return function(i) return t[i] end":                                        false,
		"return function(i) x = i return i end":                                                      false,
		"return function(i) return y end":                                                            false,
		"return function(i) return next({}) end":                                                     false,
		"local function f() return math.random() end return function(i) return f() end":              false,
		"local function f(x) if x then return 1 end return 2 end return function(i) return f(i) end": false,
		"return function(i) return print(i) end":                                                     false,
		"local p = print return function(i) return p(i) end":                                         false,
		"return function(i) while true do end end":                                                   false,
		"return setfenv(function(i) return math.exp(i) end, {math = {exp = print}})":                 false,
	} {
		if got := scanFunction(L, compiled(t, L, source)).pure; got != pure {
			t.Errorf("%s: pure %t", source, got)
		}
	}
}

// Numbers that a function mentions, and tests, are seen, also through its
// variables.
func TestScan(t *testing.T) {
	L := lua.NewState()
	defer L.Close()
	s := scanFunction(L, compiled(t, L, "local a = 0.25 local function f(x) return x == 7 end return function(p) return f(p + a) and 3 end"))
	if fmt.Sprint(s.numbers) != "[0.25 7 3]" && fmt.Sprint(s.numbers) != "[7 0.25 3]" {
		t.Errorf("numbers %v", s.numbers)
	}
	if !s.tests || s.closed {
		t.Errorf("tests %t, closed %t", s.tests, s.closed)
	}
	if s := scanFunction(L, compiled(t, L, "return function(p) return math.exp(p) end")); s.tests || !s.closed || !s.libraryOnly() {
		t.Errorf("tests %t, closed %t", s.tests, s.closed)
	}
	module, own := L.NewTable(), L.NewTable()
	module.Metatable = L.NewTable()
	L.SetGlobal("kernel", module)
	L.SetGlobal("own", own)
	L.SetGlobal("mine", compiled(t, L, "return function(x) return x end"))
	for global, library := range map[string]bool{"math": true, "string": true, "table": true, "kernel": true, "print": true, "own": false, "mine": false, "nothing": false} {
		if s := scanFunction(L, compiled(t, L, "return function(p) return "+global+" end")); s.libraryOnly() != library {
			t.Errorf("%s is of the library: %t, want %t", global, !library, library)
		}
	}
}

// Functions that only compute are silent, whatever numbers and words they mention; those that draw numbers, set variables
// around them or call what may do more are not.
func TestSilentFunctions(t *testing.T) {
	L := lua.NewState()
	defer L.Close()
	for source, want := range map[string]bool{
		"return function(i) return 2*i + 0.5 end":                                   true,
		"return function(i) if i == 3 then return \"high\" end return 0 end":        true,
		"return function(i) local s = 0 for k = 1, 3 do s = s + k end return s end": true,
		"return function(i) return math.exp(-i) + 1 end":                            true,
		"return function(i) return math.random() end":                               false,
		"return function(i) return math.random(3) + 1 end":                          false,
		"return function(i) math.randomseed(i) return i end":                        false,
		"local n = 0 return function(i) n = n + 1 return n end":                     false,
		"return function(i) x = i return i end":                                     false,
		"return function(i) return print(i) end":                                    false,
		"local p = print return function(i) return p(i) end":                        false,
		"return setfenv(function(i) return 2*i end, {})":                            false,
	} {
		if got := silent(L, compiled(t, L, source)); got != want {
			t.Errorf("%s: silent %t", source, got)
		}
	}
}
