package fit

import (
	"fmt"
	"math"
	"strings"
)

// shown is a value with its standard error, if it has one.
func shown(v, err *float64) string {
	if err == nil {
		return fmt.Sprintf("%.8g", *v)
	}
	return fmt.Sprintf("%.8g, with a standard error of %.2g", *v, *err)
}

// minimisers is where each criterion that is known is least.
func (r Report) minimisers() string {
	var known []string
	for i, l := range []*float64{r.LambdaREML, r.LambdaGCV, r.LambdaLOO} {
		if l != nil {
			known = append(known, fmt.Sprintf("%.3g (%s)", *l, []Criterion{REML, GCV, LOO}[i]))
		}
	}
	return strings.Join(known, ", ")
}

// known is a value that was computed and is finite, as REML of outputs that are all zero is
// not; otherwise nil.
func known(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// knownAbove is known of a number that is positive if it was computed.
func knownAbove(v float64) *float64 {
	if !(v > 0) {
		return nil
	}
	return &v
}

// takeSheet takes the criteria at the λ of the fit.
func (r *Report) takeSheet(v sheet) {
	r.REML, r.GCV, r.LOO = known(v.reml), known(v.gcv), known(v.loo)
	r.REMLError, r.GCVError = knownAbove(v.remlErr), knownAbove(2*v.gcv*v.freeErr/v.free)
	if math.IsInf(v.remlErr, 1) {
		r.REML, r.GCV, r.REMLError, r.GCVError = nil, nil, nil, nil
	}
}

// takeMinimisers takes where each criterion is least.
func (r *Report) takeMinimisers(ch choice) {
	r.LambdaREML, r.LambdaGCV, r.LambdaLOO = known(ch.reml), known(ch.gcv), knownAbove(ch.looAt)
}
