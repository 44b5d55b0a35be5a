package chunk

import (
	"math"
	"strconv"

	"github.com/yuin/gopher-lua/ast"

	"github.com/greenbench/workbench/internal/elementary"
)

// constantTruth returns whether a constant expression counts as true; known is false for others.
func constantTruth(e ast.Expr) (truth, known bool) {
	switch e.(type) {
	case *ast.FalseExpr, *ast.NilExpr:
		return false, true
	case *ast.TrueExpr, *ast.NumberExpr, *ast.StringExpr:
		return true, true
	}
	return false, false
}

// logical leaves out a constant left operand of and, or: gopher-lua loses the value or jumps to the wrong place.
func (r *rewriter) logical(e *ast.LogicalOpExpr) ast.Expr {
	truth, known := constantTruth(e.Lhs)
	switch {
	case !known:
		return e
	case truth == (e.Operator == "and"):
		return single(e.Rhs)
	}
	return e.Lhs
}

// not evaluates not of a constant.
func (r *rewriter) not(e *ast.UnaryNotOpExpr) ast.Expr {
	truth, known := constantTruth(e.Expr)
	switch {
	case !known:
		return e
	case truth:
		return on(e.Line(), &ast.FalseExpr{})
	}
	return on(e.Line(), &ast.TrueExpr{})
}

// numeral writes a number so that gopher-lua reads it as Lua does: to it, 0010 is eight and 1e400 not a number.
func (r *rewriter) numeral(e *ast.NumberExpr) ast.Expr {
	x, _ := parseNumeral(e.Value)
	return r.number(x, e.Line())
}

// number returns a constant.
func (r *rewriter) number(x float64, line int) ast.Expr {
	if x == 0 && math.Signbit(x) { // gopher-lua finds 0 and -0 equal and keeps one of the two
		return r.hidden.expression(hiddenMinusZero, line)
	}
	return on(line, &ast.NumberExpr{Value: strconv.FormatFloat(x, 'g', -1, 64)})
}

// value returns the value of a number that is known before the program runs.
func (r *rewriter) value(e ast.Expr) (float64, bool) {
	if n, ok := e.(*ast.NumberExpr); ok {
		x, err := strconv.ParseFloat(n.Value, 64)
		return x, err == nil
	}
	if r.hidden.is(e, hiddenMinusZero) {
		return math.Copysign(0, -1), true
	}
	return 0, false
}

// minus evaluates the negative of a number.
func (r *rewriter) minus(e *ast.UnaryMinusOpExpr) ast.Expr {
	if x, ok := r.value(e.Expr); ok {
		return r.number(-x, e.Line())
	}
	return e
}

// arithmetic evaluates operations on numbers, as Lua 5.1 does, unless the result is not a number. A result of zero is
// positive, as it is when the operation happens at run time: gopher-lua has only one zero there.
func (r *rewriter) arithmetic(e *ast.ArithmeticOpExpr) ast.Expr {
	a, ok1 := r.value(e.Lhs)
	b, ok2 := r.value(e.Rhs)
	if !ok1 || !ok2 {
		return r.power(e)
	}
	var x float64
	switch e.Operator {
	case "+":
		x = a + b
	case "-":
		x = a - b
	case "*":
		x = a * b
	case "/":
		x = a / b
	case "%":
		x = math.Mod(a, b)
		if x*b < 0 {
			x += b
		}
	case "^":
		x = elementary.Pow(a, b)
	}
	if x != x {
		return e
	}
	return r.number(x+0, e.Line())
}

// key rewrites the key of a field, where -0 is 0.
func (r *rewriter) key(e ast.Expr) ast.Expr {
	e = r.expression(e)
	if x, ok := r.value(e); ok && x == 0 {
		return on(e.Line(), &ast.NumberExpr{Value: "0"})
	}
	return e
}
