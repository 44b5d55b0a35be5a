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
// with the text. They are never shown and never leave the editor.
const (
	firstPrivate      = '\U0010F700'
	privateUp         = '\U0010F700'
	privateDown       = '\U0010F701'
	privateTab        = '\U0010F702'
	privateInsert     = '\U0010F703' // a text that the keys hold
	privateNewline    = '\U0010F704'
	privateStart      = '\U0010F705'
	privateEnd        = '\U0010F706'
	privateKill       = '\U0010F707'
	privateKillFront  = '\U0010F708'
	privateKillWord   = '\U0010F709'
	privateDeleteWord = '\U0010F70A'
	privateYank       = '\U0010F70B'
	privateUndo       = '\U0010F70C'
	privateDelete     = '\U0010F70D'
	privateOpen       = '\U0010F70E'
	privateOlder      = '\U0010F70F'
	privateNewer      = '\U0010F710'
	privateWordLeft   = '\U0010F711'
	privateWordRight  = '\U0010F712'
	privateSearch     = '\U0010F713' // what the search found
	privateAccept     = '\U0010F714' // takes the suggestion
	lastPrivate       = '\U0010F71F'
)

// unlimited is a width that readline never reaches: it draws nothing.
const unlimited = 1 << 24

// Editor reads texts of one or more lines from a terminal through chzyer/readline, which reads keys, knows the modes of
// the terminal, and holds and changes the characters. It knows neither several lines nor bracketed paste nor a recall by
// prefix: those are in keys.go, block.go, view.go, recall.go, search.go and complete.go.
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

// filter runs on readline's goroutine, before it handles a key.
func (e *Editor) filter(r rune) (rune, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.search != nil {
		if out, handled := e.searching(r); handled {
			return out, true
		}
	}
	switch r {
	case readline.CharEnter:
		return e.entered(e.keys.pressed()), true
	case readline.CharTab:
		return privateTab, true
	case readline.CharForward, privateEnd:
		if e.ghost(e.now) != "" {
			return privateAccept, true
		}
	case readline.CharBckSearch, readline.CharFwdSearch:
		if len(e.recall.entries) == 0 {
			e.bell()
			return readline.CharBell, true
		}
		e.search = &search{at: len(e.recall.entries), from: e.now}
		return privateSearch, true
	case readline.CharInterrupt:
		e.end(typedEnter, "^C")
	case readline.CharDelete:
		if len(e.now.runes) == 0 {
			e.end(typedEnter, "")
		}
	case readline.CharCtrlL:
		_, _ = io.WriteString(readline.Stdout, "\x1b[2J\x1b[H")
		e.view.row = 0
		e.view.draw(e.picture(e.now, true))
		return readline.CharBell, true
	case readline.CharCtrlZ:
		e.view.clear()
		_ = e.leave()
		suspend()
		e.mu.Unlock()
		_ = e.enter()
		e.mu.Lock()
		e.view.draw(e.picture(e.now, true))
		return readline.CharBell, true
	}
	return r, true
}

// entered decides what an Enter key does: a text that is complete is run, unless the cursor is at the end of one of its
// upper lines, where a line is to be added.
func (e *Editor) entered(by enter) rune {
	switch by {
	case pasteEnter, editorEnter:
		e.ended, e.over = by, true
		e.view.clear()
		return readline.CharEnter
	}
	_, stop := e.now.line()
	inside := e.now.pos == stop && stop < len(e.now.runes) && by != forceEnter
	if inside || e.opts.More(e.now.String()) {
		e.ended = by
		e.rl.Terminal.KickRead()
		return privateNewline
	}
	e.end(by, "")
	return readline.CharEnter
}

// end shows the text as it is left behind.
func (e *Editor) end(by enter, mark string) {
	e.ended, e.over = by, true
	p := e.picture(e.now, false)
	p.after = mark
	e.view.finish(p)
}

// searching handles a key while the history is searched. A key that it does not know ends the search.
func (e *Editor) searching(r rune) (rune, bool) {
	s, entries := e.search, e.recall.entries
	from, step := s.at, -1
	switch {
	case r == readline.CharBckSearch:
		from--
	case r == readline.CharFwdSearch:
		from, step = from+1, 1
	case r == readline.CharBackspace || r == readline.CharCtrlH:
		q := []rune(s.query)
		s.query, from = string(q[:max(len(q)-1, 0)]), len(entries)-1
	case r == readline.CharInterrupt || r == readline.CharBell:
		if r == readline.CharInterrupt {
			e.rl.Terminal.KickRead()
		}
		e.now, e.search = s.from, nil
		return privateSearch, true
	case r >= ' ' && (r < firstPrivate || r > lastPrivate):
		s.query += string(r)
		from = min(from, len(entries)-1)
	case r == privateInsert: // nobody searches for that much
		e.keys.inserted()
		return readline.CharBell, true
	default:
		e.search = nil
		return r, false
	}
	if found, at, ok := s.find(entries, from, step); ok && s.query != "" {
		runes := []rune(found)
		s.at, e.now = at, text{runes, len(runes)}
	} else {
		e.bell()
	}
	return privateSearch, true
}

