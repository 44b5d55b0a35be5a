package repl

import (
	"strings"

	"github.com/greenbench/workbench/workbench/repl/lex"
	"github.com/greenbench/workbench/workbench/repl/terminal"
)

// Highlight colours the line being typed: words of Lua, strings, numbers and
// comments. What is visible does not change.
func (s *Session) Highlight(text string) string {
	if s.pending.balance.InText() || strings.HasPrefix(text, "?") || strings.HasPrefix(text, ";") {
		return text
	}
	return highlight(text, terminal.Painter{On: s.Terminal.Color})
}

func highlight(text string, paint terminal.Painter) string {
	if !paint.On {
		return text
	}
	var b strings.Builder
	end := 0
	for _, t := range lex.Tokens(text) {
		b.WriteString(text[end:t.Start])
		end = t.End
		b.WriteString(paint.Paint(style(t.Kind), t.Text(text)))
	}
	b.WriteString(text[end:])
	return b.String()
}

func style(k lex.Kind) terminal.Style {
	switch k {
	case lex.Keyword:
		return terminal.Keyword
	case lex.String, lex.Long:
		return terminal.Text
	case lex.Number:
		return terminal.Number
	case lex.Comment, lex.LongComment:
		return terminal.Dim
	}
	return ""
}
