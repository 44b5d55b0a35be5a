package report

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/gopher-lua/ast"

	"github.com/greenbench/workbench/workbench/chunk"
)

// A finder looks for the part of a source that a message is about. The messages
// are those of the virtual machine as the library explains them, and of declared
// functions: each says what was done, so the expression that does it is looked
// for, not only the word.
type finder struct {
	tree  *chunk.Tree
	line  int
	more  string     // the lines of the message after the first
	nodes []ast.Expr // those of the line
}

// maxParsed is the size of a source that is parsed for a mark.
const maxParsed = 1 << 20

// find returns the part of the text that a message is about; ok is false where
// the message is none of those that say.
func find(text string, line int, message string) (span chunk.Span, tree *chunk.Tree, ok bool) {
	if len(text) > maxParsed {
		return span, nil, false
	}
	tree, err := chunk.ParseInput("source", []byte(text))
	if err != nil {
		return span, nil, false
	}
	f := finder{tree: tree, line: line}
	chunk.Inspect(tree.Block, func(node ast.PositionHolder) bool {
		if e, isExpr := node.(ast.Expr); isExpr && f.here(e) {
			f.nodes = append(f.nodes, e)
		}
		return true
	})
	message, f.more, _ = strings.Cut(message, "\n")
	for _, look := range []func(string) (chunk.Span, bool){f.called, f.method, f.indexed, f.missing, f.badArgument, f.operand, f.operation, f.element, f.looped, f.module, f.declared} {
		if span, ok = look(message); ok {
			return span, tree, true
		}
	}
	return span, tree, false
}

// here says whether an expression has its instructions in the line, or begins there.
func (f *finder) here(e ast.Expr) bool {
	if e.Line() == f.line {
		return true
	}
	span, ok := f.tree.Span(e)
	if !ok {
		return false
	}
	line, _ := f.tree.Position(span.Start)
	return line == f.line
}

func (f *finder) text(e ast.Expr) string {
	if span, ok := f.tree.Span(e); ok && e != nil {
		return f.tree.Source[span.Start:span.End]
	}
	return ""
}

var (
	calledMessage   = regexp.MustCompile(`^attempt to call [^:]*: '([^']+)'`)
	methodMessage   = regexp.MustCompile(`^attempt to call [^:]*: method '([^']+)'(?: of '([^']+)')?`)
	indexedMessage  = regexp.MustCompile(`^attempt to index [^(:]*(?:: '([^']+)')? \((?:field|method|index) '?([^';)]+)`)
	missingMessage  = regexp.MustCompile(`^(?:an? [\w ]+|module '[^']+') has no '([^']+)'`)
	argumentMessage = regexp.MustCompile(`^bad argument #(\d+) to '([^']+)'`)
	operandMessage  = regexp.MustCompile(`^attempt to (?:do arithmetic|concatenate|compare|get the length)[^:]*: '([^']+)'`)
	usageMessage    = regexp.MustCompile(`usage: [\w.:]+\(([^){"=]*)`) // the arguments that have positions
	valueMessage    = regexp.MustCompile(`^[\w.\[\]]+ "([^"]+)"`)
	unknownMessage  = regexp.MustCompile(`^unknown argument '([^']+)'`)
)

// called finds the f of f() that is no function.
func (f *finder) called(message string) (chunk.Span, bool) {
	m := calledMessage.FindStringSubmatch(message)
	if m == nil {
		return chunk.Span{}, false
	}
	for _, e := range f.nodes {
		if call, ok := e.(*ast.FuncCallExpr); ok && call.Func != nil && (f.text(call.Func) == m[1] || chunk.LastName(call.Func) == m[1]) {
			return f.tree.Span(call.Func)
		}
	}
	return chunk.Span{}, false
}

// method finds the m of o:m() that is no function.
func (f *finder) method(message string) (chunk.Span, bool) {
	m := methodMessage.FindStringSubmatch(message)
	if m == nil {
		return chunk.Span{}, false
	}
	for _, e := range f.nodes {
		if call, ok := e.(*ast.FuncCallExpr); ok && call.Func == nil && call.Method == m[1] && (m[2] == "" || f.text(call.Receiver) == m[2]) {
			return f.methodName(call)
		}
	}
	return chunk.Span{}, false
}

// indexed finds the o of o.field that has no fields. The message names it only where it knows
// which it was.
func (f *finder) indexed(message string) (chunk.Span, bool) {
	m := indexedMessage.FindStringSubmatch(message)
	if m == nil {
		return chunk.Span{}, false
	}
	var found []place
	for _, e := range f.nodes {
		switch e := e.(type) {
		case *ast.AttrGetExpr:
			if key, isName := e.Key.(*ast.StringExpr); m[1] == "" && isName && key.Value == m[2] || f.text(e.Object) == m[1] && (!isName || key.Value == m[2]) {
				found = append(found, f.place(e.Object, e.Object))
			}
		case *ast.FuncCallExpr:
			if e.Func == nil && e.Method == m[2] && (m[1] == "" || f.text(e.Receiver) == m[1]) {
				found = append(found, f.place(e.Receiver, e.Receiver))
			}
		}
	}
	if len(found) == 0 {
		return f.member(m[2])
	}
	return only(found)
}

// A place is where a mark may go.
type place struct {
	object string // what has or lacks the name that the message is about
	span   chunk.Span
	known  bool
}

func (f *finder) place(object, at ast.Expr) place {
	span, ok := f.tree.Span(at)
	return place{f.text(object), span, ok}
}

// only is the one place, or the first of several that concern the same object. Of others any
// may be meant: then the mark has no length, for none is better than a wrong one.
func only(found []place) (chunk.Span, bool) {
	if len(found) == 0 {
		return chunk.Span{}, false
	}
	span := found[0].span
	for _, p := range found[1:] {
		if p.object != found[0].object {
			span.End = span.Start
		}
	}
	return span, found[0].known
}

