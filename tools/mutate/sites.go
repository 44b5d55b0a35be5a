package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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

// contraries are what comparisons of decimals become.
func contraries() map[token.Token]token.Token {
	return map[token.Token]token.Token{
		token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR,
	}
}

// sites lists what can be changed in the Go files of a folder: an operator becomes its neighbour,
// a number another one, a condition its contrary, and a sign is dropped.
//
// Mutants are to be mistakes. Where the usual one is none, the site has another that is:
//   - A comparison of decimals becomes its contrary, not < for <=: the two differ on equal numbers only,
//     which decimals that were computed are not. Beside 0, 1 and -1 it stays < for <=: arguments are
//     these exactly, and what divides by zero is.
//   - A decimal below 1e-3 is a tolerance and becomes a thousand times as large, not twice.
//
// Nothing is drawn of tests, generated files, files of other systems, seeds, what only costs memory or
// time, numbers beside an error or false that says there is none, how large the number is that infinity
// has its sign of, and the comparison of decimals that is all of a condition: its contrary is that.
func (c *checker) sites(dir string) ([]site, error) {
	files, info, wrong, err := c.check(dir, nil)
	if err == nil && len(wrong) > 0 {
		err = fmt.Errorf("%s:%d: %s", wrong[0].file, wrong[0].line, wrong[0].what)
	}
	if err != nil {
		return nil, err
	}
	var all []site
	for _, name := range slices.Sorted(maps.Keys(files)) {
		source, err := os.ReadFile(filepath.Join(c.root, name))
		if err != nil {
			return nil, err
		}
		all = append(all, fileSites(name, source, c.fset, files[name], info)...)
	}
	return all, nil
}

func fileSites(name string, source []byte, fset *token.FileSet, file *ast.File, info *types.Info) (found []site) {
	if ast.IsGenerated(file) {
		return nil
	}
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
				if !noneIn(n) {
					break
				}
				for _, r := range besides(n) {
					skipped[r] = true
				}
			case *ast.ImportSpec, *ast.ArrayType: // lengths of arrays are types
				return false
			case *ast.BinaryExpr:
				operator(n, info, add)
			case *ast.AssignStmt:
				swap(n.TokPos, n.Tok, add)
			case *ast.IncDecStmt:
				swap(n.TokPos, n.Tok, add)
			case *ast.UnaryExpr:
				if n.Op == token.SUB || n.Op == token.NOT {
					add(n.OpPos, 1, "")
				}
			case *ast.BasicLit:
				if to := otherNumber(n); to != "" {
					add(n.Pos(), len(n.Value), to)
				}
			case *ast.IfStmt:
				for _, r := range afterError(n) {
					skipped[r] = true
				}
				if onlyAsks(n) {
					skipped[n.Cond] = true
					break
				}
				if all, ok := n.Cond.(*ast.BinaryExpr); !ok || !apart(all, info) { // that comparison is the contrary itself
					add(n.Cond.Pos(), int(n.Cond.End()-n.Cond.Pos()), "!("+string(source[fset.Position(n.Cond.Pos()).Offset:fset.Position(n.Cond.End()).Offset])+")")
				}
			}
			return true
		})
	}
	return found
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
	case name == "slices.Grow" && len(call.Args) == 2:
		return call.Args[1:]
	case name == "parallel.Range" && len(call.Args) == 3:
		return call.Args[1:2]
	case (name == "kernels.Rows" || name == "gram.EachProduct") && len(call.Args) == 4:
		return call.Args[2:3]
	case name == "math.Inf" && len(call.Args) == 1:
		if minus, ok := call.Args[0].(*ast.UnaryExpr); ok {
			return []ast.Expr{minus.X}
		}
		return call.Args
	case name == "math.IsInf" && len(call.Args) == 2:
		if minus, ok := call.Args[1].(*ast.UnaryExpr); ok {
			return []ast.Expr{minus.X}
		}
		if sign, ok := call.Args[1].(*ast.BasicLit); ok && sign.Value != "0" {
			return call.Args[1:]
		}
	case name == "strconv.ParseFloat" && len(call.Args) == 2:
		return call.Args[1:]
	case name == "parallel.Workers", name == "rand.NewPCG":
		return call.Args
	}
	return nil
}

