package main

import (
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/workbench/repl/transcript"
)

// A block of code of the README.
type readmeBlock struct {
	language, text string
	line           int
}

// readmeBlocks are all of them. Code that is indented has no language, and would be
// left out of the tests below.
func readmeBlocks(t *testing.T) (blocks []readmeBlock) {
	t.Helper()
	data, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var open *readmeBlock
	for i, line := range strings.Split(string(data), "\n") {
		language, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && open == nil:
			open = &readmeBlock{language: language, line: i + 2}
		case fence:
			blocks = append(blocks, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		case strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t"):
			t.Errorf("README.md:%d: code without a language: %s", i+1, line)
		}
	}
	return blocks
}

// Every block of the README pastes and runs: those for the prompt in order, in one
// session; those that say what they print as tests; those for the shell as commands;
// the Go program is built.
func TestReadme(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(root, "scripts"), filepath.Join(dir, "scripts")); err != nil {
		t.Skipf("this system makes no symbolic links: %v", err)
	}
	writePairs(t, filepath.Join(dir, "mine.npz"))
	session := ""
	ran := map[string]int{}
	for _, b := range readmeBlocks(t) {
		ran[b.language]++
		switch b.language {
		case "text": // mathematics
		case "console", "lua":
			session += readmeInput(b)
			if strings.Contains(b.text, "-->") || strings.Contains(b.text, "--!") {
				readmeExpectations(t, dir, b)
			}
		case "sh":
			for command := range strings.Lines(b.text) {
				readmeCommand(t, root, dir, b, strings.TrimSpace(command))
			}
		case "go":
			readmeProgram(t, root, b)
		case "bibtex":
			readmeCitation(t, b)
		default:
			t.Errorf("README.md:%d: a block in %q, which nothing here runs", b.line, b.language)
		}
	}
	for language, n := range map[string]int{"console": 1, "lua": 6, "sh": 3, "go": 1, "bibtex": 1} {
		if ran[language] < n {
			t.Errorf("%d blocks in %s, want at least %d", ran[language], language, n)
		}
	}
	r := command(t, dir, session)
	if r.status != 0 || r.errs != "" {
		t.Errorf("the session: status %d\n%s\n%s", r.status, r.errs, r.out)
	}
	for _, want := range []string{
		`(?m)^fit converged`, `(?m)^0\.0┤`, `(?m)^1\.0┤`, `(?m) 1\.0$`, // est, and its heat map over the unit square
		`green\.fit\{data, kernel`, // ?green.fit
		`(?m)^\{mean = `,           // est:error
		`(?m)^true$`,               // G(x, y) = G(y, x)
	} {
		if !regexp.MustCompile(want).MatchString(r.out) {
			t.Errorf("the session shows no %s", want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "mine-estimate.npz")); err != nil {
		t.Error(err)
	}
	if t.Failed() {
		t.Log(r.out)
	}
}

// writePairs makes the reader's own file: u(y) = ∫ exp(-|x - y|) f(x) dx for 100 f
// of two random frequencies, on the meshes that the README names.
func writePairs(t *testing.T, path string) {
	t.Helper()
	x, err := mesh.Uniform(0, 1, 200, "x")
	if err != nil {
		t.Fatal(err)
	}
	y, err := mesh.Gauss(0, 2, 40, "y")
	if err != nil {
		t.Fatal(err)
	}
	f, u := array.New(100, 200), array.New(100, 40)
	random := rand.New(rand.NewPCG(1, 1))
	for n := range 100 {
		a, b := 6*random.Float64(), 6*random.Float64()
		for i, at := range x.Coordinates {
			v := math.Sin(a*at) + math.Cos(b*at)
			f.Set(v, n, i)
			for j, to := range y.Coordinates {
				u.Data[40*n+j] += x.Weights[i] * math.Exp(-math.Abs(at-to)) * v
			}
		}
	}
	if err := arrays.SaveMembers(path, arrays.Members{Arrays: map[string]*array.Array{"f": f, "u": u}}); err != nil {
		t.Fatal(err)
	}
}

