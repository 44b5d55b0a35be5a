package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a person tries in the first ten minutes, in a real terminal.

func TestExpressionsAndStatements(t *testing.T) {
	t.Parallel()
	y := open(t, options{})
	y.prompt(0)
	y.check("1+1", "2")
	y.check("x = 3")
	y.check("x", "3")
	y.check("x, 'text', nil", `3    text    nil`)
	y.check("= x * 2", "6")
	y.check("x = 4; x", "4")
	y.check("x;")
	y.check("{1, 2, name = 'n'}", `{1, 2, name = "n"}`)
	y.check("a, b = 1, 2")
	y.check("a, b = b, a")
	y.check("a, b", "2    1")
	y.check("#{1, 2}", "2")
	y.check("#'abc' + 1", "4")
	y.check(`tonumber("1e-3")`, "0.001")
	y.check("math.huge == 1/0", "true")
	y.check("print(1/3, 1e15, 123456789.123)", "0.33333333333333        1e+15   123456789.123")
	y.check("_", "true")
	y.check("x = 10; 20", "20")
	y.check("_, _1, _2", "20    20    true")
	y.run("r = {} for i = 1, 9 do r[i] = {n = i, square = i^2, odd = i % 2 == 1} end")
	if rows := y.run("r"); len(rows) != 10 || rows[0] != "   n  square  odd" || rows[9] != "9  9      81  true" {
		t.Errorf("a list of records: %q", rows)
	}
}

func TestLocalsStay(t *testing.T) {
	t.Parallel()
	y := open(t, options{})
	y.prompt(0)
	if got := y.run("local n = 5"); len(got) != 1 || !strings.Contains(got[0], "locals of the outermost level stay") {
		t.Errorf("the first local: %q", got)
	}
	y.check("n + 1", "6")
	y.check("local function double(v) return 2 * v end")
	y.check("double(n)", "10")
}

// A variable that takes the name of a module is said once, and costs nothing:
// errors name the cause, help goes on, the module comes back.
func TestModuleOverwritten(t *testing.T) {
	t.Parallel()
	y := open(t, options{columns: 200, rows: 100})
	y.prompt(0)
	says := func(line string, want ...string) {
		t.Helper()
		got := strings.Join(y.run(line), "\n")
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: no %q in\n%s", line, w, got)
			}
		}
	}
	for _, module := range []struct{ name, overwrite, use string }{
		{"constraint", `constraint = constraint.symmetric{"x", "y"}`, "constraint.causal{}"},
		{"kernel", "local kernel = kernel.se{lengthscale = 0.1}", "kernel.matern{}"},
		{"mesh", "mesh = mesh.uniform(0, 1, 5)", "mesh.gauss(0, 1, 5)"},
		{"data", "data = {}", "data.load('x')"},
		{"green", "green = nil", "green.fit{}"},
		{"table", "function table() end", "table.insert({}, 1)"},
		{"math", "math = 3", "math.sin(1)"},
	} {
		note := "'" + module.name + "' is now your variable, not the module; " + module.name + " = require \"" + module.name + "\" brings the module back"
		says(module.overwrite, "note: "+note)
		y.check("x = 1") // said once
		says(module.use, "error: ", note)
		if module.name != "table" && module.name != "math" {
			says("?"+module.name, note)
			if page := strings.Join(y.run("?"+module.name), "\n"); !strings.Contains(page, "\n"+module.name+": ") {
				t.Errorf("?%s: %s", module.name, page)
			}
		}
		y.run("reload('" + module.name + "');")
		y.check("#{"+module.name+"."+strings.FieldsFunc(module.use, func(r rune) bool { return r == '.' || r == '(' || r == '{' })[1]+"}", "1")
		says(module.overwrite, "note: "+note) // it is news again
		y.check(module.name + " = require '" + module.name + "'")
	}
	says("k = kernel.se{lengthscale = 1} k.matern{}", "a kernel has no 'matern'; the module has: write kernel.matern")
	says("who()", "x")
	y.check("data = 5 who('data')", "data  number  5", `note: 'data' is now your variable, not the module; data = require "data" brings the module back; use another name`)
}

