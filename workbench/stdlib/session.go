package stdlib

import (
	"context"
	"sync/atomic"
	"time"
)

// Session is the context of a Lua state for its whole life: every thread and coroutine runs under it, and functions that
// bindings call receive it from LState.Context.
//
// A context that was cancelled stays so, and a coroutine made under it could never run again. A Session instead consists of
// runs: Begin starts one under a context of its own, and what was cancelled is forgotten with the run that ends. So an
// interrupt stops everything that is running, and what was made before can still be used, and interrupted, at the next line.
type Session struct {
	current atomic.Pointer[run]
	breath  breath
}

// run is a context and what it is asked most often.
type run struct {
	context.Context
	done   <-chan struct{}
	cancel context.CancelCauseFunc
	outer  *run // nil for the one in which nothing runs
}

func newSession() *Session {
	s := &Session{}
	s.enter(context.Background(), nil)
	return s
}

func (s *Session) enter(parent context.Context, outer *run) *run {
	ctx, cancel := context.WithCancelCause(parent)
	r := &run{Context: ctx, done: ctx.Done(), cancel: cancel, outer: outer}
	s.current.Store(r)
	return r
}

// Begin starts a run that ends with the parent context, with Cancel, or when the function returned is called. That
// function restores the run around it. Only the goroutine that uses the Lua state may begin and end runs.
func (s *Session) Begin(parent context.Context) (end func()) {
	outer := s.current.Load()
	if parent == nil {
		parent = context.Background()
	}
	r := s.enter(parent, outer)
	return func() {
		r.cancel(nil)
		s.current.Store(outer)
	}
}

// Cancel stops the present run and those around it; any goroutine may call it. context.Cause then gives the cause. Between
// runs it does nothing.
func (s *Session) Cancel(cause error) {
	for r := s.current.Load(); r.outer != nil; r = r.outer {
		r.cancel(cause)
	}
}

// Deadline, Done, Err and Value are those of the present run.
func (s *Session) Deadline() (time.Time, bool) { return s.current.Load().Context.Deadline() }

// Done is asked before every instruction of Lua.
func (s *Session) Done() <-chan struct{} {
	s.breath.instruction()
	return s.current.Load().done
}

// Err is asked by computations, every few milliseconds or more seldom.
func (s *Session) Err() error {
	s.breath.take()
	return s.current.Load().Context.Err()
}

func (s *Session) Value(key any) any { return s.current.Load().Context.Value(key) }

// Cause returns why the present run was cancelled, nil if it was not.
func (s *Session) Cause() error { return context.Cause(s.current.Load().Context) }
