// Package parallel shares loops out to the processors, where they last long enough to gain from it.
//
// Waking a second thread costs the first one some 5 to 15 µs, and 30 µs or more pass until it is at work (on virtual
// machines and under load, twice that). Whoever has a loop therefore says how long it takes, and short ones run where
// they are. Nobody waits for a helper that has not come yet: the loop is cut into pieces, the caller works on them like
// everybody else, and when it finds none left it waits only for those in hand. Where help has come too late, because
// other programs have the processors, loops of a few milliseconds are not shared out again for a while.
//
// Which goroutine does a piece, and how the loop is cut, must not matter for its results. Sums are therefore taken
// piece by piece only where the pieces are cut alike for any number of processors, by the caller of this package.
package parallel

import (
	"runtime"
	"sync/atomic"
	"time"
)

const (
	// smallest is the least work that is shared out, in nanoseconds: beyond it two processors win even if the second is
	// at work 50 µs late and has cost the first 15 µs.
	smallest = 200e3
	// piece is the least work that is worth being taken on its own, in nanoseconds.
	piece = 50e3
	// long is work that is always shared out: what a handover may cost is nothing to it, in nanoseconds.
	long = 5e6
	// perWorker is into how many pieces each worker's share is cut at most: the last ones to come in are waited for.
	perWorker = 8
)

// Workers returns how many processors to share a loop with that takes the given time on one of them, in nanoseconds:
// 1, or up to GOMAXPROCS with at least half of the smallest such work for each.
func Workers(time float64) int {
	if !(time >= smallest) {
		return 1
	}
	workers := int(min(float64(runtime.GOMAXPROCS(0)), time/(smallest/2)))
	if workers > 1 && time < long && !processors.free() {
		return 1
	}
	return workers
}

// Range calls do for ranges lo <= i < hi that make up 0 <= i < n, on all processors if that pays: time is what one i
// takes on one processor, in nanoseconds, to a factor of two or so. A panic in do reaches the caller.
func Range(n int, time float64, do func(lo, hi int)) {
	total := float64(n) * time
	workers := min(Workers(total), n)
	if workers < 2 {
		if n > 0 {
			do(0, n)
		}
		return
	}
	pieces := min(n, workers*perWorker, max(workers, int(total/piece)))
	Pieces(workers, pieces, func(k int) { do(k*n/pieces, (k+1)*n/pieces) })
}

// Pieces calls do(k) once for every 0 <= k < pieces on the calling goroutine and up to workers−1 others. It is for
// callers who have cut their work themselves; Workers tells how many it is worth.
func Pieces(workers, pieces int, do func(k int)) {
	if workers < 2 || pieces < 2 {
		for k := range pieces {
			do(k)
		}
		return
	}
	j := &job{pieces: int64(pieces), do: do, finished: make(chan struct{})}
	for range min(workers, pieces) - 1 {
		go j.work()
	}
	start := time.Now()
	least := j.work()
	<-j.finished
	// A piece that took longer than others may have lost its processor to a helper.
	alone := least * time.Duration(pieces)
	processors.note(time.Since(start) < alone-alone/16)
	if p := j.panicked.Load(); p != nil {
		panic(*p)
	}
}

// job is a loop that several goroutines take pieces of.
type job struct {
	next, done atomic.Int64
	pieces     int64
	do         func(k int)
	finished   chan struct{} // closed when all pieces are done
	panicked   atomic.Pointer[any]
}

// work does pieces until there are none left, and returns the least time that one took, 0 if there was none.
func (j *job) work() (least time.Duration) {
	for last := time.Now(); ; {
		k := j.next.Add(1) - 1
		if k >= j.pieces {
			return least
		}
		j.run(int(k))
		now := time.Now()
		if d := now.Sub(last); d < least || least == 0 {
			least = d
		}
		last = now
	}
}

// run does one piece, which counts as done when it panics.
func (j *job) run(k int) {
	defer func() {
		if p := recover(); p != nil {
			j.panicked.CompareAndSwap(nil, &p)
		}
		if j.done.Add(1) == j.pieces {
			close(j.finished)
		}
	}()
	j.do(k)
}

// processors remembers whether help came in time. It is one for the whole program, as they are; results do not depend
// on it.
var processors record

// record is of how handovers went: failures counts those that were no gain, less those that were one. From the second
// on loops go without help between attempts, twice as many with each.
type record struct{ skip, failures atomic.Int64 }

// mostFailures bounds how many loops go without, 64: often enough to notice when processors are free, so rarely that
// the attempts cost less than a hundredth.
const mostFailures = 7

// free tells whether help is worth trying.
func (r *record) free() bool {
	if r.skip.Load() <= 0 {
		return true
	}
	r.skip.Add(-1)
	return false
}

// note keeps whether a handover was a gain.
func (r *record) note(gain bool) {
	n := r.failures.Load()
	if gain {
		n = max(0, n-1)
	} else {
		n = min(mostFailures, n+1)
	}
	r.failures.Store(n)
	if n > 1 {
		r.skip.Store(1 << (n - 1))
	}
}
