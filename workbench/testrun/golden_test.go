package testrun

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/numeric/array"
)

// tree returns the files below a folder with their texts, headers left out.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	for _, path := range filesBelow(dir) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		rel, _ := filepath.Rel(dir, path)
		b.WriteString(filepath.ToSlash(rel) + ":\n")
		for _, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
			if !strings.HasPrefix(line, "--") {
				b.WriteString("  " + line + "\n")
			}
		}
	}
	return b.String()
}

// The life of golden files: missing, written, compared, changed, orphaned.
func TestGoldenLife(t *testing.T) {
	const source = `test.case("fit", function()
  test.golden("fit/n50", {err = 0.5, n = 50, ok = true, note = "fine", sigma = {1, 2}, g = vec.grid(2, 3)}, {rel = 1e-6})
  test.golden("plain", 0.1)
  test.golden("vector", vec.of(1, 0/0), {nan = true})
end)
`
	dir := write(t, "fit.lua", source)
	file := filepath.ToSlash(filepath.Join(dir, "fit.lua"))
	run := func(update bool) *File {
		return (&fileRunner{maker: plainMaker, update: update, version: "1.2"}).run(t.Context(), file)
	}
	golden := filepath.Join(dir, "golden", "fit")

	f := run(false)
	if text := outline(f); !strings.Contains(text, "no golden file "+filepath.Join(golden, "plain.lua")+"; write it with --update-golden") {
		t.Fatalf("missing files:\n%s", text)
	}
	f = run(true)
	if !f.OK() || len(f.Golden) != 3 || !strings.HasSuffix(f.Golden[0], "n50.lua: new") {
		t.Fatalf("update:\n%s%q", outline(f), f.Golden)
	}
	const want = `fit/n50.lua:
  return {
  	err = 0.5,
  	g = {
  		{1, 2, 3},
  		{4, 5, 6},
  	},
  	n = 50,
  	note = "fine",
  	ok = true,
  	sigma = {1, 2},
  }
plain.lua:
  return 0.1
vector.lua:
  return {1, 0/0}
`
	if got := tree(t, golden); got != want {
		t.Fatalf("files:\n%s\nwant\n%s", got, want)
	}
	if f = run(false); !f.OK() {
		t.Fatalf("unchanged:\n%s", outline(f))
	}
	if f = run(true); !f.OK() || len(f.Golden) != 0 || f.Unchanged != 3 {
		t.Fatalf("an update without changes: %q, %d unchanged", f.Golden, f.Unchanged)
	}

	replaceIn(t, file, "0.5", "0.5000001") // within rel 1e-6
	if f = run(false); !f.OK() {
		t.Fatalf("within the tolerance:\n%s", outline(f))
	}
	replaceIn(t, file, "0.5000001", "0.6", "ok = true", "ok = false", "vec.grid(2, 3)", "vec.grid(3, 2)", `("plain", 0.1)`, `("new", {})`)
	f = run(false)
	text := outline(f)
	for _, part := range []string{
		"n50.lua:", "at err:", "got       0.59999999999999998", "at ok:", "expected  true",
		"at g:", "shapes: got 3×2, expected 2×3", "test.golden: value: is empty",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("changed: no %q in\n%s", part, text)
		}
	}

	replaceIn(t, file, `  test.golden("new", {})`+"\n", "")
	f = run(true)
	summary := strings.Join(f.Golden, "\n")
	for _, part := range []string{
		"n50.lua: at err: got 0.59999999999999998 expected 0.5", "at ok: got false expected true", "got 3×2, expected 2×3", "plain.lua: removed",
	} {
		if !strings.Contains(summary, part) {
			t.Errorf("update: no %q in\n%s", part, summary)
		}
	}
	if f = run(false); !f.OK() {
		t.Errorf("after the update:\n%s", outline(f))
	}
	header, err := os.ReadFile(filepath.Join(golden, "fit", "n50.lua"))
	if err != nil || !strings.HasPrefix(string(header), "-- golden 1\n-- test fit.lua: fit\n-- seed ") || !strings.Contains(string(header), "version 1.2, ") {
		t.Errorf("header: %v\n%s", err, header)
	}
}

