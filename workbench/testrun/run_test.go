package testrun

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/workbench/host"
)

// command runs the command in a folder of test files and returns its status
// and what it wrote, the name of the folder left out.
func command(t *testing.T, dir string, args ...string) (status int, out, errs string) {
	t.Helper()
	return commandUnder(t, t.Context(), dir, plainMaker, args...)
}

func commandUnder(t *testing.T, ctx context.Context, dir string, maker Maker, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e strings.Builder
	status = Command(ctx, append(args, dir), Program{Maker: maker, Version: "1", Out: &o, Err: &e})
	bare := strings.NewReplacer(filepath.ToSlash(dir)+"/", "", dir, "DIR")
	return status, bare.Replace(o.String()), bare.Replace(e.String())
}

const (
	passing = "test.case('alpha', function() end)\ntest.case('beta', function() end)\n"
	failing = "test.case('gamma', function() test.equal(1, 2) end)\ntest.case('delta', function() end)\n"
)

func TestCommandStatus(t *testing.T) {
	for _, c := range []struct {
		name   string
		files  []string
		args   []string
		status int
		out    string // part of what is written
	}{
		{"passed", []string{"a.lua", passing}, nil, 0, "1 file: 2 passed, 0 failed, 0 skipped"},
		{"failed", []string{"a.lua", passing, "b.lua", failing, "c.lua", failing}, nil, 1, "3 files: 4 passed, 2 failed"},
		{"not loaded", []string{"a.lua", passing, "b.lua", "local = 1"}, nil, 3, "1 file not loaded to the end"},
		{"no file", nil, nil, 3, "no test matched"},
		{"no test matched", []string{"a.lua", passing}, []string{"--filter", "omega"}, 3, "no test matched"},
		{"no such path", []string{"a.lua", passing}, []string{"nowhere.lua"}, 3, "nowhere.lua: no such file"},
		{"unknown flag", nil, []string{"--colour"}, 2, "-colour"},
		{"bad format", nil, []string{"--format", "xml"}, 2, `format "xml": want pretty, tap or json`},
		{"bad filter", nil, []string{"--filter", "/(/"}, 2, "filter /(/: "},
		{"bad jobs", nil, []string{"--jobs", "-1"}, 2, "jobs -1: must be >= 0"},
		{"help", nil, []string{"--help"}, 0, "usage: workbench test"},
		{"bad tolerance in a file", []string{"a.lua", "\n-- tol: x"}, nil, 3, "a.lua:2\n    tol: x: want a number"},
		{"junit that cannot be written", []string{"a.lua", passing}, []string{"--junit", "testdata/report.tap/r.xml"}, 3, "r.xml"},
	} {
		status, out, errs := command(t, write(t, c.files...), c.args...)
		if status != c.status || !strings.Contains(out+errs, c.out) {
			t.Errorf("%s: status %d, want %d and %q in\n%s%s", c.name, status, c.status, c.out, out, errs)
		}
	}
}

// 256 failures are a failure: the status is never a count.
func TestManyFailures(t *testing.T) {
	dir := write(t, "a.lua", "for i = 1, 256 do test.case('case ' .. i, function() test.equal(1, 2) end) end")
	if status, out, _ := command(t, dir); status != 1 || !strings.Contains(out, "0 passed, 256 failed") {
		t.Errorf("status %d\n%s", status, out)
	}
}

func TestFilterAndList(t *testing.T) {
	dir := write(t, "a.lua", passing, "sub/b.lua", failing, "c.lua", "-- sums\nprint(1 + 1) --> 3\n\nfunction test_x() end\n\nlocal = 2",
		"_helper.lua", "error('not a test file')", ".hidden.lua", "error('x')", "testdata/x.lua", "error('x')", "notes.txt", "x")
	all := "a.lua: alpha\na.lua: beta\nsub/b.lua: gamma\nsub/b.lua: delta\n"
	for _, c := range []struct{ filter, want string }{
		{"", all},
		{"a.lua", "a.lua: alpha\na.lua: beta\n"},
		{"ta", "a.lua: beta\nsub/b.lua: delta\n"},
		{"b.lua: g", "sub/b.lua: gamma\n"},
		{"/[bg]eta$|amma/", "a.lua: beta\nsub/b.lua: gamma\n"},
		{".*", ""},
	} {
		_, out, _ := command(t, dir, "--list", "--filter", c.filter)
		var got strings.Builder
		for line := range strings.Lines(out) {
			if !strings.HasPrefix(line, "c.lua") {
				got.WriteString(line)
			}
		}
		if got.String() != c.want {
			t.Errorf("filter %q:\n%s\nwant\n%s", c.filter, got.String(), c.want)
		}
	}
	dir = write(t, "c.lua", "-- sums\nprint(1 + 1) --> 3\n\nfunction test_x() error('not run') end\n")
	if status, out, _ := command(t, dir, "--list"); status != 0 || out != "c.lua: sums\nc.lua: test_x\n" {
		t.Errorf("list: status %d\n%s", status, out)
	}
	// What is filtered out does not fail, but chunks run, for those after them.
	dir = write(t, "c.lua", "-- first\nn = 2\nprint(n) --> 3\n\n-- second\nprint(n) --> 2\n")
	if status, out, _ := command(t, dir, "--filter", "second"); status != 0 || !strings.Contains(out, "1 passed, 0 failed") {
		t.Errorf("filtered: status %d\n%s", status, out)
	}
}

