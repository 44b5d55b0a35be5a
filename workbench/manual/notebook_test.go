package manual_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/workbench/manual"
)

// A notebook of a guide has its text and its Lua, in order: what is written lacks nothing of
// the guide but the fences of code and the pictures, which cells show themselves.
func TestNotebooksHoldTheGuides(t *testing.T) {
	for _, name := range manual.Guides() {
		data, ok, err := manual.Notebook(name)
		if err != nil {
			t.Fatal(err)
		}
		program, err := manual.Program(name)
		if err != nil {
			t.Fatal(err)
		}
		if ok != (strings.TrimSpace(program) != "") {
			t.Errorf("%s: Lua %v, notebook %v", name, !ok, ok)
		}
		var n struct {
			Cells []struct {
				Type   string `json:"cell_type"`
				ID     string
				Source string
			}
		}
		if err := json.Unmarshal(data, &n); err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		ids := map[string]bool{}
		for _, c := range n.Cells {
			all.WriteString(c.Source + "\n")
			if ids[c.ID] {
				t.Errorf("%s: two cells are called %s", name, c.ID)
			}
			ids[c.ID] = true
		}
		guide, err := os.ReadFile("guide/" + name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		text := regexp.MustCompile("(?m)^(```lua|!\\[.*)$").ReplaceAllString(string(guide), "")
		if got, want := words(all.String()), words(text); got != want {
			t.Errorf("%s: the notebook has not what the guide has: %s", name, firstDifference(got, want))
		}
	}
}

// The notebooks of the repository are those of the guides, with results.
func TestNotebooksOfTheRepository(t *testing.T) {
	files, err := filepath.Glob("../../scripts/notebooks/*.ipynb")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".ipynb")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		fresh, _, err := manual.Notebook(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := sources(t, data), sources(t, fresh); got != want {
			t.Errorf("%s: %s; make it anew: workbench doc --notebooks DIR, jupyter nbconvert --to notebook --execute --inplace DIR/%s.ipynb", path, firstDifference(got, want), name)
		}
	}
}

// sources is the text of all cells. It stands in one string, or in one for each line.
func sources(t *testing.T, data []byte) string {
	t.Helper()
	var n struct{ Cells []struct{ Source any } }
	if err := json.Unmarshal(data, &n); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, c := range n.Cells {
		if lines, ok := c.Source.([]any); ok {
			for _, l := range lines {
				all.WriteString(fmt.Sprint(l))
			}
		} else {
			all.WriteString(fmt.Sprint(c.Source))
		}
		all.WriteString("\n")
	}
	return all.String()
}

// words is a text without white space and the ends of code.
func words(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "```", " ")), "\n")
}

// Jupyter's own tools, where they are installed, run the notebook of every guide with the program
// as it is built, and make a page of HTML of it.
func TestNotebooksRunInJupyter(t *testing.T) {
	jupyter, err := exec.LookPath("jupyter-nbconvert")
	if err != nil {
		t.Skip("jupyter-nbconvert is not installed")
	}
	if !testmain.EveryCase() {
		t.Skip("run with every case: it starts Jupyter for each guide")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "workbench")
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "JUPYTER_DATA_DIR="+filepath.Join(dir, "data"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "github.com/greenbench/workbench/workbench")
	build.Dir = here
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run(program, "kernel", "install")
	run(program, "doc", "--notebooks", ".")
	notebooks, err := filepath.Glob(filepath.Join(dir, "*.ipynb"))
	if err != nil || len(notebooks) < 5 {
		t.Fatal(notebooks, err)
	}
	for _, n := range notebooks {
		run(jupyter, "--to", "html", "--execute", n)
		page, err := os.ReadFile(strings.TrimSuffix(n, "ipynb") + "html")
		if err != nil {
			t.Fatal(err)
		}
		guide, err := os.ReadFile(filepath.Join(here, "guide", strings.TrimSuffix(filepath.Base(n), "ipynb")+"md"))
		if err != nil {
			t.Fatal(err)
		}
		shown, want := strings.Count(string(page), "data:image/png"), strings.Count(string(guide), "\n![")
		if !strings.Contains(string(page), "jp-OutputArea-output") || shown < want {
			t.Errorf("%s: the page shows %d pictures, the guide %d", n, shown, want)
		}
	}
}