// Help on a variable is about what it holds.
func TestHelpOnVariables(t *testing.T) {
	t.Parallel()
	y := open(t, options{columns: 100, rows: 60})
	y.prompt(0)
	y.check("d = data.new{input = {{1, 2}}, output = {{1, 2}}, input_mesh = mesh.uniform(0, 1, 2)}")
	y.check("sum, load, n, s, t = kernel.se{lengthscale = 1}, mesh.uniform, 3, 'kernel.se', {1, inner = d}")
	for _, c := range []struct{ line, want, never string }{
		{"d?", "dataset: Pairs of functions on meshes.", "operator:d"},
		{"?d", "d = dataset: 1 pair", "operator:d"},
		{"help('d')", "dataset: Pairs of functions on meshes.", "operator:d"},
		{"help(d)", "dataset: Pairs of functions on meshes.", "operator:d"},
		{"sum?", "Positive semi-definite", "array:sum"},
		{"load?", "mesh.uniform(a, b, n", "array.load"},
		{"n?", "n = 3", "dataset"},
		{"s?", `s = "kernel.se"`, "kernel.se{"},
		{"t?", "A table with 2 entries", ""},
		{"t.inner?", "dataset: Pairs of functions", ""},
		{"d.n?", "dataset.n: integer", ""},
		{"d:split?", "dataset:split(train", ""},
		{"?matern", "lengthscale", ""},
		{"?split", "dataset:split", ""},
	} {
		got := strings.Join(y.run(c.line), "\n")
		if !strings.Contains(got, c.want) || c.never != "" && strings.Contains(got, c.never) {
			t.Errorf("%s: want %q, never %q\n%s", c.line, c.want, c.never, got)
		}
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	y := open(t, options{})
	y.prompt(0)
	for _, c := range []struct{ line, want string }{
		{"?kernel.matern", "lengthscale"},
		{"?matern", "lengthscale"},
		{"kernel.matern?", "lengthscale"},
		{"help(kernel.matern)", "lengthscale"},
		{"?*cholesky*", "linalg.cholesky"},
		{"?", "Modules"},
		{"?nosuchthing", "No help for 'nosuchthing'"},
		{"?kernel", "kernel"},
		{"??kernel.matern", "Written in Go"},
	} {
		if got := strings.Join(y.run(c.line), "\n"); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", c.line, got)
		}
	}
	y.check("function twice(x) return 2 * x end")
	y.check("??twice", "input[2]:1", "function twice(x) return 2 * x end")
}

func TestErrors(t *testing.T) {
	t.Parallel()
	y := open(t, options{})
	y.prompt(0)
	for _, c := range []struct {
		line string
		want []string
	}{
		{"x = solev(1)", []string{"error: attempt to call nil: 'solev'", "  input[1]:1: x = solev(1)", "                  ^^^^^"}},
		{"kernal", []string{"nil", "did you mean 'kernel'?"}},
		{"kernel.matren{}", []string{"no 'matren'", "did you mean 'matern'?", "^^^^^^"}},
		{"kernel.matern{nuu = 1}", []string{"unknown argument 'nuu'", "did you mean 'nu'?", "              ^^^"}},
		{"array.load('nosuch.npz')", []string{"nosuch.npz"}},
		{"x = = 1", []string{"error: expected an expression, found '='", "    ^"}},
		{"s = 'abc", []string{"closing '"}},
		{"error({code = 1})", []string{"error:"}},
		{"error('plain', 0)", []string{"error: plain"}},
		{"local function f() error('deep') end local function g() f() end g()", []string{"error: deep", "in function 'g'"}},
	} {
		got := strings.Join(y.run(c.line), "\n")
		for _, w := range c.want {
			if !strings.Contains(got, w) {
				t.Errorf("%s shows\n%s\nwant %q in it", c.line, got, w)
			}
		}
		if strings.Contains(got, "goroutine") || strings.Contains(got, ".go:") || strings.Contains(got, "[G]") {
			t.Errorf("%s shows the inside of the program:\n%s", c.line, got)
		}
	}
	y.check("1+1", "2")
}