// readmeInput is a block as it is pasted: without the prompts of a transcript, and
// without the lines whose error is what they show.
func readmeInput(b readmeBlock) (input string) {
	for line := range strings.Lines(b.text) {
		if strings.HasPrefix(line, "$ ") || strings.Contains(line, "--!") {
			continue
		}
		rest, _ := transcript.StripPrompt(line)
		input += rest
	}
	return input
}

// readmeExpectations runs a block that says what it prints.
func readmeExpectations(t *testing.T, dir string, b readmeBlock) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "block.lua"), []byte(b.text), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := command(t, dir, "", "test", "block.lua"); r.status != 0 {
		t.Errorf("README.md:%d: workbench test: status %d\n%s%s", b.line, r.status, r.out, r.errs)
	}
}

// readmeCommand runs a command of the shell if it is a short one; of the others, what
// they name must be there.
func readmeCommand(t *testing.T, root, dir string, b readmeBlock, line string) {
	t.Helper()
	words := strings.Fields(line)
	switch {
	case strings.HasPrefix(line, "make "):
		rules, err := os.ReadFile(filepath.Join(root, "Makefile"))
		if err != nil || !strings.Contains(string(rules), "\n"+words[1]+":") {
			t.Errorf("README.md:%d: %s: the Makefile has no such target (%v)", b.line, line, err)
		}
	case strings.HasPrefix(line, "go run ./workbench "):
		if r := command(t, dir, "", words[3:]...); r.status != 0 {
			t.Errorf("README.md:%d: %s: status %d\n%s", b.line, line, r.status, r.errs)
		}
	case strings.HasPrefix(line, "go install "):
		main, version, _ := strings.Cut(words[2], "@")
		if list, err := exec.Command("go", "list", "-f", "{{.Name}}", main).CombinedOutput(); err != nil || string(list) != "main\n" || version != "latest" {
			t.Errorf("README.md:%d: %s: %v\n%s", b.line, line, err, list)
		}
	case words[0] == "workbench":
		if r := command(t, dir, "", append([]string{"lint"}, words[1:]...)...); r.status != 0 {
			t.Errorf("README.md:%d: %s: status %d\n%s%s", b.line, line, r.status, r.out, r.errs)
		}
	default:
		t.Errorf("README.md:%d: %s: a command that nothing here runs", b.line, line)
	}
}

// readmeProgram builds and runs the Go program.
func readmeProgram(t *testing.T, root string, b readmeBlock) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(b.text), 0o600); err != nil {
		t.Fatal(err)
	}
	run := exec.Command("go", "run", "-ldflags=-s -w", file) // without symbols it is linked sooner
	run.Dir = root                                           // where the module is
	if out, err := run.CombinedOutput(); err != nil || string(out) != "1\n" {
		t.Errorf("README.md:%d: the program: %v\n%s", b.line, err, out)
	}
}

// readmeCitation compares what people copy with the file that machines read.
func readmeCitation(t *testing.T, b readmeBlock) {
	t.Helper()
	data, err := os.ReadFile("../CITATION.cff")
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range regexp.MustCompile(`= \{+([^{}]+)\}`).FindAllStringSubmatch(b.text, -1) {
		for part := range strings.SplitSeq(field[1], ", ") {
			if !strings.Contains(string(data), ": "+part) {
				t.Errorf("README.md:%d: %q is not in CITATION.cff", b.line, part)
			}
		}
	}
}

// What runs on every change runs the checks that the README and CONTRIBUTING promise.
func TestIntegrationRunsTheChecks(t *testing.T) {
	script, err := os.ReadFile("../.ci/run")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\nset -euo pipefail\n", "\nmake lint\n", "\nmake subjects\n", "\nmake test\n", "make test-levels\n", "make test-arm\n", "go run ./workbench scripts/examples/quickstart.lua\n"} {
		if !strings.Contains(string(script), want) {
			t.Errorf(".ci/run lacks %q", want)
		}
	}
}
