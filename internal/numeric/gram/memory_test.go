package gram_test

import (
	"runtime/debug"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/gram"
)

// A number has eight bytes: so many are a part of the memory limit, and no more than asked for.
func TestMemoryShare(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(16 << 30))
	if got := gram.MemoryShare(.25, 1<<40); got != 4<<30/8 {
		t.Errorf("%d numbers in 4 GiB", got)
	}
	if got := gram.MemoryShare(.25, 1000); got != 1000 {
		t.Errorf("%d numbers, at most 1000", got)
	}
}
