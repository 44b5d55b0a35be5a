//go:build !unix

package progresstest

import "time"

var start = time.Now()

// processorTime is the time of the wall clock where nothing else is known.
func processorTime() time.Duration { return time.Since(start) }
