package chunk

import (
	"cmp"

	"github.com/yuin/gopher-lua/ast"

	"github.com/greenbench/workbench/syntax"
)

// chunk = block end-of-text
func (p *parser) chunk() []ast.Stmt {
	p.words.Skip(syntax.Preamble(p.tree.Source))
	p.token = p.scanner.next()
	p.function = &enclosing{varargs: true}
	block := p.block()
	if p.token.Kind != syntax.End {
		p.unexpected("expected a statement or the end of the text")
	}
	return block
}

// expressionChunk = expression {"," expression} [";"] end-of-text
func (p *parser) expressionChunk() []ast.Stmt {
	p.token = p.scanner.next()
	p.function = &enclosing{varargs: true}
	from := p.token
	p.refuseArrow()
	list := p.expressions()
	p.accept(";")
	if p.token.Kind != syntax.End {
		p.unexpected("expected the end of the expression")
	}
	return []ast.Stmt{mark(p, from, on(from.Line, &ast.ReturnStmt{Exprs: list}))}
}

// refuseArrow refuses n <- 3, which R and others assign by: here it would say, without a word, whether n is less than -3.
func (p *parser) refuseArrow() {
	t := syntax.Code(p.tree.Source)
	if len(t) < 4 || t[0].Kind != syntax.Name || !t[1].Is(p.tree.Source, "<") || !t[2].Is(p.tree.Source, "-") || t[1].End != t[2].Start || t[2].End == t[3].Start {
		return
	}
	p.failAt(token{Token: t[1], text: "<-"}, assignHint, "expected '=', found '<-'")
}

// block = {statement [";"]} [return [expressions] [";"]]
func (p *parser) block() []ast.Stmt {
	p.nest(p.token)
	statements := []ast.Stmt{}
	for {
		for p.accept(";") {
		}
		if p.blockEnds() {
			break
		}
		p.chain = 0
		from := p.token
		statement := p.statement()
		statements = append(statements, mark(p, from, statement))
		if _, last := statement.(*ast.ReturnStmt); last {
			if p.accept(";"); !p.blockEnds() {
				p.unexpected("expected 'end' after return, which must be the last statement of its block")
			}
			break
		}
	}
	p.depth--
	return statements
}

func (p *parser) blockEnds() bool {
	return p.token.Kind == syntax.End || p.at("end") || p.at("else") || p.at("elseif") || p.at("until")
}

func (p *parser) statement() ast.Stmt {
	if p.token.Kind == syntax.Keyword {
		switch p.token.text {
		case "if":
			return p.ifStatement()
		case "while":
			return p.whileStatement()
		case "for":
			return p.forStatement()
		case "repeat":
			return p.repeatStatement()
		case "function":
			return p.functionStatement()
		case "local":
			return p.localStatement()
		case "return":
			return p.returnStatement()
		case "goto":
			line := p.advance().Line
			return on(line, &ast.GotoStmt{Label: p.expectName("the name of a label").text})
		case "break":
			if p.function.loops == 0 {
				p.failAt(p.token, "", "break outside a loop")
			}
			return on(p.advance().Line, &ast.BreakStmt{})
		case "do":
			opening := p.advance()
			block := p.block()
			return over(opening.Line, p.expectClosing("end", opening).Line, &ast.DoBlockStmt{Stmts: block})
		}
	}
	if p.at("::") {
		line := p.advance().Line
		name := p.expectName("the name of a label").text
		p.expect("::")
		return on(line, &ast.LabelStmt{Name: name})
	}
	return p.expressionStatement()
}

// ifStatement = if condition then block {elseif condition then block} [else block] end
func (p *parser) ifStatement() ast.Stmt {
	opening := p.advance()
	first := &ast.IfStmt{}
	last, line := first, opening.Line
	for branches := 0; ; branches++ {
		last.SetLine(line)
		last.Condition = p.expression()
		p.expect("then")
		last.Then = p.block()
		if !p.at("elseif") {
			break
		}
		if branches == MaxBranches {
			p.failAt(p.token, "look the case up in a table of functions", "more than %d branches", MaxBranches)
		}
		line = p.advance().Line
		next := &ast.IfStmt{}
		last.Else = []ast.Stmt{next}
		last = next
	}
	if p.accept("else") {
		p.elseIf = p.elseIf || p.at("if")
		last.Else = p.block()
	}
	first.SetLastLine(p.expectClosing("end", opening).Line)
	return first
}

// loopBlock reads the body of a loop.
func (p *parser) loopBlock() []ast.Stmt {
	p.function.loops++
	block := p.block()
	p.function.loops--
	return block
}

func (p *parser) whileStatement() ast.Stmt {
	opening := p.advance()
	condition := p.expression()
	p.expect("do")
	block := p.loopBlock()
	return over(opening.Line, p.expectClosing("end", opening).Line, &ast.WhileStmt{Condition: condition, Stmts: block})
}

