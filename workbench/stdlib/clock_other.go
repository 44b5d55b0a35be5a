//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package stdlib

import "time"

// processorTime is not known on this system.
func processorTime() (used time.Duration, ok bool) { return 0, false }
