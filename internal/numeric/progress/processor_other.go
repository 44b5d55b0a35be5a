//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package progress

import "time"

// Processor is what the process has used of the processors, which is not known on this system.
func Processor() (used time.Duration, ok bool) { return 0, false }
