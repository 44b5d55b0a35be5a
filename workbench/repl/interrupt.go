package repl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"time"

	"github.com/greenbench/workbench/workbench/repl/report"
	"github.com/greenbench/workbench/workbench/repl/terminal"
)

// errInterrupted is the cause of a context that Ctrl-C cancelled.
var errInterrupted = errors.New("interrupted")

// stopped is the error of an evaluation that was interrupted.
type stopped struct {
	cause   error
	where   string         // the step of a long computation
	problem report.Problem // the line of the script
}

func (e *stopped) Error() string { return e.cause.Error() }
func (e *stopped) Unwrap() error { return e.cause }

// stopper turns Ctrl-C into the end of the running input. The first one
// cancels its context. Should that not help, because some code does not
// look at its context, the second one says what is going on, and the third
// leaves the program: the history is on disk already.
type stopper struct {
	s      *Session
	notify chan os.Signal
	leave  func(status int) // ends the process

	mu      sync.Mutex
	cancel  context.CancelCauseFunc // nil when nothing runs
	presses int
	began   time.Time
}

func newStopper(s *Session) *stopper {
	return &stopper{s: s, notify: make(chan os.Signal, 4), leave: func(status int) {
		s.Reader.Close()
		os.Exit(status)
	}}
}

// watch listens to signals until the function it returns is called.
func (st *stopper) watch() (stop func()) {
	signal.Notify(st.notify, os.Interrupt)
	ended := make(chan struct{})
	go func() {
		for {
			select {
			case <-st.notify:
				st.press()
			case <-ended:
				return
			}
		}
	}()
	return func() {
		signal.Stop(st.notify)
		close(ended)
	}
}

// begin makes the context of an evaluation. end returns why it was cancelled,
// nil if it was not.
func (st *stopper) begin(parent context.Context) (ctx context.Context, end func() error) {
	ctx, cancel := context.WithCancelCause(parent)
	st.mu.Lock()
	defer st.mu.Unlock()
	st.cancel, st.presses, st.began = cancel, 0, time.Now()
	return ctx, func() error {
		st.mu.Lock()
		defer st.mu.Unlock()
		st.cancel = nil
		cause := context.Cause(ctx)
		cancel(nil)
		if errors.Is(cause, errInterrupted) {
			return cause
		}
		return nil
	}
}

// press is one Ctrl-C while something may be running.
func (st *stopper) press() {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.cancel == nil {
		return
	}
	st.presses++
	switch st.presses {
	case 1:
		st.cancel(errInterrupted)
	case 2:
		where := st.s.Meter.Where()
		if where == "" {
			where = "code that does not answer"
		}
		text := fmt.Sprintf("still in %s, after %.1f s; Ctrl-C once more leaves the workbench", where, time.Since(st.began).Seconds())
		fmt.Fprintln(st.s.Err, st.s.paint.Paint(terminal.Hint, text))
	default:
		fmt.Fprintln(st.s.Err, "left while a computation was running")
		st.leave(130)
	}
}
