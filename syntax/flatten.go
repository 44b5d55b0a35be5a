package syntax

import "strings"

// Flatten writes source on one line with the same meaning: line comments
// become bracketed ones, strings over several lines become quoted ones. A line
// editor that knows only single lines can then show, and edit, a whole function.
func Flatten(src string) string {
	if !strings.ContainsAny(src, "\n\r") {
		return src
	}
	var b strings.Builder
	for _, t := range Tokens(src) {
		if t.Kind != Blank || t.Start > 0 && t.End < len(src) {
			b.WriteString(flat(t, src))
		}
	}
	return b.String()
}

func flat(t Token, src string) string {
	text := t.Text(src)
	switch t.Kind {
	case Blank:
		if strings.ContainsAny(text, "\n\r") {
			return " "
		}
	case Comment:
		return bracketComment(strings.TrimPrefix(text, "--"))
	case LongComment:
		return strings.ReplaceAll(unifyBreaks(text), "\n", " ")
	case Long:
		if strings.ContainsAny(text, "\n\r") {
			return Quote(LongValue(text, t.Open))
		}
	case String:
		return flatString(text)
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

// flatString writes the line breaks of a quoted string, which only escapes take in, as
// escapes that take none.
func flatString(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		n := 1
		if text[0] == '\\' {
			n = escapeLength(text)
		}
		switch piece := text[:n]; {
		case !strings.ContainsAny(piece, "\n\r"):
			b.WriteString(piece)
		case piece[1] == 'z':
			b.WriteString(`\z `)
		default:
			b.WriteString(`\n`)
		}
		text = text[n:]
	}
	return b.String()
}

// LongValue is what a long string means: its brackets and a line break directly after
// the first one do not count, line breaks are \n. open says that it is not closed.
func LongValue(text string, open bool) string {
	n := strings.Index(text[1:], "[") + 2
	body := text[n:]
	if !open {
		body = body[:len(body)-n]
	}
	return unifyBreaks(body[LineBreak(body):])
}

// unifyBreaks writes every line break as \n.
func unifyBreaks(text string) string {
	if !strings.Contains(text, "\r") {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		n := toLineEnd(text)
		b.WriteString(text[:n])
		if text = text[n:]; text != "" {
			b.WriteByte('\n')
			text = text[LineBreak(text):]
		}
	}
	return b.String()
}
