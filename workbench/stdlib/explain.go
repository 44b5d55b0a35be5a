package stdlib

import (
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"

	"github.com/greenbench/workbench/bindings/bind"
)

// Explain says a message of the virtual machine in terms of the script: "attempt to call a non-function object" becomes
// "attempt to call nil: 'solev' (did you mean 'solve'?)", by looking at the line where it happened. Other texts come back
// unchanged. The thread is the one that failed, with its frames, or nil if they are gone.
func (lib *Library) Explain(t *lua.LState, text string) string {
	s, name, line, message := lib.sourceAt(text)
	if s == nil {
		s = &source{sites: map[int][]ast.Expr{}}
	}
	x := explainer{lib: lib, thread: t, source: s, line: line, name: name}
	better := x.explain(message)
	if better == message {
		return text
	}
	return text[:len(text)-len(message)] + better
}

// improve puts the explanation in the place of a fault's message.
func (lib *Library) improve(t *lua.LState, f *Fault) {
	if text, ok := f.Value.(lua.LString); ok && f.Cause == nil {
		f.Value = lua.LString(lib.Explain(t, string(text)))
	}
}

// isOverflow reports whether a message says that there were too many nested calls.
func isOverflow(text string) bool {
	return strings.Contains(text, "stack overflow") || strings.Contains(text, "registry overflow")
}

// explainer explains one message.
type explainer struct {
	lib    *Library
	thread *lua.LState
	source *source
	name   string
	line   int
}

func (x *explainer) explain(message string) string {
	var a, b, c string
	switch {
	case message == "attempt to call a non-function object":
		return x.call()
	case scan(message, "attempt to index a non-table object(%) with key '%'", &a, &b):
		return x.index(a, b)
	case scan(message, "cannot perform % operation between % and %", &a, &b, &c):
		return x.arithmetic(a, b, c)
	case scan(message, "attempt to compare % with %", &a, &b):
		return message + x.named(x.compared(a, b))
	case scan(message, "attempt to perform arithmetic on a % value", &a):
		return "attempt to do arithmetic on " + kind(a) + x.named(x.operand(a))
	case scan(message, "attempt to concatenate a % value", &a):
		return "attempt to concatenate " + kind(a) + x.named(x.concatenated())
	case message == "__len undefined":
		return "attempt to get the length of " + x.operandKind() + x.named(x.parts(func(e ast.Expr) []ast.Expr {
			if u, ok := e.(*ast.UnaryLenOpExpr); ok {
				return []ast.Expr{u.Expr}
			}
			return nil
		}))
	case message == "__unm undefined":
		return "attempt to do arithmetic (-) on " + x.operandKind() + x.named(x.parts(func(e ast.Expr) []ast.Expr {
			if u, ok := e.(*ast.UnaryMinusOpExpr); ok {
				return []ast.Expr{u.Expr}
			}
			return nil
		}))
	case scan(message, "for statement % must be a number", &a):
		return map[string]string{"init": "the initial value", "limit": "the limit", "step": "the step"}[a] + " of a for loop must be a number"
	case message == "registry overflow":
		return x.lib.stackOverflow()
	case strings.HasPrefix(message, "too many recursions in"):
		return "__index or __newindex refers to itself"
	}
	return message
}

// scan matches a text against a pattern whose % stand for parts that are stored.
func scan(text, pattern string, parts ...*string) bool {
	pieces := strings.Split(pattern, "%")
	rest, ok := strings.CutPrefix(text, pieces[0])
	for i, part := range parts {
		if !ok {
			return false
		}
		if i == len(parts)-1 { // the last part takes all it can
			*part, ok = strings.CutSuffix(rest, pieces[i+1])
			return ok
		}
		*part, rest, ok = strings.Cut(rest, pieces[i+1])
	}
	return ok
}

// kind is a type in a sentence.
func kind(typeName string) string {
	if typeName == "nil" {
		return "nil"
	}
	return "a " + typeName
}

// named is the end of a message about the expression with that text.
func (x *explainer) named(text string) string {
	if text == "" {
		return ""
	}
	return ": '" + text + "'" + x.didYouMean(text)
}

// parts returns the text of the one part of expressions of the line that choose returns; "" if there are several with
// different texts, or none.
func (x *explainer) parts(choose func(ast.Expr) []ast.Expr) string {
	found := ""
	for _, e := range x.source.at(x.name, x.line) {
		for _, part := range choose(e) {
			text := x.source.write(part)
			if text == "" || found != "" && found != text {
				return ""
			}
			found = text
		}
	}
	return found
}

