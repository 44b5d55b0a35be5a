package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/greenbench/workbench/syntax"
)

const module = "github.com/greenbench/workbench/"

// layers lists the packages of the tree from the bottom up; a package may import
// only packages of layers below its own. A new package must be listed here.
var layers = [][]string{
	{"internal/testmain", "internal/elementary", "internal/sorting", "internal/numeric/remedy"},
	{"internal/numeric/progress", "internal/numeric/parallel", "internal/numeric/bessel", "internal/numeric/params", "internal/numeric/decimal", "internal/numeric/inflate", "internal/numeric/spelling", "internal/numeric/units", "internal/numeric/xlsx"},
	{"internal/numeric/simd", "internal/numeric/progresstest", "internal/numeric/hdf5", "internal/numeric/netcdf", "internal/numeric/zarr"},
	{"internal/numeric/fft", "internal/numeric/dense"},
	{"numeric/array"},
	{"internal/numeric/arrays"},
	{"numeric/files"},
	{"numeric/mesh", "internal/numeric/expr", "internal/numeric/linop", "internal/numeric/special", "internal/numeric/sheet"},
	{"numeric/kernel", "internal/numeric/optimize", "internal/numeric/signal", "internal/numeric/stats"},
	{"internal/numeric/integrate", "internal/numeric/ode"},
	{"internal/numeric/linoptest", "internal/numeric/linalg", "internal/numeric/kernels", "internal/numeric/solve", "internal/numeric/plot"},
	{"internal/plottest"},
	{"internal/numeric/interp", "internal/numeric/laws"},
	{"internal/numeric/sparse", "internal/numeric/poly", "numeric/constraint", "internal/numeric/gram", "internal/numeric/randfield", "numeric/dataset"},
	{"internal/numeric/records", "internal/numeric/written"},
	{"internal/numeric/lattice", "internal/numeric/criteria", "internal/numeric/outputs", "internal/numeric/outside", "internal/numeric/prepare", "internal/numeric/known"},
	{"internal/numeric/families"},
	{"numeric/fit/internal/landmarks"},
	{"numeric/fit/internal/problem", "numeric/fit/internal/bases"},
	{"numeric/fit/internal/indata", "numeric/fit/internal/invalues"},
	{"numeric/fit/internal/inweights"},
	{"numeric/fit/internal/inobserved"},
	{"numeric/fit/internal/pose"},
	{"numeric/fit/internal/posterior"},
	{"internal/numeric/pde", "numeric/fit"},
	{"internal/numeric/adam", "internal/numeric/theory", "internal/numeric/noise"},
	{"numeric/model/internal/term"},
	{"numeric/model/internal/sizes"},
	{"numeric/model"},
	{"internal/numeric/assess"},
	{"internal/numeric/network", "internal/numeric/network/joint"},
	{"syntax"},
	{"bindings/bind"},
	{"bindings"},
	{"lua"},
	{"workbench/chunk/loops"},
	{"workbench/usage", "workbench/hypertext", "workbench/chunk", "workbench/screen"},
	{"workbench/stdlib"},
	{"workbench/host"},
	{"workbench/repl/terminal"},
	{"workbench/repl/show"},
	{"workbench/testrun", "workbench/repl", "workbench/manual"},
	{"workbench/notebook", "workbench/live"},
	{"workbench/runner"},
	{"workbench", "workbench/browser"},
	{"tools"},
}

// reserved imports belong to one part of the tree.
var reserved = []struct{ prefix, imports, why string }{
	{"numeric/", "github.com/yuin/gopher-lua", "the core does not know Lua"},
	{"internal/numeric/", "github.com/yuin/gopher-lua", "the core does not know Lua"},
	{"numeric/", "github.com/chzyer/readline", "the core does not know the terminal"},
	{"internal/numeric/", "github.com/chzyer/readline", "the core does not know the terminal"},
	{"numeric/fit", module + "internal/numeric/pde", "the estimator cannot see the truth"},
	{"numeric/", "github.com/mattn/go-sixel", "the core does not know the terminal"},
	{"internal/numeric/", "github.com/mattn/go-sixel", "the core does not know the terminal"},
	{"bindings/", "github.com/chzyer/readline", "bindings do not know the terminal"},
	{"", "text/template", "it finds methods by name, so that every method of every type is kept: a tenth of the program"},
	{"", "html/template", "it finds methods by name, so that every method of every type is kept: use workbench/hypertext"},
}

// numerical reports whether a file is of the core: of numeric, which Go programs import, or of
// internal/numeric, the same below these and for scripts alone.
func numerical(file string) bool {
	return strings.HasPrefix(file, "numeric/") || strings.HasPrefix(file, "internal/numeric/")
}

