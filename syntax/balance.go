package syntax

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
		if t.Kind == Op {
			b.brackets += t.Nesting(src)
		} else {
			b.blocks += t.Nesting(src)
		}
	}
}

// Open says that something is not closed yet, so that no parser could accept
// the input as it stands.
func (b *Balance) Open() bool {
	return b.pending != "" || b.blocks > 0 || b.brackets > 0
}

// InText says that the next line begins inside a string or a comment.
func (b *Balance) InText() bool { return b.pending != "" }

// continues says whether an open quoted string goes on in the next line: its last
// escape takes the line break in.
func continues(text string) bool {
	n, _ := quotedLength(text + "\n")
	return n > len(text)
}
