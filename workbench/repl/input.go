package repl

import (
	"errors"
	"strings"

	"github.com/greenbench/workbench/syntax"
	"github.com/greenbench/workbench/workbench/chunk"
)

// An input is what was typed, line by line, until it is complete.
type input struct {
	lines   []string
	balance syntax.Balance
}

// A reading says what the lines so far are.
type reading struct {
	incomplete bool
	err        error    // a *chunk.SyntaxError; nil when complete
	code       string   // to run: top-level locals made global, the last expression returned
	locals     []string // names that were declared local
	quiet      bool     // ends in a semicolon: the result is not wanted on the screen
}

func (in *input) add(line string) {
	for l := range strings.SplitSeq(line, "\n") {
		in.lines = append(in.lines, l)
		in.balance.Add(l)
	}
}

func (in *input) empty() bool { return len(in.lines) == 0 }

func (in *input) text() string { return strings.Join(in.lines, "\n") }

func (in *input) reset() { *in = input{} }

// parseAlways is how many lines are parsed after each of them. A longer block
// whose brackets are open is parsed when its length has doubled, to find a
// mistake in it; parsing all of it each time would be quadratic.
const parseAlways = 100

// read parses the lines under the name of the chunk.
func (in *input) read(name string) reading {
	if n := len(in.lines); n > parseAlways && in.balance.Open() && n&(n-1) != 0 {
		return reading{incomplete: true}
	}
	return read(name, in.text())
}

// read decides what a text is: complete, the beginning of something, or wrong.
func read(name, text string) reading {
	if rest, ok := strings.CutPrefix(strings.TrimLeft(text, " \t"), "="); ok && !strings.HasPrefix(rest, "=") {
		text = strings.Repeat(" ", len(text)-len(rest)) + rest // "= x" was how older Luas showed a value
	}
	r := reading{code: text, quiet: syntax.EndsWithSemicolon(text)}
	_, err := chunk.ParseInput(name, []byte(text))
	if err != nil {
		last, ok := syntax.ReturnLast(text)
		if _, lastErr := chunk.Parse(name, []byte(last)); !ok || lastErr != nil {
			var wrong *chunk.SyntaxError
			r.err, r.incomplete = err, errors.As(err, &wrong) && wrong.Incomplete
			return r
		}
		r.code = last
	}
	// An expression has no locals of its own; only statements are rewritten.
	if _, err := chunk.Parse(name, []byte(r.code)); err == nil {
		r.code, r.locals = syntax.Globalise(r.code)
	}
	return r
}
