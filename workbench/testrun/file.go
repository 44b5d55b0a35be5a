package testrun

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// fileRunner runs single test files.
type fileRunner struct {
	maker    Maker
	filter   filter
	update   bool
	failFast bool
	list     bool // only name the cases
	version  string
}

// run runs one test file. The result of a run that ctx cut short has what was
// done until then.
func (r *fileRunner) run(ctx context.Context, path string) *File {
	f := &File{Path: path, Start: time.Now()}
	defer func() { f.Seconds = time.Since(f.Start).Seconds() }()
	source, err := os.ReadFile(path)
	if err != nil {
		f.Error = &Failure{Message: err.Error()}
		return f
	}
	script, err := ParseScript(string(source))
	if err != nil {
		f.Error = failureOf(err)
		return f
	}
	s := newSession(path, script, r.update, r.version)
	if err := s.start(r.maker); err != nil {
		f.Error = failureOf(err)
		return f
	}
	defer s.close()
	r.session(ctx, s, f)
	f.Golden, f.Unchanged = s.golden.changes, s.golden.unchanged
	return f
}

// failureOf returns an error of the test file with its line, if it has one.
func failureOf(err error) *Failure {
	var at *LineError
	if errors.As(err, &at) {
		return &Failure{Line: at.Line, Message: at.Err.Error()}
	}
	return &Failure{Message: err.Error()}
}

// session loads the file and runs its cases.
func (r *fileRunner) session(ctx context.Context, s *session, f *File) {
	f.Error = s.load(ctx)
	f.Output = s.output
	if s.skip != nil && f.Error == nil {
		f.Reason = *s.skip
		return
	}
	if n := len(s.cases); n > 0 && f.Error != nil {
		f.Error.Message += fmt.Sprintf("\n%s declared before did not run", plural(n, "case"))
	}
	complete := r.chunks(s, f) && f.Error == nil
	for i := range s.cases {
		p := s.cases[i]
		switch {
		case f.Error != nil || ctx.Err() != nil || r.failFast && !f.OK():
			complete = false
		case !r.filter.accepts(s.path, p.Name):
			complete = false
		case r.list:
			f.Cases = append(f.Cases, p.Case)
		default:
			c := s.runCase(ctx, i)
			complete = complete && c.Status == Passed
			f.Cases = append(f.Cases, c)
			f.Output = s.output
		}
	}
	if complete && !r.list && s.golden != nil {
		r.golden(s, f)
	}
}

// chunks adds the results of the chunks that check something, and reports
// whether there was nothing to leave out.
func (r *fileRunner) chunks(s *session, f *File) (complete bool) {
	complete = true
	for i, c := range s.chunks {
		switch {
		case c == nil || c.own == 0 && !c.checked:
			if c != nil {
				f.Output += c.Output
			}
		case !r.filter.accepts(s.path, c.Name):
			complete = false
		case r.list:
			f.Cases = append(f.Cases, Case{Name: c.Name, Line: c.Line})
		default:
			c.close()
			if s.script.Chunks[i].Steps == nil {
				c.Output = "" // it is among what was printed outside the tests
			}
			complete = complete && c.Status == Passed
			f.Cases = append(f.Cases, c.Case)
		}
	}
	return complete
}

// golden checks, after a run of all tests of a file, that no golden file is left over.
func (r *fileRunner) golden(s *session, f *File) {
	if c := (Case{Name: "golden files", Failures: s.golden.orphans()}); c.Failures != nil {
		c.close()
		f.Cases = append(f.Cases, c)
	}
}