// call explains a call of something that is not a function.
func (x *explainer) call() string {
	callee, what := "", ""
	if x.thread != nil {
		if f := x.lib.top(x.thread); f.exists() && !f.isGo() {
			callee = f.callee()
			what = x.register(int(f.instruction() >> 18 & 0xff))
		}
	}
	method := false
	text := x.parts(func(e ast.Expr) []ast.Expr {
		call, ok := e.(*ast.FuncCallExpr)
		switch {
		case !ok:
			return nil
		case call.Func != nil && (callee == "" && !x.works(call.Func) || callee != "" && lastName(call.Func) == callee):
			return []ast.Expr{call.Func}
		case call.Func == nil && callee == call.Method:
			method = true
			return []ast.Expr{call.Receiver}
		}
		return nil
	})
	if what == "" {
		what = x.globalKind(text)
	}
	switch {
	case what == "":
		what = "something that is not a function"
	default:
		what = kind(what)
	}
	if method && text != "" {
		return "attempt to call " + what + ": method '" + callee + "' of '" + text + "'"
	}
	switch {
	case text == "" && method:
		return "attempt to call " + what + ": method '" + callee + "'"
	case text == "":
		text = callee
	}
	return "attempt to call " + what + x.named(text)
}

// works reports whether the expression is the path of a global function.
func (x *explainer) works(e ast.Expr) bool {
	v := x.lookup(x.source.write(e))
	_, ok := v.(*lua.LFunction)
	return ok || v.Type() == lua.LTTable && x.lib.main.GetMetaField(v, "__call") != lua.LNil
}

// lastName is what gopher-lua calls the function in its records.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.IdentExpr:
		return e.Value
	case *ast.AttrGetExpr:
		if key, ok := e.Key.(*ast.StringExpr); ok {
			return key.Value
		}
	}
	return ""
}

// register returns the type of the value in a register of the innermost frame.
func (x *explainer) register(r int) string {
	if v := x.thread.Get(r + 1); v != nil {
		return v.Type().String()
	}
	return ""
}

// operandKind is the type of what # or - was applied to.
func (x *explainer) operandKind() string {
	if x.thread != nil {
		if f := x.lib.top(x.thread); f.exists() && !f.isGo() {
			if r := int(f.instruction() & 0x1ff); r < 256 {
				if what := x.register(r); what != "" {
					return kind(what)
				}
			}
		}
	}
	return "this value"
}

// index explains an access to a field of something that has none.
func (x *explainer) index(typeName, key string) string {
	text := x.parts(func(e ast.Expr) []ast.Expr {
		switch e := e.(type) {
		case *ast.AttrGetExpr:
			literal, constant := e.Key.(*ast.StringExpr)
			if constant && literal.Value == key || !constant && x.couldBe(e.Key, key) {
				return []ast.Expr{e.Object}
			}
		case *ast.FuncCallExpr:
			if e.Func == nil && e.Method == key {
				return []ast.Expr{e.Receiver}
			}
		}
		return nil
	})
	return "attempt to index " + kind(typeName) + x.named(text) + " (field '" + key + "')"
}

// couldBe reports whether an expression could have the value that is shown as text.
func (x *explainer) couldBe(e ast.Expr, text string) bool {
	if n, ok := e.(*ast.NumberExpr); ok {
		return n.Value == text
	}
	return true
}

// arithmetic explains an operation whose operands have types a and b.
func (x *explainer) arithmetic(operation, a, b string) string {
	symbol := map[string]string{"add": "+", "sub": "-", "mul": "*", "div": "/", "mod": "%", "pow": "^"}[operation]
	wrong, left := a, true
	if a == "number" || b == "nil" && a != "nil" {
		wrong, left = b, false
	}
	text := x.parts(func(e ast.Expr) []ast.Expr {
		o, ok := e.(*ast.ArithmeticOpExpr)
		switch {
		case !ok || o.Operator != symbol:
			return nil
		case left:
			return variableOnly(o.Lhs)
		}
		return variableOnly(o.Rhs)
	})
	return "attempt to do arithmetic (" + symbol + ") on " + kind(wrong) + x.named(text)
}

