package syntax

import (
	"slices"
	"strings"
)

// Globalise turns the locals of the outermost block into globals, so that they
// outlive the chunk they were typed in. Every token stays in its line and
// column, except what follows a declaration without a value ("local x"
// becomes "x = nil;"). names lists the variables, in order of appearance. Source
// that declares nothing comes back as it is. The source must parse.
func Globalise(src string) (out string, names []string) {
	tokens := Code(src)
	var b strings.Builder
	copied, blocks := 0, 0
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if t.Kind == Keyword {
			blocks += t.Nesting(src)
		}
		if blocks != 0 || !t.Is(src, "local") || i+1 >= len(tokens) {
			continue
		}
		b.WriteString(src[copied:t.Start])
		b.WriteString(strings.Repeat(" ", t.End-t.Start))
		copied = t.End
		if tokens[i+1].Is(src, "function") {
			if i+2 < len(tokens) {
				names = append(names, tokens[i+2].Text(src))
			}
			continue
		}
		last := i + 1
		names = append(names, tokens[last].Text(src))
		for last+2 < len(tokens) && tokens[last+1].Is(src, ",") {
			last += 2
			names = append(names, tokens[last].Text(src))
		}
		if last+1 < len(tokens) && tokens[last+1].Is(src, "=") {
			continue
		}
		end := tokens[last].End
		b.WriteString(src[copied:end])
		b.WriteString(" = nil")
		// Without the semicolon, a parenthesis in the next line would call nil.
		if last+1 >= len(tokens) || !tokens[last+1].Is(src, ";") {
			b.WriteByte(';')
		}
		copied = end
		i = last
	}
	if len(names) == 0 {
		return src, nil
	}
	b.WriteString(src[copied:])
	return b.String(), names
}

// EndsWithSemicolon says whether the last token is a semicolon: the sign that
// the result is not wanted on the screen.
func EndsWithSemicolon(src string) bool {
	code := Code(src)
	return len(code) > 0 && code[len(code)-1].Is(src, ";")
}

// Beginnings are where statements of the outermost level may begin: the first tokens after a
// semicolon or a line end, from the last to the first. What stands in brackets or blocks
// is none.
func Beginnings(src string) (at []int) {
	code := Code(src)
	depth := 0
	for i, t := range code {
		if i > 0 && depth == 0 && t.Nesting(src) >= 0 && (code[i-1].Is(src, ";") || t.Line > code[i-1].Line) {
			at = append(at, t.Start)
		}
		depth += t.Nesting(src)
	}
	slices.Reverse(at)
	return at
}
