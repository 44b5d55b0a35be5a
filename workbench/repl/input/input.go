// Package input decides what a text is that was typed or sent to be run: complete, the beginning
// of something, or wrong; and which code runs it, so that variables stay and the value of its
// last expression is shown.
package input

import (
	"errors"
	"strings"

	"github.com/greenbench/workbench/syntax"
	"github.com/greenbench/workbench/workbench/chunk"
)

// A Block is what was typed, line by line, until it is complete.
type Block struct {
	lines   []string
	balance syntax.Balance
}

// A Reading says what a text is.
type Reading struct {
	Incomplete bool
	Err        error    // a *chunk.SyntaxError; nil when complete
	Code       string   // to run: top-level locals made global, the last expression returned
	Locals     []string // names that were declared local
	Quiet      bool     // ends in a semicolon: the result is not wanted on the screen
}

// Add puts a line, or several, at the end.
func (b *Block) Add(line string) {
	for l := range strings.SplitSeq(line, "\n") {
		b.lines = append(b.lines, l)
		b.balance.Add(l)
	}
}

// Empty says whether nothing was typed so far.
func (b *Block) Empty() bool { return len(b.lines) == 0 }

// Text is all lines.
func (b *Block) Text() string { return strings.Join(b.lines, "\n") }

// InText says whether the end of the block is inside a long string or comment.
func (b *Block) InText() bool { return b.balance.InText() }

// Reset forgets all lines.
func (b *Block) Reset() { *b = Block{} }

// parseAlways is how many lines are parsed after each of them. A longer block
// whose brackets are open is parsed when its length has doubled, to find a
// mistake in it; parsing all of it each time would be quadratic.
const parseAlways = 100

// Read parses the lines under the name of the chunk.
func (b *Block) Read(name string) Reading {
	if n := len(b.lines); n > parseAlways && b.balance.Open() && n&(n-1) != 0 {
		return Reading{Incomplete: true}
	}
	return Read(name, b.Text())
}

// Read decides what a text is, under the name of its chunk in messages.
func Read(name, text string) Reading {
	if rest, ok := strings.CutPrefix(strings.TrimLeft(text, " \t"), "="); ok && !strings.HasPrefix(rest, "=") {
		text = strings.Repeat(" ", len(text)-len(rest)) + rest // "= x" was how older Luas showed a value
	}
	r := Reading{Code: chunk.ReturnLast(text), Quiet: syntax.EndsWithSemicolon(text)}
	if _, err := chunk.ParseInput(name, []byte(r.Code)); err != nil {
		var wrong *chunk.SyntaxError
		return Reading{Code: text, Quiet: r.Quiet, Err: err, Incomplete: errors.As(err, &wrong) && wrong.Incomplete}
	}
	// An expression has no locals of its own; only statements are rewritten.
	if _, err := chunk.Parse(name, []byte(r.Code)); err == nil {
		r.Code, r.Locals = syntax.Globalise(r.Code)
	}
	return r
}