// operand returns the text of the operand that a metamethod of strings refused.
func (x *explainer) operand(string) string {
	return x.parts(func(e ast.Expr) []ast.Expr {
		if o, ok := e.(*ast.ArithmeticOpExpr); ok {
			return append(variableOnly(o.Lhs), variableOnly(o.Rhs)...)
		}
		return nil
	})
}

// variableOnly is the expression unless it is a literal, whose type is plain to see.
func variableOnly(e ast.Expr) []ast.Expr {
	switch e.(type) {
	case *ast.NumberExpr, *ast.StringExpr:
		return nil
	}
	return []ast.Expr{e}
}

// compared returns the text of the side of a comparison that is nil.
func (x *explainer) compared(a, b string) string {
	if (a == "nil") == (b == "nil") {
		return ""
	}
	return x.parts(func(e ast.Expr) []ast.Expr {
		o, ok := e.(*ast.RelationalOpExpr)
		if !ok || o.Operator == "==" || o.Operator == "~=" {
			return nil
		}
		swapped := o.Operator == ">" || o.Operator == ">="
		if (a == "nil") != swapped {
			return variableOnly(o.Lhs)
		}
		return variableOnly(o.Rhs)
	})
}

// concatenated returns the text of the operand that .. cannot join, if only one is not a literal, or if the frame of the
// hidden function, which has the operands as arguments, is still there.
func (x *explainer) concatenated() string {
	wrong := 0
	count := 0
	if x.thread != nil {
		if f := x.lib.top(x.thread); f.exists() && f.isGo() {
			count = x.thread.GetTop() - 1 // the error is on top of them
			for i := 1; i <= count; i++ {
				if t := x.thread.Get(i).Type(); t != lua.LTString && t != lua.LTNumber {
					wrong = i
				}
			}
		}
	}
	return x.parts(func(e ast.Expr) []ast.Expr {
		c, ok := e.(*ast.StringConcatOpExpr)
		if !ok {
			return nil
		}
		operands := []ast.Expr{c.Lhs}
		for right := c.Rhs; ; {
			next, ok := right.(*ast.StringConcatOpExpr)
			if !ok {
				operands = append(operands, right)
				break
			}
			operands, right = append(operands, next.Lhs), next.Rhs
		}
		if wrong > 0 && len(operands) == count {
			return operands[wrong-1 : wrong]
		}
		if wrong > 0 {
			return nil
		}
		var variables []ast.Expr
		for _, o := range operands {
			variables = append(variables, variableOnly(o)...)
		}
		return variables
	})
}

// path splits "kernel.matern" into its names; nil if the text is anything else.
func path(text string) []string {
	names := strings.Split(text, ".")
	for _, name := range names {
		if name == "" || strings.ContainsFunc(name, func(r rune) bool {
			return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		}) {
			return nil
		}
	}
	return names
}

// lookup returns the value at the path of a global, nil if there is none. It calls no metamethods.
func (x *explainer) lookup(text string) lua.LValue {
	var v lua.LValue = x.lib.main.G.Global
	names := path(text)
	if names == nil {
		return lua.LNil
	}
	for _, name := range names {
		table, ok := v.(*lua.LTable)
		if !ok {
			return lua.LNil
		}
		v = table.RawGetString(name)
	}
	return v
}

// globalKind is the type of the global that the text names, "" if it names none.
func (x *explainer) globalKind(text string) string {
	if v := x.lookup(text); v != lua.LNil {
		return v.Type().String()
	}
	return ""
}

// didYouMean suggests a global, or a field of one, for a name that has no value.
func (x *explainer) didYouMean(text string) string {
	names := path(text)
	if names == nil || x.source.locals[names[0]] || x.lookup(text) != lua.LNil {
		return ""
	}
	last := len(names) - 1
	var table lua.LValue = x.lib.main.G.Global
	if last > 0 {
		table = x.lookup(strings.Join(names[:last], "."))
	}
	t, ok := table.(*lua.LTable)
	if !ok {
		return ""
	}
	var candidates []string
	for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
		if name, ok := k.(lua.LString); ok && v != lua.LNil {
			candidates = append(candidates, string(name))
		}
	}
	if meant := bind.Suggest(names[last], candidates); meant != "" {
		return fmt.Sprintf(" (did you mean '%s'?)", strings.Join(append(names[:last:last], meant), "."))
	}
	return ""
}
