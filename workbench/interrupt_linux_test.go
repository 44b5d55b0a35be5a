package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestInterruptAtThePrompt(t *testing.T) {
	t.Parallel()
	y := open(t, options{})
	y.prompt(0)
	from := y.here()
	y.send("x =")
	y.shows(from, "x =")
	y.send("\x03")
	y.prompt(from)
	from = y.here()
	y.send("x =\r")
	y.shows(from, ">>")
	y.send("\x03")
	y.prompt(from)
	y.check("x", "nil")
}

func TestInterruptOfAComputation(t *testing.T) {
	t.Parallel()
	y := open(t, options{})
	y.prompt(0)
	y.check("y = 42")
	from := y.here()
	y.send("while true do end\r")
	time.Sleep(300 * time.Millisecond)
	y.send("\x03")
	rows := y.prompt(from)
	if len(rows) == 0 || !strings.Contains(rows[len(rows)-1], "interrupted at input[2]:1, after ") {
		t.Errorf("got %q", rows)
	}
	y.check("y", "42")
	y.check("co = coroutine.wrap(function() coroutine.yield(1) coroutine.yield(2) end)")
	y.check("co()", "1")
}

// Ctrl-C in the middle of Go code, with everything defined so far intact.
func TestInterruptOfASolve(t *testing.T) {
	t.Parallel()
	y := open(t, options{})
	y.prompt(0)
	y.run("A = random.normal{shape = {1200, 1200}, seed = 1};")
	from := y.here()
	y.send("while true do x = linalg.solve(A, A) end\r")
	time.Sleep(500 * time.Millisecond)
	y.send("\x03")
	rows := y.prompt(from)
	if last := rows[len(rows)-1]; !strings.Contains(last, "interrupted") || !strings.Contains(last, " at input[2]:1, after ") {
		t.Errorf("got %q", rows)
	}
	y.check("A.shape", "{1200, 1200}")
}

// Ctrl-C in the middle of everything that takes long; the session goes on.
func TestInterruptOfAnything(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "long.txt"), []byte(strings.Repeat("a line\n", 1<<20)), 0o600); err != nil {
		t.Fatal(err)
	}
	y := open(t, options{dir: dir})
	y.prompt(0)
	y.run("t = {} for i = 1, 2e5 do t[i] = i * 7919 % 1e5 end s = ('a'):rep(30000)")
	y.run("A = random.normal{shape = {600, 600}, seed = 1}; m = mesh.uniform(0, 1, 100)")
	y.run("f = random.field{mesh = m, kernel = kernel.se{lengthscale = 0.1}, n = 100}; d = data.new{input = f, output = f, input_mesh = m}")
	y.run("k = kernel.define(function(x, y) return math.exp(-(x[1] - y[1])^2) end, {trace = false})")
	for _, tc := range []struct{ line, in string }{
		{"while true do table.sort(t, function(a, b) return a < b end) end", ""},
		{"y = s:find('.-.-.-b')", ""},
		{"while true do for l in io.lines('long.txt') do end end", ""},
		{"while true do (s:rep(100)):len() end", ""},
		{"while true do x = table.concat(t, ', ') end", ""},
		{"while true do green.fit{data = d, kernel = kernel.matern{nu = 1.5, lengthscale = 0.1}} end", ""},
		{"while true do random.field{mesh = mesh.chebyshev(0, 1, 500), kernel = kernel.se{lengthscale = 0.1}, n = 500} end", ""},
		{"while true do x = A:dot(A) end", ""},
		{"while true do x = linalg.eigh(A:dot(A:transpose())) end", ""},
		{"y = k:gram(mesh.uniform(0, 1, 3000))", " in kernel:gram: "},
		{"y = sweep.run{grid = {n = {1, 2, 3, 4}}, jobs = 2, run = function() while true do end end}", " in sweep.run: "},
		{"y = sweep.run{grid = {n = {1, 2}}, jobs = 2, run = function() while true do linalg.solve(A, A) end end}", " in sweep.run: "},
	} {
		from := y.here()
		y.send("print('begun') " + tc.line + "\r")
		y.wait(from, "the beginning of "+tc.line, func(rows []string) bool { return slices.Contains(rows, "begun") })
		time.Sleep(60 * time.Millisecond)
		y.send("\x03")
		y.wait(from, "the interrupt of "+tc.line, func(rows []string) bool {
			text := strings.Join(rows, "\n")
			return strings.Contains(text, "interrupted"+tc.in) && rows[len(rows)-1] == ">"
		})
		y.check("6 * 7", "42")
	}
	y.check("A.shape", "{600, 600}")
}
