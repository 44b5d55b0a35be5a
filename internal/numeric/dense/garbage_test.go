package dense

import "testing"

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
