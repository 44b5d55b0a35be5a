package progress_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/greenbench/workbench/numeric/progress"
)

// The result, the error and the panic of the work are the caller's.
func TestInterruptibleReturns(t *testing.T) {
	failure := errors.New("failed")
	if v, err := progress.Interruptible(t.Context(), func() (int, error) { return 3, nil }); v != 3 || err != nil {
		t.Errorf("got %d, %v, want 3", v, err)
	}
	if _, err := progress.Interruptible(t.Context(), func() (int, error) { return 0, failure }); !errors.Is(err, failure) {
		t.Errorf("got %v, want %v", err, failure)
	}
	_, err := progress.Interruptible(t.Context(), func() (int, error) { panic("oh") })
	if err == nil || !strings.Contains(err.Error(), "oh") {
		t.Errorf("got %v, want an error that says what the panic said", err)
	}
}

// The caller leaves work that does not end, with the cause of the end.
func TestInterruptibleLeaves(t *testing.T) {
	cause := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(t.Context())
	forever := make(chan bool)
	defer close(forever)
	_, err := progress.Interruptible(ctx, func() (int, error) {
		cancel(cause)
		<-forever
		return 0, nil
	})
	if !errors.Is(err, cause) {
		t.Errorf("got %v, want %v", err, cause)
	}
}
