package line

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/greenbench/workbench/workbench/repl/offer"
)

// tab completes the word at the cursor: what all candidates share is inserted,
// and if that is nothing new, they are listed above the line. Between nothing
// but blanks and the cursor a tab indents.
func (e *Editor) tab(line []rune, pos int) ([]rune, int, bool) {
	before, after := string(line[:pos]), string(line[pos:])
	if symbol, n := Symbol(before); n > 0 {
		before = before[:len(before)-n] + symbol
		return []rune(before + after), utf8.RuneCountInString(before), true
	}
	if strings.TrimSpace(before[strings.LastIndexByte(before, '\n')+1:]) == "" {
		before += "  "
		return []rune(before + after), pos + 2, true
	}
	c := e.opts.Complete(before+after, len(before))
	word, insert := before[min(c.From, len(before)):], shared(c.Candidates)
	switch {
	case len(c.Candidates) == 0:
		if c.Title == "" {
			e.bell()
		} else {
			e.list(c)
		}
		return line, pos, true
	case insert == word || len(insert) < len(word) && len(c.Candidates) > 1:
		e.list(c)
		return line, pos, true
	}
	before = before[:len(before)-len(word)] + insert
	return []rune(before + after), utf8.RuneCountInString(before), true
}

// shared is the longest common beginning, cut between characters.
func shared(cs []offer.Candidate) string {
	if len(cs) == 0 {
		return ""
	}
	s := cs[0].Text
	for _, c := range cs[1:] {
		for !strings.HasPrefix(c.Text, s) {
			_, n := utf8.DecodeLastRuneInString(s)
			s = s[:len(s)-n]
		}
	}
	return s
}

func (e *Editor) list(c offer.Completion) {
	_, _ = io.WriteString(e.Out(), Columns(c, e.width(), e.opts.Height()))
}

// Columns lays out the candidates of a completion under its title, column by
// column, in at most half of the rows.
func Columns(c offer.Completion, width, rows int) string {
	var b strings.Builder
	if c.Title != "" {
		b.WriteString(strings.TrimRight(c.Title, "\n") + "\n")
	}
	cell := 0
	show := make([]string, len(c.Candidates))
	for i, cand := range c.Candidates {
		show[i] = cand.Show
		if show[i] == "" {
			show[i] = cand.Text
		}
		cell = max(cell, utf8.RuneCountInString(show[i])+2)
	}
	perRow := max(1, width/max(cell, 1))
	lines := (len(show) + perRow - 1) / perRow
	hidden := 0
	if limit := max(4, rows/2); lines > limit {
		hidden = len(show) - limit*perRow
		show, lines = show[:limit*perRow], limit
	}
	for r := range lines {
		var row strings.Builder
		for i := r; i < len(show); i += lines {
			fmt.Fprintf(&row, "%-*s", cell, show[i])
		}
		b.WriteString(strings.TrimRight(row.String(), " ") + "\n")
	}
	if hidden > 0 {
		fmt.Fprintf(&b, "… %d more\n", hidden)
	}
	return b.String()
}
