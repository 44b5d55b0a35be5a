package array

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
)

// TestResultsReuseMemory: of results that nobody holds, a few are in memory at a time,
// however seldom garbage is collected otherwise.
func TestResultsReuseMemory(t *testing.T) {
	if poison {
		t.Skip("every size is large here")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(1000))
	runtime.GC()
	n := 4 * roomy
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
	if held := int(most - before.HeapAlloc); held > worthwhile+2*n {
		t.Errorf("20 results of %d MB: %d MB held at once, want at most %d", n>>20, held>>20, (worthwhile+2*n)>>20)
	}
}

// TestGarbageIsLeftWhereItTakesLong: a collection is asked for as often as it takes less time
// than fresh memory does, and is counted from the last, whoever asked for that.
func TestGarbageIsLeftWhereItTakesLong(t *testing.T) {
	for _, c := range []struct {
		scanned uint64 // bytes with pointers
		others  int    // after how many results somebody else collects
		want    int    // collections for 100 results of 16 MiB
	}{
		{0, 1000, 49},
		{4 << 20, 1000, 49},
		{16 << 20, 1000, 12},
		{1 << 30, 1000, 0},
		{0, 2, 0},
		{0, 3, 49},
	} {
		var asked, all, since int
		g := garbage{collect: func() { asked++; all++; since = 0 }, look: func() (uint64, uint64) { return uint64(all), c.scanned }}
		for range 100 {
			if since == c.others {
				all, since = all+1, 0
			}
			g.before(16 << 20)
			since++
		}
		if asked != c.want {
			t.Errorf("%d MiB with pointers, others collect after %d: asked %d times, want %d", c.scanned>>20, c.others, asked, c.want)
		}
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
