package chunk

import (
	"fmt"
	"strings"

	"github.com/yuin/gopher-lua/ast"

	"github.com/greenbench/workbench/syntax"
)

// parser reads tokens and builds gopher-lua's ast, one method per production of the grammar.
type parser struct {
	scanner
	token    token // the one to read next
	ahead    *token
	last     token // the one read last
	depth    int
	chain    int
	function *enclosing
	elseIf   bool // an else was followed by if
}

// enclosing is the function being read.
type enclosing struct {
	outer   *enclosing
	varargs bool
	loops   int
}

// at reports whether the next token is this keyword or symbol.
func (p *parser) at(text string) bool {
	return p.token.text == text && (p.token.Kind == syntax.Keyword || p.token.Kind == syntax.Op)
}

// advance passes the next token and returns it.
func (p *parser) advance() token {
	p.last = p.token
	if p.ahead != nil {
		p.token, p.ahead = *p.ahead, nil
	} else {
		p.token = p.scanner.next()
	}
	return p.last
}

// lookahead returns the token after the next.
func (p *parser) lookahead() token {
	if p.ahead == nil {
		t := p.scanner.next()
		p.ahead = &t
	}
	return *p.ahead
}

// accept passes the next token if it is this one.
func (p *parser) accept(text string) bool {
	if !p.at(text) {
		return false
	}
	p.advance()
	return true
}

// expect passes the token that must come now.
func (p *parser) expect(text string) token {
	if !p.at(text) {
		p.unexpected("expected '" + text + "'")
	}
	return p.advance()
}

// expectClosing passes the token that closes what began with the opening one. Before it the separator could have come.
func (p *parser) expectClosing(text string, opening token, separator ...string) token {
	if p.at(text) {
		return p.advance()
	}
	want := "expected '" + text + "'"
	for _, s := range separator {
		want = "expected '" + s + "' or '" + text + "'"
	}
	if opening.Line != p.token.Line {
		want += fmt.Sprintf(" (to close '%s' at line %d)", opening.text, opening.Line)
	}
	p.unexpected(want)
	return token{}
}

// expectName passes a name.
func (p *parser) expectName(what string) token {
	if p.token.Kind != syntax.Name {
		p.unexpected("expected " + what)
	}
	return p.advance()
}

// unexpected raises the error that something else was wanted than the next token.
func (p *parser) unexpected(want string) {
	hint := operatorHint(p.token, p.tokenAfter())
	if hint == "" {
		hint = operatorHint(p.last, p.token)
	}
	if hint == "" {
		hint = indexHint(want, p.last, p.token)
	}
	switch {
	case hint != "":
	case p.at("=") && (want == "expected 'then'" || want == "expected 'do'"):
		hint = "equality is written =="
	case want == "expected the name of a method" && (p.token.newline || p.token.Kind == syntax.End):
		hint = "a block begins with do or then, not with a colon, and ends with end"
	case want == "expected the arguments of the method" && (p.at(",") || p.at("}")):
		hint = "in a table a field is written name = value; a method is called object:name(…)"
	case want == "expected the arguments of the method":
		hint = "a method is called object:name(…); a function is written function(x) return x^2 end"
	case want == "expected the name of a method":
		hint = "a method is called object:name(…); in a table a field is written name = value"
	case p.elseIf && p.token.Kind == syntax.End:
		hint = "else if begins an if with an end of its own; the next branch of the same if is written elseif"
	case p.token.Kind == syntax.Keyword && (strings.HasPrefix(want, "expected a name") || strings.HasPrefix(want, "expected the name")):
		hint = "'" + p.token.text + "' is a word of the language, which no name can be"
		if want == "expected the name of a field" {
			hint += `; a field called so is written ["` + p.token.text + `"]`
		}
	}
	if hint == "" && p.last.Kind == syntax.Name && p.token.Kind != syntax.Op {
		hint = foreign(p.last.text)
	}
	if hint == "" && p.token.Kind == syntax.Name {
		hint = foreign(p.token.text)
	}
	if hint == "" {
		hint = grammarHint(want, p.last, p.token)
	}
	p.failAt(p.token, hint, "%s, found %s", want, describe(p.token))
}

// tokenAfter is lookahead for messages: an error there is not the one to report.
func (p *parser) tokenAfter() (after token) {
	defer func() { _ = recover() }()
	return p.lookahead()
}

// failAt raises a syntax error at a token. At the end of the text the error is one that more text may repair.
func (p *parser) failAt(t token, hint, format string, args ...any) {
	_, col := p.tree.Position(t.Start)
	panic(&SyntaxError{
		File: p.tree.Name, Line: t.Line, Column: col, Hint: hint,
		Message: fmt.Sprintf(format, args...), Incomplete: t.Kind == syntax.End,
	})
}

// describe names a token for a message.
func describe(t token) string {
	switch t.Kind {
	case syntax.End:
		return "the end of the text"
	case syntax.String:
		value := []rune(t.text)
		if len(value) > 20 {
			value = append(value[:20:20], '…')
		}
		return fmt.Sprintf("the string %q", string(value))
	case syntax.Number:
		return "the number " + t.text
	}
	return "'" + t.text + "'"
}

// nest counts one more level of nesting at a token; the caller subtracts it.
func (p *parser) nest(t token) {
	p.depth++
	if p.depth > MaxDepth {
		p.failAt(t, "", "more than %d levels of nesting", MaxDepth)
	}
}

// link counts one more operator, call or field of an expression.
func (p *parser) link(t token) {
	p.chain++
	if p.chain > MaxChain {
		p.failAt(t, "assign parts of it to locals", "more than %d operations in one expression", MaxChain)
	}
}

// mark records that node was made from the text between the token and the one read last, and returns it.
func mark[T ast.PositionHolder](p *parser, from token, node T) T {
	if p.tree.spans != nil {
		p.tree.spans[node] = Span{from.Start, p.last.End}
	}
	return node
}

// on sets the line of a node and returns it.
func on[T ast.PositionHolder](line int, node T) T {
	node.SetLine(line)
	return node
}

// over sets the first and the last line of a node and returns it.
func over[T ast.PositionHolder](line, last int, node T) T {
	node.SetLine(line)
	node.SetLastLine(last)
	return node
}
