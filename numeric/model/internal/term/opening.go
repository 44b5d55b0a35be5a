package term

import "slices"

// Opening is a number of a kernel that is to be chosen: a lengthscale as a fraction of the
// axes, or the smoothness of a kernel that is not given.
type Opening struct {
	What  string
	Of    string // the parameter; "": the term itself
	At    float64
	Tried []float64
}

// numbers are all that were tried.
func (o *Opening) numbers() []float64 {
	if o.What == "smoothness" {
		return append(slices.Clone(o.Tried), smoothness)
	}
	return o.Tried
}
