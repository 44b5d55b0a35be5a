package testrun

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/internal/sorting"
	"github.com/greenbench/workbench/workbench/host"
)

// session is one test file while it runs.
type session struct {
	path    string
	script  *Script
	golden  *goldens // nil when there are none
	version string

	host  *host.Host
	out   collector
	print *lua.LFunction   // this and seeds as they were before the file ran
	seeds []*lua.LFunction // what to call with a seed
	fatal error            // of the harness itself

	chunks []*chunkRun // by index into script.Chunks; nil until needed
	open   *chunkRun   // the one whose steps run, or nil
	step   int         // index of the step that runs, or -1
	before int         // len(cases) when it began
	output string      // printed outside chunks and cases

	cases   []*pendingCase
	running *pendingCase // nil while the file loads
	skip    *string      // reason for which the file or the running case was skipped
}

// chunkRun is a chunk while it runs.
type chunkRun struct {
	Case
	start   time.Time
	pending string // printed and not yet compared
	own     int    // expectations that are not those of a case
	checked bool   // called a check
	broken  bool   // the rest does not run
}

// pendingCase is a case that was declared; it runs when the file is loaded.
type pendingCase struct {
	Case
	fn        *lua.LFunction
	args      []lua.LValue
	timeout   time.Duration
	want      []Expectation
	wantError []Expectation
	err       error // of the function
}

// errSkip ends a case or a file that was skipped.
var errSkip = errors.New("test skipped")

func newSession(path string, script *Script, update bool, version string) *session {
	return &session{
		path: path, script: script, golden: newGoldens(path, update), version: version,
		chunks: make([]*chunkRun, len(script.Chunks)), step: -1,
	}
}

// start makes the host of the session.
func (s *session) start(maker Maker) (err error) {
	if s.host, err = maker(newModule(s), &s.out); err != nil {
		return err
	}
	L := s.host.L
	L.SetGlobal(hookName, L.NewFunction(s.hook))
	s.print, _ = L.GetGlobal("print").(*lua.LFunction)
	if f, ok := L.GetGlobal("seed").(*lua.LFunction); ok {
		s.seeds = append(s.seeds, f)
	}
	if t, ok := L.GetGlobal("math").(*lua.LTable); ok {
		if f, ok := t.RawGetString("randomseed").(*lua.LFunction); ok {
			s.seeds = append(s.seeds, f)
		}
	}
	return nil
}

// printed returns what was printed since the last call.
func (s *session) printed() string {
	_ = s.host.Library.Flush() // what fails to be written fails again at the end of the run
	return s.out.take()
}

// close leaves the files of a test to the test.
func (s *session) close() { _ = s.host.Close() }

// load runs the file from top to bottom; its cases are then declared. The
// error is the file's.
func (s *session) load(ctx context.Context) *Failure {
	s.seed("")
	if err := s.script.fault(s.path); err != nil {
		text, line := s.errorText(err)
		return &Failure{Line: line, Message: text}
	}
	err := s.host.Run(ctx, s.path, s.script.Program)
	stopped := s.open
	s.endStep()
	s.endChunk()
	s.output += s.printed()
	switch {
	case s.fatal != nil:
		return failureOf(s.fatal)
	case s.skip != nil:
		return nil
	case err != nil:
		text, line := s.errorText(err)
		if ctx.Err() != nil {
			text = string(stopOf(ctx)) + " while the file was loading"
		}
		if stopped != nil {
			stopped.own++
			stopped.add(Failure{Line: line, Message: text})
			if ctx.Err() == nil {
				text = fmt.Sprintf("the failure of %q ended the file", stopped.Name)
			}
		}
		return &Failure{Line: line, Message: text}
	}
	if s.collect(); s.fatal != nil {
		return failureOf(s.fatal)
	}
	sorting.By(s.cases, func(a, b *pendingCase) int { return a.Line - b.Line })
	return nil
}

// hook is the function the program calls: hook(k, fn) runs step k, hook(k)
// begins the inline step k, hook(0) ends a chunk, and hook(-k) runs case k.
func (s *session) hook(L *lua.LState) int {
	k := L.CheckInt(1)
	switch {
	case k < 0:
		p := s.cases[-k-1]
		_, p.err = s.host.Library.Call(L, p.fn, p.args...)
		return 0
	case k == 0:
		s.endStep()
		s.endChunk()
		return 0
	}
	s.endStep()
	s.beginStep(k - 1)
	step := &s.script.Steps[k-1]
	if step.Kind == Inline {
		return 0
	}
	var values []lua.LValue
	var err error
	switch {
	case s.chunks[step.Chunk].broken:
		s.step = -1
		return 0
	case step.Kind == Broken:
		err = step.compile(s.path)
	default:
		values, err = s.host.Library.Call(L, L.CheckFunction(2))
	}
	if s.skip != nil || L.Context() != nil && L.Context().Err() != nil {
		L.RaiseError("%v", errSkip) // ends the file; load knows why
	}
	s.finishStep(values, err)
	return 0
}

