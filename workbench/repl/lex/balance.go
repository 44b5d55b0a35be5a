package lex

// Balance follows, line by line, how deeply blocks and brackets nest. It is
// cheap where parsing everything again after each line would be quadratic; the
// parser has the last word. The zero value is an empty input.
type Balance struct {
	blocks, brackets int
	pending          string // an unclosed string or comment, from its first byte
}

// Add reads one more line.
func (b *Balance) Add(line string) {
	src := line
	if b.pending != "" {
		src = b.pending + "\n" + line
		b.pending = ""
	}
	for _, t := range Tokens(src) {
		if t.Open && (t.Kind != String || continues(t.Text(src))) {
			b.pending = src[t.Start:]
			return
		}
		b.blocks += blockStep(t, src)
		b.brackets += bracketStep(t, src)
	}
}

// Open says that something is not closed yet, so that no parser could accept
// the input as it stands.
func (b *Balance) Open() bool {
	return b.pending != "" || b.blocks > 0 || b.brackets > 0
}

// InText says that the next line begins inside a string or a comment.
func (b *Balance) InText() bool { return b.pending != "" }

// continues says whether an open quoted string goes on in the next line: it
// ends in a backslash that is not itself escaped.
func continues(s string) bool {
	n := 0
	for n < len(s) && s[len(s)-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// blockStep is the change of the block depth: "while" and "for" count at
// their "do".
func blockStep(t Token, src string) int {
	if t.Kind != Keyword {
		return 0
	}
	switch t.Text(src) {
	case "function", "do", "if", "repeat":
		return 1
	case "end", "until":
		return -1
	}
	return 0
}

func bracketStep(t Token, src string) int {
	if t.Kind != Op || t.End-t.Start != 1 {
		return 0
	}
	switch src[t.Start] {
	case '(', '[', '{':
		return 1
	case ')', ']', '}':
		return -1
	}
	return 0
}
