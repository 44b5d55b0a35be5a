package noise

import (
	"context"
	"time"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Fit is fit.Minimise with the noise of a choice. The report says what noise was found, and by how
// many nats it is likelier than white noise.
func Fit(ctx context.Context, s fit.Spec, c Choice) (*fit.Estimate, error) {
	if s.Data == nil || c.white() {
		return fit.Minimise(ctx, s)
	}
	if err := c.check(&s); err != nil {
		return nil, err
	}
	start := time.Now()
	plain := s
	plain.AskConstraint = false
	one := fit.Expected(ctx, plain)
	cost := c.expected(ctx, plain, one)
	if s.AskConstraint { // with what is beside a fit in one that asks
		cost.Seconds += max(fit.Expected(ctx, s).Seconds-one.Seconds, 0)
	}
	white := func() []progress.Option {
		return []progress.Option{{Words: "with white noise", Cost: fit.Expected(ctx, s)}}
	}
	if err := cost.InTime(ctx, "fits to find the noise", white); err != nil {
		return nil, err
	}
	defer cost.Announce(ctx, "fits to find the noise")()
	s, err := fit.FindConstraint(ctx, s)
	if err != nil {
		return nil, err
	}
	search := find
	if c.Huber {
		search = robust
	}
	e, err := search(ctx, s, c)
	if err != nil {
		return nil, err
	}
	r, all := &e.Report, time.Since(start).Seconds()
	r.Times.Noise += max(all-r.Seconds, 0)
	r.Seconds, r.Expected = all, cost
	return e, nil
}

// expected is what finding the noise of a spec takes, of which one fit takes that much: the kernel and λ are chosen beside
// white noise and, where that is another one, beside the noise found; for Huber's loss once a round, too. Between these are
// fits that choose λ for errors of their own, and fits with both known.
func (c Choice) expected(ctx context.Context, s fit.Spec, one progress.Cost) progress.Cost {
	choices, again, fits, chooses := 1., 0., 0., 0.
	if c.Kind != "" && c.Kind != White {
		choices = 2
	}
	if c.Kind == Diagonal || c.Kind == Auto {
		fits, chooses = fits+fitsDiagonal, chooses+choosesDiagonal
	}
	if c.Kind == Curves || c.Kind == Auto {
		fits, chooses = fits+fitsCurves, chooses+choosesCurves
	}
	if c.Kind == Auto {
		fits += fitsTurns
	}
	if c.Huber {
		choices, chooses, fits = choices*HuberRounds, chooses*HuberRounds, fits+fitsHuber
		again = HuberRounds // by the likelihood, which tells how loud the noise is
	}
	if s.Kernel == nil || kernels.IsAuto(s.Kernel) {
		s.Kernel, s.Kernels = kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{1}}, nil
	}
	product, seconds := s, choices*one.Seconds
	if again > 0 {
		seconds += again * min(one.Seconds, fit.Expected(ctx, s).Seconds)
	}
	if product.Kernel = separated(s.Kernel, &s); chooses > 0 {
		seconds += chooses * min(one.Seconds, fit.Expected(ctx, product).Seconds)
	}
	if s.Lambda == 0 {
		s.Lambda = 1
	}
	seconds += fits * min(one.Seconds, fit.Expected(ctx, s).Seconds)
	return progress.Cost{Seconds: seconds, Bytes: usualCopies * one.Bytes}
}

// LoudCurves is noise of which each pair has a random curve that is as loud as it is by itself, and at each point, for a fit whose
// kernels are chosen: errors of the data, with those that are given, how many numbers the data were asked for, and
// what the curves are, in words. It is found as that of [Auto] is; where the likeliest has no curves, or all are as loud as one another, the
// errors are nil.
func LoudCurves(ctx context.Context, s fit.Spec) (e *dataset.Errors, numbers float64, words string, err error) {
	if s.Criterion != fit.GCV {
		s.Criterion = fit.REML
	}
	white, err := (&noisy{spec: s}).at(ctx, s.Data.Errors)
	if err != nil {
		return nil, 0, "", err
	}
	best, err := automatic(ctx, white)
	if err != nil || !best.varies || best.curves == nil {
		return nil, 0, "", err
	}
	return best.errors, best.numbers, best.correlated(), nil
}
