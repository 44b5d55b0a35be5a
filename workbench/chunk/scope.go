package chunk

import (
	"fmt"

	"github.com/yuin/gopher-lua/ast"
)

// checkGotos refuses a goto whose label is not visible or that would enter the scope of a local, and a label defined twice
// in a block. gopher-lua checks that too, but does not survive some of its own complaints.
func checkGotos(tree *Tree) {
	c := &gotoChecker{tree: tree}
	c.function(tree.Block)
	Inspect(tree.Block, func(node ast.PositionHolder) bool {
		if f, ok := node.(*ast.FunctionExpr); ok {
			c.function(f.Stmts)
		}
		return true
	})
}

type gotoChecker struct {
	tree  *Tree
	scope *labelScope
}

// labelScope is a block with its labels.
type labelScope struct {
	outer  *labelScope
	block  []ast.Stmt
	labels map[string]int // position in the block
	here   int            // position of the statement being checked
	until  bool           // the block of a repeat, whose condition sees its locals
}

func (c *gotoChecker) function(block []ast.Stmt) {
	outer := c.scope
	c.scope = nil
	c.block(block, false)
	c.scope = outer
}

func (c *gotoChecker) block(block []ast.Stmt, until bool) {
	scope := &labelScope{outer: c.scope, block: block, until: until}
	for i, s := range block {
		label, ok := s.(*ast.LabelStmt)
		if !ok {
			continue
		}
		if first, twice := scope.labels[label.Name]; twice {
			c.fail(s, fmt.Sprintf("label '%s' is already defined at line %d", label.Name, block[first].Line()), "")
		}
		if scope.labels == nil {
			scope.labels = map[string]int{}
		}
		scope.labels[label.Name] = i
	}
	c.scope = scope
	for i, s := range block {
		scope.here = i
		if jump, ok := s.(*ast.GotoStmt); ok {
			c.resolve(jump)
		}
		_, until := s.(*ast.RepeatStmt)
		for _, inner := range blocks(s) {
			c.block(inner, until)
		}
	}
	c.scope = scope.outer
}

// resolve finds the label of a goto in the blocks around it.
func (c *gotoChecker) resolve(jump *ast.GotoStmt) {
	for scope := c.scope; scope != nil; scope = scope.outer {
		target, ok := scope.labels[jump.Label]
		if !ok {
			continue
		}
		if target > scope.here && !scope.ends(target) {
			for _, s := range scope.block[scope.here:target] {
				if local, ok := s.(*ast.LocalAssignStmt); ok {
					c.fail(jump, fmt.Sprintf("goto '%s' jumps into the scope of local '%s'", jump.Label, local.Names[0]),
						"declare it before the goto, or put do … end around what lies between")
				}
			}
		}
		return
	}
	hint := ""
	if jump.Label == "continue" {
		hint = "put ::continue:: before the end of the loop"
	}
	c.fail(jump, fmt.Sprintf("no visible label '%s' for goto", jump.Label), hint)
}

// ends reports whether only labels follow the position, so that the locals of the block are not in use any more.
func (s *labelScope) ends(position int) bool {
	for _, next := range s.block[position:] {
		if _, ok := next.(*ast.LabelStmt); !ok {
			return false
		}
	}
	return !s.until
}

func (c *gotoChecker) fail(s ast.Stmt, message, hint string) {
	e := &SyntaxError{File: c.tree.Name, Line: s.Line(), Message: message, Hint: hint}
	if span, ok := c.tree.Span(s); ok {
		_, e.Column = c.tree.Position(span.Start)
	}
	panic(e)
}
