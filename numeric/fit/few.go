package fit

import (
	"math"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/outputs"
)

// few reports whether an estimate is of few outputs.
func (e *Estimate) few() bool { return outputs.Count(e.learned.spec.Data) <= fewOutputs }

// asOther makes e, the minimiser for squares, one that an estimate with a report may be instead. From few values its
// amplitude is not well known: bands have Student's distribution, of that variance. For a loss other than squares amplitude and
// noise are as much larger than those of the report as the objective is than base, that of squares at its penalties.
func (e *Estimate) asOther(of Report, base float64) {
	values := float64(outputs.Count(e.learned.spec.Data))
	if e.learned.spec.flat() {
		values--
	}
	r, wider := &e.Report, criteria.Wider(values)
	switch {
	case of.Amplitude > 0 && base > 0:
		r.Amplitude, r.Sigma = wider*of.Amplitude*r.Objective/base, of.Sigma*math.Sqrt(wider*r.Objective/base)
	case values > 0:
		r.Amplitude, r.Sigma = wider*r.Objective/values, r.Sigma*math.Sqrt(wider)
	}
}