// changed runs on readline's goroutine, after it handled a key, and may replace the text.
func (e *Editor) changed(runes []rune, pos int, key rune) ([]rune, int, bool) {
	e.mu.Lock()
	if key == 0 || e.over {
		e.mu.Unlock()
		return nil, 0, false
	}
	if key < firstPrivate || key > lastPrivate {
		defer e.mu.Unlock()
		e.recall.reset()
		e.goal = -1
		after := text{slices.Clone(runes), pos}
		if out := after.outdent(e.opts.Closes, e.opts.Indent); !out.equal(after) && key >= ' ' {
			e.keep(out, key)
			return out.runes, out.pos, true
		}
		e.keep(after, key)
		return nil, 0, false
	}
	before := e.now
	e.mu.Unlock()
	if key == privateTab {
		runes, pos, _ = e.tab(before.runes, before.pos)
		e.mu.Lock()
		defer e.mu.Unlock()
		e.keep(text{runes, pos}, key)
		return runes, pos, true
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	after := e.command(before, key)
	if key != privateUndo {
		e.keep(after, key)
	}
	e.now = after
	return slices.Clone(after.runes), after.pos, true
}

// keep makes a text the present one; the one before can be had again. The characters of a word are one change.
func (e *Editor) keep(after text, key rune) {
	if !after.equal(e.now) {
		word := isWord(key) && len(after.runes) == len(e.now.runes)+1
		if !word || !e.typing {
			e.undone = append(e.undone, e.now)
		}
		e.typing = word
	}
	e.now = after
}

// command is what a key of the editor's own does to the text.
func (e *Editor) command(t text, key rune) text {
	begin, stop := t.line()
	goal := e.goal
	e.goal = -1
	kill := func(from, to int) text {
		rest, part := t.cut(from, to)
		e.killed = part
		return rest
	}
	switch key {
	case privateUp, privateDown:
		if goal < 0 {
			goal = t.column()
		}
		move := t.up
		if key == privateDown {
			move = t.down
		}
		if moved, ok := move(goal); ok {
			e.goal = goal
			return moved
		}
		return e.recalled(t, key == privateUp)
	case privateOlder, privateNewer:
		return e.recalled(t, key == privateOlder)
	}
	e.recall.reset()
	switch key {
	case privateInsert:
		return t.insert(e.keys.inserted())
	case privateNewline:
		if e.ended == fastEnter {
			return t.newline(nil)
		}
		return t.newline(e.opts.Indent)
	case privateOpen:
		return t.newline(e.opts.Indent)
	case privateStart:
		return text{t.runes, begin}
	case privateEnd:
		return text{t.runes, stop}
	case privateWordLeft:
		return text{t.runes, t.wordBefore()}
	case privateWordRight:
		return text{t.runes, t.wordAfter()}
	case privateKill:
		if t.pos == stop && stop < len(t.runes) {
			stop++ // the end of the line itself
		}
		return kill(t.pos, stop)
	case privateKillFront:
		return kill(begin, t.pos)
	case privateKillWord:
		return kill(t.wordBefore(), t.pos)
	case privateDeleteWord:
		return kill(t.pos, t.wordAfter())
	case privateYank:
		return t.insert(string(e.killed))
	case privateDelete:
		if t.pos < len(t.runes) {
			t, _ = t.cut(t.pos, t.pos+1)
		}
	case privateAccept:
		return t.insert(e.ghost(t))
	case privateUndo:
		if n := len(e.undone); n > 0 {
			t, e.undone, e.typing = e.undone[n-1], e.undone[:n-1], false
		} else {
			e.bell()
		}
	}
	return t
}

// recalled is an entry of the history.
func (e *Editor) recalled(t text, back bool) text {
	s, ok := e.recall.move(t.String(), back)
	if !ok {
		e.bell()
		return t
	}
	runes := []rune(s)
	return text{runes, len(runes)}
}

// ghost is the suggestion that stands after the text.
func (e *Editor) ghost(t text) string {
	if e.opts.Dim == nil || e.search != nil || t.pos != len(t.runes) || t.several() {
		return ""
	}
	return e.recall.suggestion(t.String())
}

// picture is what the view shows of a text.
func (e *Editor) picture(t text, editing bool) picture {
	p := picture{first: e.prompt, next: e.opts.Continue, plain: t.runes, pos: t.pos}
	cursor := -1
	if editing {
		cursor = t.pos
		if s := e.ghost(t); s != "" {
			p.after = e.opts.Dim(s)
		}
		if e.search != nil {
			p.first = "search '" + e.search.query + "': "
		}
	}
	p.styled = e.opts.Highlight(t.String(), cursor)
	return p
}

// painter draws the text where readline would print its line. A private character is in it for the moment between two
// refreshes, of which the first is passed over.
type painter struct{ e *Editor }

func (p painter) Paint(runes []rune, pos int) []rune {
	e := p.e
	e.mu.Lock()
	defer e.mu.Unlock()
	private := slices.ContainsFunc(runes, func(r rune) bool { return r >= firstPrivate && r <= lastPrivate })
	if e.over || private || !e.reading {
		return nil
	}
	e.view.draw(e.picture(text{slices.Clone(runes), pos}, true))
	return nil
}
