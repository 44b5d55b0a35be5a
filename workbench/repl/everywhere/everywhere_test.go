package everywhere

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/workbench/chunk"
)

// A box is a value that saves itself; a dot is one that prints as its expression.
type (
	box struct{ text string }
	dot struct {
		N int `arg:"n" pos:"1"`
	}
)

func (d dot) String() string { return "things.dot(" + string(rune('0'+d.N)) + ")" }

func things() bind.Module {
	return bind.Module{
		Name: "things", Doc: "Things to save.",
		Funcs: []bind.Func{
			bind.Fn("box", "A box.", func(_ *bind.Call, a *struct {
				Text string `arg:"text" pos:"1"`
			},
			) (*box, error) {
				return &box{a.Text}, nil
			}),
			bind.Fn("load", "Read a box.", func(_ *bind.Call, a *struct {
				Path string `arg:"path" pos:"1"`
			},
			) (*box, error) {
				data, err := os.ReadFile(a.Path)
				return &box{string(data)}, err
			}),
			bind.Fn("dot", "A dot.", func(_ *bind.Call, a *dot) (dot, error) { return *a, nil }),
		},
		Types: []bind.Type{
			bind.TypeOf[*box]("box", "A box.",
				bind.Methods(bind.Fn("save", "Save.", func(_ *bind.Call, a *struct {
					Self *box   `arg:"self"`
					Path string `arg:"path" pos:"1"`
				},
				) (bind.None, error) {
					return bind.None{}, os.WriteFile(a.Path, []byte(a.Self.text), 0o600)
				})),
				bind.Properties(bind.Prop("text", "Text.", func(b *box) string { return b.text }))),
			bind.TypeOf[dot]("dot", "A dot."),
		},
	}
}

// bench is a state with the functions, and what they printed.
type state struct {
	*Desk
	L   *lua.LState
	out *bytes.Buffer
}

func newState(t *testing.T) state {
	t.Helper()
	s := state{Desk: &Desk{Width: func() int { return 78 }}, L: lua.NewState(), out: &bytes.Buffer{}}
	t.Cleanup(s.L.Close)
	s.L.SetContext(t.Context())
	s.Desk.Source = func(name string) (string, bool) {
		return "function add(a, b) return a + b end", name == "input[1]"
	}
	s.Registry = bind.New(things(), s.Module())
	s.Registry.Open(s.L, bind.Env{Out: s.out})
	s.Begin(s.L)
	return s
}

