package criteria

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
)

// estimate is a mean with its standard error.
type estimate struct{ value, err float64 }

// signed are estimates ⟨s, B s⟩ of the trace of a matrix B from vectors s of random signs, with what their variance is known
// from. As s_i² = 1, the diagonal of B adds nothing to it: it is 2 Σ_{i≠j} B_ij² for a symmetric B, at most that
// for another of these entries. Now Σ_{j≠i} B_ij² is the variance of s_i (B s)_i, and of these there are as many as rows,
// so that two vectors tell what the estimates themselves, being only two, would not.
type signed struct {
	values  []float64
	middle  []float64 // of s_i (B s)_i for each row
	squares float64   // of their distances from it
	second  float64   // Σ b² and Σ b⁴ of the eigenvalues b of B, for each of the vectors
	fourth  float64
}

// add takes an estimate, with s_i (B s)_i, which it keeps, and what its vector tells of the eigenvalues.
func (e *signed) add(value float64, each []float64, second, fourth float64) {
	e.values, e.second, e.fourth = append(e.values, value), e.second+second, e.fourth+fourth
	if e.middle == nil {
		e.middle = each
		return
	}
	n := float64(len(e.values))
	for i, v := range each {
		off := v - e.middle[i]
		e.middle[i] += off / n
		e.squares += off * (v - e.middle[i])
	}
}

// mean is that of the estimates; its error is not known from one.
func (e *signed) mean() estimate {
	n := float64(len(e.values))
	out := estimate{floats.Sum(e.values) / n, math.Inf(1)}
	switch {
	case e.second == 0: // nothing is left to chance
		out.err = 0
	case n > 1:
		out.err = widened((n-1)*e.second*e.second/(n*e.fourth)) * math.Sqrt(2*e.squares/(n-1)/n)
	}
	return out
}

// widened is what an error is to be multiplied by whose square is known with so many degrees of freedom: that of Student's
// distribution, and as much again, as estimates are skew.
func widened(freedom float64) float64 { return math.Sqrt((freedom + 4) / max(freedom-2, 1)) }

// Signs is a vector of random signs.
func Signs(n int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 0x5151))
	v := make([]float64, n)
	for i := range v {
		v[i] = 1 - 2*float64(rng.Uint64()&1)
	}
	return v
}
