package line

import "strings"

// recall walks through the history with the arrow keys. The text typed before
// the first of several presses is a prefix: only entries that begin with it are
// shown, as in Julia; with nothing typed it is the whole history.
type recall struct {
	flatten   func(string) string
	entries   []string          // flat, oldest first
	originals map[string]string // of the entries with several lines
	walking   bool
	at        int    // index in entries; len(entries) is the line being typed
	typed     string // the line as it was before the first press
	shown     string
}

func (r *recall) add(entry string) {
	if entry == "" {
		return
	}
	flat := entry
	if strings.Contains(entry, "\n") {
		flat = r.flatten(entry)
		if r.originals == nil {
			r.originals = map[string]string{}
		}
		r.originals[flat] = entry
	}
	r.entries = append(r.entries, flat)
	r.reset()
}

// original undoes flattening for an entry that was not edited.
func (r *recall) original(s string) string {
	if o, ok := r.originals[s]; ok {
		return o
	}
	return s
}

func (r *recall) last(n int) []string { return r.entries[max(0, len(r.entries)-n):] }

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
