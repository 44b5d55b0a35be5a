package line

import (
	"strings"
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
