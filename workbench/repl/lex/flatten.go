package lex

import (
	"fmt"
	"strings"
)

// Flatten writes source on one line with the same meaning: line comments
// become bracketed ones, strings over several lines become quoted ones. A line
// editor that knows only single lines can then show, and edit, a whole function.
func Flatten(src string) string {
	if !strings.ContainsAny(src, "\n\r") {
		return src
	}
	var b strings.Builder
	end := 0
	for _, t := range Tokens(src) {
		gap := src[end:t.Start]
		switch {
		case end == 0:
		case strings.ContainsAny(gap, "\n\r"):
			b.WriteByte(' ')
		default:
			b.WriteString(gap)
		}
		b.WriteString(flat(t, src))
		end = t.End
	}
	return b.String()
}

func flat(t Token, src string) string {
	text := t.Text(src)
	switch t.Kind {
	case Comment:
		body := strings.TrimRight(strings.TrimPrefix(text, "--"), "\r")
		return bracketComment(body)
	case LongComment:
		return strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(text)
	case Long:
		if strings.ContainsAny(text, "\n\r") {
			return quote(longBody(text, t.Open))
		}
	case String:
		return strings.NewReplacer("\\\r\n", `\n`, "\\\n", `\n`, "\r", `\r`, "\n", `\n`).Replace(text)
	}
	return text
}

// bracketComment finds a level of brackets that the text does not close.
func bracketComment(body string) string {
	level := ""
	for strings.Contains(body+"]", "]"+level+"]") {
		level += "="
	}
	return "--[" + level + "[" + body + "]" + level + "]"
}

// longBody is what a long string means: its brackets and a newline directly
// after the first one do not count, line ends are \n.
func longBody(text string, open bool) string {
	n := strings.Index(text[1:], "[") + 2
	body := text[n:]
	if !open {
		body = body[:len(body)-n]
	}
	body = strings.ReplaceAll(body, "\r\n", "\n")
	if strings.HasPrefix(body, "\n") || strings.HasPrefix(body, "\r") {
		body = body[1:]
	}
	return strings.ReplaceAll(body, "\r", "\n")
}

// quote writes a string literal that both Lua and a terminal can take.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\%03d`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
