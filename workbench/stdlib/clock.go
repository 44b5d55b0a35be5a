//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package stdlib

import (
	"syscall"
	"time"
)

// processorTime is what the process has used of the processors, by all its threads.
func processorTime() (used time.Duration, ok bool) {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0, false
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()), true
}