// replaceIn replaces texts in a file.
func replaceIn(t *testing.T, path string, pairs ...string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.NewReplacer(pairs...).Replace(string(text))), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A golden file nobody reads fails the file, but only a run of all of its tests can tell.
func TestGoldenOrphans(t *testing.T) {
	dir := write(t, "a.lua", "test.case('one', function() test.golden('x', 1) end)\ntest.case('two', function() end)",
		"golden/a/x.lua", "return 1\n", "golden/a/y/old.lua", "return 2\n")
	run := func(filterText string, update bool) string {
		var out strings.Builder
		if _, err := Run(t.Context(), Options{Paths: []string{dir}, Filter: filterText, UpdateGolden: update}, plainMaker, &out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	old := filepath.Join(dir, "golden", "a", "y", "old.lua")
	if text := run("", false); strings.Count(text, "no test reads it; remove it with --update-golden") != 1 || !strings.Contains(text, old) {
		t.Errorf("all tests:\n%s", text)
	}
	if text := run("one", false); strings.Contains(text, "no test reads it") {
		t.Errorf("some tests:\n%s", text)
	}
	if text := run("", true); !strings.Contains(text, old+": removed") {
		t.Errorf("update:\n%s", text)
	}
	if text := run("", false); strings.Contains(text, "no test reads it") {
		t.Errorf("after the update:\n%s", text)
	}
}

// What is written reads back bit for bit, whatever the numbers, texts, keys and
// shapes.
func TestSourceRoundTrip(t *testing.T) {
	l := lua.NewState()
	defer l.Close()
	bind.New().Open(l, bind.Env{})
	c := bind.At(l)
	table := l.NewTable()
	for key, v := range map[string]lua.LValue{
		"pi": lua.LNumber(math.Pi), "tiny": lua.LNumber(5e-324), "big": lua.LNumber(math.MaxFloat64), "inf": lua.LNumber(math.Inf(-1)),
		"nan": lua.LNumber(math.NaN()), "text": lua.LString("a \"b\"\n#c\x00\xff"), "t": lua.LTrue, "f": lua.LFalse, "": lua.LNumber(1),
		"two words": lua.LNumber(2), "end": lua.LNumber(3), `back\slash`: lua.LString("x"), "ä": lua.LNumber(4), "none": l.NewTable(),
	} {
		table.RawSetString(key, v)
	}
	table.RawSetInt(10, lua.LNumber(10))
	table.RawSetInt(9, lua.LNumber(9))
	table.RawSet(lua.LNumber(0.1), lua.LTrue)
	long := l.NewTable() // more than the compiler takes
	for i := range 30000 {
		long.RawSetInt(i+1, lua.LNumber(math.Sqrt(float64(i))))
	}
	values := []lua.LValue{table, long, lua.LNumber(math.Copysign(0, -1)), lua.LString("")}
	for _, shape := range [][]int{{3}, {2, 3}, {2, 1, 3}, {1, 1}} {
		a := array.New(shape...)
		for i := range a.Data {
			a.Data[i] = math.Sqrt(float64(i)) * math.Pow(-1, float64(i)) * 1e-300
		}
		u := l.NewUserData()
		u.Value = a
		values = append(values, u)
	}
	for _, v := range values {
		text, err := source(l, v)
		if err != nil {
			t.Fatal(err)
		}
		got, err := readSource(l, "x.lua", "return "+text)
		if err != nil {
			t.Fatalf("%.300s: %v", text, err)
		}
		if d := (&differ{c: c, tol: Tolerance{NaN: true}}).text(got, v); d != "" {
			t.Errorf("%.300s: %s", text, d)
		}
		if again, err := source(l, got); err != nil || again != text {
			t.Errorf("written again:\n%.300s\n%.300s %v", text, again, err)
		}
	}
	if text, _ := source(l, table); strings.Index(text, "[9]") > strings.Index(text, "[10]") {
		t.Errorf("order of keys: %s", text)
	}
}

// A golden file is data: what is not, is refused and not run.
func TestGoldenReadErrors(t *testing.T) {
	l := lua.NewState()
	defer l.Close()
	for _, text := range []string{"", "x = 1", "return", "return 1, 2", "return x", "return f()", "return {x}", "return {[0/0] = 1}", "return 1 + 1", "return -{}", "return nil", "local x return 1"} {
		if v, err := readSource(l, "x.lua", text); err == nil || !strings.Contains(err.Error(), "x.lua: want return and one value") {
			t.Errorf("%q: %v %v", text, v, err)
		}
	}
	if _, err := readSource(l, "x.lua", "return {"); err == nil || !strings.HasPrefix(err.Error(), "x.lua:1: ") {
		t.Errorf("no Lua: %v", err)
	}
}

func TestGoldenNames(t *testing.T) {
	l := lua.NewState()
	defer l.Close()
	bind.New().Open(l, bind.Env{})
	check := func(g *goldens, name string) string {
		text, err := g.check(bind.At(l), name, "", lua.LNumber(1), Tolerance{})
		if err != nil {
			t.Error(err)
		}
		return text
	}
	for _, name := range []string{"", "/x", "x/", "a//b", "../x", "a/../b", ".x", "x#y", "a\\b", "a:b"} {
		if text := check(newGoldens(filepath.Join(t.TempDir(), "t.lua"), true), name); !strings.Contains(text, "golden name") {
			t.Errorf("%q: %q", name, text)
		}
	}
	g := newGoldens(filepath.Join(t.TempDir(), "t.lua"), true)
	if text := check(g, "a b/c-1_2.x"); text != "" {
		t.Errorf("a good name: %s", text)
	}
	if text := check(g, "a b/c-1_2.x"); !strings.Contains(text, "used twice") {
		t.Errorf("the same name again: %q", text)
	}
	// Files that cannot be read or written are failures, not losses.
	dir := write(t, "golden/t/x.lua", "broken", "golden/blocked", "a file")
	if text := check(newGoldens(filepath.Join(dir, "t.lua"), false), "x"); !strings.Contains(text, "x.lua:1:") {
		t.Errorf("a broken file: %q", text)
	}
	g = newGoldens(filepath.Join(dir, "t.lua"), true)
	if text := check(g, "x"); text != "" || len(g.changes) != 1 {
		t.Errorf("an update over a broken file: %q, %q", text, g.changes)
	}
	if text := check(newGoldens(filepath.Join(dir, "blocked.lua"), true), "x"); text == "" {
		t.Error("a folder that cannot be made")
	}
}
