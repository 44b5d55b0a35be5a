package testrun

import (
	"errors"
	"fmt"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/workbench/stdlib"
)

// beginStep notes that a step begins; what was printed before belongs elsewhere.
func (s *session) beginStep(k int) {
	s.step, s.before = k, len(s.cases)
	if c := s.chunk(s.script.Steps[k].Chunk); s.open != c {
		s.endChunk()
		s.output += s.printed()
		s.open, c.start = c, time.Now()
	}
}

// endStep finishes an inline step.
func (s *session) endStep() {
	if s.step >= 0 {
		s.finishStep(nil, nil)
	}
}

// chunk returns the run of a chunk, made when first asked for.
func (s *session) chunk(index int) *chunkRun {
	if s.chunks[index] == nil {
		c := &s.script.Chunks[index]
		s.chunks[index] = &chunkRun{Case: Case{Name: c.Name, Line: c.Line}}
	}
	return s.chunks[index]
}

// finishStep compares what a step printed, returned or raised with what is
// expected beside it.
func (s *session) finishStep(values []lua.LValue, err error) {
	step := &s.script.Steps[s.step]
	s.step = -1
	c := s.chunk(step.Chunk)
	out := s.printed()
	want, wantError := s.ownExpectations(step)
	c.own += len(want) + len(wantError)
	if len(want) > 0 && out == "" && len(values) > 0 && err == nil {
		out = s.show(values)
	}
	c.pending += out
	c.Output += out
	if failures := s.judgeError(err, wantError); failures != nil {
		c.add(failures...)
		c.broken = err != nil && wantError == nil
	}
	if len(want) > 0 && !c.broken {
		c.add(compareOutput(c.pending, want, step.Line)...)
		c.pending = ""
	}
}

// endChunk closes the chunk whose steps have run.
func (s *session) endChunk() {
	c := s.open
	if c == nil {
		return
	}
	s.open = nil
	c.Seconds = time.Since(c.start).Seconds()
	if c.own > 0 && c.pending != "" && !c.broken {
		c.add(Failure{Line: c.Line, Message: "printed and not expected:\n" + indent(trimLines(c.pending), "  ")})
	}
}

// ownExpectations returns the expectations of a step, without those written in
// functions that it declared as cases: these belong to the cases.
func (s *session) ownExpectations(step *Step) (want, wantError []Expectation) {
	s.collect()
	declared := s.cases[s.before:]
	for _, e := range step.Want {
		if own := !s.giveTo(declared, e, func(p *pendingCase) { p.want = append(p.want, e) }); own {
			want = append(want, e)
		}
	}
	for _, e := range step.WantError {
		if own := !s.giveTo(declared, e, func(p *pendingCase) { p.wantError = append(p.wantError, e) }); own {
			wantError = append(wantError, e)
		}
	}
	return want, wantError
}

// giveTo calls give for the cases in whose function the expectation stands,
// and reports whether there is one.
func (s *session) giveTo(cases []*pendingCase, e Expectation, give func(*pendingCase)) bool {
	found := false
	for _, p := range cases {
		if s.written(p.fn) && p.fn.Proto.LineDefined <= e.Line && e.Line <= p.fn.Proto.LastLineDefined {
			give(p)
			found = true
		}
	}
	return found
}

// show returns what print writes for the values.
func (s *session) show(values []lua.LValue) string {
	if s.print == nil {
		return ""
	}
	if _, err := s.host.Library.Call(s.host.L, s.print, values...); err != nil {
		text, _ := s.errorText(err)
		return text + "\n"
	}
	return s.printed()
}

// judgeError compares an error with the texts it is to contain, in order.
func (s *session) judgeError(err error, want []Expectation) []Failure {
	switch {
	case err == nil && len(want) == 0:
		return nil
	case err == nil:
		return []Failure{{Line: want[0].Line, Message: "no error\nexpected  " + expectedError(want)}}
	}
	text, line := s.errorText(err)
	if len(want) == 0 {
		return []Failure{{Line: line, Message: text}}
	}
	rest := normalize(text)
	for _, e := range want {
		part := normalize(e.Text)
		i := strings.Index(rest, part)
		if i < 0 {
			return []Failure{{Line: e.Line, Message: fmt.Sprintf("error     %s\nexpected  %s", indentRest(text), expectedError(want))}}
		}
		rest = rest[i+len(part):]
	}
	return nil
}

func expectedError(want []Expectation) string {
	parts := make([]string, len(want))
	for i, e := range want {
		parts[i] = e.Text
	}
	if text := strings.Join(parts, "\n          "); text != "" {
		return "an error with the text " + text
	}
	return "an error"
}

// indentRest aligns the lines after the first with the column of values.
func indentRest(text string) string { return strings.ReplaceAll(text, "\n", "\n          ") }

// errorText returns what the program shows for an error, without the
// traceback, and the line of the test file where it was raised, or 0.
func (s *session) errorText(err error) (text string, line int) {
	var exit *stdlib.ExitError
	if errors.As(err, &exit) {
		return fmt.Sprintf("os.exit(%d): a test must not end the program", exit.Code), 0
	}
	e := s.host.Describe(err)
	text = e.Error()
	if e.Hint != "" {
		text += "\n" + e.Hint
	}
	if s.isFile(e.File) {
		line = e.Line
	}
	return strings.TrimSpace(text), line
}

// compareOutput compares printed text with expectations, line by line; line is
// where to report what no expectation stands for.
func compareOutput(out string, want []Expectation, line int) []Failure {
	var got []string
	if out != "" {
		got = strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	}
	if len(got) != len(want) {
		if len(want) > 0 {
			line = want[min(len(got), len(want)-1)].Line
		}
		texts := make([]string, len(want))
		for i, e := range want {
			texts[i] = e.Text
		}
		return []Failure{{Line: line, Message: fmt.Sprintf("printed %s, expected %d\n%s\n%s",
			plural(len(got), "line"), len(want), column("got", got), column("expected", texts))}}
	}
	var failures []Failure
	for i, e := range want {
		if text := compareText(got[i], e.Text, e.Tol); text != "" {
			failures = append(failures, Failure{Line: e.Line, Message: text})
		}
	}
	return failures
}

// column writes lines of text beside their title.
func column(title string, lines []string) string {
	if len(lines) == 0 {
		lines = []string{"(nothing)"}
	}
	return fmt.Sprintf("%-8s  %s", title, indentRest(trimLines(strings.Join(lines, "\n"))))
}
