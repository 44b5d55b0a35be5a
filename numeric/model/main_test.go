package model_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// On a small heap the collector would take a fifth of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
