package fit

import (
	"context"
	"math"

	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/kernel"
)

// rivals are the kernels that may be better than that of an estimate, and the spec of a fit with one of them, but for its kernel.
type rivals struct {
	spec Spec
	of   []rival
}

// rival is a kernel that may be better than another, with the probability of that.
type rival struct {
	kernel       kernel.Kernel
	share, ratio float64 // ratio of its λ to that of the other, on the data that they were compared on; 0: not known
}

// beside is the fit of a kernel that may be better than that of an estimate, with noise that is as much louder than its residuals tell
// as that of the estimate is.
func (r rival) beside(ctx context.Context, s Spec, e *Estimate) (*Estimate, error) {
	other, err := r.fit(ctx, s, e.Report)
	if err != nil || e.Report.Amplitude == 0 {
		if err == nil {
			other.Report.Sigma *= e.Report.louder(&s)
		}
		return other, err
	}
	base, err := e.ofSquares(ctx)
	if err == nil {
		other.asLoud(e.Report, base, 1)
	}
	return other, err
}

// mostSearched is up to how many outputs λ of a rival is searched for anew.
const mostSearched = 900

// fit is the fit of a kernel that may be better than that of an estimate with a report. Of many values its λ
// is that of the estimate in the ratio of both on the data that the kernels were compared on: to leave out
// pairs of many values with a kernel that is no product takes several times what all else does.
func (r rival) fit(ctx context.Context, s Spec, than Report) (*Estimate, error) {
	s.Kernel, s.penalties = r.kernel, max(2, int(math.Ceil(penaltiesOfThese*r.share)))
	if outputs.Count(s.Data) <= mostSearched && !s.reweighted || !(r.ratio > 0) {
		return fitAsGiven(ctx, s)
	}
	s.Lambda, s.Rho = r.ratio*than.Lambda, than.Rho
	return minimiseAsGiven(ctx, s)
}

// ofSquares is the objective of an estimate with squares for the data and weights that it has: of a loss it has another one.
func (e *Estimate) ofSquares(ctx context.Context) (float64, error) {
	if e.Report.Amplitude == 0 {
		return e.Report.Objective, nil
	}
	s := e.learned.spec
	s.Lambda, s.Rho, s.Intercept, s.Chosen = e.Report.Lambda, e.Report.Rho, s.decidedIntercept(), false
	own, err := minimiseAsGiven(ctx, s)
	if err != nil {
		return 0, err
	}
	return own.Report.Objective, nil
}

// contend lets the bands of an estimate with the weights of a loss know of the kernels that may be better than that of the estimate
// whose choices it has.
func (e *Estimate) contend(from *Estimate) {
	if from == nil || from.learned == nil || from.learned.rivals == nil || e.learned == nil {
		return
	}
	own := *from.learned.rivals
	own.spec.Data, own.spec.seal, own.spec.reweighted = e.learned.spec.Data, e.learned.spec.seal, true
	e.learned.rivals = &own
	e.uncertain()
}
