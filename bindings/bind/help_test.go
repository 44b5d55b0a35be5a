package bind_test

import (
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/greenbench/workbench/bindings/bind"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Help pages, as a person sees them. -update rewrites them; read the difference.
func TestPages(t *testing.T) {
	_, reg := newState(t, io.Discard)
	var b strings.Builder
	for _, p := range []struct {
		name  string
		width int
	}{{"", 80}, {"toy", 80}, {"vec", 80}, {"toy.fit", 80}, {"toy.fit", 44}, {"toy.uniform", 80}, {"toy.lines", 80}, {"vec:sum", 80}, {"vec.shape", 80}, {"kernel", 80}} {
		text, ok := reg.Page(p.name, p.width)
		if !ok {
			t.Errorf("no page %q", p.name)
		}
		b.WriteString("=== " + p.name + "\n" + text + "\n")
	}
	golden := filepath.Join("testdata", "help.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != b.String() {
		t.Errorf("the pages differ from %s:\n%s\nto accept them: go test ./bindings/bind -run TestPages -update", golden, b.String())
	}
}

// Text is wrapped: only examples and single words may be wider than asked.
func TestPagesFitTheWidth(t *testing.T) {
	_, reg := newState(t, io.Discard)
	for f := range reg.Functions() {
		for _, width := range []int{30, 40, 66, 80, 120} {
			text, ok := reg.Page(f.FullName, width)
			if !ok {
				t.Fatalf("no page for %s", f.FullName)
			}
			text, _, _ = strings.Cut(text, "\nExample\n")
			for line := range strings.Lines(text) {
				line = strings.TrimRight(line, "\n")
				if utf8.RuneCountInString(line) > width && len(strings.Fields(line)) > 2 {
					t.Errorf("%s at %d columns: %q", f.FullName, width, line)
				}
			}
		}
	}
}

func TestHelpNames(t *testing.T) {
	_, reg := newState(t, io.Discard)
	for name, want := range map[string]string{
		"matern":       "toy.matern{",       // a bare name
		"vec.sum":      "vec:sum(",          // a dot for a colon
		"vec:__add":    "(number|vec) + ",   // operators
		"__add":        "\nSeveral things ", // ambiguous
		"kernel":       "kernel: A kernel.",
		"vec":          "vec: A module", // the module, with the type below
		"globals":      "globals: ",
		"choose":       "choose(",
		"toy.rbf":      "",
		"nothing":      "",
		"vec.nothing":  "",
		"toy.version2": "",
	} {
		got, ok := reg.Help(name)
		if ok != (want != "") || !strings.HasPrefix(got, want) {
			t.Errorf("help(%q) = %v, %q; want %q", name, ok, got, want)
		}
	}
}

func TestSearch(t *testing.T) {
	_, reg := newState(t, io.Discard)
	for _, tt := range []struct{ text, first string }{
		{"gaussian", "toy.se"},          // a keyword
		{"MATÉRN", "toy.matern"},        // the description, in any case
		{"matern", "toy.matern"},        // the name
		{"penalty relative", "toy.fit"}, // words of arguments
		{"uni", "toy.uniform"},          // a beginning
		{"symetric", "toy.symmetric"},   // a misspelling
		{"shape", "vec.shape"},          // a field
		{"version", "toy.version"},      // a constant
		{"nothing of the sort", ""},
		{"  ", ""},
	} {
		found := reg.Search(tt.text)
		switch {
		case len(found) == 0 && tt.first != "":
			t.Errorf("%q finds nothing, want %s", tt.text, tt.first)
		case len(found) > 0 && found[0].Name != tt.first:
			t.Errorf("%q finds %s first, want %q", tt.text, found[0].Name, tt.first)
		}
	}
}

// The manual as data: what generators of the manual and of LuaCATS rely on.
func TestManual(t *testing.T) {
	_, reg := newState(t, io.Discard)
	data, err := json.Marshal(reg.Manual())
	if err != nil {
		t.Fatal(err)
	}
	var manual bind.Manual
	if err := json.Unmarshal(data, &manual); err != nil {
		t.Fatal(err)
	}
	find := func(full string) bind.FuncDoc {
		for _, m := range manual.Modules {
			all := m.Functions
			if m.Call != nil {
				all = append(all, *m.Call)
			}
			for _, ty := range m.Types {
				all = append(append(all, ty.Methods...), ty.Operators...)
			}
			for _, f := range all {
				if f.FullName == full {
					return f
				}
			}
		}
		t.Fatalf("%s is not in the manual", full)
		return bind.FuncDoc{}
	}
	fit := find("toy.fit")
	if fit.Style != "named" || fit.Kind != "function" || len(fit.Params) != 10 || fit.Returns[0].Type != "table" || len(fit.Returns[0].Fields) != 5 {
		t.Errorf("toy.fit: %+v", fit)
	}
	if p := fit.Params[3]; p.Name != "lambda" || p.Type != `number|"auto"` || p.Default != `"auto"` || p.Allowed != "> 0" || p.Required {
		t.Errorf("lambda: %+v", p)
	}
	if p := fit.Params[9]; len(p.Fields) != 2 || p.Fields[1].Default != "1" {
		t.Errorf("input: %+v", p)
	}
	if f := find("toy.zeros"); f.Style != "positional" || !f.Params[0].Variadic || f.Params[0].Type != "integer" {
		t.Errorf("toy.zeros: %+v", f)
	}
	if f := find("toy.lines"); f.Style != "named" || !f.Params[0].List || len(f.Params[0].Fields) != 3 {
		t.Errorf("toy.lines: %+v", f)
	}
	if f := find("vec:__add"); f.Style != "operator" || f.Params[1].Type != "number|vec" {
		t.Errorf("vec:__add: %+v", f)
	}
	if f := find("toy.two"); len(f.Returns) != 2 || f.Returns[1].Type != "integer" {
		t.Errorf("toy.two: %+v", f)
	}
	if ty := manual.Modules[0].Types[0]; ty.Name != "vec" || len(ty.Accepts) != 1 || ty.Properties[0].Type != "integer[]" {
		t.Errorf("type vec: %+v", ty)
	}
	find("vec") // the module that can be called
}
