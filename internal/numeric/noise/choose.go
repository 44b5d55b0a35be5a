package noise

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
)

// found is a noise that was found, and what is to be said of it.
type found struct {
	*noisy
	curves  *curves
	numbers float64 // that were asked of the data
	varies  bool    // standard deviations do
	alike   bool    // white, of the same variance for all values
}

// A noise must be likelier than white noise by margin, as the likelihood-ratio test has it at
// 1 % for two numbers, and by perNumber for each number that the data were asked for: of white
// noise each gains half a nat in the mean, and more where it is shrunk to what the data gain by.
const (
	margin    = 4.6
	perNumber = 1.5
)

// find fits with white noise, then with the noise of the choice, and takes the likelier.
func find(ctx context.Context, s fit.Spec, c Choice) (*fit.Estimate, error) {
	beside, end := progress.During(ctx, "fit with white noise")
	first, err := fit.Fit(beside, s)
	end()
	if err != nil {
		return nil, err
	}
	white, best, err := c.search(ctx, s, first)
	if err != nil {
		return nil, err
	}
	if best.noisy != white {
		d := *s.Data
		d.Errors = best.errors
		s.Data = &d
	}
	if best.isWhite() {
		if best.alike {
			if first, err = fit.Fit(ctx, s); err != nil {
				return nil, err
			}
		}
		if first, err = c.agreed(ctx, s, first); err != nil {
			return nil, err
		}
		return best.said(white, first), nil
	}
	if s.Criterion == "" {
		// The likelihood knows the noise. Leaving out pairs asks for more λ, of real curves for
		// hundreds of times more, and then predicts them worse.
		s.Criterion = fit.REML
	}
	last, err := fit.Fit(ctx, s)
	if err != nil {
		return nil, err
	}
	if best.varies {
		if err := Unshrink(ctx, last); err != nil {
			return nil, err
		}
	}
	return best.said(white, last), nil
}

// search is the fit with white noise that others are compared with, and the likeliest of a choice.
func (c Choice) search(ctx context.Context, s fit.Spec, first *fit.Estimate) (white *noisy, best *found, err error) {
	ctx, end := progress.During(ctx, "search for the noise")
	defer end()
	if white, err = begin(ctx, s, first); err != nil {
		return nil, nil, err
	}
	best, err = c.best(ctx, white)
	return white, best, err
}

// decade is by which factor the λ of two criteria may differ.
const decade = 10

// agreed is an estimate with white noise whose λ two criteria agree on, or that of leaving out
// pairs where no criterion was asked for: the likelihood takes for signal what white noise does
// not explain, and left-out pairs show that it is none.
func (c Choice) agreed(ctx context.Context, s fit.Spec, e *fit.Estimate) (*fit.Estimate, error) {
	reml, loo := e.Report.LambdaREML, e.Report.LambdaLOO
	if c.Kind != Auto || s.Criterion != "" || e.Report.Criterion != string(fit.REML) || reml == nil || loo == nil {
		return e, nil
	}
	apart := *loo / *reml
	if apart <= decade && apart >= 1./decade {
		return e, nil
	}
	s.Criterion = fit.LOO
	s.Kernel, s.Kernels = e.Kernel, nil
	next, err := fit.Fit(ctx, s)
	if err != nil {
		return nil, err
	}
	next.Report.Reason = fmt.Sprintf("lambda is chosen by leaving out pairs, for which the best is %.2g times that of the likelihood: the model is not quite that of the data; %s", apart, next.Report.Reason)
	return next, nil
}

// best is the likeliest noise of a choice.
func (c Choice) best(ctx context.Context, white *noisy) (*found, error) {
	switch c.Kind {
	case Diagonal:
		return varying(ctx, white)
	case Curves:
		return wavy(ctx, white, math.Inf(-1), c.Kernel)
	case Auto:
		best, err := automatic(ctx, white)
		if err != nil {
			return nil, err
		}
		return best.orAlike(ctx, white)
	}
	return &found{noisy: white}, nil
}

// orAlike is a noise or, where it is likelier, white noise of the same variance for all values, as of an instrument that reads each
// point: white noise of a fit has one variance for each length of the output. Both have as many numbers, so nothing is to pay.
func (f *found) orAlike(ctx context.Context, white *noisy) (*found, error) {
	e, err := white.spec.Data.OfDeviations(ones(white.spec.Data.OutputMesh.Size()))
	if err != nil {
		return nil, err
	}
	if slices.Max(e.Points)-slices.Min(e.Points) < few {
		return f, nil
	}
	if white.errors != nil {
		e.Pairs, e.Values = white.errors.Pairs, white.errors.Values
	}
	even, err := white.at(ctx, e)
	if err != nil {
		return nil, err
	}
	if next := (&found{noisy: even, alike: true}); next.gains(f) {
		return next, nil
	}
	return f, nil
}

