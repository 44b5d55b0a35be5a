package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// peak is the most memory that a program which has ended had, in bytes.
func peak(cmd *exec.Cmd) float64 {
	if cmd.ProcessState != nil {
		if use, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
			return float64(use.Maxrss) * 1024
		}
	}
	return 0
}

// used are the seconds of the processors that a running program has had, by the system; 0 where it does not say.
func used(process int) (seconds float64) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", process))
	for _, path := range threads {
		text, _ := os.ReadFile(path)
		var nanoseconds float64
		if _, err := fmt.Sscan(string(text), &nanoseconds); err == nil {
			seconds += nanoseconds / 1e9
		}
	}
	return seconds
}
