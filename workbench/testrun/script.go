package testrun

import (
	"fmt"
	"strings"

	"github.com/yuin/gopher-lua/parse"
)

// Script is a test file cut into chunks, and the program that runs it.
//
// The file is one Lua program, run from top to bottom in one function, so that
// a local lives as long as it does in any other script. Chunks are separated
// by blank lines outside any block. Within a chunk that expects something,
// each statement with an expectation beside it, and the lines between two such
// statements, are a step; the program calls hookName at the beginning of a
// step and at the end of a chunk:
//
//	x = 2                 __testrun(1,function(...) x = 2
//	x + 1  --> 3           end);__testrun(2,function(...) return x + 1  --> 3
//	                       end);__testrun(0);
//
// A step that declares a local stays in line and is not wrapped: when it
// fails, the rest of the file does not run.
type Script struct {
	Chunks []Chunk
	Steps  []Step // of all chunks; the hook's argument counts them from 1
	// Program is what is to be run. Source is the file without the steps that
	// are no statements of Lua, to look for faults in; the line numbers of both
	// are the file's.
	Program, Source string
}

// hookName is the global function the program calls between steps.
const hookName = "__testrun"

// Chunk is a run of lines without a blank line outside any block.
type Chunk struct {
	Name  string // the text of the comment it begins with, or "line N"
	Line  int    // first line, from 1
	End   int    // last line
	Steps []int  // indices into Script.Steps; nil when nothing is expected
}

// Step is what runs between two calls of the hook.
type Step struct {
	Chunk     int // index into Script.Chunks
	Line, End int // first and last line, from 1
	Source    string
	Kind      StepKind
	Want      []Expectation // what it prints, one line each
	WantError []Expectation // texts its error contains, in order
}

// StepKind says how a step stands in the program.
type StepKind int

const (
	// Wrapped steps are the body of a function: the next step runs even when one fails.
	Wrapped StepKind = iota
	// Inline steps declare a local or return; an error ends the file.
	Inline
	// Value steps are expressions, whose value is what is expected when they print nothing.
	Value
	// Broken steps do not compile, and are expected not to; they are left out of the program.
	Broken
)

// Expectation is a comment beside a line: --> text or --! text.
type Expectation struct {
	Line int
	Text string
	Tol  Tolerance
}

// ParseScript cuts a test file into chunks and finds its expectations. The
// error names the line of a tolerance that cannot be read; faults of the Lua
// code itself are left to whoever runs the program.
func ParseScript(src string) (*Script, error) {
	p := &splitter{lines: scanLines(src)}
	if err := p.directives(); err != nil {
		return nil, err
	}
	p.prefix = make([]string, len(p.lines)+1)
	for i := 0; i < len(p.lines); {
		if p.lines[i].blank() || p.lines[i].separator() {
			i++
			continue
		}
		end := p.chunkEnd(i)
		p.chunk(i, end)
		i = end
	}
	p.script.Program, p.script.Source = p.program(), p.source()
	return &p.script, nil
}

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

// LineError is an error of the test file itself.
type LineError struct {
	Line int
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the error without its place.
func (e *LineError) Unwrap() error { return e.Err }

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
	_, err := parse.Parse(strings.NewReader(src), "")
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

// source returns the lines without those of value steps.
func (p *splitter) source() string {
	lines := make([]string, len(p.lines))
	for i := range p.lines {
		lines[i] = p.lines[i].text
	}
	for i := range p.script.Steps {
		if s := &p.script.Steps[i]; s.Kind == Value {
			clear(lines[s.Line-1 : s.End])
		}
	}
	return strings.Join(lines, "\n")
}
