package chunk

import (
	"github.com/yuin/gopher-lua/ast"

	"github.com/greenbench/workbench/syntax"
)

func (p *parser) expressions() []ast.Expr {
	list := []ast.Expr{p.expression()}
	for p.accept(",") {
		list = append(list, p.expression())
	}
	return list
}

func (p *parser) expression() ast.Expr { return p.operation(0) }

// priority returns how strongly a binary operator binds its left and right operands, 0 if the token is none.
func priority(t token) (left, right int) {
	if t.Kind != syntax.Op && t.Kind != syntax.Keyword {
		return 0, 0
	}
	switch t.text {
	case "or":
		return 1, 1
	case "and":
		return 2, 2
	case "<", ">", "<=", ">=", "~=", "==":
		return 3, 3
	case "..":
		return 5, 4
	case "+", "-":
		return 6, 6
	case "*", "/", "%":
		return 7, 7
	case "^":
		return 10, 9
	}
	return 0, 0
}

const unaryPriority = 8

// operation reads an expression whose binary operators bind more strongly than limit.
func (p *parser) operation(limit int) ast.Expr {
	p.nest(p.token)
	from := p.token
	var value ast.Expr
	if p.at("-") || p.at("not") || p.at("#") {
		p.advance()
		operand := p.operation(unaryPriority)
		switch from.text {
		case "-":
			value = &ast.UnaryMinusOpExpr{Expr: operand}
		case "not":
			value = &ast.UnaryNotOpExpr{Expr: operand}
		default:
			value = &ast.UnaryLenOpExpr{Expr: operand}
		}
		mark(p, from, on(from.Line, value))
	} else {
		value = p.simple()
	}
	for {
		operator := p.token
		left, right := priority(operator)
		if left <= limit {
			break
		}
		p.link(operator)
		p.advance()
		value = mark(p, from, on(operator.Line, binary(operator.text, value, p.operation(right))))
	}
	p.depth--
	return value
}

func binary(operator string, l, r ast.Expr) ast.Expr {
	switch operator {
	case "or", "and":
		return &ast.LogicalOpExpr{Operator: operator, Lhs: l, Rhs: r}
	case "<", ">", "<=", ">=", "~=", "==":
		return &ast.RelationalOpExpr{Operator: operator, Lhs: l, Rhs: r}
	case "..":
		return &ast.StringConcatOpExpr{Lhs: l, Rhs: r}
	}
	return &ast.ArithmeticOpExpr{Operator: operator, Lhs: l, Rhs: r}
}

// simple = number | string | nil | true | false | "..." | constructor | function | suffixed
func (p *parser) simple() ast.Expr {
	from := p.token
	var value ast.Expr
	switch {
	case from.Kind == syntax.Number:
		p.advance()
		value = &ast.NumberExpr{Value: from.text}
	case from.Kind == syntax.String:
		p.advance()
		value = p.stringExpr(from)
	case p.accept("nil"):
		value = &ast.NilExpr{}
	case p.accept("true"):
		value = &ast.TrueExpr{}
	case p.accept("false"):
		value = &ast.FalseExpr{}
	case p.at("..."):
		if !p.function.varargs {
			p.failAt(from, "declare it as function(...)", "'...' in a function without variable arguments")
		}
		p.advance()
		value = &ast.Comma3Expr{}
	case p.at("{"):
		value = p.constructor()
	case p.accept("function"):
		value = p.body(from)
	default:
		value, _ = p.suffixed("an expression")
		return value
	}
	return mark(p, from, on(from.Line, value))
}

func (p *parser) stringExpr(t token) *ast.StringExpr {
	if len(t.text) > len(hiddenPrefix) && t.text[:len(hiddenPrefix)] == hiddenPrefix {
		p.tree.strings[t.text] = true
	}
	return on(t.Line, &ast.StringExpr{Value: t.text})
}

