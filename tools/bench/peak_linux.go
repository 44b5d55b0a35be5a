package main

import (
	"os/exec"
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
