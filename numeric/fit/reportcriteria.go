package fit

import (
	"fmt"
	"math"
	"strings"

	"github.com/greenbench/workbench/numeric/fit/criteria"
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
func (r *Report) takeSheet(v criteria.Sheet) {
	r.REML, r.GCV, r.LOO = known(v.REML), known(v.GCV), known(v.LOO)
	r.REMLError, r.GCVError = knownAbove(v.REMLErr), knownAbove(2*v.GCV*v.FreeErr/v.Free)
	if math.IsInf(v.REMLErr, 1) {
		r.REML, r.GCV, r.REMLError, r.GCVError = nil, nil, nil, nil
	}
}

// takeMinimisers takes where each criterion is least.
func (r *Report) takeMinimisers(ch criteria.Choice) {
	r.LambdaREML, r.LambdaGCV, r.LambdaLOO = knownAbove(ch.REML), knownAbove(ch.GCV), knownAbove(ch.LOO)
}
