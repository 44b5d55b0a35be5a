package testrun

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
			if !strings.HasPrefix(line, "#") || strings.HasPrefix(line, "# shape") {
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
		return (&fileRunner{maker: plainMaker, update: update, version: "1.2"}).run(t.Context(), target{path: file})
	}
	golden := filepath.Join(dir, "golden", "fit")

	f := run(false)
	if text := outline(f); !strings.Contains(text, "no golden file "+filepath.Join(golden, "plain.txt")+"; write it with --update-golden") {
		t.Fatalf("missing files:\n%s", text)
	}
	f = run(true)
	if !f.OK() || len(f.Golden) != 4 || !strings.HasSuffix(f.Golden[0], "n50.txt: new") {
		t.Fatalf("update:\n%s%q", outline(f), f.Golden)
	}
	const want = `fit/n50#g.csv:
  # shape 2 3
  1,2,3
  4,5,6
fit/n50.txt:
  err 0.5
  n 50
  note "fine"
  ok true
  sigma[1] 1
  sigma[2] 2
plain.txt:
  value 0.10000000000000001
vector.csv:
  # shape 2
  1,nan
`
	if got := tree(t, golden); got != want {
		t.Fatalf("files:\n%s\nwant\n%s", got, want)
	}
	if f = run(false); !f.OK() {
		t.Fatalf("unchanged:\n%s", outline(f))
	}
	if f = run(true); !f.OK() || len(f.Golden) != 0 || f.Unchanged != 4 {
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
		"n50.txt: 2 of 6 values differ", "err:", "got       0.59999999999999998", "ok:", "expected  true",
		"n50#g.csv:", "shapes: got 3×2, expected 2×3", "test.golden: value: is empty",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("changed: no %q in\n%s", part, text)
		}
	}

	replaceIn(t, file, `  test.golden("new", {})`+"\n", "")
	f = run(true)
	summary := strings.Join(f.Golden, "\n")
	for _, part := range []string{
		"n50.txt: err 0.5 -> 0.59999999999999998 (relative change 0.2); ok true -> false",
		"n50#g.csv: shape 2×3 -> 3×2", "plain.txt: removed",
	} {
		if !strings.Contains(summary, part) {
			t.Errorf("update: no %q in\n%s", part, summary)
		}
	}
	if f = run(false); !f.OK() {
		t.Errorf("after the update:\n%s", outline(f))
	}
	header, err := os.ReadFile(filepath.Join(golden, "fit", "n50.txt"))
	if err != nil || !strings.HasPrefix(string(header), "# golden 1\n# test fit.lua: fit\n# seed ") || !strings.Contains(string(header), "version 1.2, ") {
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
		"golden/a/x.txt", "value 1\n", "golden/a/y/old.txt", "value 2\n", "golden/gone/z.txt", "value 3\n")
	run := func(filterText string, update bool) string {
		var out strings.Builder
		if _, err := Run(t.Context(), Options{Paths: []string{dir}, Filter: filterText, UpdateGolden: update}, plainMaker, &out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	old, gone := filepath.Join(dir, "golden", "a", "y", "old.txt"), filepath.Join(dir, "golden", "gone", "z.txt")
	if text := run("", false); strings.Count(text, "no test reads it; remove it with --update-golden") != 2 ||
		!strings.Contains(text, old) || !strings.Contains(text, gone) {
		t.Errorf("all tests:\n%s", text)
	}
	if text := run("one", false); strings.Contains(text, "no test reads it") {
		t.Errorf("some tests:\n%s", text)
	}
	if text := run("", true); !strings.Contains(text, old+": removed") || !strings.Contains(text, gone+": removed") {
		t.Errorf("update:\n%s", text)
	}
	if text := run("", false); strings.Contains(text, "no test reads it") {
		t.Errorf("after the update:\n%s", text)
	}
}

// What is written reads back bit for bit.
func TestGoldenRoundTrip(t *testing.T) {
	dir := t.TempDir()
	values := map[string]any{
		"pi": math.Pi, "tiny": 5e-324, "big": math.MaxFloat64, "minus": math.Copysign(0, -1), "inf": math.Inf(-1),
		"text": "a \"b\"\n#c", "t": true, "f": false, "": 1.0, "two words": 2.0, "#hash": 3.0, `back\slash`: "x", "ä": 4.0,
		"s[10]": 10.0, "s[9]": 9.0,
	}
	path := filepath.Join(dir, "v.txt")
	if err := array.WriteAtomic(path, func(w io.Writer) error { return writeScalars(w, "# h\n", values) }); err != nil {
		t.Fatal(err)
	}
	got, err := readScalars(path)
	if err != nil {
		t.Fatal(err)
	}
	if text := changedScalars(got, values); text != nil {
		t.Errorf("changed: %q", text)
	}
	keys := allKeys(values, nil)
	if strings.Index(strings.Join(keys, " "), "s[9]") > strings.Index(strings.Join(keys, " "), "s[10]") {
		t.Errorf("order of keys: %q", keys)
	}

	for _, shape := range [][]int{{3}, {2, 3}, {2, 1, 3}, {1, 1}} {
		a := array.New(shape...)
		for i := range a.Data {
			a.Data[i] = math.Sqrt(float64(i)) * math.Pow(-1, float64(i)) * 1e-300
		}
		path := filepath.Join(dir, "a.csv")
		if err := array.WriteAtomic(path, func(w io.Writer) error { return writeTable(w, "# h\n", a) }); err != nil {
			t.Fatal(err)
		}
		b, err := readTable(path)
		if err != nil || !array.Equal(a, b) {
			t.Errorf("shape %v: %v\n%v\n%v", shape, err, a, b)
		}
	}
}

func TestGoldenReadErrors(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		"x":             `x.txt:1: "x": want a key and a value`,
		"# c\nx 1\nx 2": "x.txt:3: key x: is there twice",
		"x one":         `value "one": want a number`,
		`x "open`:       `value "open: not a quoted text`,
	} {
		path := filepath.Join(dir, "x.txt")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := readScalars(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"# shape 3\n1,2":   "a.csv: ",
		"# shape x\n1":     `a.csv:1: shape "x": want whole numbers`,
		"# shape 2\n1,two": `a.csv:2: value "two": want a number`,
	} {
		path := filepath.Join(dir, "a.csv")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := readTable(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestGoldenNames(t *testing.T) {
	for _, name := range []string{"", "/x", "x/", "a//b", "../x", "a/../b", ".x", "x#y", "a\\b", "a:b"} {
		g := newGoldens(filepath.Join(t.TempDir(), "t.lua"), true)
		v := goldenValue{scalars: map[string]any{"value": 1.0}}
		if text := g.check(name, "", v, Tolerance{}); !strings.Contains(text, "golden name") {
			t.Errorf("%q: %q", name, text)
		}
	}
	g := newGoldens(filepath.Join(t.TempDir(), "t.lua"), true)
	v := goldenValue{scalars: map[string]any{"value": 1.0}}
	if text := g.check("a b/c-1_2.x", "", v, Tolerance{}); text != "" {
		t.Errorf("a good name: %s", text)
	}
	if text := g.check("a b/c-1_2.x", "", v, Tolerance{}); !strings.Contains(text, "used twice") {
		t.Errorf("the same name again: %q", text)
	}
}

// Files that cannot be read or written are failures, not losses.
func TestGoldenFileErrors(t *testing.T) {
	dir := write(t, "golden/t/x.txt", "broken", "golden/t/y.csv", "broken", "golden/blocked", "a file")
	v := goldenValue{scalars: map[string]any{"value": 1.0}}
	a := goldenValue{arrays: map[string]*array.Array{"": array.Vector([]float64{1})}}
	g := newGoldens(filepath.Join(dir, "t.lua"), false)
	if text := g.check("x", "", v, Tolerance{}); !strings.Contains(text, "x.txt:1:") {
		t.Errorf("a broken text: %q", text)
	}
	if text := g.check("y", "", a, Tolerance{}); !strings.Contains(text, "y.csv:1:") {
		t.Errorf("a broken table: %q", text)
	}
	g = newGoldens(filepath.Join(dir, "t.lua"), true)
	if text := g.check("x", "", v, Tolerance{}) + g.check("y", "", a, Tolerance{}); text != "" || len(g.changes) != 2 {
		t.Errorf("an update over broken files: %q, %q", text, g.changes)
	}
	g = newGoldens(filepath.Join(dir, "blocked.lua"), true)
	if text := g.check("x", "", v, Tolerance{}); text == "" {
		t.Error("a folder that cannot be made")
	}
}
