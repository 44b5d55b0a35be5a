package arrays

import (
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/dense"
)

// smallResults are the operations of [stoppable] that take little memory.
var smallResults = []string{
	"BinCount", "Bins", "Histogram", "NonZero", "PutMasked", "PutPick", "Reduce", "SearchSorted",
	"Sort", "ArgSort", "Unique", "Update", "Complex.Angle", "Complex.Equal", "Complex.PutMasked", "Complex.PutPick",
	"Compare", "ComplexDot", "Logic", "LogSpace", "Mask.Counts", "Mask.Not", "Pow",
}

// TestOperationsAskForRoom: where there is no room for the result of an operation, it
// says so before it takes any.
func TestOperationsAskForRoom(t *testing.T) {
	calls := stoppable(t, 2_100_000)
	runtime.GC()
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(int64(dense.InUse()) + 2<<20))
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		if slices.Contains(smallResults, name) {
			continue
		}
		if err := calls[name](t.Context()); err == nil || !strings.Contains(err.Error(), "the limit is") {
			t.Errorf("%s: error %v, want what it needs and the limit", name, err)
		}
	}
}
