package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A paragraph of a document: what it names stands in the folders that it names.
type paragraph struct {
	file string
	line int
	text string
}

// paragraphs are the rows of tables and what blank lines separate.
func paragraphs(file, text string) (all []paragraph) {
	var open []string
	line := 0
	add := func(end int) {
		if len(open) > 0 {
			all = append(all, paragraph{file, end - len(open) + 1, strings.Join(open, "\n")})
		}
		open = nil
	}
	for l := range strings.Lines(text) {
		line++
		switch {
		case strings.TrimSpace(l) == "":
			add(line - 1)
		case strings.HasPrefix(l, "|"):
			add(line - 1)
			open = append(open, l)
			add(line)
		default:
			open = append(open, strings.TrimRight(l, "\n"))
		}
	}
	add(line)
	return all
}

var (
	quoted   = regexp.MustCompile("`([^`\n]+)`")
	linked   = regexp.MustCompile(`\]\(([^)#]+)\)`)
	declared = regexp.MustCompile("`([A-Za-z]+)`(?: of| in)? \\(?`([a-z_/]+\\.go)`")
	chosen   = regexp.MustCompile(`go test (\S+) -run '?(\w+)`)
	makes    = regexp.MustCompile(`\bmake ([a-z-]+)`)
	isPath   = regexp.MustCompile(`^[\w.-]+(/[\w.-]+)*/?$`)
	made     = regexp.MustCompile(`^(out|bin)/`) // by programs
)

// missing lists what a paragraph names and the tree below root has not.
func (p paragraph) missing(root, rules string) (found []string) {
	exists := func(name string) bool { _, err := os.Stat(filepath.Join(root, name)); return err == nil }
	folders := []string{"."}
	words := strings.Fields(strings.Join(quotedIn(p.text), " "))
	for _, w := range words {
		if w = strings.TrimPrefix(w, "./"); isPath.MatchString(w) && exists(w) {
			folders = append(folders, path.Dir(w+"/"), path.Dir(path.Clean(w)))
		}
	}
	beside := func(name string) string { // "" if it is nowhere
		for _, dir := range folders {
			if exists(path.Join(dir, name)) {
				return path.Join(dir, name)
			}
		}
		return ""
	}
	for _, w := range words {
		w = strings.TrimPrefix(w, "./")
		named := strings.HasSuffix(w, ".go") || strings.Contains(w, "/")
		written := strings.Contains(p.text, "file `"+w+"`") || strings.Contains(p.text, "Write `"+w+"`") // by the reader
		unplaced := !strings.Contains(w, "/") && len(folders) == 1                                       // a name without its folder, such as "its catalog.go"
		if named && isPath.MatchString(w) && !made.MatchString(w) && !written && !unplaced && beside(w) == "" {
			found = append(found, w)
		}
	}
	for _, m := range linked.FindAllStringSubmatch(p.text, -1) {
		if !strings.Contains(m[1], "://") && !exists(m[1]) {
			found = append(found, m[1])
		}
	}
	for _, m := range declared.FindAllStringSubmatch(p.text, -1) {
		if file := beside(m[2]); file != "" && !declares(filepath.Join(root, file), m[1]) {
			found = append(found, m[1]+" in "+m[2])
		}
	}
	for _, m := range chosen.FindAllStringSubmatch(p.text, -1) {
		if !hasTest(filepath.Join(root, m[1]), m[2]) {
			found = append(found, m[2]+" in "+m[1])
		}
	}
	for _, m := range makes.FindAllStringSubmatch(strings.Join(quotedIn(p.text), "\n"), -1) {
		if !strings.Contains(rules, "\n"+m[1]+":") {
			found = append(found, "make "+m[1])
		}
	}
	return found
}

func quotedIn(text string) (all []string) {
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}

