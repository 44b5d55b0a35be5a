package line

import (
	"slices"

	"github.com/chzyer/readline"
)

// changed runs on readline's goroutine, after it handled a key, and may replace the text.
func (e *Editor) changed(runes []rune, pos int, key rune) ([]rune, int, bool) {
	e.mu.Lock()
	// An Enter or a Ctrl-C that comes here has ended its text: by now the next one may be begun, which these runes are not.
	if key == 0 || e.over || key == readline.CharEnter || key == readline.CharInterrupt {
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
