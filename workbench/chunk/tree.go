package chunk

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/yuin/gopher-lua/ast"

	"github.com/greenbench/workbench/syntax"
)

// MaxDepth is how deeply blocks, functions, parentheses and constructors may be nested.
const MaxDepth = 200

// MaxChain is how many operators, calls and fields may follow one another in one expression: a + b + c + …, f()()().x.y.
const MaxChain = 10000

// MaxBranches is how many elseif one if statement may have.
const MaxBranches = 1000

// MaxSource is the largest source text, in bytes.
const MaxSource = 64 << 20

// Tree is a parsed chunk. A program that wants to look at or change the code of a script before it runs — a linter, the
// prompt, which keeps top-level locals — works on its Block and then calls Compile, which uses the tree up.
type Tree struct {
	Name   string // shown in messages
	Source string // as given; Span counts in it
	Block  []ast.Stmt

	spans     map[ast.PositionHolder]Span
	recursive map[*ast.LocalAssignStmt]bool // local function f, as opposed to local f = function
	strings   map[string]bool               // literals that begin like a hidden name
}

// Span is the part Source[Start:End] that an expression or statement was made from.
type Span struct{ Start, End int }

// Span returns where a node of the tree stands in the source; ok is false for nodes that do not come from it.
func (t *Tree) Span(node ast.PositionHolder) (span Span, ok bool) {
	span, ok = t.spans[node]
	return span, ok
}

// Position returns the line and the column, in characters, of a byte offset in the source; both count from 1.
func (t *Tree) Position(offset int) (line, col int) {
	words := syntax.NewScanner(t.Source)
	words.Skip(offset)
	from := strings.LastIndexAny(t.Source[:offset], "\n\r") + 1
	return words.Line(), utf8.RuneCountInString(t.Source[from:offset]) + 1
}

// IsLocalFunction reports whether the statement is local function f, whose body sees the new local, and not
// local f = function, whose body does not. The two look alike in gopher-lua's ast.
func (t *Tree) IsLocalFunction(statement *ast.LocalAssignStmt) bool { return t.recursive[statement] }

// Parse reads a chunk. The name is shown in messages: a path, or "stdin". A byte order mark and a first line that begins
// with # are skipped. The error is a *SyntaxError.
func Parse(name string, src []byte) (*Tree, error) {
	return parse(name, src, true, (*parser).chunk)
}

// ParseExpression reads a list of expressions as a chunk that returns them, for a prompt: "1+1", "a, b", "#t".
func ParseExpression(name string, src []byte) (*Tree, error) {
	return parse(name, src, true, (*parser).expressionChunk)
}

func parse(name string, src []byte, spans bool, read func(*parser) []ast.Stmt) (tree *Tree, err error) {
	if len(src) > MaxSource {
		return nil, &SyntaxError{File: name, Line: 1, Message: "the text is longer than 64 MiB", Hint: dataHint}
	}
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	tree = &Tree{Name: name, Source: string(src), recursive: map[*ast.LocalAssignStmt]bool{}, strings: map[string]bool{}}
	if spans {
		tree.spans = map[ast.PositionHolder]Span{}
	}
	defer func() {
		if r := recover(); r != nil {
			syntax, ok := r.(*SyntaxError)
			if !ok {
				panic(r)
			}
			tree, err = nil, syntax
		}
	}()
	p := &parser{scanner: scanner{words: syntax.NewScanner(tree.Source), tree: tree}}
	tree.Block = read(p)
	checkGotos(tree)
	return tree, nil
}
