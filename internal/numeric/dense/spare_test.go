package dense

import (
	"runtime/debug"
	"testing"
)

// TestCollectSeldom: beside what lives at least so much is taken before a collection, and at most
// as much again as by Go itself.
func TestCollectSeldom(t *testing.T) {
	for live := uint64(1); live < 1<<40; live = 3*live/2 + 1 {
		taken := uint64(sparePercent(live)) * live / usualPercent
		if live >= 1<<20 && taken < Worthwhile {
			t.Errorf("%d bytes live: collected when %d were taken, want no sooner than %d", live, taken, Worthwhile)
		}
		if usual := live; taken >= usual+Worthwhile {
			t.Errorf("%d bytes live: collected when %d were taken, want %d more than %d at most", live, taken, Worthwhile, usual)
		}
	}
	const set = 42
	defer debug.SetGCPercent(debug.SetGCPercent(set))
	CollectSeldom()
	if got := debug.SetGCPercent(set); got != set {
		t.Errorf("a percentage that was set became %d, want %d", got, set)
	}
}
