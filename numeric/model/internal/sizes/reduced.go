package sizes

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/mesh"
)

// reduced is a part of the data that the sizes of the terms are chosen from: some numbers
// of each sample, projections of its output on orthonormal modes, or values at single
// points where outputs are missing. In the scale where noise is white of variance one,
// they have the covariance I + Σ_t s_t C_t, and their likelihood is one of its own: the
// sizes s_t are where it is greatest, and cost no more than a matrix of few rows.
type reduced struct {
	samples  []int
	modes    *mat.Dense  // dy^½ V, my × r
	kept     []int       // entries (sample, mode) that are there for any output, row-major
	t        []float64   // the data
	entry    []int       // of kept, for each of the data
	output   []int       // for each of the data
	units    []float64   // of the outputs
	flat     [][]float64 // the data of the constants that are free
	constant []int       // of each output among flat; -1: it has none
	n        int         // of all samples
	out      mesh.Mesh
	whole    bool         // all that was observed is in t
	noise    []correlated // numbers whose noise is not white of variance one; nil: there are none
}

const (
	mostReduced = 240 // rows of the matrix
	mostCoupled = 480 // rows of several outputs
	fewestModes = 6   // of each sample
	mostModes   = 600 // points of the output, whose modes are found
)

// inUnits divides the outputs by their units.
func (r *reduced) inUnits(units []float64) {
	for i, o := range r.output {
		r.t[i] *= r.units[o] / units[o]
	}
	r.units = units
}

// spreads are the roots of the mean squares of the data of each output; one where there are none.
func (r *reduced) spreads() []float64 {
	sum, count := make([]float64, len(r.units)), make([]float64, len(r.units))
	for i, o := range r.output {
		sum[o] += r.t[i] * r.t[i]
		count[o]++
	}
	for o := range sum {
		if sum[o] = math.Sqrt(sum[o] / count[o]); !(sum[o] > 0) {
			sum[o] = 1
		}
	}
	return sum
}

// mostDependent is what is left of an output without multiples of the others, over its size, where that is rounding.
const mostDependent = 1e-12

// dependent tells whether an output is a sum of multiples of others wherever all are there, so that no noise is too
// small for them.
func (r *reduced) dependent() bool {
	var rows [][]float64
	for i := 0; i < len(r.t); {
		first, row := i, make([]float64, len(r.units))
		for ; i < len(r.t) && r.entry[i] == r.entry[first]; i++ {
			row[r.output[i]] = r.t[i]
		}
		if i-first == len(row) {
			rows = append(rows, row)
		}
	}
	if len(rows) <= len(r.units) {
		return false
	}
	left := make([][]float64, 0, len(r.units))
	for o := range r.units {
		own := make([]float64, len(rows))
		for i, row := range rows {
			own[i] = row[o]
		}
		size := floats.Norm(own, 2)
		for range 2 { // the second time what rounding left
			for _, other := range left {
				floats.AddScaled(own, -floats.Dot(own, other), other)
			}
		}
		rest := floats.Norm(own, 2)
		if rest <= mostDependent*size {
			return true
		}
		floats.Scale(1/rest, own)
		left = append(left, own)
	}
	return false
}

// pointOf is the point that mode a is the value at.
func (r *reduced) pointOf(a int) int {
	for k := range r.out.Size() {
		if r.modes.At(k, a) != 0 {
			return k
		}
	}
	return 0
}

// unweighted is V; points without weight have no part in it.
func (r *reduced) unweighted(dy []float64) *mat.Dense {
	v := mat.DenseCopyOf(r.modes)
	v.Apply(func(k, _ int, x float64) float64 {
		if dy[k] == 0 {
			return 0
		}
		return x / math.Sqrt(dy[k])
	}, v)
	return v
}

// correlated are some of the data, those of one sample and output, and L: their noise has the covariance
// L Lᵀ where white noise has variance one.
type correlated struct {
	at []int
	l  *mat.TriDense
}
