package repl

import (
	"strings"
	"unicode/utf8"

	"github.com/greenbench/workbench/syntax"
	"github.com/greenbench/workbench/workbench/repl/terminal"
)

// Highlight colours the text being typed: words of Lua, strings, numbers and
// comments, and the brackets that belong together at the cursor. What is visible does not change.
func (s *Session) Highlight(text string, pos int) string {
	if s.pending.InText() || strings.HasPrefix(text, "?") || strings.HasPrefix(text, ";") {
		return text
	}
	return highlight(text, pos, terminal.Painter{On: s.Terminal.Color})
}

func highlight(text string, pos int, paint terminal.Painter) string {
	if !paint.On {
		return text
	}
	at, partner, marked := brackets(text, pos)
	marked = marked && pos >= 0
	var b strings.Builder
	column := 0
	for _, t := range syntax.Tokens(text) {
		kind := style(t.Kind)
		switch {
		case marked && partner < 0 && column == at:
			kind = terminal.Error
		case marked && partner >= 0 && (column == at || column == partner):
			kind = terminal.Match
		}
		b.WriteString(paint.Paint(kind, t.Text(text)))
		column += utf8.RuneCountInString(t.Text(text))
	}
	return b.String()
}

func style(k syntax.Kind) terminal.Style {
	switch k {
	case syntax.Keyword:
		return terminal.Keyword
	case syntax.String, syntax.Long:
		return terminal.Text
	case syntax.Number:
		return terminal.Number
	case syntax.Comment, syntax.LongComment:
		return terminal.Dim
	}
	return ""
}