// noneIn reports whether a function returns an error that it makes, or false for there is none: nobody
// reads the numbers beside it.
func noneIn(r *ast.ReturnStmt) bool {
	if len(r.Results) == 0 {
		return false
	}
	switch last := r.Results[len(r.Results)-1].(type) {
	case *ast.Ident:
		return last.Name == "false"
	case *ast.CallExpr:
		name := called(last)
		return name == "fmt.Errorf" || name == "errors.New"
	}
	return false
}

// afterError are the numbers beside an error that there is: if err != nil { return 0, err }.
func afterError(n *ast.IfStmt) (numbers []ast.Expr) {
	cond, ok := n.Cond.(*ast.BinaryExpr)
	if !ok || cond.Op != token.NEQ || !isName(cond.X, "err") || !isName(cond.Y, "nil") {
		return nil
	}
	for _, s := range n.Body.List {
		if r, ok := s.(*ast.ReturnStmt); ok && len(r.Results) > 0 && isName(r.Results[len(r.Results)-1], "err") {
			numbers = append(numbers, besides(r)...)
		}
	}
	return numbers
}

func isName(e ast.Expr, name string) bool {
	is, ok := e.(*ast.Ident)
	return ok && is.Name == name
}

// besides are the numbers that a function returns before its last result.
func besides(r *ast.ReturnStmt) (numbers []ast.Expr) {
	for _, e := range r.Results[:len(r.Results)-1] {
		if _, ok := e.(*ast.BasicLit); ok {
			numbers = append(numbers, e)
		}
	}
	return numbers
}

// operator adds the mutant of an operator between two values.
func operator(n *ast.BinaryExpr, info *types.Info, add func(token.Pos, int, string)) {
	if apart(n, info) {
		add(n.OpPos, len(n.Op.String()), contraries()[n.Op].String())
		return
	}
	swap(n.OpPos, n.Op, add)
}

func swap(at token.Pos, op token.Token, add func(token.Pos, int, string)) {
	if to, ok := swaps()[op]; ok {
		add(at, len(op.String()), to.String())
	}
}

// apart reports whether an expression compares decimals that are nowhere the same but by chance.
func apart(n *ast.BinaryExpr, info *types.Info) bool {
	if _, ok := contraries()[n.Op]; !ok {
		return false
	}
	for _, x := range []ast.Expr{n.X, n.Y} {
		typ := info.TypeOf(x)
		if typ == nil {
			return false
		}
		of, ok := typ.Underlying().(*types.Basic)
		if !ok || of.Info()&types.IsFloat == 0 {
			return false
		}
		if v := info.Types[x].Value; v != nil {
			if f, _ := constant.Float64Val(v); f == 0 || math.Abs(f) == 1 {
				return false
			}
		}
	}
	return true
}

// smallest is the least decimal that is doubled: what is below is a tolerance.
const smallest = 1e-3

// otherNumber is another number: the next whole one, twice a decimal, a thousand times a
// tolerance, 1 for 0.
func otherNumber(n *ast.BasicLit) string {
	switch n.Kind {
	case token.INT:
		if x, err := strconv.ParseInt(n.Value, 0, 62); err == nil {
			return strconv.FormatInt(x+1, 10)
		}
	case token.FLOAT:
		x, err := strconv.ParseFloat(n.Value, 64)
		switch {
		case err != nil:
		case x == 0:
			return "1.0"
		case x < smallest:
			return strconv.FormatFloat(1000*x, 'g', 15, 64)
		default:
			return strconv.FormatFloat(2*x, 'g', -1, 64)
		}
	}
	return ""
}
