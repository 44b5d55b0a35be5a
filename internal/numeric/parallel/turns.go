package parallel

import "context"

// Turns lets one goroutine at a time do what takes much memory and uses all processors by
// itself: several at once would be no faster, and take as much memory each.
type Turns chan struct{}

// NewTurns returns turns that nobody has taken.
func NewTurns() Turns { return make(Turns, 1) }

// Take waits for a turn, which ends with the function returned; ok is false where ctx has
// ended before. A nil context does not end.
func (t Turns) Take(ctx context.Context) (end func(), ok bool) {
	var ended <-chan struct{}
	if ctx != nil {
		ended = ctx.Done()
	}
	select {
	case t <- struct{}{}:
		return func() { <-t }, true
	case <-ended:
		return func() {}, false
	}
}