// Files named twice run once, in the order given.
func TestDiscover(t *testing.T) {
	dir := write(t, "b.lua", "", "a.lua", "", "_c.lua", "")
	paths := []string{filepath.Join(dir, "b.lua"), dir, dir + "/./a.lua", filepath.Join(dir, "_c.lua")}
	found, err := discover(paths)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, x := range found {
		names = append(names, filepath.Base(x))
	}
	if got := strings.Join(names, " "); got != "b.lua a.lua _c.lua" {
		t.Errorf("got %s", got)
	}
}

// However many files run at a time, the report is the same.
func TestJobs(t *testing.T) {
	var files []string
	for i := range 12 {
		files = append(files, fmt.Sprintf("f%02d.lua", i),
			fmt.Sprintf("test.case('draws', function() print(test.seed) test.equal(%d %% 5, 3) end)\nfor i = 1, %d do local x = i end", i, (12-i)*20000))
	}
	dir := write(t, files...)
	var reports []string
	for _, jobs := range []string{"1", "3", "12"} {
		_, out, _ := command(t, dir, "--format", "json", "--jobs", jobs)
		var doc struct{ Files []*File }
		if err := json.Unmarshal([]byte(out), &doc); err != nil {
			t.Fatal(err)
		}
		for _, f := range doc.Files {
			f.Start, f.Seconds = time.Time{}, 0
			for i := range f.Cases {
				f.Cases[i].Seconds = 0
			}
		}
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		reports = append(reports, string(text))
	}
	if reports[0] != reports[1] || reports[0] != reports[2] {
		t.Errorf("reports differ:\n%s", strings.Join(reports, "\n"))
	}
}

// The seed comes from the names of file and case alone: the same draws
// wherever the file is, whatever ran before.
func TestSeeds(t *testing.T) {
	seeds := func(source string) map[string]uint32 {
		m := map[string]uint32{}
		for _, c := range runSource(t, source).Cases {
			m[c.Name] = c.Seed
		}
		return m
	}
	a := seeds("test.case('one', function() end)\ntest.case('two', function() end)")
	b := seeds("test.case('two', function() end)")
	if a["one"] == a["two"] || a["one"] == 0 || a["two"] != b["two"] {
		t.Errorf("seeds %v and %v", a, b)
	}
}

// What a state offers for seeding is called with the seed of the case.
func TestSeedFunctions(t *testing.T) {
	maker := func(test bind.Module, out io.Writer) (*host.Host, error) {
		s, err := plainMaker(test, out)
		if err == nil {
			l := s.L
			l.SetGlobal("drawn", lua.LNumber(0))
			l.SetGlobal("seed", l.NewFunction(func(l *lua.LState) int {
				l.SetGlobal("drawn", l.Get(1))
				return 0
			}))
		}
		return s, err
	}
	dir := write(t, "a.lua", "local first = drawn\ntest.case('a', function() test.equal(drawn, test.seed) test.ok(drawn ~= first) end)")
	if status, out, _ := commandUnder(t, t.Context(), dir, maker); status != 0 {
		t.Errorf("status %d\n%s", status, out)
	}
}

// A state for each file: what one leaves behind no other sees.
func TestFilesAreIsolated(t *testing.T) {
	const source = "test.equal(leaked, nil)\nleaked = 1\ntest.poisoned = nil\nstring.rep = nil\n"
	dir := write(t, "a.lua", source, "b.lua", source, "c.lua", source)
	if status, out, _ := command(t, dir, "--jobs", "1"); status != 0 {
		t.Errorf("status %d\n%s", status, out)
	}
}

func TestFailFast(t *testing.T) {
	dir := write(t, "a.lua", passing, "b.lua", failing, "c.lua", failing, "d.lua", passing)
	for _, jobs := range []string{"1", "4"} {
		status, out, _ := command(t, dir, "--fail-fast", "--jobs", jobs)
		if status != 1 || !strings.Contains(out, "2 files: 2 passed, 1 failed, 0 skipped") || !strings.Contains(out, "stopped: first failure, 2 files not run") {
			t.Errorf("jobs %s: status %d\n%s", jobs, status, out)
		}
	}
}

