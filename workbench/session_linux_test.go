package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What a longer session needs: pictures, progress, files that change, variables
// that outlive it, and ways out.

// Figures without a file are shown in the terminal, in the language it speaks.
func TestPictures(t *testing.T) {
	t.Parallel()
	figure := func(o options) string {
		y := open(t, o)
		y.prompt(0)
		y.run("plot.heatmap({{0, 1}, {2, 3}}, {title = 'four cells'});")
		y.mu.Lock()
		defer y.mu.Unlock()
		return string(y.raw)
	}
	for name, want := range map[string]string{
		"kitty": "\x1b_Ga=T", "iterm": "\x1b]1337;File=", "sixel": "\x1bP", "braille": "▀",
	} {
		if got := figure(options{env: []string{"WORKBENCH_PICTURES=" + name}}); !strings.Contains(got, want) {
			t.Errorf("%s: no %q in what was sent", name, want)
		}
	}
	// A terminal that is asked and does not answer gets characters.
	if got := figure(options{}); !strings.Contains(got, "four cells") || strings.Contains(got, "\x1b_G") {
		t.Error("a terminal that says nothing was sent a picture")
	}
}

func TestProgressBar(t *testing.T) {
	t.Parallel()
	y := open(t, options{})
	y.prompt(0)
	from := y.here()
	y.send("for i in progress(1000, 'count') do local t = os.clock() while os.clock() - t < 0.01 do end end\r")
	y.shows(from, "─ ")
	y.shows(from, "left")
	y.send("\x03")
	rows := y.prompt(from)
	if last := rows[len(rows)-1]; !strings.Contains(last, "interrupted in count ") || !strings.Contains(last, "of 1000 at input[1]:1") {
		t.Errorf("got %q", rows)
	}
	if text := strings.Join(rows, "\n"); strings.Contains(text, "━") || strings.Contains(text, "──") {
		t.Errorf("the bar is still there:\n%s", text)
	}
}

func TestWatch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "w.lua")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("kept = kept or 'still' print('first', kept)")
	y := open(t, options{dir: dir})
	y.prompt(0)
	from := y.here()
	y.send("watch('w.lua')\r")
	y.shows(from, "first   still")
	write("print('second', kept")
	y.shows(from, "error: w.lua:1")
	time.Sleep(20 * time.Millisecond) // the time stamp of the next version differs
	write("print('second', kept)")
	y.shows(from, "second  still")
	y.send("\x03")
	y.prompt(from)
	y.check("kept", "still")
}

func TestWhoAndSessions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	y := open(t, options{dir: dir})
	y.prompt(0)
	y.check("x = 2; A = array{{1, 2}, {3, 4}}; k = kernel.matern{nu = 2.5, lengthscale = 0.3}")
	y.check("function area(r) return math.pi * r ^ 2 end")
	y.run("bad syntax here")
	rows := y.run("who()")
	if text := strings.Join(rows, "\n"); len(rows) != 4 || !strings.Contains(text, "area  function  input[2]:1") || !strings.Contains(text, "A     array     array 2×2") {
		t.Errorf("who():\n%s", text)
	}
	y.check("save_session('s.session')", "s.session: 4 variables")
	y.run("save_session('s.lua')")
	script, err := os.ReadFile(filepath.Join(dir, "s.lua"))
	if err != nil || strings.Contains(string(script), "bad syntax") || !strings.Contains(string(script), "function area(r)") {
		t.Errorf("the inputs, %v:\n%s", err, script)
	}
	z := open(t, options{dir: dir})
	z.prompt(0)
	z.check("load_session('s.session')", "s.session: 4 variables")
	z.check("area(x), A:sum(), k(0, 0)", "12.566370614359    10    1")
	z.check("k", "kernel.matern{nu=2.5, lengthscale=0.3}")
}