// declares reports whether a Go file declares a name, as a function, a method or at its top.
func declares(file, name string) bool {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
		if fn, ok := d.(*ast.FuncDecl); ok {
			return fn.Name.Name == name
		}
		return slices.ContainsFunc(d.(*ast.GenDecl).Specs, func(s ast.Spec) bool {
			switch s := s.(type) {
			case *ast.TypeSpec:
				return s.Name.Name == name
			case *ast.ValueSpec:
				return slices.ContainsFunc(s.Names, func(n *ast.Ident) bool { return n.Name == name })
			}
			return false
		})
	})
}

// hasTest reports whether a package has a test whose name begins so.
func hasTest(dir, name string) bool {
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	return slices.ContainsFunc(files, func(file string) bool {
		source, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(source), "\nfunc "+name)
	})
}

// TestDocumentsNameWhatIsThere: files, folders, declarations, tests and targets of make that
// the documents for contributors name exist, so that none of them leads nowhere.
func TestDocumentsNameWhatIsThere(t *testing.T) {
	rules, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "SECURITY.md"} {
		text, err := os.ReadFile("../" + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range paragraphs(file, string(text)) {
			if strings.HasPrefix(p.text, "```") {
				continue
			}
			for _, what := range p.missing("..", string(rules)) {
				t.Errorf("%s:%d names %s, which is not there", p.file, p.line, what)
			}
		}
	}
}

// What the test is there for is found by it.
func TestNamesOfNothingAreFound(t *testing.T) {
	const rules = "\ntest: ## every test\n"
	for text, want := range map[string]string{
		"a file in `numeric/mesh`, a line in `Rules` (`rule.go`)":   "",
		"a file in `numeric/meshes`":                                "numeric/meshes",
		"a file in `numeric/mesh`, a line in `list.go`":             "list.go",
		"a line in `Catalog` of `numeric/mesh/rule.go`":             "Catalog in numeric/mesh/rule.go",
		"[how](ARCHITECTURE.md) and [why](WHY.md)":                  "WHY.md",
		"`make test`, `make tests`":                                 "make tests",
		"`go test ./numeric/fit -run TestCombinations -v`":          "",
		"`go test ./numeric/kernel -run TestNothing`":               "TestNothing in ./numeric/kernel",
		"copy it into a file `cauchy.go` of `numeric/kernel`":       "",
		"writes `out/paper.html`; 1/(1 + d²); `kernel.se{x = 1/2}`": "",
	} {
		if got := strings.Join((paragraph{text: text}).missing("..", rules), ", "); got != want {
			t.Errorf("%s: not there: %q, want %q", text, got, want)
		}
	}
	const text = "one\ntwo\n\n| a | b |\n| c |\nthree\n"
	lines := ""
	for _, p := range paragraphs("", text) {
		lines += strconv.Itoa(p.line) + ":" + strings.ReplaceAll(strings.TrimSpace(p.text), "\n", "/") + " "
	}
	if want := "1:one/two 4:| a | b | 5:| c | 6:three "; lines != want {
		t.Errorf("paragraphs %q, want %q", lines, want)
	}
}

// TestPackagesAreInThePicture: the picture of the architecture shows each package of its
// order of imports, but those inside a line of it and those that only tests need.
func TestPackagesAreInThePicture(t *testing.T) {
	text, err := os.ReadFile("../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, picture, _ := strings.Cut(string(text), "\n```\n")
	picture, _, found := strings.Cut(picture, "\n```\n")
	if !found {
		t.Fatal("ARCHITECTURE.md has no picture")
	}
	shown := map[string]bool{}
	for _, name := range regexp.MustCompile(`[a-z0-9]+`).FindAllString(picture, -1) {
		shown[name] = true
	}
	for _, layer := range layers {
		for _, pkg := range layer {
			inside := strings.HasPrefix(pkg, "workbench/repl/")
			if !shown[path.Base(pkg)] && !inside && !strings.HasPrefix(path.Base(pkg), "test") && !strings.HasSuffix(pkg, "test") {
				t.Errorf("%s stands in no line of the picture", pkg)
			}
		}
	}
}
