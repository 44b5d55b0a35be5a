package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tools are packages of internal/numeric whose own tests use more of them than the program does.
var tools = []string{"criteria", "expr", "fft", "hdf5", "lattice", "linop", "solve"}

// TestExportedNamesAreUsed: an exported function or method of the core that no other package
// uses, not in a test either, and no example shows is one that nobody asked for. Names are compared without types:
// one that is used of another package passes.
func TestExportedNamesAreUsed(t *testing.T) {
	u := usage{exported: map[string]string{}, by: map[string][]string{}}
	u.readAll(t)
	for _, name := range slices.Sorted(maps.Keys(u.exported)) {
		if file := u.exported[name]; !u.elsewhere(path.Dir(file), name[strings.LastIndex(name, ".")+1:]) {
			t.Errorf("%s: no other package uses %s: unexport it, or show in an example what it is for", file, name)
		}
	}
	if len(u.exported) < 300 {
		t.Errorf("%d names were looked at", len(u.exported))
	}
}

// A usage is what packages of the core export, as "numeric/mesh.Axis.Size", with its file, and
// the folders in which a name is selected, or asked for by an interface.
type usage struct {
	exported map[string]string
	by       map[string][]string
}

// readAll reads the source with its tests.
func (u usage) readAll(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := strings.TrimPrefix(filepath.ToSlash(file), "../")
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && d.Name() != ".." || d.Name() == "testdata" || d.Name() == "gen") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(rel, ".go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		u.read(rel, parsed)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (u usage) read(rel string, file *ast.File) {
	dir := path.Dir(rel)
	if strings.HasSuffix(rel, "example_test.go") {
		dir += " in an example"
	}
	add := func(id *ast.Ident) {
		if id.IsExported() && !slices.Contains(u.by[id.Name], dir) {
			u.by[id.Name] = append(u.by[id.Name], dir)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			add(n.Sel)
		case *ast.InterfaceType:
			for _, m := range n.Methods.List {
				for _, id := range m.Names {
					add(id)
				}
			}
		}
		return true
	})
	if !numerical(rel) || slices.Contains(tools, path.Base(dir)) || strings.Contains(rel, "/internal/") || strings.HasSuffix(rel, "_test.go") {
		return
	}
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || !f.Name.IsExported() || slices.Contains(understood, f.Name.Name) {
			continue
		}
		if name := dir + "." + f.Name.Name; f.Recv == nil {
			u.exported[name] = rel
		} else if r := receiver(f.Recv.List[0].Type); ast.IsExported(r) {
			u.exported[dir+"."+r+"."+f.Name.Name] = rel
		}
	}
}

// elsewhere reports whether a name of a package is used in another folder, or in an example.
func (u usage) elsewhere(dir, name string) bool {
	return slices.ContainsFunc(u.by[name], func(by string) bool { return by != dir })
}

// What the test is there for is found by it.
func TestUnusedNamesAreFound(t *testing.T) {
	u := usage{exported: map[string]string{}, by: map[string][]string{}}
	for name, source := range map[string]string{
		"numeric/p/p.go":            "package p\ntype T struct{}\nfunc (T) Mean() {}\nfunc (T) Asked() {}\nfunc (T) String() string { return \"\" }\nfunc Open() { T{}.Mean() }\nfunc Shown() {}\nfunc hidden() {}",
		"numeric/p/p_test.go":       "package p_test\nvar _ = p.Open",
		"numeric/p/example_test.go": "package p_test\nvar _ = p.Shown",
		"bindings/b.go":             "package bindings\ntype i interface{ Asked() }",
	} {
		file, err := parser.ParseFile(token.NewFileSet(), name, source, 0)
		if err != nil {
			t.Fatal(err)
		}
		u.read(name, file)
	}
	var unused []string
	for name, file := range u.exported {
		if !u.elsewhere(path.Dir(file), name[strings.LastIndex(name, ".")+1:]) {
			unused = append(unused, name)
		}
	}
	slices.Sort(unused)
	if got := strings.Join(unused, " "); got != "numeric/p.Open numeric/p.T.Mean" || len(u.exported) != 4 {
		t.Errorf("%s of %d", got, len(u.exported))
	}
}
