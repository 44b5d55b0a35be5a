package testrun

import (
	"fmt"
	"strings"

	"github.com/greenbench/workbench/workbench/chunk"
)

// splitter builds a Script. Line indices are from 0, ranges half open.
type splitter struct {
	lines  []line
	marks  []mark
	prefix []string // inserted before each line, and after the last
	script Script
}

// mark is the expectation on a line, if any.
type mark struct {
	kind byte // '>' or '!' or 0
	text string
	tol  Tolerance
}

// directives reads the expectations and tolerances in the comments.
func (p *splitter) directives() error {
	p.marks = make([]mark, len(p.lines))
	tol := defaultTolerance()
	for i := range p.lines {
		l := &p.lines[i]
		text, isTol := tolerance(l.comment)
		switch {
		case isTol:
			t, err := ParseTolerance(text)
			if err == nil && l.code {
				err = fmt.Errorf("tol: must stand on a line of its own, or after an expectation")
			}
			if err != nil {
				return &LineError{Line: i + 1, Err: err}
			}
			tol = t
		case strings.HasPrefix(l.comment, "-->"), strings.HasPrefix(l.comment, "--!"):
			m := mark{kind: l.comment[2], text: strings.TrimPrefix(l.comment[3:], " "), tol: tol}
			if at := strings.LastIndex(m.text, "-- tol:"); at >= 0 {
				t, err := ParseTolerance(m.text[at+len("-- tol:"):])
				if err != nil {
					return &LineError{Line: i + 1, Err: err}
				}
				m.text, m.tol = strings.TrimRight(m.text[:at], " \t"), t
			}
			p.marks[i] = m
		}
	}
	return nil
}

// tolerance returns what follows "-- tol:" in a comment.
func tolerance(comment string) (string, bool) {
	if !strings.HasPrefix(comment, "--") {
		return "", false
	}
	return strings.CutPrefix(strings.TrimLeft(comment[2:], " \t"), "tol:")
}

// chunkEnd returns the end of the chunk that begins at line i: the next line
// that starts a statement after a blank one, or that follows a separator.
func (p *splitter) chunkEnd(i int) int {
	expectsError, end := false, i // end: after the last line that is not blank
	for ; i < len(p.lines); i++ {
		l := &p.lines[i]
		expectsError = expectsError || p.marks[i].kind == '!'
		switch {
		case l.separator() && (l.depth == 0 || expectsError):
			p.reset(i+1, l.depth)
			return end
		case l.blank():
			if l.depth == 0 && l.ended && p.startsAfter(i) {
				return end
			}
		default:
			end = i + 1
		}
	}
	return end
}

// startsAfter reports whether the first line after i that is not blank starts
// a statement, rather than continuing the one before.
func (p *splitter) startsAfter(i int) bool {
	for ; i < len(p.lines); i++ {
		if l := &p.lines[i]; !l.blank() {
			return !l.code || l.begins || l.value
		}
	}
	return true
}

// reset makes the lines from i on start outside any block: what the lines
// before a separator left open was meant to be unfinished.
func (p *splitter) reset(i, depth int) {
	if depth == 0 || i >= len(p.lines) {
		return
	}
	var rest strings.Builder
	for _, l := range p.lines[i:] {
		rest.WriteString(l.text)
		rest.WriteByte('\n')
	}
	again := scanLines("\n" + strings.TrimSuffix(rest.String(), "\n"))
	copy(p.lines[i:], again[1:])
}

// chunk adds the chunk of lines [from, to) to the script.
func (p *splitter) chunk(from, to int) {
	c := Chunk{Name: p.name(from), Line: from + 1, End: to}
	for _, d := range p.script.Chunks {
		if d.Name == c.Name {
			c.Name = fmt.Sprintf("%s (line %d)", c.Name, c.Line)
			break
		}
	}
	next := from // first line that belongs to no step yet
	for i := from; i < to; i++ {
		if p.marks[i].kind == 0 || i < next {
			continue
		}
		start, end := p.statement(next, i, to)
		if p.hasCode(next, start) {
			p.addStep(&c, next, start)
			next = start
		}
		p.addStep(&c, next, end)
		next = end
	}
	if c.Steps != nil {
		if p.hasCode(next, to) {
			p.addStep(&c, next, to)
		}
		p.seal(c, to)
	}
	p.script.Chunks = append(p.script.Chunks, c)
}

func (p *splitter) hasCode(from, to int) bool {
	for _, l := range p.lines[from:to] {
		if l.code {
			return true
		}
	}
	return false
}

