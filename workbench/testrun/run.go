package testrun

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/workbench/repl/terminal"
)

// Options say what to run and how to report it.
type Options struct {
	Paths        []string // files and folders; none means scripts/tests
	Filter       string   // part of "path: name", or /regular expression/
	Jobs         int      // files at a time; 0 means one for each processor
	List         bool     // only name the tests
	FailFast     bool     // stop at the first failure
	UpdateGolden bool     // write golden files instead of comparing
	Format       string   // pretty (also ""), tap or json
	JUnit        string   // file to write JUnit XML to; "" for none
	Version      string   // of the program, for golden files
	Color        bool     // in the pretty format
}

// defaultPath is where test files are looked for.
const defaultPath = "scripts/tests"

// A UsageError is a fault of the options.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap returns the fault itself.
func (e *UsageError) Unwrap() error { return e.Err }

// Run runs test files, each in a state of its own, several at a time, and
// writes the results to out in the order of the files. When ctx ends, the
// report has what was done until then. The error is a *UsageError, or that of
// reading paths or writing the report.
func Run(ctx context.Context, o Options, maker Maker, out io.Writer) (*Report, error) {
	f, err := newFilter(o.Filter)
	if err != nil {
		return nil, &UsageError{err}
	}
	if o.Jobs < 0 {
		return nil, &UsageError{fmt.Errorf("jobs %d: must be >= 0", o.Jobs)}
	}
	if len(o.Paths) == 0 {
		o.Paths = []string{defaultPath}
	}
	rep, err := newReporter(o, out)
	if err != nil {
		return nil, &UsageError{err}
	}
	paths, err := discover(o.Paths)
	if err != nil {
		return nil, err
	}
	if o.Jobs == 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	if p, ok := rep.(*pretty); ok {
		for _, path := range paths {
			p.width = max(p.width, len(path))
		}
	}
	r := &fileRunner{maker: maker, filter: f, update: o.UpdateGolden, failFast: o.FailFast, list: o.List, version: o.Version}
	report := r.all(ctx, paths, o.Jobs, rep)
	if o.JUnit != "" && !o.List {
		err = saveJUnit(o.JUnit, report)
	}
	return report, err
}

func newReporter(o Options, out io.Writer) (reporter, error) {
	if o.List {
		return &lister{w: out}, nil
	}
	switch o.Format {
	case "", "pretty":
		return &pretty{w: out, Painter: terminal.Painter{On: o.Color}}, nil
	case "tap":
		return &tap{w: out}, nil
	case "json":
		return &jsonReport{w: out}, nil
	}
	return nil, fmt.Errorf("format %q: want pretty, tap or json", o.Format)
}

// all runs the files and reports them in order. A file that fails stops a
// fail-fast run only when those before it are reported, so that the report
// does not depend on which file was quicker.
func (r *fileRunner) all(ctx context.Context, paths []string, jobs int, rep reporter) *Report {
	start := time.Now()
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make([]chan *File, len(paths))
	for i := range results {
		results[i] = make(chan *File, 1)
	}
	go func() {
		slots := make(chan struct{}, jobs)
		for i, path := range paths {
			slots <- struct{}{}
			go func() {
				defer func() { <-slots }()
				if inner.Err() == nil {
					results[i] <- r.run(inner, path)
				}
				close(results[i])
			}()
		}
	}()
	report := &Report{}
	rep.begin(len(paths))
	for i := range paths {
		f := <-results[i]
		if f == nil || report.Stopped == FirstFailure {
			report.NotRun++
			continue
		}
		report.Files = append(report.Files, f)
		rep.file(f)
		if r.failFast && !f.OK() {
			report.Stopped = FirstFailure
			cancel()
		}
	}
	if ctx.Err() != nil {
		report.Stopped = stopOf(ctx)
	}
	report.Seconds = time.Since(start).Seconds()
	rep.end(report)
	return report
}

// lister names the tests instead of running them.
type lister struct{ w io.Writer }

func (l *lister) begin(int) {}

func (l *lister) file(f *File) {
	for _, c := range f.Cases {
		fmt.Fprintln(l.w, testID(f.Path, c.Name))
	}
	if f.Error != nil {
		fmt.Fprintf(l.w, "%s: not loaded: %s\n", place(f.Path, f.Error.Line), headline(f.Error.Message))
	}
}

func (l *lister) end(*Report) {}

// saveJUnit writes the report as a whole or not at all.
func saveJUnit(path string, r *Report) error {
	hostname, err := os.Hostname()
	if err != nil {
		hostname = "localhost"
	}
	return arrays.WriteAtomic(path, func(w io.Writer) error { return WriteJUnit(w, r, hostname) })
}
