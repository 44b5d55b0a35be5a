//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package progress

import (
	"syscall"
	"time"
)

// Processor is what the process has used of the processors, by all its threads.
func Processor() (used time.Duration, ok bool) {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0, false
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()), true
}
