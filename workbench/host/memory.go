package host

import (
	"context"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/greenbench/workbench/workbench/stdlib"
)

// limitMemory tells the garbage collector about the limit, so that it works harder before the limit is reached. The
// function returned restores what was set before.
func limitMemory(limit int64) (restore func()) {
	before := debug.SetMemoryLimit(limit)
	return func() { debug.SetMemoryLimit(before) }
}

// watchEvery is how often memory is measured; at the speed at which memory can be filled, some ten megabytes.
const watchEvery = 20 * time.Millisecond

// watchMemory cancels a run when live objects take more than the limit.
func watchMemory(limit uint64, cancel context.CancelCauseFunc) (stop func()) {
	done := make(chan struct{})
	go func() {
		ticker := time.NewTicker(watchEvery)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
			}
			if stdlib.HeapInUse() <= limit {
				continue
			}
			runtime.GC() // what is garbage does not count
			if used := stdlib.HeapInUse(); used > limit/20*19 {
				cancel(&MemoryError{limit, used})
				return
			}
		}
	}()
	return func() { close(done) }
}