// suffixed = (name | "(" expression ")") {"." name | "[" expression "]" | [":" name] arguments}
// It also reports whether the result can be assigned to.
func (p *parser) suffixed(want string) (value ast.Expr, assignable bool) {
	from := p.token
	switch {
	case from.Kind == syntax.Name:
		p.advance()
		value, assignable = mark(p, from, on(from.Line, &ast.IdentExpr{Value: from.text})), true
	case p.at("("):
		value = p.parenthesized()
	default:
		p.unexpected("expected " + want)
	}
	for {
		t := p.token
		switch {
		case p.accept("."):
			name := p.expectName("the name of a field")
			key := mark(p, name, on(name.Line, &ast.StringExpr{Value: name.text}))
			value, assignable = on(name.Line, &ast.AttrGetExpr{Object: value, Key: key}), true
		case p.accept("["):
			key := p.expression()
			p.expectClosing("]", t)
			value, assignable = on(t.Line, &ast.AttrGetExpr{Object: value, Key: key}), true
		case p.accept(":"):
			name := p.expectName("the name of a method")
			if !p.at("(") && !p.at("{") && p.token.Kind != syntax.String {
				p.unexpected("expected the arguments of the method")
			}
			line := p.token.Line
			value, assignable = on(line, &ast.FuncCallExpr{Receiver: value, Method: name.text, Args: p.arguments()}), false
		case p.at("(") || p.at("{") || t.Kind == syntax.String:
			if p.at("(") && t.newline {
				p.failAt(t, "end the line before with ; or join the two", "ambiguous: this line may continue the one before as a call")
			}
			value, assignable = on(t.Line, &ast.FuncCallExpr{Func: value, Args: p.arguments()}), false
		default:
			return value, assignable
		}
		p.link(t)
		mark(p, from, value)
	}
}

// parenthesized = "(" expression ")", which keeps one value of a call or of ...
func (p *parser) parenthesized() ast.Expr {
	opening := p.advance()
	value := p.expression()
	p.expectClosing(")", opening)
	switch v := value.(type) {
	case *ast.Comma3Expr:
		v.AdjustRet = true
	case *ast.FuncCallExpr:
		v.AdjustRet = true
	}
	return mark(p, opening, value)
}

// arguments = "(" [expressions] ")" | constructor | string
func (p *parser) arguments() []ast.Expr {
	from := p.token
	switch {
	case from.Kind == syntax.String:
		p.advance()
		return []ast.Expr{mark(p, from, p.stringExpr(from))}
	case p.at("{"):
		return []ast.Expr{mark(p, from, on(from.Line, p.constructor()))}
	}
	opening := p.expect("(")
	list := []ast.Expr{}
	if !p.at(")") {
		list = p.expressions()
	}
	p.expectClosing(")", opening, ",")
	return list
}

// constructor = "{" [field {("," | ";") field} ["," | ";"]] "}"; field = name "=" expression | "[" key "]" "=" expression | expression
func (p *parser) constructor() *ast.TableExpr {
	p.nest(p.token)
	opening := p.advance()
	table := on(opening.Line, &ast.TableExpr{Fields: []*ast.Field{}})
	for !p.at("}") {
		p.chain = 0
		field, from := &ast.Field{}, p.token
		switch {
		case from.Kind == syntax.Name && p.lookahead().Kind == syntax.Op && p.lookahead().text == "=":
			p.advance()
			field.Key = mark(p, from, on(from.Line, &ast.StringExpr{Value: from.text}))
			p.advance()
		case p.accept("["):
			field.Key = p.expression()
			p.expectClosing("]", from)
			p.expect("=")
		}
		field.Value = p.expression()
		table.Fields = append(table.Fields, field)
		if !p.accept(",") && !p.accept(";") {
			break
		}
	}
	p.expectClosing("}", opening, ",")
	p.depth--
	return table
}

// body = "(" [names ["," "..."] | "..."] ")" block end
func (p *parser) body(opening token) *ast.FunctionExpr {
	parameters := &ast.ParList{Names: []string{}}
	open := p.expect("(")
	for !p.at(")") {
		if p.accept("...") {
			parameters.HasVargs = true
			break
		}
		parameters.Names = append(parameters.Names, p.expectName("the name of a parameter").text)
		if !p.accept(",") {
			break
		}
		if p.at(")") {
			p.unexpected("expected the name of a parameter")
		}
	}
	p.expectClosing(")", open)
	p.function = &enclosing{outer: p.function, varargs: parameters.HasVargs}
	chain := p.chain
	block := p.block()
	p.chain = chain
	p.function = p.function.outer
	opening.text = "function"
	end := p.expectClosing("end", opening)
	return mark(p, opening, over(opening.Line, end.Line, &ast.FunctionExpr{ParList: parameters, Stmts: block}))
}
