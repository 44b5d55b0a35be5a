package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"
)

// mostExported bounds how many functions, types and methods a package of numeric shows to Go
// programs. What only the workbench needs goes to internal/numeric; a bound may fall, and rises
// only for what users of the library asked for.
var mostExported = map[string]int{
	"numeric/array":      20,
	"numeric/constraint": 22,
	"numeric/dataset":    59, // curves on points of their own, and on others; parts of files; errors that are not white
	"numeric/fit":        95, // constraints that data show; what a fit will take; residuals of one of several outputs; a part with its bias; draws, and intervals of observations; the pairs of an estimate; what is not determined yet
	"numeric/kernel":     41, // lengthscales as fractions of axes
	"numeric/mesh":       43, // axes of curves
	"numeric/model":      35, // residuals, and fits under other assumptions, as tests need; operators of no given form; their correlations, and noise; draws and intervals; models within files of networks; solutions found without a fit
}

// mostInAll bounds how many they show together.
const mostInAll = 319

// mostOfNew is the bound of a package that is not listed.
const mostOfNew = 18

// understood are methods whose names say what they do: those of the standard library's
// interfaces.
var understood = []string{"String", "Error", "Unwrap", "MarshalJSON", "UnmarshalJSON"}

// TestExportedNamesAreExplained: an exported name has a comment, and there are no more of those
// that Go programs see than there were.
func TestExportedNamesAreExplained(t *testing.T) {
	count := map[string]int{}
	eachFile(t, parser.ParseComments, func(rel string, file *ast.File) error {
		pkg := path.Dir(rel)
		if !numerical(rel) || strings.Contains(rel, "/internal/") {
			return nil
		}
		for _, e := range exportedOf(file) {
			if strings.HasPrefix(rel, "numeric/") {
				count[pkg] += e.counts
			}
			if e.doc == nil && !slices.Contains(understood, e.method) {
				t.Errorf("%s: %s has no comment: what is it, in which units and shapes, and when does it fail?", rel, e.name)
			}
		}
		return nil
	})
	all := 0
	for pkg, n := range count {
		all += n
		most, listed := mostExported[pkg]
		if !listed {
			most = mostOfNew
		}
		if n > most {
			t.Errorf("%s exports %d functions, types and methods, at most %d: unexport what no Go user needs, or move it to internal/numeric", pkg, n, most)
		}
	}
	if all > mostInAll {
		t.Errorf("the packages of numeric export %d functions, types and methods together, at most %d", all, mostInAll)
	}
	for pkg := range mostExported {
		if count[pkg] == 0 {
			t.Errorf("%s exports nothing: take it off the list", pkg)
		}
	}
}

type exportedName struct {
	name   string
	method string            // its name, if it is one
	doc    *ast.CommentGroup // nil: none
	counts int               // 1, and 0 for constants and variables
}

// exportedOf lists the exported functions, types, constants and variables of a file, and the
// exported methods of exported types.
func exportedOf(file *ast.File) (found []exportedName) {
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if !d.Name.IsExported() {
				continue
			}
			if d.Recv == nil {
				found = append(found, exportedName{d.Name.Name, "", d.Doc, 1})
			} else if r := receiver(d.Recv.List[0].Type); ast.IsExported(r) {
				found = append(found, exportedName{r + "." + d.Name.Name, d.Name.Name, d.Doc, 1})
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() {
						found = append(found, exportedName{s.Name.Name, "", firstComment(s.Doc, d.Doc), 1})
					}
				case *ast.ValueSpec:
					for _, name := range s.Names {
						if name.IsExported() {
							found = append(found, exportedName{name.Name, "", firstComment(s.Doc, s.Comment, d.Doc), 0})
						}
					}
				}
			}
		}
	}
	return found
}

// receiver is the name of the type of a method.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	}
	return ""
}

func firstComment(groups ...*ast.CommentGroup) *ast.CommentGroup {
	for _, g := range groups {
		if g != nil {
			return g
		}
	}
	return nil
}

// What the test is there for is found by it.
func TestMissingCommentsAreFound(t *testing.T) {
	const source = `package p
type T struct{}
func (T) Mean() int { return 0 }
func (T) String() string { return "" }
func (T) hidden() {}
func Open() {}
// Close closes.
func Close() {}
const A = 1 // the first
var B = 2
type t struct{}
func (*t) Seen() {}
`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var without []string
	counted := 0
	for _, e := range exportedOf(file) {
		if counted += e.counts; e.doc == nil {
			without = append(without, e.name)
		}
	}
	if got := strings.Join(without, " "); got != "T T.Mean T.String Open B" || counted != 5 {
		t.Errorf("%d names, without a comment %s", counted, got)
	}
}
