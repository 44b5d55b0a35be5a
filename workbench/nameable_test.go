package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// unnameable are exported names whose types other modules cannot write: they may use a value of
// such a type, not declare one. The list gets shorter, and has nothing of kernels.
var unnameable = []string{
	"constraint.Custom", "constraint.LawsOf", "dataset.ReadTable", "dataset.Table.Members", "fit.DescribeStructure", "fit.Estimate.Members", "fit.Estimate.WithBias", "fit.Expected", "fit.Read", "fit.Report", "model.Estimate.Members", "model.Read", "model.Spec",
}

// TestGoProgramsCanNameWhatTheySee: no exported signature or field below numeric mentions a type of an
// internal package, which other modules cannot import. A type of theirs that Go programs need has a name
// of its own, as fit.Criterion.
func TestGoProgramsCanNameWhatTheySee(t *testing.T) {
	found := map[string]bool{}
	eachFile(t, parser.SkipObjectResolution, func(rel string, file *ast.File) error {
		if strings.HasPrefix(rel, "numeric/") && !strings.Contains(rel, "/internal/") {
			for _, name := range ofInternal(file) {
				found[path.Base(path.Dir(rel))+"."+name] = true
			}
		}
		return nil
	})
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if !slices.Contains(unnameable, name) {
			t.Errorf("%s mentions a type of an internal package: move it there, or give the type a name here", name)
		}
	}
	for _, name := range unnameable {
		if !found[name] {
			t.Errorf("%s mentions no type of an internal package: take it off the list", name)
		}
	}
}

// ofInternal lists the exported names of a file whose signature or fields mention a type of an
// internal package.
func ofInternal(file *ast.File) (names []string) {
	internal := map[string]bool{}
	for _, i := range file.Imports {
		if p, err := strconv.Unquote(i.Path.Value); err == nil && strings.Contains(p, "/internal/") {
			if i.Name != nil {
				internal[i.Name.Name] = true
			} else {
				internal[path.Base(p)] = true
			}
		}
	}
	look := func(name string, e ast.Node) {
		if mentions(e, internal) {
			names = append(names, name)
		}
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			switch {
			case !d.Name.IsExported():
			case d.Recv == nil:
				look(d.Name.Name, d.Type)
			case ast.IsExported(receiver(d.Recv.List[0].Type)):
				look(receiver(d.Recv.List[0].Type)+"."+d.Name.Name, d.Type)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() && !s.Assign.IsValid() { // an alias is a name
						look(s.Name.Name, s.Type)
					}
				case *ast.ValueSpec:
					if s.Type != nil && slices.ContainsFunc(s.Names, (*ast.Ident).IsExported) {
						look(s.Names[0].Name, s.Type)
					}
				}
			}
		}
	}
	return names
}

// mentions reports whether a type is made of one of the packages, but for fields and methods that are
// not exported.
func mentions(e ast.Node, packages map[string]bool) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			return len(n.Names) == 0 || ast.IsExported(n.Names[0].Name) || !inStruct(e, n)
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && packages[id.Name] {
				found = true
			}
		}
		return true
	})
	return found
}

// inStruct reports whether a field is one of a struct or an interface, not a parameter.
func inStruct(e ast.Node, field *ast.Field) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType:
			found = found || slices.Contains(n.Fields.List, field)
		case *ast.InterfaceType:
			found = found || slices.Contains(n.Methods.List, field)
		}
		return true
	})
	return found
}

// What the test is there for is found by it.
func TestTypesOfInternalPackagesAreFound(t *testing.T) {
	const source = `package p
import ("m/internal/a"; "m/b")
type Alias = a.T
type Hidden struct { t a.T; U b.T }
type Seen struct { T []a.T }
type Embeds struct { a.T }
type Asks interface { do(a.T) }
type Offers interface { Do(x a.T) }
func F(x a.T) {}
func G() (b.T, map[string]*a.T) { return b.T{}, nil }
func H(x b.T) { var y a.T; _ = y }
func (Seen) M(f func(x a.T)) {}
func (hidden) M(x a.T) {}
var V a.T
`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(ofInternal(file), " "); got != "Seen Embeds Offers F G Seen.M V" {
		t.Errorf("found %s", got)
	}
}
