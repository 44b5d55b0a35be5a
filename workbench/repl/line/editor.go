package line

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/chzyer/readline"
)

// unlimited is a width that readline never reaches: it draws nothing.
const unlimited = 1 << 24

// Editor reads texts of one or more lines from a terminal through chzyer/readline, which reads keys, knows the modes of
// the terminal, and holds and changes the characters. It knows neither several lines nor bracketed paste nor a recall by
// prefix: those are in keys.go, block.go, view.go, recall.go, search.go and complete.go. What a key does is in filter.go
// before readline sees it, and in command.go after.
type Editor struct {
	opts Options
	rl   *readline.Instance
	keys *keys
	raw  readline.RawMode

	mu      sync.Mutex // guards what the listener, on readline's goroutine, shares with ReadLine
	view    view
	reading bool
	ended   enter // how the text was ended
	over    bool  // it was
	now     text  // what is edited
	undone  []text
	typing  bool   // the last change was a character of a word
	killed  []rune // by Ctrl-K and its like
	goal    int    // the column that up and down go for; -1: that of the cursor
	recall  recall
	search  *search
	prompt  string
	begin   string   // the text that the next ReadLine begins with
	waiting []string // lines of a paste that were not read
}

// NewEditor prepares the terminal that is standard input and output. entries
// is the history, oldest first.
func NewEditor(entries []string, opts Options) (*Editor, error) {
	e := &Editor{opts: opts.withDefaults(), goal: -1}
	e.view = view{out: readline.Stdout, width: e.width, height: e.opts.Height}
	for _, s := range entries {
		e.recall.add(s)
	}
	e.keys = &keys{src: readline.Stdin, unprompt: e.opts.Unprompt}
	rl, err := readline.NewEx(&readline.Config{
		Stdin:                  e.keys,
		Stdout:                 io.Discard,
		HistoryLimit:           -1,
		DisableAutoSaveHistory: true,
		InterruptPrompt:        "\n",
		EOFPrompt:              "\n",
		ForceUseInteractive:    true,
		FuncGetWidth:           func() int { return unlimited },
		FuncMakeRaw:            e.enter,
		FuncExitRaw:            e.leave,
		FuncFilterInputRune:    e.filter,
		Listener:               readline.FuncListener(e.changed),
		Painter:                painter{e},
	})
	if err != nil {
		return nil, fmt.Errorf("terminal: %w", err)
	}
	e.rl = rl
	return e, nil
}

// Learn changes what the editor knows of the language, before the first ReadLine.
func (e *Editor) Learn(of func(Options) Options) {
	e.opts = of(e.opts).withDefaults()
	e.keys.unprompt = e.opts.Unprompt
}

// width is never so small that nothing fits.
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
	e.mu.Lock()
	e.reading = true // from here on, so that nobody sees a prompt of a terminal that is not ready
	e.mu.Unlock()
	return err
}

func (e *Editor) leave() error {
	_, _ = io.WriteString(readline.Stdout, "\x1b[?2004l")
	return e.raw.Exit()
}

// ReadLine implements Reader.
func (e *Editor) ReadLine(prompt string) (string, error) {
	e.mu.Lock()
	e.prompt = prompt
	e.mu.Unlock()
	if s, ok := e.fromPaste(); ok {
		return s, nil
	}
	for {
		s, ended, err := e.read()
		switch {
		case errors.Is(err, readline.ErrInterrupt):
			e.waiting, e.begin = nil, ""
			if strings.Contains(s, "\n") {
				e.Remember(s)
			}
			return "", ErrInterrupt
		case err != nil:
			return "", err
		case ended == pasteEnter:
			lines, tail := e.keys.pasted()
			before, after := string(e.now.runes[:e.now.pos]), string(e.now.runes[e.now.pos:])
			if len(lines) == 0 {
				e.begin = before + tail + after
				continue
			}
			lines[0] = before + lines[0]
			e.waiting, e.begin = lines, tail+after
			if s, ok := e.fromPaste(); ok {
				return s, nil
			}
		case ended == editorEnter:
			if s, err = e.opts.Edit(s); err != nil {
				fmt.Fprintln(readline.Stdout, err)
			}
			e.begin = strings.TrimRight(s, "\n")
		default:
			return s, nil
		}
	}
}

// read lets the user edit one text.
func (e *Editor) read() (s string, ended enter, err error) {
	e.mu.Lock()
	e.recall.reset()
	e.undone, e.search, e.over, e.ended, e.goal = nil, nil, false, typedEnter, -1
	e.now = text{runes: []rune(e.begin), pos: len([]rune(e.begin))}
	begin := e.begin
	e.begin = ""
	e.mu.Unlock()
	s, err = e.rl.ReadlineWithDefault(begin)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.reading = false
	return s, e.ended, err
}

// fromPaste is the next complete text of the lines that were pasted. What is not complete at their end is edited.
func (e *Editor) fromPaste() (string, bool) {
	if len(e.waiting) == 0 {
		return "", false
	}
	s := e.waiting[0]
	e.waiting = e.waiting[1:]
	for len(e.waiting) > 0 && e.opts.More(s) {
		s += "\n" + e.waiting[0]
		e.waiting = e.waiting[1:]
	}
	if e.opts.More(s) {
		e.begin = s + "\n" + e.begin
		return "", false
	}
	r := []rune(s)
	e.view.finish(e.picture(text{r, len(r)}, false))
	return s, true
}

// Remember implements Reader.
func (e *Editor) Remember(entry string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.recall.add(entry)
}

// Prefill implements Reader.
func (e *Editor) Prefill(text string) { e.begin = text + e.begin }

// DropPaste implements Reader.
func (e *Editor) DropPaste() []string {
	lines := e.waiting
	e.waiting = nil
	return lines
}

// Out implements Reader: what is written while a text is edited appears above it.
func (e *Editor) Out() io.Writer { return above{e} }

type above struct{ e *Editor }

func (a above) Write(p []byte) (int, error) {
	a.e.mu.Lock()
	defer a.e.mu.Unlock()
	if !a.e.reading || a.e.over {
		return readline.Stdout.Write(p)
	}
	a.e.view.clear()
	n, err := readline.Stdout.Write(p)
	a.e.view.draw(a.e.picture(a.e.now, true))
	return n, err
}

// Close implements Reader. readline's own Close is not called: it waits for a
// goroutine that may be reading the terminal, and frees nothing that the end of
// the process does not.
func (e *Editor) Close() error { return e.leave() }

func (e *Editor) bell() { _, _ = io.WriteString(readline.Stdout, "\a") }