// missing finds the name that a value or a module does not have.
func (f *finder) missing(message string) (chunk.Span, bool) {
	m := missingMessage.FindStringSubmatch(message)
	if m == nil {
		return chunk.Span{}, false
	}
	return f.member(m[1])
}

// member finds the key of object.key or object:key().
func (f *finder) member(key string) (chunk.Span, bool) {
	var found []place
	for _, e := range f.nodes {
		switch e := e.(type) {
		case *ast.AttrGetExpr:
			if k, ok := e.Key.(*ast.StringExpr); ok && k.Value == key {
				found = append(found, f.place(e.Object, e.Key))
			}
		case *ast.FuncCallExpr:
			if e.Func == nil && e.Method == key {
				span, ok := f.methodName(e)
				found = append(found, place{f.text(e.Receiver), span, ok})
			}
		}
	}
	return only(found)
}

// methodName is where the m of o:m() stands.
func (f *finder) methodName(call *ast.FuncCallExpr) (chunk.Span, bool) {
	receiver, ok := f.tree.Span(call.Receiver)
	if !ok {
		return chunk.Span{}, false
	}
	at := strings.Index(f.tree.Source[receiver.End:], call.Method)
	if at < 0 {
		return chunk.Span{}, false
	}
	start := receiver.End + at
	return chunk.Span{Start: start, End: start + len(call.Method)}, true
}

// badArgument finds an argument of a function of Lua's library.
func (f *finder) badArgument(message string) (chunk.Span, bool) {
	m := argumentMessage.FindStringSubmatch(message)
	if m == nil {
		return chunk.Span{}, false
	}
	calls := f.calls(m[2])
	if len(calls) == 0 {
		return chunk.Span{}, false
	}
	n, _ := strconv.Atoi(m[1])
	i, args := n-1, calls[0].Args
	if calls[0].Func == nil {
		i-- // the first argument is the object
	}
	if i >= 0 && i < len(args) {
		return f.tree.Span(args[i])
	}
	return f.callee(calls[0])
}

// operand finds what an operator cannot work with.
func (f *finder) operand(message string) (chunk.Span, bool) {
	m := operandMessage.FindStringSubmatch(message)
	if m == nil {
		return chunk.Span{}, false
	}
	for _, e := range f.nodes {
		for _, part := range operands(e) {
			if f.text(part) == m[1] {
				return f.tree.Span(part)
			}
		}
	}
	return chunk.Span{}, false
}

func operands(e ast.Expr) []ast.Expr {
	switch e := e.(type) {
	case *ast.ArithmeticOpExpr:
		return []ast.Expr{e.Lhs, e.Rhs}
	case *ast.StringConcatOpExpr:
		return []ast.Expr{e.Lhs, e.Rhs}
	case *ast.RelationalOpExpr:
		return []ast.Expr{e.Lhs, e.Rhs}
	case *ast.UnaryMinusOpExpr:
		return []ast.Expr{e.Expr}
	case *ast.UnaryLenOpExpr:
		return []ast.Expr{e.Expr}
	}
	return nil
}

// declared finds the argument that a declared function refuses, "kernel.matern:
// nu -1: must be > 0", or else the name of the function.
func (f *finder) declared(message string) (chunk.Span, bool) {
	function, rest, ok := strings.Cut(message, ": ")
	if !ok || strings.Contains(function, " ") {
		return chunk.Span{}, false
	}
	calls := f.calls(function[strings.LastIndexAny(function, ".:")+1:])
	if len(calls) == 0 {
		return chunk.Span{}, false
	}
	argument, _, _ := strings.Cut(rest, " ")
	argument = strings.TrimSuffix(argument, ":")
	argument = argument[:len(argument)-len(strings.TrimLeft(argument, letters))]
	if m := unknownMessage.FindStringSubmatch(rest); m != nil {
		argument = m[1]
	}
	for _, call := range calls {
		for _, arg := range slices.Backward(call.Args) {
			table, ok := arg.(*ast.TableExpr)
			if !ok {
				continue
			}
			for _, field := range table.Fields {
				if key, ok := field.Key.(*ast.StringExpr); ok && key.Value == argument {
					return f.tree.Span(key)
				}
			}
		}
	}
	if m := valueMessage.FindStringSubmatch(rest); m != nil {
		for _, e := range f.nodes {
			if text, ok := e.(*ast.StringExpr); ok && text.Value == m[1] {
				return f.tree.Span(e)
			}
		}
	}
	if m := usageMessage.FindStringSubmatch(f.more); m != nil {
		i := slices.Index(strings.FieldsFunc(m[1], func(r rune) bool { return !strings.ContainsRune(letters, r) }), argument)
		if i >= 0 && i < len(calls[0].Args) {
			return f.tree.Span(calls[0].Args[i])
		}
	}
	return f.callee(calls[0])
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

// calls are the calls of functions and methods of a name in the line.
func (f *finder) calls(function string) (out []*ast.FuncCallExpr) {
	for _, e := range f.nodes {
		if call, ok := e.(*ast.FuncCallExpr); ok && (call.Func == nil && call.Method == function || chunk.LastName(call.Func) == function) {
			out = append(out, call)
		}
	}
	return out
}

// callee is where the name of a called function stands.
func (f *finder) callee(call *ast.FuncCallExpr) (chunk.Span, bool) {
	switch fn := call.Func.(type) {
	case nil:
		return f.methodName(call)
	case *ast.AttrGetExpr:
		return f.tree.Span(fn.Key)
	}
	return f.tree.Span(call.Func)
}
