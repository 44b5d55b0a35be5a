package stdlib

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/workbench/chunk"
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
	lib     *Library
	thread  *lua.LState
	source  *source
	name    string
	line    int
	calling bool // the name is that of a function
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
	case scan(message, "attempt to compare % with %", &a, &b) && !strings.ContainsAny(b, ":;"):
		a, b := x.objectType(a, 0), x.objectType(b, 9)
		return "attempt to compare " + a + " with " + b + x.named(x.compared(a, b)) + ordering(a, b)
	case scan(message, "attempt to perform arithmetic on a % value", &a):
		return "attempt to do arithmetic on " + kind(a) + x.named(x.operand()) + x.joining()
	case scan(message, "bad argument #% to '%' (%)", &a, &b, &c) && strings.HasSuffix(c, "got nil"):
		return message + x.named(x.argument(a, b))
	case scan(message, "bad argument #% to '%' (%)", &a, &b, &c) && !strings.Contains(c, ");"):
		return message + expected(b, c)
	case scan(message, "attempt to concatenate a % value", &a):
		end := ""
		if a == "table" {
			end = `; table.concat(t, ", ") joins the entries of a list`
		}
		return "attempt to concatenate " + kind(a) + x.named(x.concatenated()) + end
	case message == "__len undefined":
		what := x.operandKind()
		_, name, _ := strings.Cut(what, " ")
		end := x.has(name)
		switch what {
		case "a number":
			end = "; only strings, lists and arrays have one"
		case "nil":
			if x.nowhere(x.parts(lengthOf)) != "" {
				end = "; comments begin with --"
			}
		}
		return "attempt to get the length of " + what + x.named(x.parts(lengthOf)) + end
	case scan(message, "attempt to get the length of a % value", &a):
		return "attempt to get the length of " + kind(a) + x.named(x.parts(lengthOf))
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
		return fmt.Sprintf("stack overflow: the variables and arguments of nested calls need more than %d places", x.lib.main.Options.RegistryMaxSize)
	case strings.HasPrefix(message, "too many recursions in"):
		return "__index or __newindex refers to itself"
	}
	return message
}

// masking says how arrays are compared, which Lua's operators cannot.
func masking(a, b string) string {
	if a == "complex" || b == "complex" {
		return "; complex numbers have no order: compare z:abs(), z.re or z.im, as in z:abs():gt(1), and z:eq(w) says where they are equal"
	}
	if a != "array" && b != "array" {
		return ""
	}
	return "; the elements of an array are compared by its methods, which give a mask: a:gt(1) for a > 1, a:le(b) for a <= b"
}

// lengthOf returns what # is applied to.
func lengthOf(e ast.Expr) []ast.Expr {
	if u, ok := e.(*ast.UnaryLenOpExpr); ok {
		return []ast.Expr{u.Expr}
	}
	return nil
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
	return bind.Article(typeName)
}

// named is the end of a message about the expression with that text: ": 'kernl' (field 'se'; did you mean 'kernel'?)".
func (x *explainer) named(text string, details ...string) string {
	end := ""
	if text != "" {
		end = ": '" + text + "'"
		if x.lib.leftOut(text) {
			details = append(details, "safe mode has none")
		} else if hidden := x.hidden(text); hidden != "" {
			details = append(details, hidden)
		} else if instead := x.elsewhere(text); instead != "" {
			details = append(details, instead)
		} else if meant := x.meant(text); meant != "" {
			details = append(details, "did you mean '"+meant+"'?")
		} else if where := cmp.Or(x.element(text), x.nowhere(text)); where != "" {
			details = append(details, where)
		}
	}
	if len(details) > 0 {
		end += " (" + strings.Join(details, "; ") + ")"
	}
	return end
}

