package testrun

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/greenbench/workbench/bindings/bind"
)

func TestRunExample(t *testing.T) {
	for source, want := range map[string]string{
		"1 + 1  --> 2": "",
		"x = 3\nprint(x) --> 3\nvec.nu{nu = -x} --! must be > 0": "",
		"1 + 1  --> 3":     "vec.of:1\n  got       2\n  expected  3",
		"error('boom')":    "vec.of:1\n  vec.of:1: boom",
		"-- tol: x\nf()":   "vec.of: line 1: tol: x",
		"x = = 1":          "vec.of",
		"test.equal(1, 2)": "got       1",
		"test.case('a', function() test.equal(1, 2) end)": "expected  2",
	} {
		err := RunExample(t.Context(), plainMaker, "vec.of", source)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", source, err, want)
		}
	}
}

// The examples of the module itself run in its own test runner.
func TestExamplesOfTheModule(t *testing.T) {
	reg := bind.New(Module())
	if faults := reg.Check(); len(faults) > 0 {
		t.Errorf("declarations: %q", faults)
	}
	GoExamples(t, reg, plainMaker)
}

// An example that is wrong fails.
func TestGoExamples(t *testing.T) {
	type none struct{}
	wrong := func(*bind.Call, *none) (float64, error) { return 1, nil }
	m := bind.Module{Name: "m", Funcs: []bind.Func{
		bind.Fn("f", "Is 1.", wrong, bind.Example("1 + 1  --> 2"), bind.Example("1 + 1  --> 3")),
	}}
	var log []string
	GoExamples(&fakeT{log: &log}, bind.New(m), plainMaker)
	if len(log) != 1 || !strings.HasPrefix(log[0], "/m.f error 1 + 1  --> 3\nm.f:1\n") {
		t.Errorf("%q", log)
	}
}

// Without a test runner, cases run where they stand and failures raise.
func TestModuleInAScript(t *testing.T) {
	for source, want := range map[string]string{
		"test.equal(1, 1) test.near(1, 1 + 1e-12)":                        "",
		"local n = 0 test.case('a', function() n = 1 end) assert(n == 1)": "",
		"test.case('a', function() test.skip('no') error('x') end)":       "",
		"test.case('a', function() error('x') end, {skip = 'no'})":        "",
		"test.equal(1, 2)": "case.lua:1: test.equal: got       1\nexpected  2",
		"test.case('a', function() test.equal(1, 2) end)": `test.case: "a": case.lua:1: test.equal: got       1`,
		"test.skip('no data')":                            "test skipped: no data",
		"test.golden('x', 1)":                             "golden files are compared by workbench test only",
		"test.near(1, 2, {rel = -1})":                     "rel -1: must be >= 0",
		"test.allclose({1}, {1}, {rel = 1, rtol = 1})":    "rel and rtol: give one of them",
		"test.allclose({1}, {1}, {atol = 1, abs = 1})":    "abs and atol: give one of them",
		"test.each('a', {}, function() end)":              "rows",
		"test.case('', function() end)":                   "name",
		"test.order({1, 1}, {1, 1}, 2)":                   "want at least two different step sizes",
	} {
		s, err := plainMaker(Module(), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		err = s.Run(t.Context(), "case.lua", source)
		s.Close()
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", source, err, want)
		}
	}
}

// fakeT records what GoTest says.
type fakeT struct {
	name string
	log  *[]string
}

func (f *fakeT) say(format string, args ...any) {
	*f.log = append(*f.log, f.name+" "+fmt.Sprintf(format, args...))
}

func (f *fakeT) Helper()                           {}
func (f *fakeT) Parallel()                         {}
func (f *fakeT) Context() context.Context          { return context.Background() }
func (f *fakeT) Errorf(format string, args ...any) { f.say("error "+format, args...) }
func (f *fakeT) Skipf(format string, args ...any)  { f.say("skip "+format, args...) }
func (f *fakeT) Logf(format string, args ...any)   { f.say("log "+format, args...) }

func (f *fakeT) Fatalf(format string, args ...any) {
	f.say("fatal "+format, args...)
	panic(f)
}

func (f *fakeT) Run(name string, run func(*fakeT)) bool {
	run(&fakeT{name: f.name + "/" + name, log: f.log})
	return true
}

func TestGoTest(t *testing.T) {
	dir := write(t,
		"a.lua", "test.case('fails', function() print('hello') test.equal(1, 2) end)\ntest.case('fine', function() end)\ntest.case('no', function() test.skip('why') end)",
		"sub/b.lua", "local t = nil\nt.x = 1", "c.lua", "test.skip('whole file')", "d.lua", "x = 1")
	var log []string
	GoTest(&fakeT{log: &log}, dir, plainMaker)
	text := strings.ReplaceAll(strings.Join(log, "\n"), dir+"/", "")
	for _, part := range []string{
		"/a/fails error a.lua:1\n  got       1\n  expected  2", "/a/fails log printed:\nhello", "/a/no skip why",
		"/sub/b error sub/b.lua:2\n  sub/b.lua:2: attempt to index", "/c skip whole file", "/d error d.lua: no tests",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
	for _, empty := range []string{t.TempDir(), "no/such/folder"} {
		log = nil
		func() {
			defer func() { recover() }()
			GoTest(&fakeT{log: &log}, empty, plainMaker)
		}()
		if len(log) != 1 || !strings.HasPrefix(log[0], " fatal ") {
			t.Errorf("%s: %q", empty, log)
		}
	}
}

// With a real *testing.T.
func TestGoTestWithTesting(t *testing.T) {
	GoTest(t, write(t, "a.lua", passing), plainMaker)
}
