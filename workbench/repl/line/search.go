package line

import (
	"strings"

	"github.com/chzyer/readline"
)

// A search goes back through the history for entries that hold what is typed.
type search struct {
	query string
	at    int  // the entry that is shown; the number of entries before the first
	from  text // what was there before
}

// find looks from an entry on, back or forth, for one that holds the query in any case.
func (s *search) find(entries []string, from, step int) (found string, at int, ok bool) {
	query := strings.ToLower(s.query)
	for i := from; i >= 0 && i < len(entries); i += step {
		if strings.Contains(strings.ToLower(entries[i]), query) {
			return entries[i], i, true
		}
	}
	return "", 0, false
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