func (s state) run(t *testing.T, name, src string) error {
	t.Helper()
	f, err := chunk.Load(s.L, name, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	s.L.Push(f)
	return s.L.PCall(0, 0, nil)
}

func TestPrint(t *testing.T) {
	s := newState(t)
	for src, want := range map[string]string{
		`print()`:                             "\n",
		`print(nil)`:                          "nil\n",
		`print(1, nil, "a\tb", nil)`:          "1\tnil\ta\tb\tnil\n",
		`print({1, 2, x = {"deep"}})`:         "{1, 2, x = {\"deep\"}}\n",
		`print({x = 1})`:                      "{x = 1}\n",
		`print(1, {x = 1})`:                   "1\t{x = 1}\n",
		`print(1e15, 0.1, -0.0, 1/0, things)`: "1e+15\t0.1\t-0\tinf\tmodule things: Things to save.\n",
		`print(things.dot(3), print)`:         "things.dot(3)\tfunction print\n",
	} {
		s.out.Reset()
		if err := s.run(t, "in", src); err != nil || s.out.String() != want {
			t.Errorf("%s printed %q, %v; want %q", src, s.out, err, want)
		}
	}
}

// Every function has what the manual needs.
func TestDeclarations(t *testing.T) {
	d := &Desk{History: func(string) []string { return nil }, Edit: func(string) error { return nil }, Trace: func() string { return "" }}
	reg := bind.New(d.Module())
	for f := range reg.Functions() {
		if f.Doc == "" || len(f.Examples) == 0 {
			t.Errorf("%s: documentation or example is missing", f.FullName)
		}
	}
}

func TestHelp(t *testing.T) {
	s := newState(t)
	s.run(t, "input[1]", "function add(a, b) return a + b end")
	for src, want := range map[string]string{
		`help(things.box)`:      "things.box(text)",
		`help(things)`:          "Things to save.",
		`help("box:save")`:      "box:save(path)",
		`help("bx")`:            "did you mean 'box'",
		`help(things.box("x"))`: "A box.",
		`help()`:                "Modules",
		`help("while")`:         "while condition do",
		`help(ipairs)`:          "A function of Lua's own library",
		`help({1, 2})`:          "A table with 2 entries",
		`help(add)`:             "input[1]:1\nfunction add(a, b) return a + b end",
		`help("add")`:           "input[1]:1",
		`doc("things")`:         "things.dot(n)",
		`doc()`:                 "  things.box(text)",
		`search("save")`:        "box:save",
		`print(version)`:        "",
	} {
		s.out.Reset()
		if err := s.run(t, "input[1]", src); err != nil {
			t.Errorf("%s: %v", src, err)
		}
		if !strings.Contains(s.out.String(), want) {
			t.Errorf("%s printed\n%s\nwant %q in it", src, s.out, want)
		}
	}
	if err := s.run(t, "in", `doc("thigns")`); err == nil || !strings.Contains(err.Error(), "did you mean 'things'") {
		t.Errorf("doc of an unknown module: %v", err)
	}
}

func TestWho(t *testing.T) {
	s := newState(t)
	if got := s.Who(s.L, ""); got != "No variables yet.\n" {
		t.Errorf("before the first variable: %q", got)
	}
	s.run(t, "input[1]", `x = 1/4; name = "a\nb"; t = {1, 2}; b = things.dot(3); function add(a, b) end; _last = 1`)
	want := `add   function  input[1]:1
b     dot       things.dot(3)
name  string    "a\nb"
t     table     2 entries
x     number    0.25
`
	if got := s.Who(s.L, ""); got != want {
		t.Errorf("got\n%s", got)
	}
	if got := s.Who(s.L, "am"); !strings.HasPrefix(got, "name") || strings.Count(got, "\n") != 1 {
		t.Errorf("got %q", got)
	}
}

// What was saved comes back in another session; what cannot be saved is named.
func TestSession(t *testing.T) {
	file := filepath.Join(t.TempDir(), "monday.session")
	s := newState(t)
	s.Inputs = func() []Input { return []Input{{Text: "x = 1"}} }
	if err := s.run(t, "input[1]", `function add(a, b) return a + b end
		x, big, text = 0.1, 1/0, "tab\t\\ \"λ\" \0"
		t = {1, 2, nil, 4, nested = {deep = true}, [2.5] = "k"}
		a, b = things.box("hello"), things.box("world")
		d = things.dot(7)
		list = {things.box("inside")}
		local up = 1
		function captured() return up end
		loop = {}; loop.self = loop
		save_session("`+filepath.ToSlash(file)+`")`); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"9 variables", "not saved: captured: a function that uses local variables", "not saved: loop: a table that contains itself"} {
		if !strings.Contains(s.out.String(), want) {
			t.Errorf("printed\n%s\nwant %q in it", s.out, want)
		}
	}
	r := newState(t)
	if err := r.run(t, "in", `load_session("`+filepath.ToSlash(file)+`")
		assert(x == 0.1 and big == 1/0 and text == "tab\t\\ \"λ\" \0")
		assert(t[1] == 1 and t[4] == 4 and t.nested.deep == true and t[2.5] == "k")
		assert(a.text == "hello" and b.text == "world" and list[1].text == "inside")
		assert(tostring(d) == "things.dot(7)")
		assert(add(1, 2) == 3)
		offset = 1
		assert(getfenv(add) == _G)`); err != nil {
		t.Error(err)
	}
}

// A session that was loaded can be saved again: its functions have a text.
func TestSaveALoadedSession(t *testing.T) {
	first, second := filepath.ToSlash(filepath.Join(t.TempDir(), "1")), filepath.ToSlash(filepath.Join(t.TempDir(), "2"))
	s := newState(t)
	if err := s.run(t, "input[1]", "function add(a, b) return a + b end save_session('"+first+"')"); err != nil {
		t.Fatal(err)
	}
	r, texts := newState(t), map[string]string{}
	r.Load = func(L *lua.LState, name string, src []byte) (*lua.LFunction, error) {
		texts[name] = string(src)
		return chunk.Load(L, name, src)
	}
	r.Source = func(name string) (string, bool) { text, ok := texts[name]; return text, ok }
	if err := r.run(t, "in", "load_session('"+first+"') save_session('"+second+"')"); err != nil || strings.Contains(r.out.String(), "not saved") {
		t.Fatalf("%v\n%s", err, r.out)
	}
	again := newState(t)
	if err := again.run(t, "in", "load_session('"+second+"') assert(add(1, 2) == 3)"); err != nil {
		t.Error(err)
	}
}

func TestSaveInputs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "inputs.lua")
	s := newState(t)
	s.Inputs = func() []Input { return []Input{{Text: "x = 1"}, {Text: "for i = 1, 2 do\n  x = x + i\nend"}} }
	if err := s.run(t, "in", `save_session("`+filepath.ToSlash(file)+`")`); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(file)
	if !strings.Contains(string(data), "-- 2 inputs") || !strings.Contains(string(data), "\nx = 1\nfor i = 1, 2 do\n") {
		t.Errorf("wrote\n%s", data)
	}
}

