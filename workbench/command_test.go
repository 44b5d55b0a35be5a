package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/greenbench/workbench/workbench/repl/everywhere"
)

// A result is what a run of the command left.
type result struct {
	out, errs string
	status    int
}

// command runs the workbench in a folder with the given standard input.
func command(t *testing.T, dir, input string, args ...string) result {
	t.Helper()
	cmd := program(dir, args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// files makes a folder with the given files.
func files(t *testing.T, nameAndText ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(nameAndText); i += 2 {
		path := filepath.Join(dir, nameAndText[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(nameAndText[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Statuses, and what goes where: results to standard output, all else to
// standard error. An empty want means that nothing may be there.
func TestCommand(t *testing.T) {
	dir := files(t,
		"ok.lua", "#!/usr/bin/env workbench\nprint('args', arg[0], arg[1], arg[2], ...)\n",
		"fails.lua", "local function f()\n  error('broken')\nend\nprint('before')\nf()\n",
		"syntax.lua", "x = = 1\n",
		"typo.lua", "print('before')\nlocal k = kernal.matern{}\n",
		"option.lua", "print('before')\nlocal k = kernel.matern{nuu = 1}\n",
		"exit.lua", "io.write('no line end') os.exit(7)\n",
		"portable.lua", "local bit = bit32 or bitlib local j = jit print(bit, j, x) return x\n",
		"slip.lua", "local value = 1\nprint(valeu)\n",
		"taken.lua", "kernel = kernel.se{lengthscale = 1}\nk = kernel.matern{}\n",
		"suspect.lua", "local d = load('x = 1') d() print(x) print(z)\n",
		"cli.lua", "local p = cli{n = {200, 'points of the mesh'}, out = 'green.png', fast = false} print(p.n, p.out, p.fast)\n",
		"sub/uses.lua", "local lib = require 'lib' print(lib.name)\n",
		"sub/lib.lua", "return {name = 'from lib'}\n",
	)
	for _, c := range []struct {
		name, input string
		args        string // separated by |
		status      int
		out, errs   string // regular expressions
	}{
		{"parameters", "", "cli.lua|n=20|--out=x.png|--fast", 0, "^20\tx.png\ttrue\n$", "^$"},
		{"defaults of parameters", "", "cli.lua", 0, "^200\tgreen.png\tfalse\n$", "^$"},
		{"misspelt parameter", "", "cli.lua|otu=x.png", 1, "^$", `unknown argument 'otu=x.png'; did you mean 'out'\?(?s:.*)n=200  points of the mesh`},
		{"parameter of another type", "", "cli.lua|n=many", 1, "^$", `argument 'n=many': want a number, got "many"`},
		{"parameter without a value", "", "cli.lua|n", 1, "^$", "argument 'n': want n=value"},
		{"checks in a script", "", "-e|test.near(1, 1 + 1e-12) test.case('one', function() test.equal(1, 2) end)", 1, "^$", `test.case: "one".*got +1`},
		{"help on checks", "", "-e|help('test.near')", 0, `test\.near\(`, "^$"},
		{"left out in safe mode", "", "--safe|-e|io.open('x')", 1, "^$", `'io.open' \(safe mode has none\)`},
		{"script", "", "ok.lua|a|b", 0, "^args\tok.lua\ta\tb\ta\tb\n$", ""},
		{"standard input as a script", "print(1) print(2)", "-|x", 0, "^1\n2\n$", ""},
		{"failing script", "", "fails.lua", 1, "^before\n$", "error: broken\n  fails.lua:2:   error\\('broken'\\)\n(.|\n)*called from fails.lua:5: in main chunk"},
		{"syntax", "", "syntax.lua", 2, "", "error: expected an expression, found '='\n  syntax.lua:1: x = = 1\n +\\^\n"},
		{"misspelt name", "", "typo.lua", 2, "", "error: 'kernal' is not defined; did you mean 'kernel'\\?\n  typo.lua:2: (.|\n)*\\^\\^\\^\\^\\^\\^\nnothing was run"},
		{"misspelt argument", "", "option.lua", 2, "", "unknown argument 'nuu'; did you mean 'nu'"},
		{"what may be nil is no mistake", "", "portable.lua", 0, "^nil\tnil\tnil\n$", "^$"},
		{"a slip that is passed on is noted", "", "slip.lua", 0, "^nil\n$", "^note: slip.lua:2: 'valeu' is not defined; did you mean 'value'\\?\n$"},
		{"a module loses its name", "", "taken.lua", 1, "^$", "^note: taken.lua:1: 'kernel' is now your variable(.|\n)*error: a kernel has no 'matern': 'kernel' is now your variable"},
		{"and gets it back", "", "-p|kernel = 1 reload 'kernel' return kernel.se{lengthscale = 1}", 0, "^kernel.se", ""},
		{"suspicions do not stop a script", "", "suspect.lua", 0, "^1\nnil\n$", ""},
		{"exit", "", "exit.lua", 7, "^no line end$", ""},
		{"no such file", "", "fial.lua", 2, "", "no such file: fial.lua"},
		{"near file", "", "fail.lua", 2, "", "did you mean 'fails.lua'"},
		{"require beside the script", "", "sub/uses.lua", 0, "^from lib\n$", ""},
		{"-e", "", "-e|x = 2|-e|print(x)", 0, "^2\n$", ""},
		{"-e says nothing", "", "-e|1 + 1", 0, "", ""},
		{"-p", "", "-p|1/3", 0, "^0.33333333333333\n$", ""},
		{"-p of statements", "", "-p|x = 3; x", 0, "^3\n$", ""},
		{"-p of a table", "", "-p|{1, {x = 'y'}}", 0, `^{1, {x = "y"}}` + "\n$", ""},
		{"math of arrays", "", "-p|math.exp(array{0, 1}):sum(), math.max(array{1, 5}, 3)[1]", 0, `^3.718281828459    3` + "\n$", ""},
		{"-e with an error", "", "-e|error('x')", 1, "", "error: x\n  code:1: error\\('x'\\)"},
		{"-e with a syntax error", "", "-e|x = = 1", 2, "", "error: expected an expression, found '='\n  code:1: x = = 1\n +\\^"},
		{"pipe", "print(1)", "", 0, "^1\n$", ""},
		{"input of a script in a pipe", "x = io.read()\nfrom the pipe\nprint(x)\n", "", 0, "^from the pipe\n$", ""},
		{"results in a pipe", "1+1\nx = 3\nfor i=1,2 do\n  print(i)\nend\nx;\nx\n", "", 0, "^2\n1\n2\n3\n$", ""},
		{"error in a pipe", "print(1)\nerror('stop')\nprint(2)\n", "", 1, "^1\n$", "error: stop"},
		{"syntax error in a pipe", "x = = 1\nprint(2)\n", "", 2, "", "error: expected"},
		{"unfinished pipe", "for i = 1, 2 do\n", "", 2, "", "expected 'end'"},
		{"help in a pipe", "?kernel.matern\n", "", 0, "lengthscale", ""},
		{"version", "", "version", 0, "^workbench ", ""},
		{"help", "", "--help", 0, "^usage: workbench", ""},
		{"unknown option", "", "--saef", 2, "", "unknown option --saef; did you mean '--safe'"},
		{"time limit", "", "--timeout|0.2|-e|while true do end", 124, "", "time limit of 200ms exceeded"},
		{"memory limit", "", "--max-memory|200MB|-e|t = {} while true do t[#t + 1] = {1, 2, 3} end", 137, "", "memory limit of 191 MiB exceeded"},
		{"threads", "", "--threads|1|-p|1", 0, "^1\n$", ""},
		{"doc", "", "doc|kernel.matern", 0, "lengthscale", ""},
		{"doc of a module", "", "doc|linalg", 0, "cholesky", ""},
		{"contents", "", "doc", 0, "kernel", ""},
		{"doc of nothing", "", "doc|nosuchthing", 1, "", "No page is called \"nosuchthing\""},
		{"doc of words", "", "doc|random|field", 1, "", "random.field"},
		{"doc with an unknown option", "", "doc|--htlm|x", 2, "", "unknown option --htlm; did you mean '--html'"},
		{"doc without a folder", "", "doc|--html", 2, "", "which folder"},
		{"definitions for editors", "", "doc|--luals|editor", 0, "^editor\n$", ""},
		{"lint", "", "lint|typo.lua|ok.lua|suspect.lua", 1, "^typo.lua:2:11: 'kernal' is not defined(.|\n)*suspect.lua:1:44: 'z' is not defined", ""},
		{"lint of a clean file", "", "lint|ok.lua", 0, "", ""},
		{"lint of no Lua", "", "lint|syntax.lua", 2, "^syntax.lua:1:5: expected", ""},
		{"safe", "", "--safe|-e|os.execute('ls')", 1, "", "attempt to call nil: 'os.execute'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var args []string
			if c.args != "" {
				args = strings.Split(c.args, "|")
			}
			r := command(t, dir, c.input, args...)
			if r.status != c.status {
				t.Errorf("status %d, want %d", r.status, c.status)
			}
			check(t, "output", r.out, c.out)
			check(t, "diagnostics", r.errs, c.errs)
		})
	}
}

func check(t *testing.T, what, got, want string) {
	t.Helper()
	if want == "" && got != "" || !regexp.MustCompile(want).MatchString(got) {
		t.Errorf("%s %q, want %q", what, got, want)
	}
	if strings.ContainsAny(got, "\x1b\r") {
		t.Errorf("%s: escape sequences where there is no terminal: %q", what, got)
	}
}

func TestTestCommand(t *testing.T) {
	dir := files(t,
		"good.lua", "print(kernel.se{lengthscale = 1}(0, 0))  --> 1\nkernel.matern{nu = -1}  --! nu -1: must be > 0\n",
		"bad.lua", "test.case('sum', function() test.equal(1 + 1, 3) end)\n",
		"broken.lua", "x = = 1\n",
	)
	for args, status := range map[string]int{
		"test good.lua": 0, "test bad.lua": 1, "test good.lua bad.lua": 1, "test broken.lua": 3,
		"test nosuch.lua": 3, "test --format tap good.lua": 0, "test --junit r.xml bad.lua": 1,
	} {
		if r := command(t, dir, "", strings.Fields(args)...); r.status != status {
			t.Errorf("%s: status %d, want %d\n%s%s", args, r.status, status, r.out, r.errs)
		}
	}
	if report, err := os.ReadFile(filepath.Join(dir, "r.xml")); err != nil || !strings.Contains(string(report), "<testsuite") {
		t.Errorf("the JUnit report: %v\n%s", err, report)
	}
}

// Ctrl-C ends a script with status 130, whether Lua or Go code runs.
func TestInterruptedScript(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows sends no interrupt to a single process")
	}
	for name, code := range map[string]string{
		"Lua": "print('ready') while true do end",
		"Go":  "print('ready') bench(function() end, {seconds = 1000})",
	} {
		cmd := program(t.TempDir(), "-e", code)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 16)); err != nil { // the script runs
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		if status := cmd.ProcessState.ExitCode(); status != 130 || !strings.Contains(errs.String(), "interrupted") {
			t.Errorf("%s: status %d, %s", name, status, errs.String())
		}
	}
}

// Results that cannot be written are no success: a full disk fails the run, early
// if much is printed, and nothing else is said than why.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("this system has no full disk: %v", err)
	}
	t.Cleanup(func() { full.Close() })
	dir := files(t, "script.lua", "print(1)")
	for name, args := range map[string][]string{
		"a line":     {"-e", "print(1)"},
		"io.write":   {"-e", "io.write(1)"},
		"value":      {"-p", "1 + 1"},
		"script":     {"script.lua"},
		"prompt":     nil,
		"much":       {"-e", "while true do print(('x'):rep(1000)) end"},
		"much write": {"-e", "while true do assert(io.write(('x'):rep(1000))) end"},
		"by and by":  {"-e", "print(1) local t = os.time() while os.time() < t + 2 do end print(2)"},
		"version":    {"version"},
		"manual":     {"doc", "kernel.se"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := program(dir, args...)
			var errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = full, &errs
			if args == nil {
				cmd.Stdin = strings.NewReader("1 + 1\n")
			}
			_ = cmd.Run()
			if status := cmd.ProcessState.ExitCode(); status != 1 || !strings.Contains(errs.String(), "no space left on device") {
				t.Errorf("status %d: %s", status, errs.String())
			}
		})
	}
}

// A million lines through a pipe take no million system calls, and all arrive.
func TestMuchOutput(t *testing.T) {
	r := command(t, t.TempDir(), "", "-e", "for i = 1, 200000 do print(i) end io.write('end')")
	if strings.Count(r.out, "\n") != 200000 || !strings.HasSuffix(r.out, "200000\nend") {
		t.Errorf("%d lines, the end is %q", strings.Count(r.out, "\n"), r.out[max(0, len(r.out)-20):])
	}
}

// Each demo runs, in a folder where there is nothing.
func TestDemos(t *testing.T) {
	for _, d := range everywhere.Demos() {
		r := command(t, t.TempDir(), "", "-e", fmt.Sprintf("demo(%q)", d.Name))
		if r.status != 0 || r.errs != "" || !strings.Contains(r.out, d.About) {
			t.Errorf("demo %s: status %d, %s", d.Name, r.status, r.errs)
		}
	}
}

// A script that fails while its error is shown fails like any other.
func TestErrorOfAnError(t *testing.T) {
	dir := files(t, "bug.lua", "error(setmetatable({}, {__tostring = function() error('in tostring') end}))\n")
	if r := command(t, dir, "", "bug.lua"); r.status != 1 || !strings.Contains(r.errs, "error:") || strings.Contains(r.errs, "goroutine") {
		t.Errorf("status %d\n%s", r.status, r.errs)
	}
}
