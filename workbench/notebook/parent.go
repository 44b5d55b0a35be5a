package notebook

import (
	"context"
	"os"
	"time"
)

// endWithParent ends a kernel whose front end is gone without a word: on Unix its process is
// then the child of another.
func endWithParent(ctx context.Context, end context.CancelFunc) {
	parent := os.Getppid()
	if parent == 1 { // started by the system itself
		return
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if os.Getppid() != parent {
				end()
				return
			}
		}
	}
}