func TestLoadRefuses(t *testing.T) {
	s := newState(t)
	dir := t.TempDir()
	for name, data := range map[string]string{"empty": "", "text": "hello", "zip": "PK\x05\x06" + strings.Repeat("\x00", 18)} {
		file := filepath.Join(dir, name)
		os.WriteFile(file, []byte(data), 0o600)
		if err := s.run(t, "in", `load_session("`+filepath.ToSlash(file)+`")`); err == nil || !strings.Contains(err.Error(), "not a session file") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := s.run(t, "in", `load_session("nosuch")`); err == nil {
		t.Error("a missing file was loaded")
	}
}

func TestTiming(t *testing.T) {
	s := newState(t)
	if err := s.run(t, "in", `
		local a, b = time(function(x, y) return x + y, "second" end, 1, 2)
		assert(a == 3 and b == "second")
		local r = bench(function() end, {seconds = 0.01})
		assert(r.runs > 3 and r.min <= r.median and r.median <= r.max)
		local sum = 0
		for i in progress(5, "count") do sum = sum + i end
		assert(sum == 15)
		local given
		math.randomseed = function(n) given = n end -- that of the standard library of Go no longer repeats
		seed(7)
		assert(given == 7)
	`); err != nil {
		t.Error(err)
	}
	if !strings.Contains(s.out.String(), "allocated") {
		t.Errorf("time printed %q", s.out)
	}
	if err := s.run(t, "in", `bench(function() error("inner") end)`); err == nil || !strings.Contains(err.Error(), "in:1: inner") {
		t.Errorf("the error of the function: %v", err)
	}
}

func TestProgressReports(t *testing.T) {
	s := newState(t)
	var steps []progress.Step
	s.L.SetContext(progress.With(t.Context(), func(p progress.Step) { steps = append(steps, p) }))
	s.run(t, "in", `for i in progress(3, "count") do end`)
	if len(steps) != 4 || steps[3] != (progress.Step{Task: "count", Done: 3, Total: 3}) {
		t.Errorf("reported %v", steps)
	}
}

// An interrupt ends a benchmark and a watch.
func TestInterrupt(t *testing.T) {
	s := newState(t)
	file := filepath.Join(t.TempDir(), "w.lua")
	os.WriteFile(file, []byte("runs = (runs or 0) + 1 if runs == 2 then error('twice') end"), 0o600)
	for _, src := range []string{`bench(function() end, {seconds = 100})`, `watch("` + filepath.ToSlash(file) + `")`} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		s.L.SetContext(ctx)
		if err := s.run(t, "in", src); err == nil || ctx.Err() == nil {
			t.Errorf("%s ended by itself: %v", src, err)
		}
		cancel()
	}
	if s.L.G.Global.RawGetString("runs") != lua.LNumber(1) {
		t.Error("the watched file did not run once")
	}
}

func TestReload(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	os.WriteFile("mylib.lua", []byte("return {n = 1}"), 0o600)
	s := newState(t)
	if err := s.run(t, "in", `package.path = "./?.lua" mylib = require "mylib"`); err != nil {
		t.Fatal(err)
	}
	os.WriteFile("mylib.lua", []byte("return {n = 2}"), 0o600)
	if err := s.run(t, "in", `local old = mylib; assert(reload("mylib").n == 2 and mylib.n == 2 and old.n == 1)`); err != nil {
		t.Error(err)
	}
	os.WriteFile("mylib.lua", []byte("error('broken')"), 0o600)
	if err := s.run(t, "in", `reload("mylib")`); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("reloading a broken file: %v", err)
	}
	if err := s.run(t, "in", `assert(require("mylib").n == 2)`); err != nil {
		t.Error("the old module is gone:", err)
	}
	if err := s.run(t, "in", `local old = things; things = things.dot(1); assert(reload("things") == old and things == old)`); err != nil {
		t.Error("a module of the workbench whose name was taken:", err)
	}
}

// Those that need modules are run by the tests of the command.
func TestDemos(t *testing.T) {
	if len(Demos()) == 0 {
		t.Fatal("there are no demos")
	}
	for _, d := range Demos() {
		if d.About == "" || !strings.HasPrefix(d.Text, "-- ") {
			t.Errorf("%s does not say what it is about", d.Name)
		}
	}
	s := newState(t)
	if err := s.run(t, "in", `demo() demo("lua")`); err != nil {
		t.Error(err)
	}
	if err := s.run(t, "in", `demo("lau")`); err == nil || !strings.Contains(err.Error(), "did you mean 'lua'") {
		t.Errorf("an unknown demo: %v", err)
	}
}

func TestSafe(t *testing.T) {
	s := newState(t)
	s.Safe = true
	for _, src := range []string{`watch("x.lua")`, `save_session("x")`, `load_session("x")`} {
		if err := s.run(t, "in", src); err == nil || !strings.Contains(err.Error(), "not allowed by --safe") {
			t.Errorf("%s: %v", src, err)
		}
	}
}

func TestUnits(t *testing.T) {
	for d, want := range map[time.Duration]string{
		90 * time.Second: "1 min 30 s", 1500 * time.Millisecond: "1.5 s", 2 * time.Millisecond: "2 ms",
		3 * time.Microsecond: "3 µs", 7: "7 ns",
	} {
		if got := Duration(d); got != want {
			t.Errorf("%d ns: %s, want %s", d, got, want)
		}
	}
	for n, want := range map[uint64]string{5: "5 B", 2048: "2 KiB", 3 << 30: "3 GiB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
