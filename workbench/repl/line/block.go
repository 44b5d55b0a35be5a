package line

import (
	"slices"
	"strings"
	"unicode"
)

// A text is what is edited, and where the cursor stands in it.
type text struct {
	runes []rune
	pos   int
}

func (t text) String() string { return string(t.runes) }

func (t text) equal(u text) bool { return slices.Equal(t.runes, u.runes) }

// line is where the line of the cursor begins and ends.
func (t text) line() (begin, end int) {
	begin, end = t.pos, t.pos
	for begin > 0 && t.runes[begin-1] != '\n' {
		begin--
	}
	for end < len(t.runes) && t.runes[end] != '\n' {
		end++
	}
	return begin, end
}

// several says whether there are several lines.
func (t text) several() bool { return slices.Contains(t.runes, '\n') }

// cut takes a part out.
func (t text) cut(from, to int) (rest text, part []rune) {
	part = slices.Clone(t.runes[from:to])
	return text{slices.Concat(t.runes[:from], t.runes[to:]), from}, part
}

// insert puts characters before the cursor.
func (t text) insert(s string) text {
	r := []rune(s)
	return text{slices.Concat(t.runes[:t.pos], r, t.runes[t.pos:]), t.pos + len(r)}
}

// up and down move by one line, towards a column; ok is false in the first and the last line.
func (t text) up(column int) (moved text, ok bool) {
	begin, _ := t.line()
	if begin == 0 {
		return t, false
	}
	above, _ := text{t.runes, begin - 1}.line()
	return text{t.runes, min(above+column, begin-1)}, true
}

func (t text) down(column int) (moved text, ok bool) {
	_, end := t.line()
	if end == len(t.runes) {
		return t, false
	}
	_, stop := text{t.runes, end + 1}.line()
	return text{t.runes, min(end+1+column, stop)}, true
}

func (t text) column() int {
	begin, _ := t.line()
	return t.pos - begin
}

// wordBefore and wordAfter are the ends of the words beside the cursor.
func (t text) wordBefore() int {
	i := t.pos
	for i > 0 && !isWord(t.runes[i-1]) {
		i--
	}
	for i > 0 && isWord(t.runes[i-1]) {
		i--
	}
	return i
}

func (t text) wordAfter() int {
	i := t.pos
	for i < len(t.runes) && !isWord(t.runes[i]) {
		i++
	}
	for i < len(t.runes) && isWord(t.runes[i]) {
		i++
	}
	return i
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }

// newline opens a line, indented as the text before it asks for.
func (t text) newline(indent func(string) int) text {
	before := string(t.runes[:t.pos])
	for t.pos < len(t.runes) && t.runes[t.pos] == ' ' && indent != nil {
		t, _ = t.cut(t.pos, t.pos+1)
	}
	if indent == nil {
		return t.insert("\n")
	}
	return t.insert("\n" + strings.Repeat(" ", indent(before)))
}

// outdent moves a line that closes a block, such as end, to where the block began.
func (t text) outdent(closes func(string) bool, indent func(string) int) text {
	begin, end := t.line()
	content := string(t.runes[begin:end])
	word := strings.TrimLeft(content, " ")
	blanks := len(content) - len(word)
	if begin == 0 || t.pos != end || !closes(word) || blanks < indentWidth || blanks != indent(string(t.runes[:begin-1])) {
		return t
	}
	out, _ := t.cut(begin, begin+indentWidth)
	out.pos = t.pos - indentWidth
	return out
}

const indentWidth = 2
