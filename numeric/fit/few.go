package fit

import (
	"cmp"
	"math"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/outputs"
)

// fewOutputs is up to how many bands are means over the λ that the data allow.
const fewOutputs = 200

// few reports whether there are so few outputs.
func (s *Spec) few() bool { return outputs.Count(s.Data) <= fewOutputs }

// asOther makes e, the minimiser for squares, one that an estimate with a report may be instead. From few values its
// amplitude is not well known: bands have Student's distribution, of that variance. Amplitude and noise are as much larger than
// those of the report, whatever these are of, as the objective is than base, that of squares at its penalties.
func (e *Estimate) asOther(of Report, base float64) {
	values := float64(outputs.Count(e.learned.spec.Data))
	if e.learned.spec.flat() {
		values--
	}
	if values > 0 {
		of.Amplitude = cmp.Or(of.Amplitude, base/values)
		e.asLoud(of, base, criteria.Wider(values))
	}
}

// asLoud gives e the amplitude and the noise of a report, as much larger as its objective is than base, and so many times that.
func (e *Estimate) asLoud(of Report, base, times float64) {
	if !(base > 0) {
		return
	}
	more := times * e.Report.Objective / base
	e.Report.Amplitude, e.Report.Sigma = more*of.Amplitude, of.Sigma*math.Sqrt(more)
}

// louder is the noise of an estimate over that which its objective makes of data: it is not one where standard deviations were
// drawn towards each other.
func (r *Report) louder(s *Spec) float64 {
	if own := outputs.NoiseDeviation(s.Data, r.Objective, s.flat()); own > 0 && r.Sigma > 0 {
		return r.Sigma / own
	}
	return 1
}
