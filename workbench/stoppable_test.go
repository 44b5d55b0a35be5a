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
)

// decompositions are the types of gonum's package mat whose making takes O(n³) operations
// that nothing ends before they are done. linop has all of them with a context.
var decompositions = []string{
	"EigenSym", "Eigen", "SVD", "QR", "LQ", "LU", "Cholesky", "BandCholesky", "PivotedCholesky", "GSVD", "HOGSVD",
}

// longMethods are methods of gonum's matrices that cannot be ended, by the number of their
// arguments. Methods of other things with the same names have another number, or a context.
var longMethods = map[string]int{
	"Factorize": -1, "Mul": 2, "Inverse": 1, "InverseTo": 1, "Solve": 2, "SolveTo": 3, "Exp": 1, "Pow": 2, "SymOuterK": 2, "SymRankK": 3,
}

// shortWork is where these are short whatever a user gives: by file, what is used there.
var shortWork = map[string][]string{
	"internal/numeric/pde/line.go":       {"Inverse"}, // as many rows as an operator has orders
	"internal/numeric/pde/oscillator.go": {"Exp"},     // 4 × 4
}

// withoutContext is where work begins that nobody can stop, and why it may.
var withoutContext = map[string]string{
	"bindings/bind/state.go":                  "a host that gives none",
	"internal/numeric/arrays/bytes.go":        "files that a Go program opens without one",
	"internal/numeric/randfield/randfield.go": "the short forms for Go programs of NormalContext and UniformContext",
	"internal/numeric/linoptest/linoptest.go": "for tests",
}

// TestLongWorkTakesAContext reads the source: outside linop, which ends with contexts,
// nothing may be used of gonum that takes long and does not, and a context that is made
// on the way would cut off the one that a user's limits come by.
func TestLongWorkTakesAContext(t *testing.T) {
	files := 0
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
			if strings.HasPrefix(d.Name(), ".") && rel != "." || d.Name() == "testdata" || d.Name() == "gen" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") || strings.HasPrefix(rel, "workbench/") || strings.HasPrefix(rel, "tools/") {
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files++
		for _, l := range longWork(rel, file) {
			t.Errorf("%s: %s", set.Position(l.at), l.what)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 200 {
		t.Errorf("only %d files were read", files)
	}
}

type long struct {
	at   token.Pos
	what string
}

// longWork lists what a file does that cannot be stopped.
func longWork(rel string, file *ast.File) (found []long) {
	inside := strings.HasPrefix(rel, "internal/numeric/linop/")
	packages := map[string]string{} // by the name they have in the file
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := imported[strings.LastIndex(imported, "/")+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		packages[name] = imported
		if !inside && (strings.HasPrefix(imported, "gonum.org/v1/gonum/lapack") || strings.HasPrefix(imported, "gonum.org/v1/gonum/blas")) {
			found = append(found, long{spec.Pos(), "imports " + imported + ": nothing ends it; linop has what ends with a context"})
		}
	}
	isPackage := func(e ast.Expr, path string) bool {
		x, ok := e.(*ast.Ident)
		return ok && packages[x.Name] == path
	}
	results := map[ast.Expr]bool{} // pointers to factors, made by linop
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StarExpr:
			results[n.X] = true
		case *ast.SelectorExpr:
			name := n.Sel.Name
			switch {
			case isPackage(n.X, "context") && (name == "Background" || name == "TODO"):
				if withoutContext[rel] == "" {
					found = append(found, long{n.Pos(), "context." + name + ": takes the place of the context that limits come by"})
				}
			case isPackage(n.X, "gonum.org/v1/gonum/mat") && slices.Contains(decompositions, name) && !inside && !results[n]:
				found = append(found, long{n.Pos(), "mat." + name + ": nothing ends it; linalg has one that ends with a context"})
			}
		case *ast.CallExpr:
			f, ok := n.Fun.(*ast.SelectorExpr)
			if !ok || inside {
				return true
			}
			if x, ok := f.X.(*ast.Ident); ok && packages[x.Name] != "" {
				return true // a function of a package
			}
			count, is := longMethods[f.Sel.Name]
			if !is || count >= 0 && count != len(n.Args) || len(n.Args) > 0 && isContext(n.Args[0]) || slices.Contains(shortWork[rel], f.Sel.Name) {
				return true
			}
			found = append(found, long{n.Pos(), "a method " + f.Sel.Name + " without a context: if it is gonum's, nothing ends it; linalg has one that a context ends"})
		}
		return true
	})
	return found
}

// isContext reports whether an argument is one, by its name.
func isContext(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "ctx" || e.Name == "c"
	case *ast.SelectorExpr:
		return e.Sel.Name == "ctx"
	}
	return false
}

// What the guard is there for is found by it.
func TestLongWorkIsFound(t *testing.T) {
	const source = `package fit
import ("context"; "gonum.org/v1/gonum/lapack/lapack64"; "gonum.org/v1/gonum/mat"; "gonum.org/v1/gonum/floats")
type held struct { result *mat.Cholesky }
func f(ctx context.Context, a, b *mat.Dense, s *mat.SymDense) {
	var e mat.EigenSym
	e.Factorize(s, true)
	a.Mul(a, b)
	_ = a.Solve(a, b)
	c := &mat.Cholesky{}
	a.Exp(b)
	floats.Mul(nil, nil)
	ctx = context.Background()
	lapack64.Syev(0, 0, nil, nil)
	solver.Solve(ctx, a)
}`
	file, err := parser.ParseFile(token.NewFileSet(), "a.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range longWork("numeric/fit/a.go", file) {
		got = append(got, strings.Fields(l.what)[0]+" "+strings.Trim(strings.Fields(l.what)[2], ":"))
	}
	if len(got) != 8 {
		t.Errorf("%d found, want 8: %q", len(got), got)
	}
	if n := len(longWork("internal/numeric/linop/a.go", file)); n != 1 {
		t.Errorf("%d found in linop, want the context alone", n)
	}
}