func ones(n int) []float64 {
	all := make([]float64, n)
	floats.AddConst(1, all)
	return all
}

// varying is noise with standard deviations of its own, as likely as they make it.
func varying(ctx context.Context, f *noisy) (*found, error) {
	ctx, end := progress.During(ctx, "standard deviations")
	defer end()
	best, numbers, err := diagonal(ctx, f)
	return &found{noisy: best, numbers: numbers.all(), varies: best != f}, err
}

// wavy is noise with random curves of the likeliest of some kernels, looked at closer where they gain at least so many nats.
func wavy(ctx context.Context, f *noisy, gain float64, kernels ...kernel.Kernel) (*found, error) {
	ctx, end := progress.During(ctx, "random curves")
	defer end()
	var start []curves
	var likely []float64
	least := math.Inf(1)
	for _, k := range kernels {
		own, value, err := curves{open: k}.likeliest(ctx, f)
		if err != nil {
			return nil, err
		}
		start, likely = append(start, own), append(likely, value)
		least = min(least, value)
	}
	var best *found
	for i, own := range start {
		if likely[i] > least+5 {
			continue
		}
		next, at, err := own.refine(ctx, f, gain)
		if err != nil {
			return nil, err
		}
		if best == nil || next.reml < best.reml {
			best = &found{noisy: next, curves: &at, numbers: CurvesNumbers}
		}
	}
	return best, nil
}

// curvesTried are the kernels of random curves that are tried.
func curvesTried() []kernel.Kernel {
	return []kernel.Kernel{kernel.Exponential{Lengthscale: kernel.Auto}, kernel.Matern{Nu: 1.5, Lengthscale: kernel.Auto}}
}

// automatic is the likeliest of white noise, noise that varies, random curves, both, and curves of pairs of which each is as loud
// as it is by itself.
func automatic(ctx context.Context, white *noisy) (*found, error) {
	if math.IsNaN(white.reml) {
		return nil, noLikelihood(white.spec.Data)
	}
	best := &found{noisy: white}
	take := func(f *found, err error) error {
		if err == nil && f.reml+f.price() < best.reml+best.price() {
			best = f
		}
		return err
	}
	if err := take(varying(ctx, white)); err != nil {
		return nil, err
	}
	plain, err := wavy(ctx, white, hopeless, curvesTried()...)
	if err != nil {
		return nil, err
	}
	varies := best
	if err := take(plain, nil); err != nil || plain.reml+plain.price() > white.reml {
		return best, err
	}
	if varies.varies {
		both, err := wavy(ctx, varies.noisy, hopeless, plain.curves.open)
		if err != nil {
			return nil, err
		}
		both.numbers, both.varies = both.numbers+varies.numbers, true
		if err := take(both, nil); err != nil {
			return nil, err
		}
	}
	if best.curves == nil {
		return best, nil
	}
	return best, take(best.inTurns(ctx, white.errors))
}

// noLikelihood says why kinds of noise cannot be told apart.
func noLikelihood(d *dataset.Dataset) error {
	const otherwise = "say which noise they have: \"diagonal\", a kernel, or standard deviations"
	seen := observed(d)
	switch {
	case outputs.Spread2(d) == 0:
		return errors.New("noise: the outputs of all pairs are the same, so there is none to be found")
	case seen < len(d.Output.Data):
		return fmt.Errorf("noise: %d of %d outputs were observed. Kinds of noise are told apart by the likelihood, for which the covariance of all outputs falls into small blocks only where none is missing; a matrix of all that were observed is factored for up to %d. Leave out the pairs with missing outputs, or %s", seen, len(d.Output.Data), fit.MostFactored, otherwise)
	}
	return fmt.Errorf("noise: kinds of noise are told apart by the likelihood, which was not computed, of %d outputs with a kernel that is no product; %s", seen, otherwise)
}

// inTurns is noise with random curves that are as loud as they are by themselves, and at each point: standard deviations of the pairs and
// points beside the curves, in turns with the fit, and the curves anew beside these, as long as it becomes likelier. given are
// the errors of the data, nil for white ones. Where all are as loud as one another, it is the noise itself.
func (f *found) inTurns(ctx context.Context, given *dataset.Errors) (*found, error) {
	ctx, end := progress.During(ctx, "standard deviations of curves")
	defer end()
	best, again := f, true
	for range turns {
		next, err := best.turn(ctx, given)
		if err != nil || next == nil {
			return best, err
		}
		if next.gains(best) {
			best = next
			continue
		}
		if !again {
			break
		}
		again = false
		anew, err := wavy(ctx, best.noisy, math.Inf(-1), curvesTried()...)
		if err != nil {
			return nil, err
		}
		anew.numbers, anew.varies = best.numbers, best.varies
		if !anew.gains(best) {
			break
		}
		best = anew
	}
	return best, nil
}

