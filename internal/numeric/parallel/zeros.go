package parallel

import (
	"context"
	"fmt"
)

// largeZeros is from how many numbers on the system may take tenths of a second to give
// the memory: 32 MB.
const largeZeros = 1 << 22

// Zeros is make([]float64, n) that ends with the context, which may be nil: new memory is
// cleared page by page, up to seconds for a gigabyte on virtual machines. What is under
// way then comes to its end unseen. The error is the context's cause.
func Zeros(ctx context.Context, n int) ([]float64, error) {
	if ctx == nil {
		return make([]float64, n), nil
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("stopped: %w", context.Cause(ctx))
	}
	if n < largeZeros {
		return make([]float64, n), nil
	}
	done := make(chan []float64, 1)
	go func() { done <- make([]float64, n) }()
	select {
	case x := <-done:
		return x, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("stopped: %w", context.Cause(ctx))
	}
}
