package linop

import (
	"context"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/parallel"
	"github.com/greenbench/workbench/internal/numeric/progress"
)

// PerFlop is the seconds of an operation of a matrix product on the processor that costs are of: one that multiplies
// matrices of referenceSize in referenceTime.
const (
	PerFlop = 1. / 60e9

	referenceSize  = 128
	referenceTime  = 42e-6
	worthMeasuring = 0.2 // seconds, from which on the processor is looked at

	looksSlow   = 1.5                   // times the reference, from which on it may only be busy with something else
	longestLook = 40 * time.Millisecond // several turns of what else may run
)

// Here is a cost on these processors, of one on the processor that they are of.
func Here(ctx context.Context, c progress.Cost) progress.Cost {
	if c.Seconds > worthMeasuring {
		c.Seconds *= slowness(ctx)
	}
	c.Seconds /= speedup()
	return c
}

// speedup is about how much faster all processors are than one.
func speedup() float64 { return math.Pow(float64(parallel.Workers(math.Inf(1))), 0.3) }

// slowness is how long this processor takes for what costs are of, when it does nothing else: where it looks slow it is
// looked at for longer, as something else may have its turn.
func slowness(ctx context.Context) float64 {
	a := mat.NewDense(referenceSize, referenceSize, nil)
	least, began := math.Inf(1), time.Now()
	for k := 0; k < 5 || least > looksSlow*referenceTime && time.Since(began) < longestLook; k++ {
		start := time.Now()
		Product(ctx, a, a)
		least = min(least, time.Since(start).Seconds())
	}
	return least / referenceTime
}