// The session as a page of HTML, its inputs as a script that runs, and results with
// all their digits.
func TestReportSaveAndFormat(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	y := open(t, options{dir: dir})
	y.prompt(0)
	y.check("format('long')")
	y.check("1/3", "0.33333333333333331")
	y.check("array{1/3, 2}", "array 2, min 0.3333, max 2, norm 2.028", "  0.333333333333333  2.000000000000000")
	y.check("format('short')")
	y.check("1/3", "0.33333333333333")
	y.run("plot.lines{ {y = {1, 4, 9}} }")
	y.run("nothing.here")
	y.check("report('s.html')", "s.html")
	y.check("save 's.lua'", "s.lua: 4 inputs")
	y.check("report('s.txt')", `error: report: file "s.txt": must end in .html`, "  input[10]:1: report('s.txt')", "                      ^^^^^^^")
	page, err := os.ReadFile(filepath.Join(dir, "s.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"0.33333333333333331", "data:image/svg", "attempt to index nil", "workbench "} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page has no %q:\n%s", want, page)
		}
	}
	script, err := os.ReadFile(filepath.Join(dir, "s.lua"))
	if want := "print(1/3)\nprint(array{1/3, 2})\nprint(1/3)\nprint(plot.lines{ {y = {1, 4, 9}} })\n"; err != nil || !strings.HasSuffix(string(script), want) {
		t.Errorf("the script, %v:\n%s", err, script)
	}
}

// A window that changes its size in the middle of a line.
func TestResize(t *testing.T) {
	t.Parallel()
	y := open(t, options{columns: 80, rows: 24})
	y.prompt(0)
	from := y.here()
	y.send("x = 1 +")
	y.shows(from, "x = 1 +")
	y.resize(50, 20)
	time.Sleep(50 * time.Millisecond)
	y.send(" 1\r")
	y.prompt(from)
	y.check("x", "2")
	if rows := y.run("array.zeros(30, 30)"); len(rows) < 2 || len([]rune(rows[1])) > 50 {
		t.Errorf("an array in a window of 50 columns: %q", rows)
	}
}

// Code that does not look at its context can be left. Here it is the wait for a
// line of the terminal, which nothing but the line ends.
func TestThirdInterruptLeaves(t *testing.T) {
	t.Parallel()
	y := open(t, options{})
	y.prompt(0)
	from := y.here()
	y.send("print('be' .. 'gun') io.read()\r")
	y.shows(from, "begun")
	time.Sleep(100 * time.Millisecond)
	y.send("\x03")
	time.Sleep(500 * time.Millisecond) // two at once are one
	y.send("\x03")
	y.shows(from, "Ctrl-C once more leaves the workbench")
	y.send("\x03")
	if status := y.exit(); status != 130 {
		t.Errorf("status %d", status)
	}
}

// A script reads what is typed while it runs, in the terminal's own way.
func TestScriptReads(t *testing.T) {
	t.Parallel()
	y := open(t, options{})
	y.prompt(0)
	from := y.here()
	y.send("name = io.read()\r")
	y.shows(from, "io.read()")
	time.Sleep(100 * time.Millisecond)
	y.send("typed\r")
	y.prompt(from)
	y.check("name", "typed")
	y.check("io.write('no line end');", "no line end")
	y.check("io.write('a'); 'result'", "a", "result")
}

// A signal that ends the program leaves a usable terminal.
func TestTerminated(t *testing.T) {
	t.Parallel()
	y := open(t, options{})
	y.prompt(0)
	y.send("x = ")
	y.shows(0, "x =")
	y.cmd.Process.Signal(syscall.SIGTERM)
	if status := y.exit(); status != 128+15 {
		t.Errorf("status %d", status)
	}
	y.wait(0, "the end of bracketed paste", func([]string) bool {
		y.mu.Lock()
		defer y.mu.Unlock()
		return strings.HasSuffix(string(y.raw), "\x1b[?2004l")
	})
}

func TestTraceback(t *testing.T) {
	t.Parallel()
	y := open(t, options{})
	y.prompt(0)
	y.check("traceback()", "No error so far.")
	y.run("function f() error('deep') end")
	y.run("x = f()")
	y.check("traceback()", "input[2]:1: deep", "  input[2]:1: in function 'f'", "  input[3]:1: in main chunk")
}

// A terminal that cannot move its cursor has prompts, and nothing that needs
// more.
func TestDumbTerminal(t *testing.T) {
	t.Parallel()
	y := open(t, options{env: []string{"TERM=dumb"}})
	y.prompt(0)
	y.check("1 + 1", "2")
	from := y.here()
	y.send("for i = 1, 2 do\rprint(i)\rend\r")
	y.shows(from, "1\n2\n>")
	y.run("error('x')")
	y.mu.Lock()
	defer y.mu.Unlock()
	if strings.Contains(string(y.raw), "\x1b") {
		t.Errorf("escape sequences for a dumb terminal: %q", y.raw)
	}
}
