package chunk

import (
	"slices"

	"github.com/yuin/gopher-lua/ast"

	"github.com/greenbench/workbench/syntax"
)

// mostBeginnings is how many places are tried as the beginning of the last statement: an
// expression that goes on over more lines than that has brackets around them.
const mostBeginnings = 100

// ReturnLast puts a return before the last statement of what was typed, if that is an expression
// after a semicolon or in a line of its own, so that its value can be shown: "x = 3; x", or a call
// in the last line of a block. Any other text comes back as it is.
func ReturnLast(src string) string {
	const name = "input"
	if _, err := ParseExpression(name, []byte(src)); err == nil {
		return src
	}
	if tree, err := Parse(name, []byte(src)); err == nil {
		if n := len(tree.Block); n > 1 {
			if call, ok := tree.Block[n-1].(*ast.FuncCallStmt); ok {
				s, ok := tree.Span(call)
				if ok && len(tree.Source) == len(src) && slices.Contains(syntax.Beginnings(src), s.Start) {
					return returnAt(src, s.Start)
				}
			}
		}
		return src
	}
	at := syntax.Beginnings(src)
	for _, i := range at[:min(len(at), mostBeginnings)] {
		if src[i] == '(' { // it may be that of a call, which Parse says
			return src
		}
		if _, err := ParseExpression(name, []byte(src[i:])); err != nil {
			continue
		}
		if _, err := Parse(name, []byte(src[:i])); err == nil {
			return returnAt(src, i)
		}
	}
	return src
}

func returnAt(src string, i int) string { return src[:i] + "return " + src[i:] }