func (p *parser) repeatStatement() ast.Stmt {
	opening := p.advance()
	block := p.loopBlock()
	until := p.expectClosing("until", opening)
	return over(opening.Line, until.Line, &ast.RepeatStmt{Stmts: block, Condition: p.expression()})
}

// forStatement = for name "=" first "," limit ["," step] do block end | for name {"," name} in expressions do block end
func (p *parser) forStatement() ast.Stmt {
	opening := p.advance()
	names := p.names("the name of the loop variable")
	if len(names) == 1 && p.accept("=") {
		s := &ast.NumberForStmt{Name: names[0], Init: p.expression()}
		p.expect(",")
		s.Limit = p.expression()
		if p.accept(",") {
			s.Step = p.expression()
		}
		p.expect("do")
		s.Stmts = p.loopBlock()
		return over(opening.Line, p.expectClosing("end", opening).Line, s)
	}
	if !p.at("in") {
		p.unexpected("expected '=' or 'in'")
	}
	p.advance()
	s := &ast.GenericForStmt{Names: names, Exprs: p.expressions()}
	p.expect("do")
	s.Stmts = p.loopBlock()
	return over(opening.Line, p.expectClosing("end", opening).Line, s)
}

// functionStatement = function name {"." name} [":" name] body
func (p *parser) functionStatement() ast.Stmt {
	opening := p.advance()
	from := p.token
	first := p.expectName("a name for the function")
	var target ast.Expr = mark(p, from, on(first.Line, &ast.IdentExpr{Value: first.text}))
	name := &ast.FuncName{}
	for p.at(".") || p.at(":") {
		method := p.advance().text == ":"
		part := p.expectName("a name")
		if method {
			name.Receiver, name.Method = target, part.text
			break
		}
		p.link(part)
		key := mark(p, part, on(part.Line, &ast.StringExpr{Value: part.text}))
		target = mark(p, from, on(part.Line, &ast.AttrGetExpr{Object: target, Key: key}))
	}
	if name.Receiver == nil {
		name.Func = target
	}
	function := p.body(opening)
	return over(opening.Line, function.LastLine(), &ast.FuncDefStmt{Name: name, Func: function})
}

// localStatement = local function name body | local names ["=" expressions]
func (p *parser) localStatement() ast.Stmt {
	line := p.advance().Line
	if p.at("function") {
		opening := p.advance()
		name := p.expectName("a name for the function").text
		function := p.body(opening)
		s := over(line, function.LastLine(), &ast.LocalAssignStmt{Names: []string{name}, Exprs: []ast.Expr{function}})
		p.tree.recursive[s] = true
		return s
	}
	s := on(line, &ast.LocalAssignStmt{Names: p.names("a name"), Exprs: []ast.Expr{}})
	if p.accept("=") {
		s.Exprs = p.expressions()
	}
	return s
}

func (p *parser) names(what string) []string {
	names := []string{p.expectName(what).text}
	for p.accept(",") {
		names = append(names, p.expectName("a name").text)
	}
	return names
}

func (p *parser) returnStatement() ast.Stmt {
	s := on(p.advance().Line, &ast.ReturnStmt{})
	if !p.blockEnds() && !p.at(";") {
		s.Exprs = p.expressions()
	}
	return s
}

// expressionStatement = call | target {"," target} "=" expressions
func (p *parser) expressionStatement() ast.Stmt {
	from := p.token
	first, assignable := p.suffixed("a statement")
	if call, ok := first.(*ast.FuncCallExpr); ok && !p.at("=") && !p.at(",") && !call.AdjustRet {
		return on(first.Line(), &ast.FuncCallStmt{Expr: first})
	}
	if p.token.Kind == syntax.End && assignable || p.at(",") || p.at("=") {
		return p.assignment(from, first, assignable)
	}
	hint := operatorHint(p.token, p.tokenAfter())
	word := ""
	if name, ok := first.(*ast.IdentExpr); ok {
		word = name.Value
	}
	hint = cmp.Or(hint, foreign(word), statementHint(word, p.token))
	if assignable {
		p.failAt(p.token, hint, "expected '=' or a call, found %s", describe(p.token))
	}
	p.failAt(from, hint, "an expression cannot be a statement")
	return nil
}

func (p *parser) assignment(from token, first ast.Expr, assignable bool) ast.Stmt {
	targets := []ast.Expr{first}
	for {
		if !assignable {
			p.failAt(from, "", "cannot assign to this: only to a variable or a field")
		}
		if !p.accept(",") {
			break
		}
		from = p.token
		var target ast.Expr
		target, assignable = p.suffixed("a variable")
		targets = append(targets, target)
	}
	p.expect("=")
	return on(first.Line(), &ast.AssignStmt{Lhs: targets, Rhs: p.expressions()})
}
