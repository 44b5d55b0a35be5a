package repl

import (
	"errors"
	"strings"

	"github.com/greenbench/workbench/syntax"
	"github.com/greenbench/workbench/workbench/repl/input"
	"github.com/greenbench/workbench/workbench/repl/line"
	"github.com/greenbench/workbench/workbench/repl/terminal"
	"github.com/greenbench/workbench/workbench/repl/transcript"
)

// Typing tells an editor of the language that is typed into it.
func (s *Session) Typing(o line.Options) line.Options {
	o.Complete, o.Highlight, o.More = s.Complete, s.Highlight, s.More
	o.Indent, o.Closes, o.Edit = indent, closes, edit
	if s.Safe {
		o.Edit = func(text string) (string, error) { return text, errors.New("--safe allows no commands of the system") }
	}
	s.mends = true
	o.Unprompt, o.Continue = transcript.Inputs, transcript.Continuing
	if paint := (terminal.Painter{On: s.Terminal.Color}); paint.On {
		o.Dim = func(text string) string { return paint.Paint(terminal.Dim, text) }
	}
	return o
}

// More says whether a text is the beginning of an input, which the next line goes on with.
func (s *Session) More(text string) bool {
	if s.pending.Empty() && (strings.TrimSpace(text) == "" || s.commandFor(strings.TrimSpace(text)) != nil) {
		return false
	}
	stripped, _ := transcript.StripPrompt(text)
	if !s.pending.Empty() {
		stripped = s.pending.Text() + "\n" + stripped
	}
	return input.Read("input", stripped).Incomplete
}

// indent is how many blanks a line begins with that follows a text: two for every line that leaves something open.
func indent(before string) int {
	depth := 0
	var b syntax.Balance
	for l := range strings.SplitSeq(before, "\n") {
		inText := b.InText()
		b.Add(l)
		if inText || b.InText() {
			continue
		}
		open := 0
		for _, t := range syntax.Code(l) {
			open += t.Nesting(l)
		}
		switch {
		case open > 0:
			depth++
		case open < 0:
			depth = max(depth-1, 0)
		}
	}
	if b.InText() {
		return 0
	}
	return 2 * depth
}

// closes says whether a line ends the block that it stands in.
func closes(text string) bool {
	switch text {
	case "end", "else", "elseif", "until", "}", ")", "})":
		return true
	}
	return false
}

// brackets finds the bracket that belongs to the one at the cursor, or before it, in characters; ok is false where there is
// none at the cursor, and partner is -1 where it has none.
func brackets(text string, pos int) (at, partner int, ok bool) {
	type bracket struct {
		at   int
		text string
	}
	var all []bracket
	column := 0
	for _, t := range syntax.Tokens(text) {
		if t.Kind == syntax.Op && strings.Contains("()[]{}", t.Text(text)) {
			all = append(all, bracket{column, t.Text(text)})
		}
		column += len([]rune(t.Text(text)))
	}
	partners := map[int]int{}
	var open []bracket
	for _, b := range all {
		i := strings.Index("([{)]}", b.text)
		if i < 3 {
			open = append(open, b)
			continue
		}
		if n := len(open); n > 0 && strings.Index("([{", open[n-1].text) == i-3 {
			partners[b.at], partners[open[n-1].at] = open[n-1].at, b.at
			open = open[:n-1]
		}
	}
	for _, at := range []int{pos, pos - 1} {
		for _, b := range all {
			if b.at != at {
				continue
			}
			if p, found := partners[at]; found {
				return at, p, true
			}
			return at, -1, strings.Contains(")]}", b.text)
		}
	}
	return 0, 0, false
}
