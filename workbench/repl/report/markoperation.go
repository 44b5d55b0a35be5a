package report

import (
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/gopher-lua/ast"

	"github.com/greenbench/workbench/workbench/chunk"
)

var (
	comparedMessage  = regexp.MustCompile(`^attempt to compare `)
	textMessage      = regexp.MustCompile(`^attempt to do arithmetic on `)
	operationMessage = regexp.MustCompile(`^\w+ ([-+*/^%]) \w+: `)
	elementMessage   = regexp.MustCompile(`^(?:\w+\[.*\]: |an? \w+ has no entry )`)
	loopedMessage    = regexp.MustCompile(`^attempt to iterate over `)
	moduleMessage    = regexp.MustCompile(`^attempt to call a module (\w+):`)
	callMessage      = regexp.MustCompile(`^\w+\(…\): `)
)

// operation finds the only operation in the line that a message can be about which names no operand.
func (f *finder) operation(message string) (chunk.Span, bool) {
	operator := operationMessage.FindStringSubmatch(message)
	compared, text := comparedMessage.MatchString(message), textMessage.MatchString(message)
	var found []ast.Expr
	for _, e := range f.nodes {
		switch o := e.(type) {
		case *ast.RelationalOpExpr:
			if compared && o.Operator != "==" && o.Operator != "~=" {
				found = append(found, e)
			}
		case *ast.ArithmeticOpExpr:
			_, left := o.Lhs.(*ast.StringExpr)
			_, right := o.Rhs.(*ast.StringExpr)
			if text && (left || right) || operator != nil && o.Operator == operator[1] {
				found = append(found, e)
			}
		}
	}
	return f.single(found)
}

// element finds the index of a[i] where the message says what is wrong with it.
func (f *finder) element(message string) (chunk.Span, bool) {
	if !elementMessage.MatchString(message) {
		return chunk.Span{}, false
	}
	var found []ast.Expr
	for _, e := range f.nodes {
		if get, ok := e.(*ast.AttrGetExpr); ok {
			if key, isText := get.Key.(*ast.StringExpr); !isText || strings.HasPrefix(f.text(key), `"`) {
				found = append(found, get.Key)
			}
		}
	}
	return f.single(found)
}

// looped finds what a loop goes over.
func (f *finder) looped(message string) (chunk.Span, bool) {
	if !loopedMessage.MatchString(message) {
		return chunk.Span{}, false
	}
	var found []ast.Expr
	chunk.Inspect(f.tree.Block, func(node ast.PositionHolder) bool {
		if loop, ok := node.(*ast.GenericForStmt); ok && loop.Line() == f.line {
			found = append(found, loop.Exprs[0])
		}
		return true
	})
	return f.single(found)
}

// module finds the module, or the value, that is called like a function.
func (f *finder) module(message string) (chunk.Span, bool) {
	name := moduleMessage.FindStringSubmatch(message)
	if name == nil && !callMessage.MatchString(message) {
		return chunk.Span{}, false
	}
	var found []ast.Expr
	for _, e := range f.nodes {
		if call, ok := e.(*ast.FuncCallExpr); ok && call.Func != nil && (name == nil || f.text(call.Func) == name[1]) {
			found = append(found, call.Func)
		}
	}
	return f.single(found)
}

// single is where the only one of some expressions stands; of several any may be meant.
func (f *finder) single(found []ast.Expr) (chunk.Span, bool) {
	found = slices.CompactFunc(found, func(a, b ast.Expr) bool { return a == b })
	if len(found) != 1 {
		return chunk.Span{}, false
	}
	return f.tree.Span(found[0])
}
