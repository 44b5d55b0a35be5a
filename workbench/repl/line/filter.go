package line

import (
	"io"

	"github.com/chzyer/readline"
)

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
