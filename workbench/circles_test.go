package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// oneWay are packages large enough for their files to be layers, alone or with all below them: what
// two files need of each other stands in one below both.
var oneWay = []string{
	"numeric/fit/...", "numeric/model/...", "internal/numeric/noise", "internal/numeric/criteria",
	"internal/numeric/gram", "internal/numeric/families", "internal/numeric/solve", "internal/numeric/lattice",
	"internal/numeric/kernels", "internal/numeric/network/...", "bindings",
}

// TestFilesGoOneWay: no two files of such a package need each other, however far round.
func TestFilesGoOneWay(t *testing.T) {
	for _, pattern := range oneWay {
		folder, all := strings.CutSuffix(pattern, "/...")
		if !all {
			filesGoOneWay(t, filepath.Join("..", folder))
			continue
		}
		err := filepath.WalkDir(filepath.Join("..", filepath.FromSlash(folder)), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() != "testdata" {
				filesGoOneWay(t, path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func filesGoOneWay(t *testing.T, pkg string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(pkg, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	if left := circles(needs(fset, files)); len(left) > 0 {
		t.Errorf("%s: files that need each other: %s", pkg, strings.Join(left, ", "))
	}
}

// TestCirclesAreFound: by functions, types and methods, and not by variables of their names.
func TestCirclesAreFound(t *testing.T) {
	fset := token.NewFileSet()
	var files []*ast.File
	for name, text := range map[string]string{
		"top.go":    "func top() { a() }",
		"a.go":      "func a() { var v list; v.add() }",
		"list.go":   "type list []int\nfunc (l list) add() { low() }",
		"low.go":    "func low() { var a int; _ = a }",
		"first.go":  "type first struct{ *second }",
		"second.go": "type second struct{}\nfunc (s second) whole() first { return first{} }",
	} {
		file, err := parser.ParseFile(fset, name, "package p\n"+text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	if got := circles(needs(fset, files)); !slices.Equal(got, []string{"first.go", "second.go"}) {
		t.Errorf("circles of %v", got)
	}
}

// needs lists the files whose functions, types and methods each file of a package uses.
func needs(fset *token.FileSet, files []*ast.File) map[string][]string {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: unknown{}, Error: func(error) {}} // of what is imported nothing is asked
	pkg, _ := conf.Check("p", fset, files, info)
	of := func(at token.Pos) string { return filepath.Base(fset.Position(at).Filename) }
	out := map[string][]string{}
	for _, f := range files {
		out[of(f.Pos())] = nil
	}
	for id, o := range info.Uses {
		method := false
		if f, ok := o.(*types.Func); ok {
			r := f.Signature().Recv()
			method = r != nil && !types.IsInterface(r.Type())
		}
		from, to := of(id.Pos()), of(o.Pos())
		if o.Pkg() == pkg && (method || o.Parent() == pkg.Scope()) && from != to {
			out[from] = append(out[from], to)
		}
	}
	return out
}

// circles are the files that are left when those that need none of the others, and those that
// none of the others needs, are taken away.
func circles(needs map[string][]string) []string {
	left := func() (out []string) {
		for f := range needs {
			out = append(out, f)
		}
		return out
	}
	for before := -1; before != len(needs); {
		before = len(needs)
		needed := map[string]bool{}
		for _, f := range left() {
			needs[f] = slices.DeleteFunc(needs[f], func(to string) bool { _, there := needs[to]; return !there })
			for _, to := range needs[f] {
				needed[to] = true
			}
		}
		for _, f := range left() {
			if len(needs[f]) == 0 || !needed[f] {
				delete(needs, f)
			}
		}
	}
	out := left()
	slices.Sort(out)
	return out
}

// unknown imports packages of which nothing is known.
type unknown struct{}

func (unknown) Import(name string) (*types.Package, error) {
	p := types.NewPackage(name, path.Base(name))
	p.MarkComplete()
	return p, nil
}
