package array

import (
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// smallResults are the operations of [stoppable] that take little memory.
var smallResults = []string{
	"Array.BinCount", "Array.Bins", "Array.Histogram", "Array.NonZero", "Array.PutMasked", "Array.PutPick", "Array.Reduce", "Array.SearchSorted",
	"Array.Sort", "Array.ArgSort", "Array.Unique", "Array.Update", "Complex.Angle", "Complex.Equal", "Complex.PutMasked", "Complex.PutPick",
	"Compare", "ComplexDot", "Logic", "LogSpace", "Mask.Counts", "Mask.Not", "Pow",
}

// TestOperationsAskForRoom: where there is no room for the result of an operation, it
// says so before it takes any.
func TestOperationsAskForRoom(t *testing.T) {
	calls := stoppable(t, 2_100_000)
	runtime.GC()
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(int64(inUse()) + 2<<20))
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		if slices.Contains(smallResults, name) {
			continue
		}
		if err := calls[name](t.Context()); err == nil || !strings.Contains(err.Error(), "the limit is") {
			t.Errorf("%s: error %v, want what it needs and the limit", name, err)
		}
	}
}
