package line

import "strings"

// recall walks through the history with the arrow keys. The text typed before
// the first of several presses is a prefix: only entries that begin with it are
// shown, as in Julia; with nothing typed it is the whole history.
type recall struct {
	entries []string // oldest first
	walking bool
	at      int    // index in entries; len(entries) is the line being typed
	typed   string // the line as it was before the first press
	shown   string
}

func (r *recall) add(entry string) {
	if entry == "" {
		return
	}
	r.entries = append(r.entries, entry)
	r.reset()
}

// suggestion is how the last entry goes on that begins with a text, up to the end of the line.
func (r *recall) suggestion(text string) string {
	for i := len(r.entries) - 1; i >= 0 && text != ""; i-- {
		if rest, ok := strings.CutPrefix(r.entries[i], text); ok && rest != "" {
			rest, _, _ = strings.Cut(rest, "\n")
			return rest
		}
	}
	return ""
}

func (r *recall) reset() { r.walking = false }

// move goes one entry back or forward. It reports false at either end.
func (r *recall) move(line string, back bool) (string, bool) {
	if !r.walking {
		r.walking, r.at, r.typed, r.shown = true, len(r.entries), line, line
	}
	step := 1
	if back {
		step = -1
	}
	for i := r.at + step; i >= 0 && i <= len(r.entries); i += step {
		if i == len(r.entries) {
			r.at, r.shown = i, r.typed
			return r.shown, true
		}
		if s := r.entries[i]; s != r.shown && strings.HasPrefix(s, r.typed) {
			r.at, r.shown = i, s
			return s, true
		}
	}
	return "", false
}
