// Package line reads lines from a person or a pipe. Reader is the whole
// contract; Editor is the terminal's (chzyer/readline behind it, and nowhere
// else in the project), Plain is everybody else's.
//
// The package knows text, not Lua: what completes, what is highlighted and
// how a block looks on one line is told to it by its Options.
package line

import (
	"errors"
	"io"

	"github.com/greenbench/workbench/workbench/repl/offer"
)

// ErrInterrupt is what ReadLine returns when Ctrl-C was pressed at the prompt.
var ErrInterrupt = errors.New("interrupted")

// A Reader gives the lines of an input one by one. One goroutine uses it.
type Reader interface {
	// ReadLine shows the prompt and returns a line without its end; an editor
	// returns all lines of a block at once. At the end of the input the error is
	// io.EOF, after Ctrl-C ErrInterrupt.
	ReadLine(prompt string) (string, error)
	// Remember makes an entry the first that the arrow keys recall.
	Remember(entry string)
	// Prefill puts text on the next line, before what is typed.
	Prefill(text string)
	// DropPaste forgets lines that were pasted but not yet returned, and
	// returns them.
	DropPaste() []string
	// Out is where to write while a line may be being edited.
	Out() io.Writer
	// Close gives the terminal back as it was. It is called by the goroutine
	// that reads, never while ReadLine runs.
	Close() error
}

// Options tell the editor about the language it edits. All may be nil.
type Options struct {
	Complete  func(line string, pos int) offer.Completion // pos: byte offset of the cursor
	More      func(text string) bool                      // whether the text is the beginning of something
	Indent    func(before string) int                     // the blanks before a line that follows a text
	Closes    func(line string) bool                      // whether a line closes a block
	Edit      func(text string) (string, error)           // changes a text in an editor of the user's
	Dim       func(text string) string                    // how a suggestion is shown; nil: none are made
	Continue  string                                      // the prompt of all lines but the first
	Unprompt  func(lines []string) []string               // removes prompts from pasted lines
	Highlight func(text string, pos int) string           // adds colour; the visible text must stay; pos is -1 when it is not edited
	Height    func() int                                  // rows of the terminal
	Width     func() int                                  // columns of the terminal
}

func (o Options) withDefaults() Options {
	if o.Complete == nil {
		o.Complete = func(string, int) offer.Completion { return offer.Completion{} }
	}
	if o.More == nil {
		o.More = func(string) bool { return false }
	}
	if o.Indent == nil {
		o.Indent = func(string) int { return 0 }
	}
	if o.Closes == nil {
		o.Closes = func(string) bool { return false }
	}
	if o.Edit == nil {
		o.Edit = func(s string) (string, error) { return s, nil }
	}
	if o.Unprompt == nil {
		o.Unprompt = func(lines []string) []string { return lines }
	}
	if o.Highlight == nil {
		o.Highlight = func(s string, _ int) string { return s }
	}
	if o.Height == nil {
		o.Height = func() int { return 24 }
	}
	if o.Width == nil {
		o.Width = func() int { return 80 }
	}
	return o
}
