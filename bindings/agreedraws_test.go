package bindings_test

import (
	"math"
	"math/rand/v2"

	"github.com/greenbench/workbench/numeric/array"
)

// numberKinds are what numbers of arrays are, with how often in a hundred. What is refused
// because of NaN or infinities is refused with them.
var numberKinds = []struct {
	name  string
	share int
}{{"plain", 38}, {"whole", 16}, {"one", 10}, {"huge", 8}, {"tiny", 8}, {"beyond", 8}, {"nan", 4}, {"inf", 4}, {"empty", 4}}

// draws makes the arrays of one call, all of them of one kind.
type draws struct {
	*rand.Rand
	kind string
}

// size is a number of rows, 1 or 0 where that is what is tried.
func (g *draws) size(low, high int) int {
	switch g.kind {
	case "one":
		return 1
	case "empty":
		return 0
	}
	return low + g.IntN(high-low+1)
}

func (g *draws) number() float64 {
	x := g.NormFloat64()
	switch g.kind {
	case "whole":
		return float64(g.IntN(7) - 3)
	case "huge":
		return x * 1e300
	case "tiny":
		return x * 1e-300
	case "beyond": // integers that have no digit to spare
		return math.Copysign(0x1p53+2*float64(g.IntN(1000)), x)
	}
	return x
}

func (g *draws) array(shape ...int) *array.Array { return g.odd(g.of(g.number, shape...)) }

// within are numbers of a range, whatever the kind.
func (g *draws) within(low, high float64, shape ...int) *array.Array {
	return g.odd(g.of(func() float64 { return low + (high-low)*g.Float64() }, shape...))
}

func (g *draws) decades(low, high float64, shape ...int) *array.Array {
	return g.odd(g.of(func() float64 { return math.Pow(10, low+(high-low)*g.Float64()) }, shape...))
}

func (g *draws) of(number func() float64, shape ...int) *array.Array {
	a := array.New(shape...)
	for i := range a.Data {
		a.Data[i] = number()
	}
	return a
}

// odd puts what is no number among the numbers.
func (g *draws) odd(a *array.Array) *array.Array {
	if k := a.Size(); k > 0 {
		switch g.kind {
		case "nan":
			a.Data[g.IntN(k)] = math.NaN()
		case "inf":
			a.Data[g.IntN(k)] = math.Inf(2*g.IntN(2) - 1)
		}
	}
	return a
}

// increasing are points in order, not closer than a hundredth of their mean distance.
func (g *draws) increasing(n int) *array.Array {
	unit := map[string]float64{"huge": 1e300, "tiny": 1e-300, "beyond": 0x1p53}[g.kind]
	if unit == 0 {
		unit = 1
	}
	x := 3 * g.NormFloat64()
	return g.odd(g.of(func() float64 { x += 0.01 + g.Float64(); return x * unit / float64(4*n) }, n))
}

// scalar is a number, of no axis.
func scalar(x float64) *array.Array { return &array.Array{Data: []float64{x}} }

// integer is a number, not an array: of a call f(n).
func (g *draws) integer(low, high int) *array.Array {
	return scalar(float64(low + g.IntN(high-low+1)))
}

// definite is a symmetric matrix whose diagonal outweighs the rest.
func (g *draws) definite(n int) *array.Array {
	a := g.array(n, n)
	unit := 0.0
	for _, x := range a.Data {
		unit = max(unit, math.Abs(x)/8)
	}
	for i := range n {
		for j := range i {
			a.Set(a.At(i, j), j, i)
		}
		a.Set(float64(8*n)*unit+math.Abs(a.At(i, i)), i, i)
	}
	return a
}
