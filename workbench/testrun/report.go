package testrun

import (
	"time"
)

// Status is the outcome of a case.
type Status string

// The outcomes.
const (
	Passed  Status = "passed"
	Failed  Status = "failed"
	Skipped Status = "skipped"
)

// Exit statuses of a test run; never a count.
const (
	ExitOK          = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitNotLoaded   = 3 // a file did not load, or no test matched
	ExitTimeLimit   = 124
	ExitInterrupted = 130
)

// Failure is one expectation that was not met.
type Failure struct {
	Line    int    `json:"line,omitempty"` // 0 when unknown
	Message string `json:"message"`
}

// Case is the result of one test: a test.case, a function test_*, or a chunk
// that expects something.
type Case struct {
	Name     string    `json:"name"`
	Line     int       `json:"line,omitempty"`
	Status   Status    `json:"status"`
	Reason   string    `json:"reason,omitempty"` // why it was skipped
	Failures []Failure `json:"failures,omitempty"`
	Output   string    `json:"output,omitempty"` // what it printed
	Seed     uint32    `json:"seed,omitempty"`
	Seconds  float64   `json:"seconds"`

	more int // failures beyond the most that are kept
}

// most is the number of failures a case keeps; a loop can make thousands.
const most = 10

func (c *Case) add(failures ...Failure) {
	for _, f := range failures {
		if len(c.Failures) == most {
			c.more++
			continue
		}
		c.Failures = append(c.Failures, f)
	}
}

// close gives a case its status from its failures.
func (c *Case) close() {
	c.Status = Passed
	if len(c.Failures) > 0 {
		c.Status = Failed
	}
	if c.more > 0 {
		c.Failures = append(c.Failures, Failure{Message: "and " + plural(c.more, "more failure")})
	}
}

// File is the result of one test file.
type File struct {
	Path  string `json:"path"`
	Cases []Case `json:"cases"`
	// Error says why the file did not load, or stopped before its end.
	Error *Failure `json:"error,omitempty"`
	// Reason says why the whole file was skipped.
	Reason string `json:"reason,omitempty"`
	// Golden says what an update of golden files wrote, one line per file.
	Golden []string `json:"golden,omitempty"`
	// Unchanged counts the golden files an update left alone.
	Unchanged int       `json:"golden_unchanged,omitempty"`
	Output    string    `json:"output,omitempty"` // printed outside any case
	Start     time.Time `json:"start"`
	Seconds   float64   `json:"seconds"`
}

// OK reports whether nothing in the file failed.
func (f *File) OK() bool { return f.Error == nil && f.count(Failed) == 0 }

func (f *File) count(s Status) int {
	n := 0
	for i := range f.Cases {
		if f.Cases[i].Status == s {
			n++
		}
	}
	return n
}

// Stop says why a run ended before its last test.
type Stop string

// Reasons to stop.
const (
	NotStopped   Stop = ""
	Interrupted  Stop = "interrupted"
	TimeLimit    Stop = "time limit"
	FirstFailure Stop = "first failure"
)

// Report is the result of a run, files in the order they were given.
type Report struct {
	Files   []*File
	Stopped Stop
	Seconds float64
	// NotRun counts the files that the end of the run left out.
	NotRun int
}

// Counts returns the number of cases with each outcome, and of files that did
// not load.
func (r *Report) Counts() (passed, failed, skipped, errors int) {
	for _, f := range r.Files {
		passed += f.count(Passed)
		failed += f.count(Failed)
		skipped += f.count(Skipped)
		if f.Error != nil {
			errors++
		}
	}
	return passed, failed, skipped, errors
}

// ExitCode returns the exit status of the run.
func (r *Report) ExitCode() int {
	_, failed, _, errors := r.Counts()
	matched := 0
	for _, f := range r.Files {
		matched += len(f.Cases)
		if f.Reason != "" {
			matched++
		}
	}
	switch {
	case r.Stopped == Interrupted:
		return ExitInterrupted
	case r.Stopped == TimeLimit:
		return ExitTimeLimit
	case errors > 0, matched == 0:
		return ExitNotLoaded
	case failed > 0:
		return ExitFailed
	}
	return ExitOK
}

// A reporter writes results as they come: begin once, with the number of files
// to expect, file for each in order, end once.
type reporter interface {
	begin(files int)
	file(f *File)
	end(r *Report)
}
