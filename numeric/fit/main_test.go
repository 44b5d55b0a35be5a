package fit_test

import (
	"os"
	"runtime"
	"runtime/debug"
	"testing"
)

// Thousands of small fits make garbage on a heap of a few megabytes, on which the
// collector would take a fifth of the time.
func TestMain(m *testing.M) {
	runtime.MemProfileRate = 0
	debug.SetGCPercent(800)
	os.Exit(m.Run())
}
