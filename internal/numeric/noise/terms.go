package noise

import (
	"cmp"
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
)

// Vary finds standard deviations along the output and by pair for a fit whose kernels are chosen,
// of each of so many parts of the output, of the same number of points, by itself: errors of the data,
// with those that are given, and how many numbers the data were asked for. Where the data
// know of none they are those given, and 0.
func Vary(ctx context.Context, s fit.Spec, parts int) (e *dataset.Errors, numbers float64, err error) {
	if s.Criterion != fit.GCV {
		s.Criterion = fit.REML
	}
	f, err := (&noisy{spec: s, parts: parts}).at(ctx, s.Data.Errors)
	if err != nil {
		return nil, 0, err
	}
	best, own, err := diagonal(ctx, f)
	if err != nil || best == f {
		return s.Data.Errors, 0, err
	}
	return best.errors, own.all(), nil
}

// CurvesNumbers is how many the data are asked for a random curve of each pair.
const CurvesNumbers = 2

// Minimise minimises the loss that cut off data with the choices that an estimate has for these, and reports what was done.
func Minimise(ctx context.Context, s fit.Spec, e *fit.Estimate, d *dataset.Dataset, cut *Cut) (*fit.Estimate, error) {
	ctx, end := progress.During(ctx, "Huber's loss")
	defer end()
	f := chosenBy(s, e)
	f.Data = d
	was := e.Report
	if f.Chosen = s.Lambda == 0; f.Chosen { // λ and ρ beside noise that is cut off
		f.Lambda /= cut.variance
		for _, l := range []**float64{&was.LambdaREML, &was.LambdaGCV, &was.LambdaLOO} {
			if *l != nil {
				whole := **l / cut.variance
				*l = &whole
			}
		}
	} else {
		f.Lambda = s.Lambda
	}
	if f.Rho /= cut.variance; !f.Chosen || s.Rho > 0 {
		f.Rho = cmp.Or(s.Rho, s.Lambda)
	}
	loss := cut.outliers.loss()
	out, err := fit.WithLoss(ctx, f, loss.Unit, loss.Of, e)
	if err != nil {
		return nil, err
	}
	out.Report.LooseWeights = e.Report.LooseWeights
	r, err := residuals(ctx, out, d)
	if err != nil {
		return nil, err
	}
	return cut.report(out, was, d, r), nil
}

// Unshrink makes the sigma of a report unbiased where standard deviations were found, and lets bands know how well these are
// known of pairs. They are drawn towards each other, the loudest, which are most of the mean variance, towards the quiet ones;
// what the residuals have, over what the fit leaves of noise of these variances, is what is missing. Of noise that is correlated the
// variance of a value is told by its squares as they are: from white ones it would be computed with how far the noise is correlated.
func Unshrink(ctx context.Context, e *fit.Estimate) error {
	s, ok := e.Learned()
	if !ok || e.Report.Sigma == 0 {
		return nil
	}
	s = chosenBy(s, e)
	f := &noisy{spec: s, est: e}
	w, err := f.curvesWhitening(ctx)
	if err != nil {
		return err
	}
	t, err := f.tell(ctx, w)
	if err != nil {
		return err
	}
	own := t
	if w != nil {
		if own, err = f.tellPlain(ctx, w); err != nil {
			return err
		}
	}
	unit := floats.Sum(t.squares) / floats.Sum(t.freedom) // of white noise
	var squares, freedom float64
	for i, x := range own.squares {
		v := 1 / weight(s.Data.Errors, i, s.Data.OutputMesh.Size())
		squares, freedom = squares+v*x, freedom+v*own.freedom[i]
	}
	if freedom > 0 && unit > 0 && squares > 0 {
		e.Report.Sigma *= math.Sqrt(squares / freedom / unit)
	}
	e.Report.LooseWeights = loose(s.Data.Errors, t.freedom)
	return nil
}

// loose is how far the variances of pairs may be off, as the standard deviations of their logarithms, that were found from residuals
// of so many degrees of freedom each and drawn towards each other; nil where they are all the same.
func loose(e *dataset.Errors, freedom []float64) []float64 {
	if e == nil || e.Pairs == nil {
		return nil
	}
	n := len(e.Pairs)
	logs, own, mean := make([]float64, n), make([]float64, n), 0.0
	for i, w := range e.Pairs {
		each := len(freedom) / n
		_, own[i] = logVariance(1, max(floats.Sum(freedom[i*each:(i+1)*each]), leastLeft*math.Sqrt(float64(each))))
		logs[i], mean = -math.Log(w), mean+own[i]/float64(n)
	}
	// Those drawn towards each other have the variance apart²/(apart + mean), where the true ones have the variance apart.
	drawn := stat.Variance(logs, nil)
	apart := (drawn + math.Sqrt(drawn*drawn+4*drawn*mean)) / 2
	if !(apart > 0) {
		return nil
	}
	for i, v := range own {
		own[i] = math.Sqrt(apart * v / (apart + v))
	}
	return own
}
