package progress

import (
	"context"
	"fmt"
	"runtime/debug"
)

// Interruptible runs work that cannot be interrupted, such as a decomposition,
// so that the caller can leave when ctx ends, with its cause as the error. What
// was begun then finishes unseen: work must neither change what the caller keeps
// nor read what the caller may change.
func Interruptible[R any](ctx context.Context, work func() (R, error)) (R, error) {
	type outcome struct {
		result R
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if r := recover(); r != nil {
				o.err = fmt.Errorf("internal error (please report): %v\n%s", r, debug.Stack())
			}
			done <- o
		}()
		o.result, o.err = work()
	}()
	select {
	case o := <-done:
		return o.result, o.err
	case <-ctx.Done():
		var none R
		return none, fmt.Errorf("stopped: %w", context.Cause(ctx))
	}
}
