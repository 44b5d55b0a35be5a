package chunk

import "github.com/yuin/gopher-lua/ast"

// concatGroup is how many operands one hidden call concatenates; they all need registers at the same time.
const concatGroup = 40

// concatenation turns a .. b .. c into one call of a hidden function: numbers become text as in print, where gopher-lua has
// a format of its own, and the size of the result is checked before memory is taken.
func (r *rewriter) concatenation(e *ast.StringConcatOpExpr) ast.Expr {
	var operands []ast.Expr
	for {
		operands = append(operands, r.expression(e.Lhs))
		right, ok := e.Rhs.(*ast.StringConcatOpExpr)
		if !ok {
			operands = append(operands, r.expression(e.Rhs))
			break
		}
		e = right
	}
	return r.concat(operands, operands[0].Line())
}

// concat calls the hidden function, in groups from the right, for .. binds to the right.
func (r *rewriter) concat(operands []ast.Expr, line int) ast.Expr {
	for len(operands) > concatGroup {
		cut := len(operands) - concatGroup
		operands = append(operands[:cut:cut], r.concat(operands[cut:], operands[cut].Line()))
	}
	for _, operand := range operands {
		single(operand)
	}
	if text, ok := constantText(operands); ok {
		return on(line, &ast.StringExpr{Value: text})
	}
	return r.hidden.call(hiddenConcat, line, operands...)
}

// constantText joins operands that are all string literals.
func constantText(operands []ast.Expr) (text string, ok bool) {
	for _, operand := range operands {
		s, literal := operand.(*ast.StringExpr)
		if !literal || len(s.Value) > 0 && s.Value[0] == hiddenPrefix[0] {
			return "", false
		}
		text += s.Value
	}
	return text, true
}
