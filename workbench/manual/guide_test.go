package manual_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/manual"
	"github.com/greenbench/workbench/workbench/runner"
	"github.com/greenbench/workbench/workbench/testrun"
)

// The Lua of every guide runs, from top to bottom as one program, and prints
// what stands beside it. Files go to an empty folder.
func TestGuidesRun(t *testing.T) {
	for _, name := range manual.Guides() {
		t.Run(name, func(t *testing.T) {
			if slices.Contains([]string{"tutorial", "error-bars", "constraints", "space-and-time", "kernel-and-lambda", "several-inputs"}, name) {
				testmain.Long(t) // the longest, and those that pages run for their pictures, too
			}
			program, err := manual.Program(name)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			if err := testrun.RunExample(t.Context(), runner.TestState(host.Options{}), name+".md", program); err != nil {
				t.Error(err)
			}
		})
	}
}

// The Go of a guide is in embedding_test.go, where the compiler checks it.
func TestGoOfGuides(t *testing.T) {
	source, err := os.ReadFile("embedding_test.go")
	if err != nil {
		t.Fatal(err)
	}
	compiled := squeeze(string(source))
	for _, name := range manual.Guides() {
		blocks, err := manual.Code(name, "go")
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range blocks {
			if !strings.Contains(compiled, squeeze(b)) {
				t.Errorf("%s: embedding_test.go does not contain\n%s", name, b)
			}
		}
	}
}

// What the guides have for a shell and for Kubernetes is at least well formed.
func TestJobFilesOfGuides(t *testing.T) {
	python := testmain.PythonWith("yaml")
	for _, c := range []struct {
		language string
		reader   []string
		least    int
	}{
		{"sh", []string{"sh", "-n"}, 8},
		{"yaml", []string{python, "-c", "import sys, yaml; d = yaml.safe_load(sys.stdin); assert d['apiVersion'] and d['kind'] and d['spec']"}, 1},
	} {
		t.Run(c.language, func(t *testing.T) {
			if _, err := exec.LookPath(c.reader[0]); err != nil {
				t.Skipf("LEFT OUT: the %s of the guides, which nothing reads here", c.language)
			}
			read := 0
			for _, name := range manual.Guides() {
				blocks, err := manual.Code(name, c.language)
				if err != nil {
					t.Fatal(err)
				}
				for _, b := range blocks {
					cmd := exec.Command(c.reader[0], c.reader[1:]...)
					cmd.Stdin = strings.NewReader(b)
					if said, err := cmd.CombinedOutput(); err != nil {
						t.Errorf("%s: %v: %s\n%s", name, err, said, b)
					}
					read++
				}
			}
			if read < c.least {
				t.Errorf("%d blocks, want at least %d", read, c.least)
			}
		})
	}
}

// squeeze takes indentation away.
func squeeze(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return strings.Join(lines, "\n")
}

// The table of the guide to numerics names every function of the numerical modules, and none that is not there:
// in a row the names after `module.name` are of that module, methods of what they make behind "with".
func TestNumericsNamesEverything(t *testing.T) {
	page, err := os.ReadFile("guide/numerics.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## What there is\n")
	section, _, _ = strings.Cut(section, "\n## ")
	named, modules := map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(section) {
		line, _, _ = strings.Cut(line, "each with")
		module := ""
		if !strings.HasPrefix(line, "| ") {
			continue
		}
		for i, name := range strings.Split(line, "`") {
			if i%2 == 0 {
				continue
			}
			if before, after, ok := strings.Cut(name, "."); ok {
				module, name = before, after
			}
			named[module+"."+name], modules[module] = true, true
		}
	}
	for f := range registry().Functions() {
		if f.Kind == "function" && modules[f.Module] {
			if !named[f.FullName] {
				t.Errorf("guide/numerics.md does not name %s", f.FullName)
			}
			delete(named, f.FullName)
		}
	}
	for name := range named {
		t.Errorf("guide/numerics.md names %s, which is not there", name)
	}
	if len(modules) < 11 {
		t.Errorf("only %d modules are named", len(modules))
	}
}

// Every guide in the folder is listed.
func TestEveryGuideIsListed(t *testing.T) {
	files, err := filepath.Glob("guide/*.md")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(manual.Guides()) {
		t.Errorf("%d files in guide, %d guides: %q", len(files), len(manual.Guides()), manual.Guides())
	}
}
