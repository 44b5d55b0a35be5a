package stdlib

import (
	"runtime"
	"time"
)

// A breath lets others run. A program in a browser has one thread, which no clock interrupts:
// while Lua or a computation runs, no timer fires, nobody measures memory, and no message of the
// page arrives, so that the button which is to stop it would be heard when it is over.
type breath struct {
	count uint32
	last  time.Time
}

const (
	breathEvery = 100 * time.Millisecond
	switches    = 1 << 11 // instructions between two switches to other goroutines
	looks       = 2       // switches between two looks at the clock
)

// instruction is called so often that even the clock is asked seldom. To switch to another
// goroutine, and be it the same, takes the calls of this one off the stack of the browser, where
// there is room for some six hundred nested metamethods only; Go keeps them on its own.
func (b *breath) instruction() {
	if b.count++; b.count%switches != 0 {
		return
	}
	runtime.Gosched()
	if b.count%(switches*looks) == 0 {
		b.take()
	}
}

// take gives the thread back to the page, if it has not had it for a while. A sleep is the only
// way to it.
func (b *breath) take() {
	if time.Since(b.last) >= breathEvery {
		time.Sleep(time.Millisecond)
		b.last = time.Now()
	}
}
