package noise

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
)

// outliers are normal noise of which a part of the values is wrong, and may be anywhere: the likelihood of a residual r is
//
//	φ(r/σ) + odds φ(0)
//
// but for a factor, and the weight of r the probability that it is no wrong one. Huber's loss keeps a bias from what is far off, and
// costs 5 % of the values where nothing is; here, as with other redescending losses, what is far off has no weight, and where nothing is
// the loss is that of squares. It is not convex, and begins where Huber's loss ends (Yohai's MM-estimation, Annals of
// Statistics 15, 1987).
type outliers struct{ sigma, odds float64 }

// leastPull is how far what is wrong pulls, in standard deviations: next to nothing, and enough for its weight to be a number that a
// fit can be computed with.
const leastPull = 1e-4

// right is the probability that a residual is no wrong one.
func (o outliers) right(r float64) float64 {
	z := r / o.sigma
	return 1 / (1 + o.odds*math.Exp(z*z/2))
}

// weight is that probability, as long as it pulls.
func (o outliers) weight(r float64) float64 {
	r = math.Abs(r)
	return max(o.right(r), leastPull*o.sigma/max(r, o.sigma))
}

// loss is -2 σ² times the logarithm of the likelihood, and grows evenly where it pulls the least.
func (o outliers) loss() outputs.Loss {
	likely := func(r float64) float64 {
		z := r / o.sigma
		return -2 * o.sigma * o.sigma * math.Log((math.Exp(-z*z/2)+o.odds)/(1+o.odds))
	}
	far := o.sigma // from where on it pulls the least
	for step := 32 * o.sigma; step > 1e-12*o.sigma; step /= 2 {
		if r := far + step; o.right(r)*r > leastPull*o.sigma {
			far = r
		}
	}
	return outputs.Loss{Unit: o.sigma, Of: func(r float64) (value, weight, slope float64) {
		if r = math.Abs(r); r > far {
			return likely(far) + 2*leastPull*o.sigma*(r-far), leastPull * o.sigma / r, 0
		}
		w, z := o.right(r), r/o.sigma
		return likely(r), w, w - z*z*w*(1-w)
	}}
}

const (
	leastWrong   = 1e-6 // part of the values that may be wrong although nothing says so
	mostWrong    = .5
	firstWrong   = .05
	mostLikelier = 300 // steps to the likeliest outliers
	settledWrong = 1e-9
	mostOff      = 2 // times the standard deviation to begin with, and one over the least
	hole         = 3 // standard deviations
)

// outliersOf are the likeliest for residuals of which the fit leaves some part, from a standard deviation to begin with (the
// algorithm of expectation and maximisation). Here what is wrong has a density with a hole in the middle, in proportion to z²/(hole² + z²)
// at z deviations: were it flat, 7 % of the values would be counted as wrong where 5 % are five deviations off, and sigma would be 2 % too
// small. What is farther than farthest is wrong, and tells nothing. NaN is no residual.
func outliersOf(r, left []float64, sigma float64) outliers {
	part := meanLeft(r, left)
	var sizes, rest []float64
	for i, v := range r {
		if math.Abs(v) <= farthest*sigma*math.Sqrt(part) {
			sizes, rest = append(sizes, math.Abs(v)), append(rest, left[i])
		}
	}
	begin, wrong := sigma, firstWrong
	at := func() outliers {
		return outliers{sigma, wrong / (1 - wrong) * math.Sqrt(2*math.Pi) * sigma / (2 * farthest * begin)}
	}
	holed := 1 - hole*math.Atan(farthest/hole)/farthest // what the hole leaves
	for range mostLikelier {
		o := at()
		var weights, squares, freedom float64
		for i, v := range sizes {
			z := v / sigma / math.Sqrt(part)
			w := 1 / (1 + o.odds*z*z/(hole*hole+z*z)/holed*math.Exp(z*z/2))
			weights, squares, freedom = weights+w, squares+w*v*v, freedom+w*rest[i]
		}
		last, before := sigma, wrong
		sigma = min(max(math.Sqrt(squares/max(freedom, leastLeft*weights)), begin/mostOff), begin*mostOff)
		wrong = min(max(1-weights/float64(len(sizes)), leastWrong), mostWrong)
		if math.Abs(sigma-last) <= settledWrong*sigma && math.Abs(wrong-before) <= settledWrong {
			break
		}
	}
	return at()
}

// meanLeft is the part of the noise that residuals have in the mean.
func meanLeft(r, left []float64) float64 {
	var rest []float64
	for i, v := range r {
		if !math.IsNaN(v) {
			rest = append(rest, left[i])
		}
	}
	return max(stat.Mean(rest, nil), leastLeft)
}

// Cut are data whose residuals are as large as a loss counts them, ψ in place of r: a fit of these with squares is at the minimum of the
// loss where the residuals are its own. The kernel and λ are chosen from them by closed forms, which know of no weights of single values.
type Cut struct {
	Data     *dataset.Dataset
	outliers outliers
	variance float64 // of the noise that is left, over that of the noise
}

