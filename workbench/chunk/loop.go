package chunk

import (
	"strings"

	"github.com/yuin/gopher-lua/ast"

	"github.com/greenbench/workbench/workbench/chunk/loops"
)

// breakLabel begins the labels of rewritten breaks.
const breakLabel = "(break)"

// Where a function has more loops or, in one and around it, more variables than that, loops are left as they are: the
// variables that are added have to find room beside them, and the instructions in the distance of a jump.
const (
	maxPrograms      = 200
	roomForVariables = 140
)

// fasten puts a program (package loops) before a loop that is one over numbers:
//
//	for i = first, limit, step do … end
//
// becomes
//
//	do
//	  local rest, a, b, c, x1, y1 = program(first, limit, step, x, y, t); x = x1; y = y1
//	  if rest then for i = a, b, c do … end end
//	end
//
// and a while or repeat the same without first, limit and step. The loop after it does what the program has left. It is the
// statement s, and finished is how it is written.
func (r *rewriter) fasten(s ast.Stmt, finished []ast.Stmt) []ast.Stmt {
	if r.scope.programs == maxPrograms {
		return finished
	}
	if count, ok := s.(*ast.NumberForStmt); ok && r.brief(count) {
		return finished
	}
	program := loops.Compile(s, source{r})
	if program == nil || r.around()+mostLocals(finished)+4+len(program.Results()) > roomForVariables {
		return finished
	}
	r.scope.programs++
	line := s.Line()
	list := func(names []string) (values []ast.Expr) {
		for _, name := range names {
			values = append(values, variable(name, line))
		}
		return values
	}
	original := s
	results, arguments := []string{r.temporary()}, list(program.Arguments())
	rest := variable(results[0], line)
	if count, ok := s.(*ast.NumberForStmt); ok {
		before := *count
		original = &before
		if count.Step == nil {
			count.Step = r.number(1, line)
		}
		arguments = append([]ast.Expr{single(count.Init), single(count.Limit), single(count.Step)}, arguments...)
		a, b, c := r.temporary(), r.temporary(), r.temporary()
		results = append(results, a, b, c)
		count.Init, count.Limit, count.Step = variable(a, line), variable(b, line), variable(c, line)
	}
	var stores []ast.Stmt
	for _, name := range program.Results() {
		value := r.temporary()
		results = append(results, value)
		stores = append(stores, on(line, &ast.AssignStmt{Lhs: list([]string{name}), Rhs: list([]string{value})}))
	}
	call := on(line, &ast.FuncCallExpr{Func: r.hidden.program(program, line), Args: arguments})
	head := append([]ast.Stmt{on(line, &ast.LocalAssignStmt{Names: results, Exprs: []ast.Expr{call}})}, stores...)
	head = append(head, over(line, s.LastLine(), &ast.IfStmt{Condition: rest, Then: finished}))
	block := over(line, s.LastLine(), &ast.DoBlockStmt{Stmts: head})
	r.programs[block] = original
	return []ast.Stmt{block}
}

// around is how many variables there are around a statement, with those that loops may have for themselves.
func (r *rewriter) around() int { return len(r.scope.locals) + 6*len(r.scope.loops) }

// mostLocals is how many locals a block has at most at a time.
func mostLocals(block []ast.Stmt) int {
	active, most := 0, 0
	for _, s := range block {
		own := active
		switch s := s.(type) {
		case *ast.LocalAssignStmt:
			active += len(s.Names)
		case *ast.NumberForStmt:
			own += 3 + 1
		case *ast.GenericForStmt:
			own += 3 + len(s.Names)
		}
		for _, inner := range blocks(s) {
			most = max(most, own+mostLocals(inner))
		}
		most = max(most, active)
	}
	return most
}

// brief reports whether the loop is known to be over before the call of a program would be, which takes the time of three
// iterations.
func (r *rewriter) brief(s *ast.NumberForStmt) bool {
	first, ok1 := r.value(s.Init)
	limit, ok2 := r.value(s.Limit)
	return ok1 && ok2 && s.Step == nil && limit-first < 3
}

// source tells the compiler of loops what only the rewriter knows.
type source struct{ *rewriter }

// Declared implements loops.Source.
func (r source) Declared(name string) bool {
	for scope := r.scope; scope != nil; scope = scope.outer {
		for _, local := range scope.locals {
			if local == name {
				return true
			}
		}
	}
	return false
}

// Constant implements loops.Source.
func (r source) Constant(e ast.Expr) (x float64, ok bool) { return r.value(e) }

// Power implements loops.Source.
func (r source) Power(e *ast.FuncCallExpr) (x, y ast.Expr, ok bool) {
	if e.Func == nil || !r.hidden.is(e.Func, hiddenPower) {
		return nil, nil, false
	}
	return e.Args[0], e.Args[1], true
}

// Loop implements loops.Source.
func (r source) Loop(block *ast.DoBlockStmt) (loop ast.Stmt, ok bool) {
	loop, ok = r.programs[block]
	return loop, ok
}

// Break implements loops.Source.
func (r source) Break(jump *ast.GotoStmt) bool { return strings.HasPrefix(jump.Label, breakLabel) }
