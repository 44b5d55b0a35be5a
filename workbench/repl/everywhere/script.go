package everywhere

import (
	"fmt"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"

	"github.com/greenbench/workbench/syntax"
	"github.com/greenbench/workbench/workbench/chunk"
)

// An Input is what was typed at the prompt and succeeded.
type Input struct {
	Text    string
	Results int // how many values it had
}

// A scripter makes a script of inputs that prints what the prompt showed. What
// scripts do otherwise is written out: the results of expressions are printed,
// and named _, _1, … if an input asks for them; locals of the outermost level are
// globals; a return ends its input only.
type scripter struct {
	own  func(name string) bool // a global of the user
	keep string                 // name of the function that names results; "" if no input uses the names
}

// promptOnly are the functions that only the prompt has.
func promptOnly() []string {
	return []string{"save", "report", "format", "history", "edit", "traceback"}
}

// script is the text for the inputs. refused lists the undefined names for which
// a script would not be run.
func (s *scripter) script(inputs []Input, refused func(text string) []string) (text string, n int) {
	var kept []Input
	used := map[string]bool{}
	for _, input := range inputs {
		if s.concernsPrompt(input.Text) {
			continue
		}
		kept = append(kept, input)
		for _, t := range syntax.Code(input.Text) {
			if t.Kind == syntax.Name {
				used[t.Text(input.Text)] = true
			}
		}
	}
	if used["_"] || slices.ContainsFunc(strings.Split("123456789", ""), func(digit string) bool { return used["_"+digit] }) {
		s.keep = unused(used, "keep")
	}
	var body strings.Builder
	for _, input := range kept {
		text := s.statement(input)
		if code := syntax.Code(text); len(code) > 0 && code[0].Is(text, "(") {
			text = ";" + text // not the arguments of the line before
		}
		body.WriteString(text + "\n")
	}
	var head strings.Builder
	fmt.Fprintf(&head, "-- %d inputs, %s\n", len(kept), Version())
	if s.keep != "" {
		head.WriteString(strings.ReplaceAll(keepFunction, "keep", s.keep))
	}
	for _, name := range promptOnly() {
		if used[name] && !s.own(name) {
			fmt.Fprintf(&head, "%s = %s or function() end -- only the prompt has it\n", name, name)
		}
	}
	if refused != nil {
		for _, name := range refused(head.String() + body.String()) {
			fmt.Fprintf(&head, "%s = nil -- as at the prompt\n", name)
		}
	}
	return head.String() + body.String(), len(kept)
}

// keepFunction names results as the prompt does.
const keepFunction = `local keep
do
  local recent = {n = 0}
  function keep(...)
    if (...) == nil then return ... end
    local last = {n = select("#", ...), ...}
    for i = 1, recent.n do last[last.n + i] = recent[i] end
    last.n = math.min(last.n + recent.n, 9)
    recent, _ = last, last[1]
    for i = 1, last.n do _G["_" .. i] = last[i] end
    return ...
  end
end
`

// unused is a name like the given one that the inputs do not use.
func unused(used map[string]bool, name string) string {
	for used[name] {
		name += "_"
	}
	return name
}

// concernsPrompt tells inputs that are no more than a call of a function which
// only the prompt has.
func (s *scripter) concernsPrompt(input string) bool {
	tree, err := chunk.Parse("input", []byte(input))
	if err != nil || len(tree.Block) != 1 {
		return false
	}
	st, ok := tree.Block[0].(*ast.FuncCallStmt)
	if !ok {
		return false
	}
	call, _ := st.Expr.(*ast.FuncCallExpr)
	name, ok := call.Func.(*ast.IdentExpr)
	return ok && slices.Contains(promptOnly(), name.Value) && !s.own(name.Value)
}

// statement is an input as statements.
func (s *scripter) statement(input Input) string {
	text := input.Text
	if rest, ok := strings.CutPrefix(strings.TrimLeft(text, " \t"), "="); ok && !strings.HasPrefix(rest, "=") {
		text = rest
	}
	quiet := syntax.EndsWithSemicolon(text)
	if tree, err := chunk.ParseExpression("input", []byte(text)); err == nil {
		return s.result(tree, tree.Block[0].(*ast.ReturnStmt), input.Results, quiet)
	}
	text = chunk.ReturnLast(text)
	tree, err := chunk.Parse("input", []byte(text))
	if err != nil {
		return input.Text
	}
	code, locals := syntax.Globalise(text)
	if len(locals) > 0 {
		if tree, err = chunk.Parse("input", []byte(code)); err != nil {
			return input.Text
		}
		code = strings.TrimLeft(code, " ")
	}
	returns, last := returnsOf(tree)
	switch {
	case returns == 0 && !hasLabel(tree):
		return code
	case returns == 1 && last != nil && !hasLabel(tree):
		span, ok := tree.Span(last)
		if ok && len(last.Exprs) > 0 {
			return strings.TrimSpace(tree.Source[:span.Start]) + "\n" + s.result(tree, last, input.Results, quiet)
		}
	}
	return s.shown("(function(...)\n"+code+"\nend)(...)", true, input.Results, quiet)
}

// returnsOf counts the returns of a chunk itself, and finds the one at its end.
func returnsOf(tree *chunk.Tree) (n int, last *ast.ReturnStmt) {
	chunk.Inspect(tree.Block, func(node ast.PositionHolder) bool {
		if _, ok := node.(*ast.ReturnStmt); ok {
			n++
		}
		_, inside := node.(*ast.FunctionExpr)
		return !inside
	})
	if len(tree.Block) > 0 {
		last, _ = tree.Block[len(tree.Block)-1].(*ast.ReturnStmt)
	}
	return n, last
}

// hasLabel says whether a chunk has a label of its own, which another may have, too.
func hasLabel(tree *chunk.Tree) bool {
	return slices.ContainsFunc(tree.Block, func(st ast.Stmt) bool { _, ok := st.(*ast.LabelStmt); return ok })
}

// result is the statement for the values of a return.
func (s *scripter) result(tree *chunk.Tree, st *ast.ReturnStmt, results int, quiet bool) string {
	code := syntax.Code(tree.Source)
	first, ok := tree.Span(st)
	if !ok || len(code) == 0 {
		return tree.Source
	}
	end := code[len(code)-1].End
	if quiet {
		end = code[len(code)-2].End
	}
	start := first.Start
	for i, t := range code {
		if t.Start >= start && t.Is(tree.Source, "return") && i+1 < len(code) {
			start = code[i+1].Start
			break
		}
		if t.Start >= start {
			start = t.Start
			break
		}
	}
	_, call := st.Exprs[0].(*ast.FuncCallExpr)
	out := s.shown(strings.TrimSpace(tree.Source[start:end]), call && len(st.Exprs) == 1, results, quiet)
	if comment := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(tree.Source[end:]), ";")); comment != "" {
		out += " " + comment
	}
	return out
}

// shown is the statement that does with the values of expressions, or of one
// call, what the prompt does.
func (s *scripter) shown(expressions string, call bool, results int, quiet bool) string {
	if s.keep != "" && results > 0 {
		expressions, call = s.keep+"("+expressions+")", true
	}
	switch {
	case results > 0 && !quiet:
		return "print(" + expressions + ")"
	case call:
		return expressions
	}
	return "_ = " + expressions
}

// scripter makes a scripter for the globals of a state.
func (d *Desk) scripter(L *lua.LState) *scripter {
	return &scripter{own: func(name string) bool {
		return d.Own(name, L.G.Global.RawGetString(name)) && L.G.Global.RawGetString(name) != lua.LNil
	}}
}
