package runner

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/stdlib"
)

// A run is what a command line left: what it wrote, and its status.
type run struct {
	out, errs string
	status    int
}

// start makes a program connected to files, with an environment that has only what is
// given, as NAME=value. The function runs it.
func start(t *testing.T, input string, environment []string, args ...string) (*program, func() run) {
	t.Helper()
	dir := t.TempDir()
	file := func(name, text string) *os.File {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	environment = append(environment, "XDG_CONFIG_HOME="+filepath.Join(dir, "config"), "XDG_STATE_HOME="+filepath.Join(dir, "state"))
	getenv := func(name string) string {
		for _, e := range environment {
			if value, ok := strings.CutPrefix(e, name+"="); ok {
				return value
			}
		}
		return ""
	}
	s := Streams{file("in", input), file("out", ""), file("errs", ""), getenv}
	inv, err := Parse(args)
	if err != nil {
		t.Fatal(err)
	}
	p := newProgram(inv, s)
	return p, func() run {
		status := p.main()
		if err := p.out.Flush(); err != nil {
			t.Error(err)
		}
		read := func(f *os.File) string {
			text, err := os.ReadFile(f.Name())
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		return run{read(s.Out), read(s.Err), status}
	}
}

// at makes a person of whoever runs the program: at a terminal that can only print.
func (p *program) at() {
	p.terminal.In, p.terminal.Out, p.terminal.Dumb = true, true, true
	p.out.direct = true
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Each way to call the program: what it prints, where, and its status. (An empty want
// means that nothing may be there.)
func TestWaysToRun(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "good.lua", "print(arg[1], ...)\n")
	write(t, "bad.lua", "local function f() error('broken') end\nf()\n")
	write(t, "typo.lua", "print('before') kernal.se{}\n")
	write(t, "slip.lua", "local value = 1 print(valeu)\n")
	write(t, "never.lua", "local a = array{1} print(a == 1)\n")
	write(t, "broken.lua", "x = = 1\n")
	write(t, "test.lua", "print(1 + 1)  --> 2\n")
	for _, c := range []struct {
		input, args string // separated by |
		status      int
		out, errs   string // contained
	}{
		{"", "good.lua|x", host.ExitOK, "x\tx\n", ""},
		{"print(1)", "-", host.ExitOK, "1\n", ""},
		{"", "bad.lua", host.ExitFailure, "", "error: broken"},
		{"", "typo.lua", host.ExitUsage, "", "did you mean 'kernel'"},
		{"", "slip.lua", host.ExitOK, "nil\n", "note: slip.lua:1: 'valeu' is not defined"},
		{"", "never.lua", host.ExitOK, "false\n", "note: never.lua:1: an array never equals a number, so == is always false: write a:eq(1), a mask"},
		{"a = array{1}\na ~= 1\n", "", host.ExitOK, "true\n", "note: an array never equals a number, so ~= is always true: write a:ne(1), a mask"},
		{"", "broken.lua", host.ExitUsage, "", "expected an expression"},
		{"", "god.lua", host.ExitUsage, "", "no such file: god.lua; did you mean 'good.lua'"},
		{"", "no/such/folder.lua", host.ExitUsage, "", "no such file: no/such/folder.lua"},
		{"", ".", host.ExitUsage, "", "workbench: read ."},
		{"", "-e|x = 2|-p|x, {x}", host.ExitOK, "2    {2}\n", ""},
		{"", "-p|y = 3; y", host.ExitOK, "3\n", ""},
		{"", "-p|kernel.se", host.ExitOK, "kernel.se", ""},
		{"", "-e|os.exit(7)", 7, "", ""},
		{"", "--timeout|0.05|-e|while true do end", host.ExitTimeout, "", "time limit of 50ms exceeded"},
		{"", "--safe|-e|os.execute('ls')", host.ExitFailure, "", "safe mode"},
		{"1 + 1\nx = 5\nx\n", "", host.ExitOK, "2\n5\n", ""},
		{"error('stop')\nprint(2)\n", "", host.ExitFailure, "", "error: stop"},
		{"z\n", "-i|-e|local z = 9", host.ExitOK, "9\n", ""},
		{"", "lint|typo.lua|good.lua", host.ExitFailure, "typo.lua:1:17: 'kernal' is not defined", ""},
		{"", "lint|broken.lua", host.ExitUsage, "broken.lua:1:5: expected", ""},
		{"", "lint|none.lua", host.ExitUsage, "", "none.lua"},
		{"", "test|test.lua", host.ExitOK, "1 passed", ""},
		{"", "test|broken.lua", 3, "broken.lua", ""},
		{"", "doc|kernel.se", host.ExitOK, "lengthscale", ""},
		{"", "doc|nothing", host.ExitFailure, "", "No page is called"},
		{"", "doc|--luals|editor", host.ExitOK, "editor\n", ""},
		{"", "doc|--help", host.ExitOK, "usage: workbench doc [NAME]", ""},
		{"", "doc|--lauls|editor", host.ExitUsage, "", "unknown option --lauls; did you mean '--luals'"},
		{"", "doc|--html", host.ExitUsage, "", "which folder"},
		{"", "doc|--luals|good.lua", host.ExitFailure, "", "good.lua"},
		{"", "version", host.ExitOK, "workbench ", ""},
		{"", "--help", host.ExitOK, "--max-memory SIZE", ""},
		{"", "man", host.ExitOK, ".TH WORKBENCH 1", ""},
		{"", "completion|bash", host.ExitOK, "complete -o filenames -F _workbench workbench", ""},
		{"", "completion|csh", host.ExitUsage, "", "unknown shell csh: must be one of bash, zsh, fish"},
		{"", "--threads|1|-p|1", host.ExitOK, "1\n", ""},
	} {
		var args []string
		if c.args != "" {
			args = strings.Split(c.args, "|")
		}
		_, do := start(t, c.input, nil, args...)
		r := do()
		if r.status != c.status {
			t.Errorf("%s: status %d, want %d", c.args, r.status, c.status)
		}
		for what, pair := range map[string][2]string{"output": {r.out, c.out}, "diagnostics": {r.errs, c.errs}} {
			if !strings.Contains(pair[0], pair[1]) || pair[1] == "" && pair[0] != "" {
				t.Errorf("%s: %s %q, want %q", c.args, what, pair[0], pair[1])
			}
		}
	}
}

// What is wrong with the command line is said before anything is made.
func TestWrongCommandLine(t *testing.T) {
	errs, err := os.Create(filepath.Join(t.TempDir(), "errs"))
	if err != nil {
		t.Fatal(err)
	}
	defer errs.Close()
	if status := Main([]string{"--saef"}, Streams{Err: errs}); status != host.ExitUsage {
		t.Errorf("status %d", status)
	}
	if text, err := os.ReadFile(errs.Name()); err != nil || string(text) != "workbench: unknown option --saef; did you mean '--safe'?\ntry: workbench --help\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// A session at a terminal greets, runs the user's file, asks before the folder's own file
// runs, remembers the answer "always" until the file changes, and keeps a history.
func TestSessionAtATerminal(t *testing.T) {
	t.Chdir(t.TempDir())
	state := t.TempDir()
	environment := []string{"XDG_CONFIG_HOME=" + filepath.Join(state, "config"), "WORKBENCH_HISTORY=" + filepath.Join(state, "history"), "TERM=dumb"}
	write(t, filepath.Join(state, "config", "workbench", "init.lua"), "print('own file') mine = 1\n")
	write(t, projectFile, "print('project file')\n")
	session := func(input string, args ...string) run {
		t.Helper()
		p, do := start(t, input, environment, args...)
		p.at()
		return do()
	}
	expect := func(when string, r run, want ...string) {
		t.Helper()
		if r.status != host.ExitOK {
			t.Errorf("%s: status %d, %s", when, r.status, r.errs)
		}
		for _, w := range want {
			w, not := strings.CutPrefix(w, "!")
			if strings.Contains(r.out, w) == not {
				t.Errorf("%s: output %q, want %q: %v", when, r.out, w, !not)
			}
		}
	}
	expect("the answer is no", session("no\nmine + 1\n"), "? for help", "own file", "wants to run in this folder", "!project file", "2\n")
	expect("yes, once", session("yes\n"), "project file")
	expect("always", session("always\n"), "project file")
	expect("it is trusted", session("history('mine')\n"), "project file", "!wants to run", "mine + 1")
	expect("without own files", session("1\n", "--no-init"), "!own file", "!project file")
	expect("safe", session("mine\n", "--safe"), "!own file", "!project file", "nil")
	write(t, projectFile, "print('another')\n")
	expect("it has changed", session("no\n"), "wants to run", "!another")
	expect("the input ends", session(""), "wants to run", "!another")
}

// Figures appear as text where a terminal shows no pictures, in the colours that it has,
// and as pictures where it says how.
func TestFiguresInATerminal(t *testing.T) {
	for _, c := range []struct {
		environment, want string
		color             bool
	}{
		{"LANG=C", "", false},
		{"LANG=de_DE.UTF-8", "⣀", false},
		{"COLORTERM=truecolor", "\x1b[38;2;", true},
		{"TERM=xterm-256color", "\x1b[38;5;", true},
		{"KITTY_WINDOW_ID=1", "\x1b_G", true},
		{"WORKBENCH_PICTURES=sixel", "\x1bP", true},
		{"TERM_PROGRAM=iTerm.app", "\x1b]1337;File=", true},
	} {
		p, do := start(t, "", []string{c.environment}, "-e", "plot.lines{{y = {1, 4, 9, 16}}}")
		p.terminal.Out, p.terminal.Dumb, p.terminal.Color, p.out.direct = true, false, c.color, true
		r := do()
		if r.status != host.ExitOK || r.out == "" || !strings.Contains(r.out, c.want) {
			t.Errorf("%s: status %d, %s: want %q in\n%q", c.environment, r.status, r.errs, c.want, r.out)
		}
		if strings.Contains(r.out, "\x1b") != c.color {
			t.Errorf("%s: escape sequences: %v", c.environment, !c.color)
		}
		if c.environment == "LANG=C" && strings.IndexFunc(r.out, func(r rune) bool { return r > 126 }) >= 0 {
			t.Errorf("characters that the terminal has not: %q", r.out)
		}
	}
}

// A fault of the workbench leaves a file with what a report needs, and only such a fault.
func TestCrashReport(t *testing.T) {
	p, _ := start(t, "", nil)
	p.crash(errors.New("a mistake in a script"), "x = 1")
	dir := filepath.Dir(p.historyPath())
	if files, err := filepath.Glob(filepath.Join(dir, "crash-*")); err != nil || len(files) > 0 {
		t.Errorf("a mistake of the user: %v, %v", files, err)
	}
	p.crash(&stdlib.InternalError{Message: "impossible", Stack: []byte("goroutine 1")}, "x = 1")
	files, err := filepath.Glob(filepath.Join(dir, "crash-*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	text, err := os.ReadFile(files[0])
	for _, want := range []string{"workbench ", "(commit ", "impossible", "x = 1", "goroutine 1"} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("no %q in the report: %v\n%s", want, err, text)
		}
	}
}

// Standard output that cannot be written fails the run.
func TestOutputThatIsLost(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("this system has no full disk: %v", err)
	}
	defer full.Close()
	_, do := start(t, "", nil, "-e", "") // for its files
	do()
	errs, err := os.Create(filepath.Join(t.TempDir(), "errs"))
	if err != nil {
		t.Fatal(err)
	}
	defer errs.Close()
	s := Streams{errs, full, errs, func(string) string { return "" }}
	if status := Main([]string{"-e", "print(1)"}, s); status != host.ExitFailure {
		t.Errorf("status %d", status)
	}
	if text, err := os.ReadFile(errs.Name()); err != nil || !strings.Contains(string(text), "standard output: ") {
		t.Errorf("%q, %v", text, err)
	}
}