// call explains a call of something that is not a function.
func (x *explainer) call() string {
	x.calling = true
	callee, what := "", ""
	if f := x.top(); f.exists() && !f.isGo() {
		callee = f.callee()
		what = x.register(int(f.instruction() >> 18 & 0xff))
		if int(f.instruction()>>26) == lua.OP_TFORLOOP {
			return "attempt to iterate over " + kind(what) + ": " + looped(what)
		}
	}
	method := false
	text := x.parts(func(e ast.Expr) []ast.Expr {
		call, ok := e.(*ast.FuncCallExpr)
		switch {
		case !ok:
			return nil
		case call.Func != nil && (callee == "" && !x.works(call.Func) || callee != "" && chunk.LastName(call.Func) == callee):
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
	if (method || strings.Contains(text, ".")) && what != "nil" && bind.IsProperty(x.lib.main, callee) {
		return "attempt to call a field: '" + callee + "' is not a function; write it without brackets, as in x." + callee
	}
	if strings.HasPrefix(what, "a module ") {
		return "attempt to call " + what + ": its functions are " + text + ".…; ?" + text + " lists them"
	}
	instead := ""
	if what == "nil" && !x.lib.leftOut(text) && (method || strings.Contains(text, ".")) {
		if instead = otherMethod(x.receiver(text, method), cmp.Or(callee, text[strings.LastIndexByte(text, '.')+1:])); instead != "" {
			instead = "; " + instead
		}
	}
	if method {
		of := ""
		if text != "" {
			of = " of '" + text + "'"
		}
		return "attempt to call " + what + ": method '" + callee + "'" + of + instead
	}
	if instead != "" {
		return "attempt to call nil: '" + text + "'" + instead
	}
	if len(text) == 1 && strings.Contains("frbu", text) && what == "nil" && x.literalArgument(text) {
		return "attempt to call nil: '" + text + "'; a string has no letter before it; string.format(\"n is %g\", n) puts values into one"
	}
	text = cmp.Or(text, callee)
	if what == kind("array") {
		return "attempt to call " + what + x.named(text) + "; brackets take elements: a[1] is the first, a[-1] the last, a:at(1, 2) one of a matrix"
	}
	return "attempt to call " + what + x.named(text)
}

// literalArgument reports whether the function is called with a string in quotes.
func (x *explainer) literalArgument(function string) bool {
	return x.parts(func(e ast.Expr) []ast.Expr {
		if call, ok := e.(*ast.FuncCallExpr); ok && call.Func != nil && x.source.write(call.Func) == function && len(call.Args) == 1 {
			if _, ok := call.Args[0].(*ast.StringExpr); ok {
				return []ast.Expr{call.Func}
			}
		}
		return nil
	}) != ""
}

// top is the innermost frame of the thread that failed; none, where its frames are gone.
func (x *explainer) top() frameValue {
	if x.thread == nil {
		return frameValue{}
	}
	return x.lib.top(x.thread)
}

// register returns the type of the value in a register of the innermost frame.
func (x *explainer) register(r int) string {
	if v := x.thread.Get(r + 1); v != nil {
		return bind.TypeName(v)
	}
	return ""
}

// index explains an access to a field of something that has none.
func (x *explainer) index(typeName, key string) string {
	what := "field '" + key + "'"
	if _, err := strconv.ParseFloat(key, 64); err == nil {
		what = "index " + key
	}
	object := func(exact bool) func(ast.Expr) []ast.Expr {
		return func(e ast.Expr) []ast.Expr {
			switch e := e.(type) {
			case *ast.AttrGetExpr:
				literal := constant(e.Key)
				if exact && literal == key || !exact && literal == "" {
					return []ast.Expr{e.Object}
				}
			case *ast.FuncCallExpr:
				if exact && e.Func == nil && e.Method == key {
					what = "method '" + key + "'"
					return []ast.Expr{e.Receiver}
				}
			}
			return nil
		}
	}
	text := x.parts(object(true))
	if text == "" {
		text = x.parts(object(false))
	}
	if typeName == "number" {
		return "attempt to index a number" + x.named(text, what) + "; a number has no elements"
	}
	if instead := x.imported(text, key); instead != "" {
		return "attempt to index " + kind(typeName) + ": '" + text + "' (" + what + "; " + instead + ")"
	}
	return "attempt to index " + kind(typeName) + x.named(text, what)
}

// argument returns the text of an argument of the call of a function with that name.
func (x *explainer) argument(number, function string) string {
	n, err := strconv.Atoi(number)
	if err != nil {
		return ""
	}
	return x.parts(func(e ast.Expr) []ast.Expr {
		call, ok := e.(*ast.FuncCallExpr)
		i := n - 1
		switch {
		case !ok:
			return nil
		case call.Func == nil && call.Method == function:
			i-- // the first argument is the object
		case call.Func == nil || chunk.LastName(call.Func) != function:
			return nil
		}
		if i < 0 || i >= len(call.Args) {
			return nil
		}
		return variableOnly(call.Args[i])
	})
}
