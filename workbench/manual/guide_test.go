package manual_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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
		blocks, err := manual.GoCode(name)
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

// squeeze takes indentation away.
func squeeze(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return strings.Join(lines, "\n")
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
