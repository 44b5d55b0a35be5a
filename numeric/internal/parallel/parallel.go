// Package parallel shares loops out to the processors, where they last long enough to gain from it.
//
// Waking a second thread costs the first one some 5 to 15 µs, and 30 µs or more pass until it is at work (on virtual
// machines and under load, twice that). Whoever has a loop therefore says how long it takes, and short ones run where
// they are. Nobody waits for a helper that has not come yet: the loop is cut into pieces, the caller works on them like
// everybody else, and when it finds none left it waits only for those in hand.
//
// Which goroutine does a piece, and how the loop is cut, must not matter for its results. Sums are therefore taken
// piece by piece only where the pieces are cut alike for any number of processors, by the caller of this package.
package parallel

import (
	"runtime"
	"sync/atomic"
)

const (
	// smallest is the least work that is shared out, in nanoseconds: beyond it two processors win even if the second is
	// at work 50 µs late and has cost the first 15 µs.
	smallest = 200e3
	// piece is the least work that is worth being taken on its own, in nanoseconds.
	piece = 50e3
	// perWorker is into how many pieces each worker's share is cut at most: the last ones to come in are waited for.
	perWorker = 8
)

// Workers returns how many processors to share a loop with that takes the given time on one of them, in nanoseconds:
// 1, or up to GOMAXPROCS with at least half of the smallest such work for each.
func Workers(time float64) int {
	if !(time >= smallest) {
		return 1
	}
	return int(min(float64(runtime.GOMAXPROCS(0)), time/(smallest/2)))
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
	j.work()
	<-j.finished
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

func (j *job) work() {
	for k := j.next.Add(1) - 1; k < j.pieces; k = j.next.Add(1) - 1 {
		j.run(int(k))
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
