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

// ofChosen is the spec of an estimate with what was chosen.
func (e *Estimate) ofChosen() Spec {
	s := e.learned.spec
	s.Lambda, s.Rho, s.Intercept, s.Chosen = e.Report.Lambda, e.Report.Rho, s.decidedIntercept(), false
	return s
}

// penaltiesOfThese is how many penalties stand for all that are plausible, of all kernels that are, together.
const penaltiesOfThese = 24

// mostSearched is up to how many outputs λ of a rival is searched for anew.
const mostSearched = 900

// in is the spec of the fit of a rival beside an estimate with a report, see [rival.fit].
func (r rival) in(s Spec, than Report) Spec {
	s.Kernel, s.penalties = r.kernel, max(2, int(math.Ceil(penaltiesOfThese*r.share)))
	if r.ratio > 0 && (outputs.Count(s.Data) > mostSearched || s.reweighted) {
		s.Lambda, s.Rho = r.ratio*than.Lambda, than.Rho
	}
	return s
}
