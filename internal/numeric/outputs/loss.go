package outputs

import "math"

// Loss is what the residual r of an output, times the root of its quadrature and of the weight of its
// error, counts in place of its square.
type Loss struct {
	Unit float64 // of residuals
	// Of is the loss h at r, the weight h′(r)/2r of a square that pulls as much as it does, at most one, and the slope h″(r)/2.
	Of func(r float64) (value, weight, slope float64)
}

// Huber is his loss,
//
//	h(r) = r²  for |r| ≤ k,   2 k |r| - k²  beyond.
func Huber(k float64) Loss {
	return Loss{Unit: k, Of: func(r float64) (value, weight, slope float64) {
		if r = math.Abs(r); r <= k {
			return r * r, 1, 1
		}
		return 2*k*r - k*k, k / r, 0
	}}
}
