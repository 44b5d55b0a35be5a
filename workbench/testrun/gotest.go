package testrun

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/greenbench/workbench/bindings/bind"
)

// T is what GoTest needs of a *testing.T, so that the program does not link
// the package testing.
type T[Self any] interface {
	Helper()
	Context() context.Context
	Run(name string, f func(Self)) bool
	Parallel()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Skipf(format string, args ...any)
	Logf(format string, args ...any)
}

// GoTest runs every test file below dir as a subtest, in parallel, and each of
// its cases as a subtest of that:
//
//	func TestScripts(t *testing.T) { testrun.GoTest(t, "../scripts/tests", maker) }
func GoTest[Self T[Self]](t Self, dir string, maker Maker) {
	t.Helper()
	paths, err := discover([]string{dir})
	if err != nil {
		t.Fatalf("%v", err)
	}
	if len(paths) == 0 {
		t.Fatalf("%s: no test files", dir)
	}
	r := &fileRunner{maker: maker}
	for _, path := range paths {
		name, err := filepath.Rel(dir, path)
		if err != nil {
			name = path
		}
		t.Run(strings.TrimSuffix(filepath.ToSlash(name), ".lua"), func(t Self) {
			t.Parallel()
			goFile(t, r.run(t.Context(), path))
		})
	}
}

// GoExamples runs every example of every function of the registry as a subtest.
func GoExamples[Self T[Self]](t Self, reg *bind.Registry, maker Maker) {
	t.Helper()
	for f := range reg.Functions() {
		for _, source := range f.Examples {
			t.Run(f.FullName, func(t Self) {
				t.Parallel()
				if err := RunExample(t.Context(), maker, f.FullName, source); err != nil {
					t.Errorf("%s\n%v", source, err)
				}
			})
		}
	}
}

// goFile reports the result of one file.
func goFile[Self T[Self]](t Self, f *File) {
	for _, c := range f.Cases {
		t.Run(c.Name, func(t Self) {
			for _, e := range c.Failures {
				t.Errorf("%s\n%s", place(f.Path, e.Line), indent(e.Message, "  "))
			}
			if c.Output != "" && c.Status == Failed {
				t.Logf("printed:\n%s", trimLines(c.Output))
			}
			if c.Status == Skipped {
				t.Skipf("%s", c.Reason)
			}
		})
	}
	switch {
	case f.Error != nil:
		t.Errorf("%s\n%s", place(f.Path, f.Error.Line), indent(f.Error.Message, "  "))
	case f.Reason != "":
		t.Skipf("%s", f.Reason)
	case len(f.Cases) == 0:
		t.Errorf("%s: no tests", f.Path)
	}
}
