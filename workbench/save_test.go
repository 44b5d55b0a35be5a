package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The script that save writes of a session runs and prints what the session
// showed. Each case is a session, one input per entry.
func TestSavedScripts(t *testing.T) {
	for name, inputs := range map[string][]string{
		"an undefined name":       {"est", "x = undefined_too or 3", "x", "undefined_too == nil"},
		"expressions":             {"1 + 1", "'text'", "{}", "nil", "array.linspace(0, 1, 3)", "#{1, 2}", "= 7"},
		"calls without a value":   {"f = function() end", "f()", "g = function() return nil end", "g()", "print('printed')"},
		"semicolons":              {"1 + 1;", "x = 3; x", "x;", "f = function() print('called') return 5 end", "f();", "x = 4;", "x = 5; x + 1"},
		"comments":                {"1 -- one", "-- only a comment", "x = 2 -- two", "x --[[ long ]] + 1", "'--'; -- quiet"},
		"results":                 {"3 * 4", "_ + 1", "_2 * 2;", "_", "'text'", "_1 .. _2", "nil", "_"},
		"locals":                  {"local x = 1", "local function f() return g() end", "local function g() return x + 1 end", "f()", "local y", "y", "do local x = 5 end", "x"},
		"returns":                 {"return 5", "x = 1 return x, nil", "return", "if x then return x + 1 end", "for i = 1, 3 do if i == 2 then return i end end", "return x;"},
		"labels":                  {"for i = 1, 2 do goto next ::next:: end", "goto done ::done::", "goto done ::done::"},
		"a parenthesis":           {"f = print", "('x'):rep(2)", "(f)('y')", "t = {}", "(f or print)('z');", "(1 + 2) * 3"},
		"arguments":               {"...", "select('#', ...)", "x = {...}", "#x"},
		"functions of the prompt": {"format('long')", "1/4", "format('short')", "x = 2", "if x == 3 then report('x.html') end", "function history(n) return n + 1 end", "history(1)"},
		"functions not called":    {"function later() return nosuch(1) + other.field end", "later ~= nil"},
		"modules":                 {"kernel = kernel.se{lengthscale = 1}", "kernel", "reload('kernel') ~= nil", "kernel.se ~= nil"},
		"names of the script":     {"show, keep, recent = 1, 2, 3", "show + keep + recent", "f = function() end", "f()", "_"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			prompt := command(t, dir, strings.Join(inputs, "\n")+"\nsave 'x.lua'\n")
			if prompt.status != 0 {
				t.Fatalf("the session: %s", prompt.errs)
			}
			shown, _, _ := strings.Cut(prompt.out, "x.lua: ")
			script, _ := os.ReadFile(filepath.Join(dir, "x.lua"))
			r := command(t, dir, "", "x.lua")
			if got, want := strings.ReplaceAll(r.out, "\t", "    "), shown; r.status != 0 || got != want {
				t.Errorf("status %d %s\n got %q\nwant %q\n%s", r.status, r.errs, got, want, script)
			}
		})
	}
}

// A long session is a script, too: Lua allows 200 locals in a function.
func TestSavedLongSession(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := command(t, dir, strings.Repeat("local a = 1 local b = a + 1\nb\n", 300)+"save('x.lua')\n")
	if r.status != 0 {
		t.Fatal(r.errs)
	}
	if r = command(t, dir, "", "x.lua"); r.status != 0 || strings.Count(r.out, "2\n") != 300 {
		t.Errorf("status %d %s", r.status, r.errs)
	}
}
