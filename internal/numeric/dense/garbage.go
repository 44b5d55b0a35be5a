package dense

import (
	"runtime"
	"runtime/metrics"
	"sync"
)

// garbage makes large results use the memory of earlier ones that nobody holds any more.
//
// Left to itself, Go collects garbage when the heap has doubled. Until then it takes memory from the
// system, which hands it out page by page: a mask of 10⁷ elements then takes 3 to 40 times as long as
// filling it does. Numbers hold no pointers to follow, so that a collection takes half a millisecond;
// where it takes long, beside many objects that do, it is left to Go.
type garbage struct {
	mu         sync.Mutex
	taken      int    // bytes since the last collection
	collection uint64 // the number of the last one
	collect    func()
	look       func() (collections, scanned uint64) // how many there were, and the bytes that the next must look through
}

// heap is the one that the process has.
var heap = garbage{collect: runtime.GC, look: lookAtHeap}

const (
	// worthwhile is from how many bytes on a collection is asked for: more than the processors'
	// caches hold, and little beside the numbers that such sizes belong to.
	Worthwhile = 32 << 20
	// slower is how many times as long it takes to look through memory for pointers as to get as
	// much from the system.
	slower = 8
)

// before is called with the size of what will be taken, in bytes.
func (g *garbage) before(size int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	n, scanned := g.look()
	if n != g.collection {
		g.collection, g.taken = n, 0
	}
	if g.taken >= Worthwhile && uint64(g.taken) >= slower*scanned {
		g.collect()
		g.collection, _ = g.look()
		g.taken = 0
	}
	g.taken += size
}

func lookAtHeap() (collections, scanned uint64) {
	samples := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}, {Name: "/gc/scan/heap:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64(), samples[1].Value.Uint64()
}
