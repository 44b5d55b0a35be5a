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
// matrices of referenceSize in referenceTime, and adds up referenceCount exponentials in referenceRest.
const (
	PerFlop = 1. / 60e9

	referenceSize  = 128
	referenceTime  = 42e-6
	referenceCount = 1024
	referenceRest  = 7.3e-6
	shareOfRest    = 0.35  // weight of the exponentials, beside the products, in the mean of logarithms that slowness is
	worthLooking   = 20e-3 // seconds, from which on the processor is looked at

	// How often the processor is looked at in a row without it looking faster, and for which share of what is to be done,
	// up to longestLook: what else may run has its turn meanwhile, and a processor that slept awakes. It is looked at fewestLooks
	// times however long these take, as a look that others interrupt takes as long as they do.
	patience    = 3
	fewestLooks = 12
	faster      = 0.95 // times the least so far
	shareToLook = 0.01
	longestLook = 40e-3 // seconds
)

// Here is a cost on these processors, of one on the processor that they are of.
func Here(ctx context.Context, c progress.Cost) progress.Cost {
	if c.Seconds > worthLooking {
		c.Seconds *= slowness(ctx, c.Seconds)
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

// slowness is how long this processor takes for what costs are of, when it does nothing else; it is looked at for a share of
// the seconds that are expected.
func slowness(ctx context.Context, seconds float64) float64 {
	a := mat.NewDense(referenceSize, referenceSize, nil)
	products, rest := least(min(longestLook, shareToLook*seconds), func() (products, rest float64) {
		return measured(func() { Product(ctx, a, a) }), measured(func() { addExponentials(referenceCount) })
	})
	return math.Pow(products/referenceTime, 1-shareOfRest) * math.Pow(rest/referenceRest, shareOfRest)
}

// least are the least seconds that two things take, of looks for so many seconds.
func least(enough float64, look func() (products, rest float64)) (products, rest float64) {
	products, rest = math.Inf(1), math.Inf(1)
	took := 0.0
	for looks, since := 0, 0; looks < fewestLooks || took < longestLook && (since < patience || took < enough); looks++ {
		p, r := look()
		if since++; p < faster*products {
			since = 0
		}
		products, rest, took = min(products, p), min(rest, r), took+p+r
	}
	return products, rest
}

// measured are the seconds that something takes.
func measured(do func()) float64 {
	start := time.Now()
	do()
	return time.Since(start).Seconds()
}

// addExponentials adds up as many exponentials.
func addExponentials(count int) (sum float64) {
	for i := range count {
		sum += math.Exp(-float64(i) / float64(count))
	}
	return sum
}
