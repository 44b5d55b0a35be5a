// Package progresstest checks that computations end with their contexts.
package progresstest

import (
	"context"
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/greenbench/workbench/internal/testmain"
)

// Soon is how long a computation may go on after its context has ended. On a machine
// with other things to do, where a page of memory costs twice the time, it is twice that.
// Short tests run on emulated processors too, a hundred times slower: they only show that
// a computation ends long before its time.
const (
	Soon     = 300 * time.Millisecond
	Emulated = 20 * time.Second
)

var (
	moments = flag.Int("moments", 1, "at how many random moments each computation is stopped")
	longest = flag.Duration("longest", 0, "the last of these moments; 0: 100 ms, and 400 ms where every case is tried")
)

// A Computation is something that takes seconds if it is left alone.
type Computation struct {
	Name string
	Run  func(ctx context.Context) error
}

// Ends stops each computation at random moments, early ones as often as late ones, and
// fails the test when it goes on for longer than twice Soon (see there), of the wall clock or,
// beside other programs, of the time that each processor gave it, whichever is shorter, and does
// so each of the three times that it is stopped at that moment: what a machine was busy with once
// it is not always. It fails too when a computation goes on unseen after it has returned, or
// when it returns no error that says why.
func Ends(t *testing.T, all ...Computation) {
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	allowed := 2 * Soon
	if testing.Short() {
		allowed = Emulated
	}
	last := *longest
	if last == 0 {
		last = 400 * time.Millisecond / time.Duration(testmain.Stride(4))
	}
	for _, c := range all {
		worst, at := time.Duration(0), time.Duration(0)
		for range *moments {
			moment := time.Duration(math.Exp(rng.Float64()*math.Log(float64(last/time.Millisecond)))) * time.Millisecond
			late, where := stop(t, c, moment)
			for again := 0; late > allowed && again < 2; again++ {
				if l, w := stop(t, c, moment); l < late {
					late, where = l, w
				}
			}
			if late > allowed {
				t.Errorf("%s: stopped after %v, it went on for %v, and %v are allowed; on the way it was at\n%s", c.Name, moment, late, allowed, where)
			}
			if late > worst {
				worst, at = late, moment
			}
		}
		t.Logf("%-50s %4d ms late at most, stopped after %v", c.Name, worst.Milliseconds(), at)
	}
}

// stop ends a computation at a moment and returns how long it goes on, and, where that is
// long, what it was at.
func stop(t *testing.T, c Computation, moment time.Duration) (late time.Duration, where string) {
	cause := errors.New("somebody asked for it")
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx) }()
	select {
	case err := <-done:
		t.Errorf("%s: ended by itself before %v, with the error %v", c.Name, moment, err)
		return 0, ""
	case <-time.After(moment):
	}
	wall, processor := time.Now(), processorTime()
	cancel(cause)
	var err error
	select {
	case err = <-done:
	case <-time.After(Soon / 2):
		stacks := make([]byte, 1<<16)
		where = string(stacks[:runtime.Stack(stacks, true)])
		err = <-done
	}
	late = min(time.Since(wall), (processorTime()-processor)/time.Duration(runtime.GOMAXPROCS(0)))
	if !errors.Is(err, cause) {
		t.Errorf("%s: stopped after %v, it says %v", c.Name, moment, err)
	}
	// Memory that was asked for may still be on its way, seconds on a machine with much to do.
	for wait := time.Millisecond; runtime.NumGoroutine() > before && wait < 16*time.Second; wait *= 2 {
		time.Sleep(wait)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%s: stopped after %v, %d goroutines go on", c.Name, moment, n-before)
	}
	return late, where
}
