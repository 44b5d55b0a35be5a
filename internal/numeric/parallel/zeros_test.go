package parallel

import (
	"context"
	"errors"
	"testing"
)

// Zeros has the length that is asked for, small or large, and none once the context has ended.
func TestZeros(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	for _, n := range []int{0, 5, 1<<22 + 1} {
		for _, c := range []context.Context{nil, ctx} {
			x, err := Zeros(c, n)
			if err != nil || len(x) != n {
				t.Errorf("%d numbers: got %d, %v", n, len(x), err)
			}
		}
	}
	cancel(cause)
	for _, n := range []int{5, 1<<22 + 1} {
		if x, err := Zeros(ctx, n); !errors.Is(err, cause) || x != nil {
			t.Errorf("after the end: %d numbers, %v", len(x), err)
		}
	}
}
