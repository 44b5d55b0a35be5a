package model_test

import (
	"os"
	"runtime"
	"runtime/debug"
	"testing"
)

// On a small heap the collector would take a fifth of the time.
func TestMain(m *testing.M) {
	runtime.MemProfileRate = 0
	debug.SetGCPercent(800)
	os.Exit(m.Run())
}
