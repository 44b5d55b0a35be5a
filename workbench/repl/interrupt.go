package repl

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/repl/terminal"
)

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

// exitSignal is what the number of a signal is added to, as shells do.
const exitSignal = 128

// watch listens to signals until the function it returns is called.
func (st *stopper) watch() (stop func()) {
	signal.Notify(st.notify, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	ended := make(chan struct{})
	go func() {
		for {
			select {
			case sig := <-st.notify:
				if sig != os.Interrupt { // gone, or told to go
					st.leave(exitSignal + int(sig.(syscall.Signal)))
				}
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

// begin makes the context of an evaluation; end is called when it is over.
func (st *stopper) begin(parent context.Context) (ctx context.Context, end func()) {
	ctx, cancel := context.WithCancelCause(parent)
	st.mu.Lock()
	defer st.mu.Unlock()
	st.cancel, st.presses, st.began = cancel, 0, time.Now()
	return ctx, func() {
		st.mu.Lock()
		defer st.mu.Unlock()
		st.cancel = nil
		cancel(nil)
	}
}

// running says whether an input runs.
func (st *stopper) running() bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.cancel != nil
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
		st.cancel(host.ErrInterrupted)
	case 2:
		where := st.s.Meter.Where()
		if where == "" {
			where = "code that does not answer"
		}
		text := fmt.Sprintf("still in %s, after %.1f s; Ctrl-C once more leaves the workbench", where, time.Since(st.began).Seconds())
		fmt.Fprintln(st.s.Err, st.s.paint.Paint(terminal.Hint, text))
	default:
		fmt.Fprintln(st.s.Err, "left while a computation was running")
		st.leave(host.ExitInterrupted)
	}
}
