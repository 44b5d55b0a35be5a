package parallel

import "context"

// Alone runs work that knows no context, and returns when it is done or when the context ends,
// whichever is first. Work that is left so goes on to its end unheard: it must be short, and nobody
// else may touch what it reads and writes. Work of less than a millisecond is not worth it.
func Alone(ctx context.Context, work func()) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		work()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
