package dense

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// CollectSeldom makes Go collect garbage no sooner than [Worthwhile] bytes were taken since the
// last time. By itself it does when the heap has doubled: a program in which few megabytes live
// would spend a fifth of its time looking through the same objects again and again. A limit of
// memory holds as before, and so does GOGC where that is set to another percentage than Go's.
// It costs one look at the heap after each collection.
func CollectSeldom() {
	if before := debug.SetGCPercent(usualPercent); before != usualPercent {
		debug.SetGCPercent(before)
		return
	}
	s := &spare{usualPercent}
	runtime.SetFinalizer(&sentinel{s}, (*sentinel).collected)
	s.adjust()
}

// usualPercent is how much of what lives Go lets be taken before it collects, where GOGC is not set.
const usualPercent = 100

// spare is the percentage that was set last.
type spare struct{ percent int }

// sentinel is garbage at once, by which collections are noticed.
type sentinel struct{ spare *spare }

func (s *sentinel) collected() {
	s.spare.adjust()
	runtime.SetFinalizer(s, (*sentinel).collected)
}

// adjust sets the percentage for what lives; that stops the program for a moment, and is left
// where it is the same.
func (s *spare) adjust() {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if p := sparePercent(sample[0].Value.Uint64()); p != s.percent {
		s.percent = p
		debug.SetGCPercent(p)
	}
}

// sparePercent is in whole hundreds, the least by which so much may be taken beside the live bytes.
func sparePercent(live uint64) int {
	const least = 1 << 20 // of a program that has just begun
	live = max(live, least)
	return usualPercent * int((Worthwhile+live-1)/live)
}