func TestLeaving(t *testing.T) {
	t.Parallel()
	for _, keys := range []string{"\x04", "exit\r", "quit()\r", "os.exit(0)\r"} {
		y := open(t, options{})
		y.prompt(0)
		y.send(keys)
		if status := y.exit(); status != 0 {
			t.Errorf("%q: status %d", keys, status)
		}
	}
	y := open(t, options{})
	y.prompt(0)
	y.send("os.exit(7)\r")
	if status := y.exit(); status != 7 {
		t.Errorf("os.exit(7): status %d", status)
	}
}

func TestColour(t *testing.T) {
	t.Parallel()
	escapes := func(env ...string) bool {
		y := open(t, options{env: env})
		y.prompt(0)
		y.run("error('x')")
		y.mu.Lock()
		defer y.mu.Unlock()
		return strings.Contains(string(y.raw), "\x1b[1;31m")
	}
	if !escapes() {
		t.Error("errors have no colour")
	}
	if escapes("NO_COLOR=1") {
		t.Error("NO_COLOR is not honoured")
	}
}

func TestStartupFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(".config/workbench/init.lua", "from_init = 1")
	y := open(t, options{dir: dir})
	y.prompt(0)
	y.check("from_init", "1")
	y = open(t, options{dir: dir, args: []string{"--no-init"}})
	y.prompt(0)
	y.check("from_init", "nil")

	// The project's file asks first, and again when it has changed.
	write(".workbenchrc.lua", "from_project = 1")
	y = open(t, options{dir: dir})
	y.shows(0, "run it?")
	y.send("no\r")
	y.prompt(0)
	y.check("from_project", "nil")
	y = open(t, options{dir: dir})
	y.shows(0, "run it?")
	y.send("always\r")
	y.prompt(0)
	y.check("from_project", "1")
	y = open(t, options{dir: dir})
	if rows := strings.Join(y.prompt(0), "\n"); strings.Contains(rows, "run it?") {
		t.Error("a trusted file asks again")
	}
	write(".workbenchrc.lua", "from_project = 2")
	y = open(t, options{dir: dir})
	y.shows(0, "run it?")
	y.send("yes\r")
	y.prompt(0)
	y.check("from_project", "2")
}

func TestPromptAfterAScript(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "s.lua"), []byte("local kept = 7\nerror('half way')\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	y := open(t, options{dir: dir, args: []string{"-i", "s.lua", "arg1"}})
	if rows := strings.Join(y.prompt(0), "\n"); !strings.Contains(rows, "error: half way") || !strings.Contains(rows, "s.lua:2: error('half way')") {
		t.Errorf("the error of the script: %s", rows)
	}
	y.check("kept", "7")
	y.check("arg[0], arg[1]", "s.lua    arg1")
}

func TestTiming(t *testing.T) {
	t.Parallel()
	y := open(t, options{})
	y.prompt(0)
	rows := y.run("t = os.clock() while os.clock() - t < 0.7 do end")
	if len(rows) != 1 || !strings.HasSuffix(rows[0], "s]") || len([]rune(rows[0])) > 100 {
		t.Errorf("got %q", rows)
	}
}

func TestShell(t *testing.T) {
	t.Parallel()
	y := open(t, options{})
	y.prompt(0)
	y.check(";echo from the shell", "from the shell")
	y = open(t, options{args: []string{"--safe"}})
	y.prompt(0)
	y.check(";echo from the shell", "error: --safe allows no commands of the system")
}
