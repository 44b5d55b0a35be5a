package parallel

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
)

// Nobody has a turn while another does, and a context that ends gives the place up.
func TestTurns(t *testing.T) {
	turns := NewTurns()
	var at, most atomic.Int64
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 100 {
				end, ok := turns.Take(t.Context())
				if !ok {
					t.Error("no turn")
				}
				most.Store(max(most.Load(), at.Add(1)))
				at.Add(-1)
				end()
			}
		})
	}
	wait.Wait()
	if most.Load() != 1 {
		t.Errorf("%d at once", most.Load())
	}
	end, _ := turns.Take(t.Context())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, ok := turns.Take(ctx); ok {
		t.Error("a turn that another has")
	}
	end()
}