const (
	turns       = 8  // of standard deviations and fits, at most
	settledNats = .5 // that a turn must gain for there to be another
)

// gains reports whether a noise is likelier than one before it, by more than its numbers cost.
func (f *found) gains(before *found) bool {
	return before.reml+before.price()-f.reml-f.price() > settledNats
}

// turn is the same curves with the standard deviations of pairs and points that its residuals tell, and the numbers these take; nil where
// they tell no others.
func (f *found) turn(ctx context.Context, given *dataset.Errors) (*found, error) {
	p, numbers, err := f.loudness(ctx, given)
	if err != nil || p.change(f.present(given)) < few {
		return nil, err
	}
	e := *f.errors
	e.Pairs, e.Points = nil, nil
	if given != nil {
		e.Pairs, e.Points = given.Pairs, given.Points
	}
	e.Pairs, e.Points = weighted(e.Pairs, p.pairs), weighted(e.Points, p.points)
	next, err := f.at(ctx, &e)
	return &found{noisy: next, curves: f.curves, numbers: CurvesNumbers + numbers.all(), varies: numbers.all() > few}, err
}

// price is what noise must be likelier by than white noise.
func (f *found) price() float64 {
	if f.numbers == 0 {
		return 0
	}
	return margin + perNumber*f.numbers
}

// said is an estimate whose report says what its noise is.
func (f *found) said(white *noisy, e *fit.Estimate) *fit.Estimate {
	e.Report.Reason = f.sentence(white.reml-f.reml) + "; " + e.Report.Reason
	return e
}

// isWhite reports whether the noise neither varies nor is correlated.
func (f *found) isWhite() bool { return !f.varies && f.curves == nil }

func (f *found) sentence(better float64) string {
	switch {
	case f.alike:
		return fmt.Sprintf("the noise is white, of the same variance for all values: %.2g nats likelier than of one for each length of the output", better)
	case f.isWhite():
		return "the noise is white"
	}
	text := "the noise"
	if f.varies {
		text += Variation(f.errors)
	}
	if f.curves != nil {
		if f.varies {
			text += " and"
		}
		text += f.correlated()
	}
	switch {
	case math.Abs(better) <= 0.5:
		text += ", as likely as white noise"
	case better < 0:
		text += fmt.Sprintf(", %.0f nats less likely than white noise", -better)
	case better > 0:
		text += fmt.Sprintf(", %.0f nats likelier than white noise", better)
	case f.curves != nil:
		text += ", as the residuals of white noise have it: the likelihood of so many data was not computed"
	}
	return text
}

// correlated says what the curves are, as what follows "the noise".
func (f *found) correlated() string {
	return fmt.Sprintf(" is correlated: a random curve of %s for each pair is %.2g %% of its variance", f.spec.Text(f.curves.kernel), 100*f.curves.part())
}

// Variation says how standard deviations vary, as what follows "the noise".
func Variation(e *dataset.Errors) string {
	along, by := 1.0, 1.0
	if e.Points != nil {
		along = ratio(e.Points)
	}
	if e.Pairs != nil {
		by = ratio(e.Pairs)
	}
	switch {
	case e.Values != nil:
		return fmt.Sprintf(" has a standard deviation that varies by a factor of %.3g", along*by*ratio(e.Values.Data))
	case by < 1.05:
		return fmt.Sprintf(" has a standard deviation that varies by a factor of %.3g along the output", along)
	case along < 1.05:
		return fmt.Sprintf(" has a standard deviation that varies by a factor of %.3g from pair to pair", by)
	}
	return fmt.Sprintf(" has a standard deviation that varies by a factor of %.3g along the output, and of %.3g from pair to pair", along, by)
}

// ratio is that of the largest standard deviation to the smallest, of weights.
func ratio(w []float64) float64 {
	least, most := w[0], w[0]
	for _, v := range w {
		least, most = min(least, v), max(most, v)
	}
	return math.Sqrt(most / least)
}

// Price is by how many nats noise must be likelier than white noise, for so many numbers that the
// data were asked for.
func Price(numbers float64) float64 { return (&found{numbers: numbers}).price() }
