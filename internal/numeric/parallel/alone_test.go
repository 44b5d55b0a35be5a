package parallel_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/greenbench/workbench/internal/numeric/parallel"
)

// Who waits for work is free when the context ends, with its reason; otherwise the work is done.
func TestAlone(t *testing.T) {
	ran := false
	if err := parallel.Alone(context.Background(), func() { ran = true }); err != nil || !ran {
		t.Errorf("error %v, ran %v", err, ran)
	}
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	release := make(chan struct{})
	defer close(release)
	time.AfterFunc(5*time.Millisecond, func() { cancel(why) })
	if err := parallel.Alone(ctx, func() { <-release }); !errors.Is(err, why) {
		t.Errorf("error %v, want %v", err, why)
	}
	if err := parallel.Alone(ctx, func() { t.Error("work began after the end") }); !errors.Is(err, why) {
		t.Errorf("error %v, want %v", err, why)
	}
}
