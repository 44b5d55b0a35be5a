package manual_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/greenbench/workbench/bindings"
	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/workbench/manual"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/testrun"
)

var update = flag.Bool("update", false, "write testdata/manual.txt")

// registry is everything that a script can use.
func registry() *bind.Registry {
	return bind.New(append(bindings.All(), testrun.Module(), (&everywhere.Desk{}).Module())...)
}

// siteDir is where the manual is written as pages, once for all tests.
var siteDir string

var writeSite = sync.OnceValue(func() error {
	return manual.WriteHTML(context.Background(), registry(), siteDir, nil)
})

func TestMain(m *testing.M) {
	var err error
	if siteDir, err = os.MkdirTemp("", "manual"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := testmain.Code(m)
	os.RemoveAll(siteDir)
	os.Exit(code)
}

// pages returns the site's directory and the names of its pages.
func pages(t *testing.T) (dir string, names []string) {
	t.Helper()
	if err := writeSite(); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(siteDir, "*.html"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no pages", err)
	}
	for _, p := range paths {
		names = append(names, filepath.Base(p))
	}
	return siteDir, names
}

// Every function has a summary and, unless it is an operator, an example and a
// text for each argument.
func TestEverythingIsDescribed(t *testing.T) {
	for f := range registry().Functions() {
		if f.Summary == "" {
			t.Errorf("%s: no description", f.FullName)
		}
		if f.Kind == "operator" {
			continue
		}
		if len(f.Examples) == 0 {
			t.Errorf("%s: no example", f.FullName)
		}
		for _, p := range f.Params {
			if p.Doc == "" {
				t.Errorf("%s: argument %s: no description", f.FullName, p.Name)
			}
		}
	}
}

// The manual as text is committed, so that the difference a change makes for
// the reader is seen in review; it must be up to date.
func TestManualText(t *testing.T) {
	const path = "testdata/manual.txt"
	got := wholeText(registry())
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is stale at %s\nwrite it with: go test ./workbench/manual -run TestManualText -update", path, firstDifference(got, string(want)))
	}
}

// wholeText is every page of the manual at 80 columns.
func wholeText(reg *bind.Registry) string {
	var names []string
	names = append(names, "")
	for _, g := range manual.Guides() {
		if g != "index" {
			names = append(names, g)
		}
	}
	for _, m := range reg.Manual().Modules {
		names = append(names, m.Name)
		for _, f := range m.Functions {
			names = append(names, f.FullName)
		}
		for _, t := range m.Types {
			for _, f := range append(t.Methods, t.Operators...) {
				names = append(names, f.FullName)
			}
		}
	}
	var b strings.Builder
	for _, name := range names {
		text, _ := manual.Text(reg, name, 80)
		b.WriteString(strings.Repeat("=", 80) + "\n" + text)
	}
	return b.String()
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "the line\n  " + w[i] + "\nwhich is now\n  " + g[i]
		}
	}
	return "its end"
}

// The guide that explains the report explains every field of it.
func TestReportIsExplained(t *testing.T) {
	guide, err := os.ReadFile("guide/kernel-and-lambda.md")
	if err != nil {
		t.Fatal(err)
	}
	fields := 0
	for f := range registry().Functions() {
		if f.FullName != "green.path" {
			continue
		}
		for _, field := range f.Returns[0].Fields {
			fields++
			if !strings.Contains(string(guide), "`"+field.Name+"`") {
				t.Errorf("kernel-and-lambda.md says nothing about %s", field.Name)
			}
		}
	}
	if fields == 0 {
		t.Error("green.path returns no fields")
	}
}

func TestText(t *testing.T) {
	reg := registry()
	for _, tt := range []struct {
		name  string
		found bool
		want  string // what the text holds
	}{
		{"", true, "getting-started"},
		{"", true, "workbench doc --html DIR"},
		{"data-files", true, "numpy.savez"},
		{"kernel", true, "Type kernel"},
		{"kernel.matern", true, "kernel.matern{"},
		{" kernel.matern() ", true, "kernel.matern{"},
		{"mesh.size", true, "number of points"},
		{"array:sum", true, "array:sum([axis] [, {keepdims=false}])"},
		{"matren", false, "kernel.matern"},
		{"random functions", false, "random.field"},
		{"duality gap lower bound", false, "No page mentions it"},
		{"lower bound", false, "Choosing a kernel and lambda: The certificate"},
	} {
		text, found := manual.Text(reg, tt.name, 80)
		if found != tt.found || !strings.Contains(text, tt.want) {
			t.Errorf("%q: found %v, want %v and %q in\n%s", tt.name, found, tt.found, tt.want, text)
		}
	}
}

// At a usual width no line of a guide is longer; at any width only code is, and
// rows whose words are.
func TestTextWidth(t *testing.T) {
	reg := registry()
	for _, width := range []int{50, 60, 80, 100} {
		for _, name := range append(manual.Guides(), "") {
			if name == "index" {
				continue
			}
			text, _ := manual.Text(reg, name, width)
			for line := range strings.Lines(text) {
				line = strings.TrimRight(line, "\n")
				code := strings.HasPrefix(line, "    ") && width < 80
				if n := len([]rune(line)); n > width && !code {
					t.Errorf("%s at %d columns: %d in %q", name, width, n, line)
				}
			}
		}
	}
}