// An endless case ends with the context; what was done until then is reported.
func TestStop(t *testing.T) {
	dir := write(t, "a.lua", passing, "b.lua", "test.case('endless', function() while true do end end)\ntest.case('never', function() end)", "c.lua", passing)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	status, out, _ := commandUnder(t, ctx, dir, plainMaker, "--jobs", "1")
	if status != ExitTimeLimit || !strings.Contains(out, "FAIL endless\n    b.lua:1\n      time limit") || !strings.Contains(out, "stopped: time limit, 1 file not run") {
		t.Errorf("time limit: status %d\n%s", status, out)
	}

	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	maker := func(test bind.Module, out io.Writer) (*host.Host, error) {
		s, err := plainMaker(test, out)
		if err == nil {
			s.L.SetGlobal("interrupt", s.L.NewFunction(func(*lua.LState) int {
				cancel()
				return 0
			}))
		}
		return s, err
	}
	dir = write(t, "a.lua", passing, "b.lua", "-- first\nprint(1) --> 1\n\n-- second\ninterrupt()\nwhile true do end --> 1", "c.lua", passing)
	status, out, _ = commandUnder(t, ctx, dir, maker, "--jobs", "1")
	if status != ExitInterrupted || !strings.Contains(out, "interrupted while the file was loading") || !strings.Contains(out, "stopped: interrupted, 1 file not run") {
		t.Errorf("interrupted: status %d\n%s", status, out)
	}
}

// A state that cannot be made is a file that did not load.
func TestMakerFails(t *testing.T) {
	maker := func(bind.Module, io.Writer) (*host.Host, error) { return nil, os.ErrPermission }
	status, out, _ := commandUnder(t, t.Context(), write(t, "a.lua", passing), maker)
	if status != ExitNotLoaded || !strings.Contains(out, os.ErrPermission.Error()) {
		t.Errorf("status %d\n%s", status, out)
	}
}

func TestJUnitFile(t *testing.T) {
	dir := write(t, "a.lua", passing)
	file := filepath.Join(t.TempDir(), "r.xml")
	if status, out, errs := command(t, dir, "--junit", file, "--format", "tap"); status != 0 || !strings.HasPrefix(out, "TAP version 14\n") {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), `name="alpha"`) {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestFlagsAnywhere(t *testing.T) {
	o, err := parseFlags([]string{"a", "--filter", "x", "b", "--jobs=3", "--", "--list"}, os.Stderr)
	if err != nil || strings.Join(o.Paths, " ") != "a b --list" || o.Filter != "x" || o.Jobs != 3 || o.List {
		t.Errorf("%+v, %v", o, err)
	}
}

// runIn runs the command on one file.
func runIn(t *testing.T, ctx context.Context, source string) (status int, out string) {
	t.Helper()
	status, out, errs := commandUnder(t, ctx, write(t, "a.lua", source), plainMaker)
	return status, out + errs
}

// os.exit neither ends the test run nor passes for success.
func TestExit(t *testing.T) {
	for _, source := range []string{
		"test.case('a', function() os.exit(0) end)\ntest.case('b', function() end)",
		"test.case('a', function() pcall(os.exit, 0) end)\ntest.case('b', function() end)",
		"test.case('a', function() test.error(function() os.exit(0) end) end)\ntest.case('b', function() end)",
		"print(1) --> 1\nos.exit(0)\n\nprint(2) --> 2",
	} {
		status, out := runIn(t, t.Context(), source)
		if status != ExitFailed || !strings.Contains(out, "os.exit(0): a test must not end the program") || !strings.Contains(out, "1 passed, 1 failed") {
			t.Errorf("%s\nstatus %d\n%s", source, status, out)
		}
	}
	if status, out := runIn(t, t.Context(), "test.case('a', function() end)\nos.exit(0)"); status != ExitNotLoaded {
		t.Errorf("while loading: status %d\n%s", status, out)
	}
}

// Time limits end the case, in Lua code and in patterns, and the next case runs.
func TestTimeLimit(t *testing.T) {
	status, out := runIn(t, t.Context(), `
test.case("loop", function() while true do end end, {timeout = 0.05})
test.case("caught", function() while true do pcall(function() while true do end end) end end, {timeout = 0.05})
test.case("coroutine", function() coroutine.wrap(function() while true do end end)() end, {timeout = 0.05})
test.case("next", function() test.equal(coroutine.wrap(function() return 1 end)(), 1) end)
`)
	if status != ExitFailed || strings.Count(out, "time limit of 50ms for this case") != 3 || !strings.Contains(out, "1 passed, 3 failed") {
		t.Errorf("status %d\n%s", status, out)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if status, out := runIn(t, ctx, "test.case('loop', function() while true do end end)"); status != ExitTimeLimit {
		t.Errorf("the run: status %d\n%s", status, out)
	}
	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	defer cancel()
	if status, out := runIn(t, ctx, "while true do end"); status != ExitInterrupted {
		t.Errorf("interrupted while loading: status %d\n%s", status, out)
	}
}
