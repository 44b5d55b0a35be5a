package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A site is a place in a source file and what stands there in the mutant.
type site struct {
	file       string // below the root
	line       int
	start, end int // bytes of the text that is replaced
	old, new   string
	global     bool // outside functions, where coverage says nothing
}

// String names the site so that one finds it: file:line: old → new.
func (s site) String() string { return fmt.Sprintf("%s:%d: %s → %s", s.file, s.line, s.old, s.new) }

// mutant is the text of the file with the change.
func (s site) mutant(source []byte) []byte {
	return []byte(string(source[:s.start]) + s.new + string(source[s.end:]))
}

// swaps are the operators that stand for each other: each has the type of the other, so
// that mutants compile, but for + of strings.
func swaps() map[token.Token]token.Token {
	return map[token.Token]token.Token{
		token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
		token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
		token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
		token.INC: token.DEC, token.DEC: token.INC,
		token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
		token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	}
}

// sites lists what can be changed in the Go files of a folder; tests, generated files, seeds,
// what only costs memory or time, results beside errors, and how large the number is that infinity has its sign of are left out. An operator becomes its neighbour, a number another one, a condition its
// contrary, and a sign is dropped.
func sites(root, dir string) ([]site, error) {
	files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var all []site
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		found, err := fileSites(filepath.ToSlash(filepath.Join(dir, filepath.Base(path))), source)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

func fileSites(name string, source []byte) ([]site, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil || ast.IsGenerated(file) {
		return nil, err
	}
	var found []site
	for _, decl := range file.Decls {
		_, function := decl.(*ast.FuncDecl)
		add := func(from token.Pos, length int, to string) {
			at := fset.Position(from)
			found = append(found, site{
				file: name, line: at.Line, start: at.Offset, end: at.Offset + length,
				old: string(source[at.Offset : at.Offset+length]), new: to, global: !function,
			})
		}
		skipped := map[ast.Node]bool{}
		ast.Inspect(decl, func(n ast.Node) bool {
			if skipped[n] {
				return false
			}
			switch n := n.(type) {
			case *ast.CallExpr:
				for _, e := range onlyCosts(n) {
					skipped[e] = true
				}
			case *ast.ReturnStmt:
				for _, r := range besideError(n) {
					skipped[r] = true
				}
			case *ast.ImportSpec, *ast.ArrayType: // lengths of arrays are types
				return false
			case *ast.BinaryExpr:
				operator(n.OpPos, n.Op, add)
			case *ast.AssignStmt:
				operator(n.TokPos, n.Tok, add)
			case *ast.IncDecStmt:
				operator(n.TokPos, n.Tok, add)
			case *ast.UnaryExpr:
				if n.Op == token.SUB || n.Op == token.NOT {
					add(n.OpPos, 1, "")
				}
			case *ast.BasicLit:
				if to := otherNumber(n); to != "" {
					add(n.Pos(), len(n.Value), to)
				}
			case *ast.IfStmt:
				if onlyAsks(n) {
					skipped[n.Cond] = true
					break
				}
				add(n.Cond.Pos(), int(n.Cond.End()-n.Cond.Pos()), "!("+string(source[fset.Position(n.Cond.Pos()).Offset:fset.Position(n.Cond.End()).Offset])+")")
			}
			return true
		})
	}
	return found, nil
}

// onlyAsks reports whether all that a condition decides is whether it is asked if there is time left.
func onlyAsks(n *ast.IfStmt) bool {
	if len(n.Body.List) != 1 || n.Else != nil {
		return false
	}
	inner, ok := n.Body.List[0].(*ast.IfStmt)
	if !ok {
		return false
	}
	init, ok := inner.Init.(*ast.AssignStmt)
	if !ok || len(init.Rhs) != 1 {
		return false
	}
	call, ok := init.Rhs[0].(*ast.CallExpr)
	return ok && (called(call) == "stopped" || called(call) == "linop.Stopped")
}

// called is the name of a function that is called, with that of its package.
func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if of, ok := f.X.(*ast.Ident); ok {
			return of.Name + "." + f.Sel.Name
		}
	}
	return ""
}

// onlyCosts are the arguments of a call that no result depends on, but for the draws of another seed,
// which are as good: how much room there is for what is appended, the time by which work is shared among
// processors, seeds, the number of which infinity has the sign, and sizes of numbers that are all read as those of 64 bits.
func onlyCosts(call *ast.CallExpr) []ast.Expr {
	name := called(call)
	switch {
	case name == "make" && len(call.Args) == 3:
		if length, ok := call.Args[1].(*ast.BasicLit); ok && length.Value == "0" {
			return call.Args[2:]
		}
	case name == "parallel.Range" && len(call.Args) == 3:
		return call.Args[1:2]
	case name == "math.Inf" && len(call.Args) == 1:
		if minus, ok := call.Args[0].(*ast.UnaryExpr); ok {
			return []ast.Expr{minus.X}
		}
		return call.Args
	case name == "strconv.ParseFloat" && len(call.Args) == 2:
		return call.Args[1:]
	case name == "parallel.Workers", name == "rand.NewPCG":
		return call.Args
	}
	return nil
}

// besideError are the numbers that a function returns with an error that it makes, which nobody reads.
func besideError(r *ast.ReturnStmt) (numbers []ast.Expr) {
	if len(r.Results) == 0 {
		return nil
	}
	call, ok := r.Results[len(r.Results)-1].(*ast.CallExpr)
	if !ok {
		return nil
	}
	if f, ok := call.Fun.(*ast.SelectorExpr); !ok || f.Sel.Name != "Errorf" && f.Sel.Name != "New" {
		return nil
	} else if of, ok := f.X.(*ast.Ident); !ok || of.Name != "fmt" && of.Name != "errors" {
		return nil
	}
	for _, e := range r.Results[:len(r.Results)-1] {
		if _, ok := e.(*ast.BasicLit); ok {
			numbers = append(numbers, e)
		}
	}
	return numbers
}

func operator(at token.Pos, op token.Token, add func(token.Pos, int, string)) {
	if to, ok := swaps()[op]; ok {
		add(at, len(op.String()), to.String())
	}
}

// otherNumber is another number: the next whole one, twice a decimal, 1 for 0.
func otherNumber(n *ast.BasicLit) string {
	switch n.Kind {
	case token.INT:
		if x, err := strconv.ParseInt(n.Value, 0, 62); err == nil {
			return strconv.FormatInt(x+1, 10)
		}
	case token.FLOAT:
		if x, err := strconv.ParseFloat(n.Value, 64); err == nil {
			if x == 0 {
				return "1.0"
			}
			return strconv.FormatFloat(2*x, 'g', -1, 64)
		}
	}
	return ""
}
