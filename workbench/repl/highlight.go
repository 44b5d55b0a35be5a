package repl

import (
	"strings"

	"github.com/greenbench/workbench/syntax"
	"github.com/greenbench/workbench/workbench/repl/terminal"
)

// Highlight colours the line being typed: words of Lua, strings, numbers and
// comments. What is visible does not change.
func (s *Session) Highlight(text string) string {
	if s.pending.InText() || strings.HasPrefix(text, "?") || strings.HasPrefix(text, ";") {
		return text
	}
	return highlight(text, terminal.Painter{On: s.Terminal.Color})
}

func highlight(text string, paint terminal.Painter) string {
	if !paint.On {
		return text
	}
	var b strings.Builder
	for _, t := range syntax.Tokens(text) {
		b.WriteString(paint.Paint(style(t.Kind), t.Text(text)))
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
