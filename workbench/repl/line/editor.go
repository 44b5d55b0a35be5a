package line

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/chzyer/readline"
)

// Keys that readline would handle in its own way travel through its line
// buffer as private characters, so that the editor's listener sees them together
// with the line. They are never shown and never leave the editor.
const (
	firstPrivate  = '\U0010F700'
	privateUp     = '\U0010F700'
	privateDown   = '\U0010F701'
	privateTab    = '\U0010F702'
	privateInsert = '\U0010F703' // a text that the keys hold
	lastPrivate   = '\U0010F70F'
)

// searchable is how many entries Ctrl-R looks through.
const searchable = 1000

// Editor reads lines from a terminal through chzyer/readline, which knows
// neither bracketed paste nor several lines nor a recall by prefix, keeps
// histories that break entries, and whose completion menu divides by zero in a
// narrow window. It is used here for what it does well, moving in and
// changing one line; the rest is in keys.go, recall.go and complete.go.
type Editor struct {
	opts Options
	rl   *readline.Instance
	keys *keys
	raw  readline.RawMode

	mu     sync.Mutex // guards what the listener, on readline's goroutine, shares with ReadLine
	recall recall
	stale  bool // readline's own list of entries, for Ctrl-R, is out of date
}

// NewEditor prepares the terminal that is standard input and output. entries
// is the history, oldest first.
func NewEditor(entries []string, opts Options) (*Editor, error) {
	e := &Editor{opts: opts.withDefaults(), stale: true}
	e.recall.flatten = e.opts.Flatten
	for _, s := range entries {
		e.recall.add(s)
	}
	e.keys = &keys{src: readline.Stdin, unprompt: e.opts.Unprompt}
	rl, err := readline.NewEx(&readline.Config{
		Stdin:                  e.keys,
		HistoryLimit:           searchable,
		DisableAutoSaveHistory: true,
		HistorySearchFold:      true,
		InterruptPrompt:        "^C",
		EOFPrompt:              "\n",
		FuncGetWidth:           e.width,
		FuncMakeRaw:            e.enter,
		FuncExitRaw:            e.leave,
		FuncFilterInputRune:    e.filter,
		Listener:               readline.FuncListener(e.changed),
		Painter:                painter{e.opts.Highlight},
	})
	if err != nil {
		return nil, fmt.Errorf("terminal: %w", err)
	}
	e.rl = rl
	return e, nil
}

// width never gives readline a number it would divide by or loop on.
func (e *Editor) width() int {
	w := e.opts.Width()
	if w <= 0 {
		return 80
	}
	return max(w, 20)
}

// enter and leave bracket the time in which the terminal is the editor's. A
// computation runs outside it, so that Ctrl-C is a signal then and a program
// that dies leaves a usable terminal behind.
func (e *Editor) enter() error {
	if err := e.raw.Enter(); err != nil {
		return err
	}
	_, err := io.WriteString(readline.Stdout, "\x1b[?2004h")
	return err
}

func (e *Editor) leave() error {
	_, _ = io.WriteString(readline.Stdout, "\x1b[?2004l")
	return e.raw.Exit()
}

// ReadLine implements Reader.
func (e *Editor) ReadLine(prompt string) (string, error) {
	if l, ok := e.keys.pasted(); ok {
		fmt.Fprintf(readline.Stdout, "%s%s\n", prompt, strings.ReplaceAll(l, "\t", "    "))
		return l, nil
	}
	e.mu.Lock()
	e.recall.reset()
	if e.stale {
		e.stale = false
		e.rl.ResetHistory()
		for _, s := range e.recall.last(searchable) {
			_ = e.rl.SaveHistory(s) // no file, no error
		}
	}
	e.mu.Unlock()
	e.rl.SetPrompt(prompt)
	s, err := e.rl.Readline()
	switch {
	case errors.Is(err, readline.ErrInterrupt):
		e.keys.dropPaste()
		return "", ErrInterrupt
	case err != nil:
		return "", err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.recall.original(s), nil
}

// Remember implements Reader.
func (e *Editor) Remember(entry string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.recall.add(entry)
	e.stale = true
}

// Prefill implements Reader.
func (e *Editor) Prefill(text string) { e.keys.prefill(e.opts.Flatten(text)) }

// DropPaste implements Reader.
func (e *Editor) DropPaste() int { return e.keys.dropPaste() }

// Out implements Reader: what is written while a line is edited appears above it.
func (e *Editor) Out() io.Writer { return e.rl.Stdout() }

// Close implements Reader. readline's own Close is not called: it waits for a
// goroutine that may be reading the terminal, and frees nothing that the end of
// the process does not.
func (e *Editor) Close() error { return e.leave() }

// filter runs on readline's goroutine, before it handles a key.
func (e *Editor) filter(r rune) (rune, bool) {
	op := e.rl.Operation
	if op.IsSearchMode() {
		switch r {
		case privateInsert: // nobody searches for that much
			e.keys.inserted()
			return readline.CharBell, true
		case readline.CharTab:
			return readline.CharLineEnd, true // takes what was found
		}
		return r, true
	}
	switch r {
	case readline.CharPrev:
		return privateUp, true
	case readline.CharNext:
		return privateDown, true
	case readline.CharTab:
		return privateTab, true
	case readline.CharBckSearch, readline.CharFwdSearch:
		e.mu.Lock()
		defer e.mu.Unlock()
		if len(e.recall.entries) == 0 { // readline would follow a nil pointer
			return readline.CharBell, true
		}
		e.stale = true // a search leaves readline's list at the entry it found
	case readline.CharCtrlZ:
		e.suspend()
		return readline.CharBell, true
	}
	return r, true
}

func (e *Editor) suspend() {
	e.rl.Operation.Clean()
	_ = e.leave()
	suspend()
	_ = e.enter()
	e.rl.Operation.Refresh()
}

// changed runs on readline's goroutine, after it handled a key, and may replace
// the line.
func (e *Editor) changed(line []rune, pos int, key rune) ([]rune, int, bool) {
	if key == 0 || key == readline.CharEnter || key == readline.CharCtrlJ || key == readline.CharInterrupt {
		return nil, 0, false
	}
	if key < firstPrivate || key > lastPrivate {
		e.mu.Lock()
		e.recall.reset()
		e.mu.Unlock()
		return nil, 0, false
	}
	if pos < 1 || pos > len(line) || line[pos-1] != key {
		return nil, 0, false
	}
	line = append(line[:pos-1:pos-1], line[pos:]...)
	pos--
	if key == privateTab {
		return e.tab(line, pos)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if key == privateInsert {
		e.recall.reset()
		text := []rune(e.keys.inserted())
		return slices.Concat(line[:pos], text, line[pos:]), pos + len(text), true
	}
	s, ok := e.recall.move(string(line), key == privateUp)
	if !ok {
		e.rl.Terminal.Bell()
		return line, pos, true
	}
	found := []rune(s)
	return found, len(found), true
}

// painter shows the line. A private character is in it for the moment between
// two refreshes; it is shown as the blank that readline counts it as.
type painter struct{ highlight func(string) string }

func (p painter) Paint(line []rune, _ int) []rune {
	out := make([]rune, len(line))
	for i, r := range line {
		if r >= firstPrivate && r <= lastPrivate {
			r = ' '
		}
		out[i] = r
	}
	return []rune(p.highlight(string(out)))
}
