package arrays

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/testmain"
)

// TestResultsReuseMemory: of results that nobody holds, a few are in memory at a time,
// however seldom garbage is collected otherwise.
func TestResultsReuseMemory(t *testing.T) {
	if dense.Poison {
		t.Skip("every size is large here")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(1000))
	runtime.GC()
	n := 4 * dense.Roomy
	m, err := newMask([]int{n})
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	most := before.HeapAlloc
	for range 20 {
		if m, err = m.Not(ctx()); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		most = max(most, after.HeapAlloc)
	}
	if held := int(most - before.HeapAlloc); held > dense.Worthwhile+2*n {
		t.Errorf("20 results of %d MB: %d MB held at once, want at most %d", n>>20, held>>20, (dense.Worthwhile+2*n)>>20)
	}
}

// BenchmarkMaskBesidePointers is a mask of 10⁷ elements beside a heap that takes long to look through.
func BenchmarkMaskBesidePointers(b *testing.B) {
	testmain.CollectAsUsually(b)
	for _, count := range []int{0, 100_000, 10_000_000} {
		kept := make([]*[2]float64, count)
		for i := range kept {
			kept[i] = new([2]float64)
		}
		b.Run(map[int]string{0: "none", 100_000: "some", 10_000_000: "many"}[count], func(b *testing.B) {
			m, err := newMask([]int{10_000_000})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if m, err = m.Not(ctx()); err != nil {
					b.Fatal(err)
				}
			}
		})
		runtime.KeepAlive(kept)
	}
}
