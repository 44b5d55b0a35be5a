package stdlib

import (
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"

	"github.com/greenbench/workbench/bindings/bind"
)

// operandKind is the type of what # or - was applied to.
func (x *explainer) operandKind() string {
	if f := x.top(); f.exists() && !f.isGo() {
		if what := x.register(int(f.instruction() & 0x1ff)); what != "" {
			return kind(what)
		}
	}
	return "this value"
}

// arithmetic explains an operation whose operands have types a and b.
func (x *explainer) arithmetic(operation, a, b string) string {
	symbol := map[string]string{"add": "+", "sub": "-", "mul": "*", "div": "/", "mod": "%", "pow": "^"}[operation]
	a, b = x.objectType(a, 0), x.objectType(b, 9)
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
	end := x.has(wrong)
	if wrong == "table" {
		end = "; array(t) makes an array of a list of numbers"
	}
	return "attempt to do arithmetic (" + symbol + ") on " + kind(wrong) + x.named(text) + end
}

// objectType is the type of an operand of the running instruction, whose register is at bit shift of it, or of the hidden
// function for powers, which has the operands as arguments: for objects what the modules call them.
func (x *explainer) objectType(typeName string, shift int) string {
	f := x.top()
	if !f.exists() {
		return typeName
	}
	r := shift / 9
	if !f.isGo() {
		r = int(f.instruction() >> shift & 0x1ff)
	}
	if u, ok := x.thread.Get(r + 1).(*lua.LUserData); ok {
		return bind.TypeName(u)
	}
	return typeName
}

// operand returns the text of the operand that a metamethod of strings refused.
func (x *explainer) operand() string {
	return x.parts(func(e ast.Expr) []ast.Expr {
		if o, ok := e.(*ast.ArithmeticOpExpr); ok {
			left, right := variableOnly(o.Lhs), variableOnly(o.Rhs)
			_, quoted := o.Lhs.(*ast.StringExpr)
			if _, too := o.Rhs.(*ast.StringExpr); quoted || too {
				return nil // it is the one in quotes
			}
			return append(left, right...)
		}
		return nil
	})
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
	if f := x.top(); f.exists() && f.isGo() {
		count = x.thread.GetTop() - 1 // the error is on top of them
		for i := 1; i <= count; i++ {
			if t := x.thread.Get(i).Type(); t != lua.LTString && t != lua.LTNumber {
				wrong = i
			}
		}
	}
	inner := map[ast.Expr]bool{} // a .. b .. c holds b .. c, which is no operation of its own
	return x.parts(func(e ast.Expr) []ast.Expr {
		c, ok := e.(*ast.StringConcatOpExpr)
		if !ok || inner[e] {
			return nil
		}
		operands := []ast.Expr{c.Lhs}
		for right := c.Rhs; ; {
			next, ok := right.(*ast.StringConcatOpExpr)
			if !ok {
				operands = append(operands, right)
				break
			}
			inner[next] = true
			operands, right = append(operands, next.Lhs), next.Rhs
		}
		switch {
		case wrong > 0 && len(operands) == count:
			return operands[wrong-1 : wrong]
		case wrong > 0:
			return nil // another one of the line
		}
		var variables []ast.Expr
		for _, o := range operands {
			variables = append(variables, variableOnly(o)...)
		}
		return variables
	})
}
