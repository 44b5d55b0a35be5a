package testrun

import (
	"errors"
	"fmt"
	"strings"

	"github.com/greenbench/workbench/workbench/chunk"
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
	// Program is what is to be run. Its line numbers are the file's.
	Program string

	rest string // the lines that belong to no step
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
	p.script.Program, p.script.rest = p.program(), p.rest()
	return &p.script, nil
}

// LineError is an error of the test file itself.
type LineError struct {
	Line int
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the error without its place.
func (e *LineError) Unwrap() error { return e.Err }

// fault returns the first syntax error of a file, in the columns of the file
// and not in those of the program, or nil.
func (s *Script) fault(path string) error {
	_, err := chunk.Parse(path, []byte(s.Program))
	if err == nil {
		return nil
	}
	var first *chunk.SyntaxError
	earliest := func(err error) {
		var e *chunk.SyntaxError
		if errors.As(err, &e) && (first == nil || e.Line < first.Line) {
			first = e
		}
	}
	_, rest := chunk.Parse(path, []byte(s.rest))
	earliest(rest)
	for i := range s.Steps {
		if k := s.Steps[i].Kind; k == Wrapped || k == Inline {
			earliest(s.Steps[i].compile(path))
		}
	}
	if first == nil {
		return err
	}
	return first
}

// compile returns why a step does not compile, as the file would see it.
func (s *Step) compile(path string) error {
	_, err := chunk.Compile(path, []byte(strings.Repeat("\n", s.Line-1)+s.Source))
	return err
}