// Beside are λ and ρ that are given, 0 where they are not, beside noise that is cut off: it has less variance, and penalties
// are over that.
func (c *Cut) Beside(lambda, rho float64) (cutLambda, cutRho float64) {
	return lambda * c.variance, rho * c.variance
}

// CutOff cuts off the residuals that an estimate leaves of data, as Huber's loss does after the first round, and then as outliers
// are; nil where there is no noise. The data have the errors given.
func CutOff(ctx context.Context, s fit.Spec, e *fit.Estimate, d *dataset.Dataset, given *dataset.Errors, round int) (*Cut, error) {
	ctx, end := progress.During(ctx, "outliers")
	defer end()
	r, err := residuals(ctx, e, d)
	if err != nil {
		return nil, err
	}
	f := chosenBy(s, e)
	f.Data = d
	left, err := (&noisy{spec: f, est: e}).left(ctx, huberProbes, nil, precise)
	if err != nil {
		return nil, err
	}
	var sizes []float64
	for _, v := range r {
		if !math.IsNaN(v) {
			sizes = append(sizes, math.Abs(v))
		}
	}
	part := meanLeft(r, left)
	sigma := median(sizes) / normalMedian / math.Sqrt(part)
	if !(sigma > 0) {
		return nil, nil
	}
	out := &Cut{outliers: outliersOf(r, left, sigma)}
	weight := func(v float64) float64 { return min(1, efficient*sigma/math.Abs(v)) }
	if round > 1 {
		sigma, weight = out.outliers.sigma, out.outliers.weight
	}
	own, scale := *d, scales(d)
	own.Output, own.Errors = d.Output.Copy(), given
	for i, v := range r {
		if w := weight(v); w < 1 {
			own.Output.Data[i] -= (1 - w) * v / scale[i]
		}
	}
	for _, v := range sizes {
		if v > 0 {
			v *= weight(v)
		}
		out.variance += v * v / (sigma * sigma * part * float64(len(sizes)))
	}
	out.Data = &own
	return out, nil
}

// worthless is the weight from which on a value is said to have none.
const worthless = .01

// report puts the deviation of the noise, what was wrong, and what chose λ, into the report of a fit.
func (c *Cut) report(out *fit.Estimate, was fit.Report, d *dataset.Dataset, r []float64) *fit.Estimate {
	none, less := 0, 0
	for _, v := range r {
		switch w := c.outliers.right(v); {
		case w < worthless:
			none++
		case w < .5:
			less++
		}
	}
	rep := &out.Report
	rep.Sigma = c.outliers.sigma * meanOver(d)
	rep.Criterion, rep.LambdaREML, rep.LambdaGCV, rep.LambdaLOO = was.Criterion, was.LambdaREML, was.LambdaGCV, was.LambdaLOO
	why := was.Reason
	if !rep.Converged { // of the loss
		why = rep.Reason
	}
	rep.Reason = c.sentence(none, less, observed(d)) + "; " + why
	if own := c.outliers.skewness(r); math.Abs(own) > max(leastSkewed, skewedErrors*math.Sqrt(6/float64(observed(d)))) {
		criteria.Note{Excepts: "G, sigma and all bands", Text: skewed(own)}.Say(&rep.Advice, &rep.Limits)
	}
	return out
}

// What residuals that count are skewed by where a part of what is wrong was not found: by no less, and so many standard errors of
// normal numbers.
const (
	leastSkewed  = .3
	skewedErrors = 3
)

// skewness is that of residuals times their weights: of what is left where outliers were found it is none.
func (o outliers) skewness(r []float64) float64 {
	var kept []float64
	for _, v := range r {
		if !math.IsNaN(v) {
			kept = append(kept, v*o.right(v))
		}
	}
	return stat.Skew(kept, nil)
}

// skewed says that residuals are.
func skewed(by float64) string {
	side := "above"
	if by < 0 {
		side = "below"
	}
	return fmt.Sprintf("residuals are skewed by %.2g, with a long tail %s: a loss finds values that are wrong where they are few, and here many may be, on one side, which draw the estimate, sigma and all bands towards them; plot the residuals, and mark wrong values as missing, NaN", by, side)
}

// beyond is how many standard deviations off a value has some weight.
func (o outliers) beyond(weight float64) float64 {
	return math.Sqrt(2 * math.Log((1/weight-1)/o.odds))
}

func (c *Cut) sentence(none, less, of int) string {
	const text = "the loss is Huber's, then that of outliers: "
	far := c.outliers.beyond(worthless)
	if none+less == 0 {
		return text + fmt.Sprintf("no value stands out; one beyond %.3g standard deviations would have no weight", far)
	}
	return text + fmt.Sprintf("%d of %d values are beyond %.3g standard deviations and have no weight, %d more have less than half", none, of, far, less)
}
