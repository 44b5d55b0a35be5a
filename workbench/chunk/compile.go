package chunk

import (
	"errors"
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// Limits of compiled functions that gopher-lua does not watch itself: the width of the fields of an instruction.
const (
	maxUpvalues     = 255
	maxInstructions = 1<<17 - 1
)

// Compile parses, rewrites and compiles a chunk. The prototype can be used in any number of states, also at the same time.
// The error is a *SyntaxError.
func Compile(name string, src []byte) (*lua.FunctionProto, error) {
	tree, err := parse(name, src, false, (*parser).chunk)
	if err != nil {
		_, err = Parse(name, src) // the same error; with spans it has a column in any case
		return nil, err
	}
	return tree.Compile()
}

// Expression compiles what was typed at a prompt: a list of expressions, whose values the function returns, or else
// statements. The error is a *SyntaxError; it is Incomplete if either reading could still become right.
func Expression(name string, src []byte) (*lua.FunctionProto, error) {
	tree, err := ParseInput(name, src)
	if err != nil {
		return nil, err
	}
	return tree.Compile()
}

// ParseInput is the parsing half of Expression.
func ParseInput(name string, src []byte) (*Tree, error) {
	tree, asExpression := ParseExpression(name, src)
	if asExpression == nil {
		return tree, nil
	}
	tree, asStatements := Parse(name, src)
	if asStatements == nil {
		return tree, nil
	}
	var e1, e2 *SyntaxError
	if errors.As(asExpression, &e1) && errors.As(asStatements, &e2) && !e2.Incomplete && (e1.Incomplete || further(e1, e2)) {
		return nil, e1
	}
	return nil, asStatements
}

// further reports whether a is an error later in the text than b: the reading that got further is the one that was meant.
func further(a, b *SyntaxError) bool {
	return a.Line > b.Line || a.Line == b.Line && a.Column > b.Column
}

// Load compiles a chunk into a function of the state.
func Load(L *lua.LState, name string, src []byte) (*lua.LFunction, error) {
	proto, err := Compile(name, src)
	if err != nil {
		return nil, err
	}
	return L.NewFunctionFromProto(proto), nil
}

// Compile rewrites and compiles the tree, which cannot be used afterwards. The error is a *SyntaxError.
func (t *Tree) Compile() (proto *lua.FunctionProto, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *SyntaxError:
			proto, err = nil, r
		default:
			proto, err = nil, t.fault(0, fmt.Sprintf("internal error (please report): %v", r))
		}
	}()
	r := &rewriter{tree: t, hidden: newHidden(t.strings), programs: map[*ast.DoBlockStmt]ast.Stmt{}}
	p := &patcher{hidden: r.hidden}
	block := r.chunk()
	p.mark(block)
	proto, err = lua.Compile(block, t.Name)
	if err != nil {
		return nil, t.compileError(err)
	}
	p.apply(proto)
	if err := t.checkLimits(proto); err != nil {
		return nil, err
	}
	return proto, nil
}

func (t *Tree) fault(line int, message string) *SyntaxError {
	return &SyntaxError{File: t.Name, Line: max(line, 1), Message: message}
}

// compileError says what gopher-lua's compiler complained about.
func (t *Tree) compileError(err error) error {
	var c *lua.CompileError
	if !errors.As(err, &c) {
		return t.fault(0, err.Error())
	}
	where := "the main part of the script"
	if c.Line > 0 {
		where = fmt.Sprintf("the function at line %d", c.Line)
	}
	switch {
	case strings.Contains(c.Message, "too many local"), strings.Contains(c.Message, "register overflow"):
		e := t.fault(c.Line, where+" needs more than 200 variables at a time")
		e.Hint = "put parts of it into functions or do … end blocks, or use a table"
		return e
	case strings.Contains(c.Message, "too many constants"):
		e := t.fault(c.Line, where+" contains more than 262,143 different constants")
		e.Hint = dataHint
		return e
	case strings.Contains(c.Message, "too long to jump"):
		return t.tooLong(c.Line, where)
	}
	return t.fault(c.Line, c.Message)
}

func (t *Tree) tooLong(line int, where string) error {
	e := t.fault(line, where+" is too long to compile")
	e.Hint = "split it into several functions; " + dataHint
	return e
}

// checkLimits refuses functions that do not fit the instructions.
func (t *Tree) checkLimits(f *lua.FunctionProto) error {
	where := "the main part of the script"
	if f.LineDefined > 0 {
		where = fmt.Sprintf("the function at line %d", f.LineDefined)
	}
	if len(f.Code) > maxInstructions {
		return t.tooLong(f.LineDefined, where)
	}
	if len(f.DbgUpvalues) > maxUpvalues {
		return t.fault(f.LineDefined, where+" uses more than 255 variables of the functions around it")
	}
	for _, inner := range f.FunctionPrototypes {
		if err := t.checkLimits(inner); err != nil {
			return err
		}
	}
	return nil
}