// layerOf is the layer of a package: its own entry, or that of the nearest
// listed folder above it (workbench/repl/history belongs to workbench/repl).
func layerOf(pkg string) int {
	for dir := pkg; dir != "."; dir = filepath.ToSlash(filepath.Dir(dir)) {
		for i, l := range layers {
			if slices.Contains(l, dir) {
				return i
			}
		}
	}
	return -1
}

// owner is the listed package that pkg belongs to.
func owner(pkg string) string {
	for dir := pkg; dir != "."; dir = filepath.ToSlash(filepath.Dir(dir)) {
		for _, l := range layers {
			if slices.Contains(l, dir) {
				return dir
			}
		}
	}
	return pkg
}

// eachFile parses the source itself, so that the test cache sees every file that
// the answer depends on. Tests are left out.
func eachFile(t *testing.T, mode parser.Mode, do func(rel string, file *ast.File) error) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel("..", path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if strings.HasPrefix(d.Name(), ".") && rel != "." || strings.HasPrefix(d.Name(), "_") || d.Name() == "testdata" || d.Name() == "gen" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, mode)
		if err != nil {
			return err
		}
		return do(rel, file)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestImportsGoOneWay(t *testing.T) {
	eachFile(t, parser.ImportsOnly, func(rel string, file *ast.File) error {
		pkg := filepath.ToSlash(filepath.Dir(rel))
		if layerOf(pkg) < 0 {
			t.Errorf("%s: package %s stands in no layer: list it in this test", rel, pkg)
			return nil
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			checkImport(t, rel, pkg, imported)
		}
		return nil
	})
}

// TestKeywordsStandOnce: which words Lua reserves is known to one package; a second list
// would sooner or later differ from it.
func TestKeywordsStandOnce(t *testing.T) {
	found := false
	eachFile(t, 0, func(rel string, file *ast.File) error {
		ast.Inspect(file, func(n ast.Node) bool {
			list := 0
			switch n.(type) {
			case *ast.CompositeLit, *ast.CaseClause, *ast.BasicLit:
				ast.Inspect(n, func(n ast.Node) bool {
					if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
						words := strings.Fields(strings.Trim(lit.Value, "`\""))
						if !slices.ContainsFunc(words, func(w string) bool { return !syntax.IsKeyword(w) }) { // no prose
							list += len(words)
						}
					}
					return true
				})
			}
			if list >= len(syntax.Keywords()) {
				if found = found || rel == "syntax/token.go"; rel != "syntax/token.go" {
					t.Errorf("%s lists the words of Lua: ask package syntax", rel)
				}
			}
			return true
		})
		return nil
	})
	if !found {
		t.Error("the list of package syntax was not seen: this test sees nothing")
	}
}

// spawners may start goroutines in the numerical core: the first by the time that
// work takes, the others for its interruption.
var spawners = []string{"internal/numeric/parallel/", "internal/numeric/progress/", "internal/numeric/progresstest/", "internal/numeric/linoptest/"}

// TestWorkIsSharedOutByTime: a loop that starts goroutines of its own makes short work
// slower with two processors than with one, which nobody sees who tries long work.
func TestWorkIsSharedOutByTime(t *testing.T) {
	eachFile(t, 0, func(rel string, file *ast.File) error {
		if !numerical(rel) || slices.ContainsFunc(spawners, func(s string) bool { return strings.HasPrefix(rel, s) }) {
			return nil
		}
		ast.Inspect(file, func(n ast.Node) bool {
			what := ""
			switch n := n.(type) {
			case *ast.GoStmt:
				what = "a go statement"
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && (x.Name == "runtime" && n.Sel.Name == "GOMAXPROCS" || x.Name == "sync" && n.Sel.Name == "WaitGroup") {
					what = x.Name + "." + n.Sel.Name
				}
			}
			if what != "" {
				t.Errorf("%s has %s: loops are shared out by internal/numeric/parallel, which asks how long they take", rel, what)
			}
			return true
		})
		return nil
	})
}

func checkImport(t *testing.T, file, pkg, imported string) {
	t.Helper()
	for _, r := range reserved {
		if strings.HasPrefix(file, r.prefix) && (imported == r.imports || strings.HasPrefix(imported, r.imports+"/")) {
			t.Errorf("%s imports %s: %s", file, imported, r.why)
		}
	}
	own, ok := strings.CutPrefix(imported, module)
	if !ok || owner(own) == owner(pkg) {
		return
	}
	if layerOf(own) >= layerOf(pkg) {
		t.Errorf("%s imports %s, which is not below it: imports go one way", file, own)
	}
}
