package pde_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// Thousands of small problems make garbage on a heap of a few megabytes, on which the
// collector would take a fifth of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
