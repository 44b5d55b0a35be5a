//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package arrays

import (
	"os"
	"syscall"
)

// lock takes the lock of a file until it is closed; false if another holds it, or
// where the file system has no locks.
func lock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
