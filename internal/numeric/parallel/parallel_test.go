package parallel

import (
	"math"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// with runs f with a number of processors.
func with(t testing.TB, n int, f func()) {
	t.Helper()
	before := runtime.GOMAXPROCS(n)
	defer runtime.GOMAXPROCS(before)
	forget()
	f()
}

func forget() {
	processors.failures.Store(0)
	processors.skip.Store(0)
}

func TestWorkers(t *testing.T) {
	with(t, 4, func() {
		for _, c := range []struct {
			time float64
			want int
		}{{0, 1}, {-1, 1}, {math.NaN(), 1}, {smallest - 1, 1}, {smallest, 2}, {1.6 * smallest, 3}, {10 * smallest, 4}, {math.Inf(1), 4}} {
			if got := Workers(c.time); got != c.want {
				t.Errorf("%g ns: %d workers: want %d", c.time, got, c.want)
			}
		}
	})
	with(t, 1, func() {
		if got := Workers(math.Inf(1)); got != 1 {
			t.Errorf("one processor: %d workers", got)
		}
	})
}

// TestRange: every index is visited once, however many processors there are and whatever the loop is said to take.
func TestRange(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 7} {
		with(t, workers, func() {
			for _, n := range []int{0, 1, 2, 3, 10, 1000} {
				for _, time := range []float64{0, 1, 300, 1e5, 1e9} {
					visits := make([]atomic.Int64, n)
					Range(n, time, func(lo, hi int) {
						if lo >= hi {
							t.Errorf("%d processors, %d of %g ns: empty range %d to %d", workers, n, time, lo, hi)
						}
						for i := lo; i < hi; i++ {
							visits[i].Add(1)
						}
					})
					for i := range visits {
						if v := visits[i].Load(); v != 1 {
							t.Fatalf("%d processors, %d of %g ns: %d was visited %d times", workers, n, time, i, v)
						}
					}
				}
			}
		})
	}
}

// TestShort: short loops stay on the goroutine of the caller, in one piece.
func TestShort(t *testing.T) {
	with(t, 4, func() {
		calls := 0
		Range(1000, smallest/1001, func(lo, hi int) { calls++ })
		if calls != 1 {
			t.Errorf("%d calls", calls)
		}
	})
}

// TestLateHelper: a helper that does not come is not waited for. With one processor it comes only when the caller
// makes way; then it is still there afterwards. (Some other goroutine may end, or a thread be preempted, meanwhile.)
func TestLateHelper(t *testing.T) {
	with(t, 1, func() {
		for range 20 {
			before, seen := runtime.NumGoroutine(), 0
			Pieces(2, 4, func(k int) { seen += k + 1 })
			if seen != 10 {
				t.Fatalf("pieces sum up to %d: want 10", seen)
			}
			if runtime.NumGoroutine() == before+1 {
				return
			}
			runtime.Gosched()
		}
		t.Error("every loop waited for its helper")
	})
}

// TestBackingOff: where help is no gain, ever more short loops go without, long ones never; and all have it again once
// it is one.
func TestBackingOff(t *testing.T) {
	with(t, 2, func() {
		without := func() int {
			for n := range 1000 {
				if Workers(smallest) == 2 {
					return n
				}
				if Workers(long) != 2 {
					t.Fatal("a long loop went without")
				}
			}
			return 1000
		}
		for i, want := range []int{0, 2, 4, 8, 16, 32, 64, 64, 64} {
			processors.note(false)
			if got := without(); got != want {
				t.Errorf("after %d failures %d loops went without: want %d", i+1, got, want)
			}
		}
		for i, want := range []int{32, 16, 8, 4, 2, 0, 0} {
			processors.note(true)
			if got := without(); got != want {
				t.Errorf("after %d gains %d loops went without: want %d", i+1, got, want)
			}
		}
	})
}

// TestNote: a loop that the caller did all by itself counts as no gain.
func TestNote(t *testing.T) {
	with(t, 1, func() {
		Pieces(2, 4, func(int) {})
		Pieces(2, 4, func(int) {})
		if processors.free() {
			t.Error("two loops without help did not count")
		}
		forget()
	})
}

// TestPanic: a panic anywhere in a loop reaches the caller, when nobody works on it any more.
func TestPanic(t *testing.T) {
	for bad := range 8 {
		with(t, 3, func() {
			var running atomic.Int64
			defer func() {
				if p := recover(); p != "bad" {
					t.Errorf("piece %d: recovered %v", bad, p)
				}
				if running.Load() != 0 {
					t.Errorf("piece %d: %d are still at work", bad, running.Load())
				}
			}()
			Pieces(3, 8, func(k int) {
				running.Add(1)
				defer running.Add(-1)
				if k == bad {
					panic("bad")
				}
				time.Sleep(time.Millisecond)
			})
			t.Errorf("piece %d: no panic", bad)
		})
	}
}

// BenchmarkHandover is what a loop takes beyond half of its work when two share it.
func BenchmarkHandover(b *testing.B) {
	const work = 200 * time.Microsecond
	spin := func(d time.Duration) {
		for start := time.Now(); time.Since(start) < d; {
		}
	}
	with(b, 2, func() {
		total := time.Duration(0)
		for range b.N {
			spin(work) // so that the other processor has gone to sleep
			start := time.Now()
			Pieces(2, 8, func(int) { spin(work / 8) })
			total += time.Since(start)
		}
		b.ReportMetric(float64(total.Microseconds())/float64(b.N)-float64(work.Microseconds())/2, "µs-lost")
		b.ReportMetric(0, "ns/op")
	})
}