// name returns the text of the comment that line i consists of, or "line N".
func (p *splitter) name(i int) string {
	l := &p.lines[i]
	text := normalize(strings.TrimLeft(l.comment, "-"))
	_, isTol := tolerance(l.comment)
	if l.code || text == "" || isTol || p.marks[i].kind != 0 {
		return fmt.Sprintf("line %d", i+1)
	}
	return strings.TrimRight(text, ".:")
}

// statement returns the lines of the statement that the expectation on line i
// stands beside or after, with the expectations that follow it; the statement
// begins at from or later and ends before to.
func (p *splitter) statement(from, i, to int) (start, end int) {
	code := i
	for code > from && !p.lines[code].code {
		code--
	}
	start = code
	for start > from {
		l := &p.lines[start]
		if l.code && l.begins && l.depth == 0 && !l.inside {
			break
		}
		start--
	}
	for end = i + 1; end < to; end++ {
		l := &p.lines[end]
		if !l.inside && l.depth == 0 && l.ended && (!l.code || l.begins || l.value) {
			break
		}
	}
	for end < to && !p.lines[end].code && p.marks[end].kind != 0 {
		end++
	}
	return start, end
}

// addStep adds the lines [from, to) to the chunk as one step.
func (p *splitter) addStep(c *Chunk, from, to int) {
	s := Step{Chunk: len(p.script.Chunks), Line: from + 1, End: to}
	var src strings.Builder
	scoped := false
	for i := from; i < to; i++ {
		l := &p.lines[i]
		src.WriteString(l.text)
		src.WriteByte('\n')
		scoped = scoped || l.scoped
		switch m := p.marks[i]; m.kind {
		case '>':
			s.Want = append(s.Want, Expectation{Line: i + 1, Text: m.text, Tol: m.tol})
		case '!':
			s.WantError = append(s.WantError, Expectation{Line: i + 1, Text: m.text, Tol: m.tol})
		}
	}
	s.Source = src.String()
	s.Kind = kindOf(&s, scoped, p.hasCode(from, to))
	p.script.Steps = append(p.script.Steps, s)
	c.Steps = append(c.Steps, len(p.script.Steps)-1)
}

// kindOf decides how a step stands in the program.
func kindOf(s *Step, scoped, code bool) StepKind {
	expects := s.Want != nil || s.WantError != nil
	switch {
	case !code || !expects && !scoped:
		return Wrapped
	case expects && compiles("return "+s.Source) && (s.WantError == nil || !compiles(s.Source)):
		return Value
	case s.WantError != nil && !compiles(s.Source):
		return Broken
	case scoped && s.WantError == nil:
		return Inline
	}
	return Wrapped
}

// compiles reports whether the source is a Lua chunk.
func compiles(src string) bool {
	_, err := chunk.Parse("", []byte(src))
	return err == nil
}

// seal writes the hook calls of a finished chunk that ends before line to.
func (p *splitter) seal(c Chunk, to int) {
	for _, k := range c.Steps {
		s := &p.script.Steps[k]
		open, shut := fmt.Sprintf("%s(%d,function(...) ", hookName, k+1), " end);"
		switch s.Kind {
		case Value:
			open += "return "
		case Inline, Broken:
			open, shut = fmt.Sprintf("%s(%d);", hookName, k+1), ""
		}
		p.prefix[s.Line-1] += open
		p.prefix[s.End] += shut
		if s.Kind == Broken {
			for i := s.Line - 1; i < s.End; i++ {
				p.lines[i].text = ""
			}
		}
		if s.Kind == Inline && p.returns(s) {
			return // nothing may follow a return
		}
	}
	p.prefix[to] += hookName + "(0);"
}

// returns reports whether an inline step leaves the program.
func (p *splitter) returns(s *Step) bool {
	for i := s.Line - 1; i < s.End; i++ {
		if p.lines[i].returns {
			return true
		}
	}
	return false
}

// program returns the lines with the hook calls between them.
func (p *splitter) program() string {
	var b strings.Builder
	for i := range p.lines {
		b.WriteString(p.prefix[i])
		b.WriteString(p.lines[i].text)
		b.WriteByte('\n')
	}
	b.WriteString(p.prefix[len(p.lines)])
	return b.String()
}

// rest returns the lines that belong to no step.
func (p *splitter) rest() string {
	lines := make([]string, len(p.lines))
	for i := range p.lines {
		lines[i] = p.lines[i].text
	}
	for i := range p.script.Steps {
		s := &p.script.Steps[i]
		clear(lines[s.Line-1 : s.End])
	}
	return strings.Join(lines, "\n")
}
