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

	referenceSize = 128
	referenceTime = 42e-6
	worthLooking  = 20e-3 // seconds, from which on the processor is looked at

	// How often the processor is looked at in a row without it looking faster: what else may run has its turn meanwhile.
	patience    = 12
	faster      = 0.95                  // times the least so far
	longestLook = 40 * time.Millisecond // in all
)

// Here is a cost on these processors, of one on the processor that they are of.
func Here(ctx context.Context, c progress.Cost) progress.Cost {
	if c.Seconds > worthLooking {
		c.Seconds *= slowness(ctx)
	}
	c.Seconds /= Speedup(c.Seconds, parallel.Workers(math.Inf(1)))
	return c
}

// The power of the number of processors by which these are faster than one: of a computation of a second, and how much more
// of one that takes ten times as long, whose loops are longer.
const (
	usualPower    = 0.3
	powerPerTen   = 0.2
	greatestPower = 0.7
)

// Speedup is about how much faster so many processors are than one, at what takes one so many seconds.
func Speedup(seconds float64, processors int) float64 {
	if !(seconds > 0) {
		return 1
	}
	return math.Pow(float64(processors), min(max(usualPower+powerPerTen*math.Log10(seconds), 0), greatestPower))
}

// slowness is how long this processor takes for what costs are of, when it does nothing else.
func slowness(ctx context.Context) float64 {
	a := mat.NewDense(referenceSize, referenceSize, nil)
	least, began := math.Inf(1), time.Now()
	for since := 0; since < patience && time.Since(began) < longestLook; since++ {
		start := time.Now()
		Product(ctx, a, a)
		took := time.Since(start).Seconds()
		if took < faster*least {
			since = 0
		}
		least = min(least, took)
	}
	return least / referenceTime
}