// collect declares the functions test_* that were written since the last call,
// in the order of the file.
func (s *session) collect() {
	var found []*pendingCase
	s.host.L.G.Global.ForEach(func(k, v lua.LValue) {
		name, ok := k.(lua.LString)
		fn, isFn := v.(*lua.LFunction)
		if ok && isFn && strings.HasPrefix(string(name), "test_") && s.written(fn) && !s.declared(fn) {
			found = append(found, &pendingCase{Case: Case{Name: string(name), Line: fn.Proto.LineDefined}, fn: fn})
		}
	})
	sorting.By(found, func(a, b *pendingCase) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return strings.Compare(a.Name, b.Name)
	})
	for _, p := range found {
		if err := s.declare(p); err != nil && s.fatal == nil {
			s.fatal = &LineError{Line: p.Line, Err: err}
		}
	}
}

// written reports whether the function was written in the test file.
func (s *session) written(fn *lua.LFunction) bool {
	return !fn.IsG && fn.Proto != nil && s.isFile(fn.Proto.SourceName)
}

func (s *session) isFile(source string) bool { return strings.TrimLeft(source, "@=") == s.path }

func (s *session) declared(fn *lua.LFunction) bool {
	return slices.ContainsFunc(s.cases, func(p *pendingCase) bool { return p.fn == fn })
}

// declare adds a case. Two cases of one name could not be told apart in reports.
func (s *session) declare(p *pendingCase) error {
	for _, q := range s.cases {
		if q.Name == p.Name {
			return fmt.Errorf("name %q: line %d has a case of that name", p.Name, q.Line)
		}
	}
	s.cases = append(s.cases, p)
	return nil
}

// runCase runs a declared case and returns its result.
func (s *session) runCase(ctx context.Context, index int) Case {
	p := s.cases[index]
	s.output += s.printed()
	if p.Status == Skipped {
		return p.Case
	}
	p.Seed = s.seed(p.Name)
	s.running, s.skip = p, nil
	start := time.Now()
	inner, cancel := ctx, context.CancelFunc(func() {})
	if p.timeout > 0 {
		inner, cancel = context.WithTimeout(ctx, p.timeout)
	}
	err := s.host.Run(inner, s.path, fmt.Sprintf("%s(%d)", hookName, -index-1))
	late := inner.Err() != nil
	cancel()
	p.Seconds = time.Since(start).Seconds()
	p.Output = s.printed()
	s.judge(ctx, p, err, late)
	s.running, s.skip = nil, nil
	return p.Case
}

// judge gives a case that has run its status; late says that a context ended first.
func (s *session) judge(ctx context.Context, p *pendingCase, err error, late bool) {
	if p.err != nil {
		err = p.err
	}
	switch {
	case ctx.Err() != nil:
		p.add(Failure{Line: p.Line, Message: string(stopOf(ctx))})
	case late:
		p.add(Failure{Line: p.Line, Message: fmt.Sprintf("time limit of %v for this case", p.timeout)})
	case s.skip != nil && p.Failures == nil:
		p.Status, p.Reason = Skipped, *s.skip
		return
	case s.skip == nil:
		p.add(s.judgeError(err, p.wantError)...)
		if p.want != nil {
			p.add(compareOutput(p.Output, p.want, p.Line)...)
		}
	}
	p.close()
}

// stopOf says why a context ended.
func stopOf(ctx context.Context) Stop {
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return TimeLimit
	}
	return Interrupted
}

// seed seeds every source of random numbers from the names of file and case,
// so that a case draws the same numbers alone and among others.
func (s *session) seed(name string) uint32 {
	h := fnv.New32a()
	fmt.Fprintf(h, "%s\x00%s", filepath.Base(s.path), name)
	seed := h.Sum32()
	if seed == 0 {
		seed = 1
	}
	L := s.host.L
	for _, f := range s.seeds {
		if _, err := s.host.Library.Call(L, f, lua.LNumber(seed)); err != nil {
			s.fatal = fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	if t := s.module(L); t != nil {
		t.RawSetString("seed", lua.LNumber(seed))
	}
	s.printed() // what a seed function says is not the test's
	return seed
}

// module returns the table of the module test.
func (s *session) module(L *lua.LState) *lua.LTable {
	loaded, ok := L.G.Registry.RawGetString("_LOADED").(*lua.LTable)
	if !ok {
		return nil
	}
	t, _ := loaded.RawGetString(moduleName).(*lua.LTable)
	return t
}

// header returns the comment that golden files begin with.
func (s *session) header() string {
	name, seed := "", uint32(0)
	if s.running != nil {
		name, seed = ": "+s.running.Name, s.running.Seed
	}
	return fmt.Sprintf("-- golden 1\n-- test %s%s\n-- seed %d, version %s, %s/%s\n",
		filepath.Base(s.path), oneLine(name), seed, s.version, runtime.GOOS, runtime.GOARCH)
}
