package noise

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/dataset"
)

// loudness is the variances of pairs and of points beside curves, over those given, and how many numbers they take.
func (f *noisy) loudness(ctx context.Context, given *dataset.Errors) (p product, numbers asked, err error) {
	w, err := f.curvesWhitening(ctx)
	if err != nil {
		return p, numbers, err
	}
	t, err := f.tell(ctx, w)
	if err != nil {
		return p, numbers, err
	}
	present, my := f.present(given), f.spec.Data.OutputMesh.Size()
	p = product{make([]float64, len(present.pairs)), make([]float64, my)}
	squares, freedom := make([]float64, len(p.pairs)), make([]float64, len(p.pairs))
	for i, log := range present.pairs {
		squares[i] = math.Exp(log) * floats.Sum(t.squares[i*my:(i+1)*my])
		freedom[i] = max(floats.Sum(t.freedom[i*my:(i+1)*my]), 0)
	}
	logs, used, err := drawn(ctx, squares, freedom, my, nil)
	if err != nil || logs == nil { // there is no noise
		return present, numbers, err
	}
	p.pairs, numbers.pairs = logs, used
	if t, err = f.tellPlain(ctx, w); err != nil {
		return p, numbers, err
	}
	for i, log := range logs { // points are told by pairs as loud as they are
		floats.Scale(math.Exp(present.pairs[i]-log), t.squares[i*my:(i+1)*my])
	}
	if p.points, numbers.points, err = f.along(ctx, t, present.points); err != nil {
		return p, numbers, err
	}
	p.centre()
	return p, numbers, nil
}

// present are the logarithms of the variances of pairs and points over those given.
func (f *noisy) present(given *dataset.Errors) product {
	if given == nil {
		given = &dataset.Errors{}
	}
	logs := func(n int, w, given []float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			if w != nil {
				out[i] -= math.Log(w[i])
			}
			if given != nil {
				out[i] += math.Log(given[i])
			}
		}
		return out
	}
	return product{logs(f.spec.Data.N(), f.errors.Pairs, given.Pairs), logs(f.spec.Data.OutputMesh.Size(), f.errors.Points, given.Points)}
}

// mostAlong is of how many points of the output the variances are found beside curves.
const mostAlong = 1000

// alone is the part of what a square is off by that no other has, so that the smoothest curves have a covariance with an inverse.
const alone = 1e-3

// unknown is the variance of a logarithm of which the data say nothing.
const unknown = 1e6

// along are logarithms of the variances of points, by squares as they are: of n Gaussian ones that of the mean has the variance 2/n,
// and with that of another point, of which they have the correlation ρ, the covariance 2ρ²/n. White residuals would tell more if all
// curves were those of the kernel; of others they tell where these are rough.
func (f *noisy) along(ctx context.Context, t told, present []float64) (logs []float64, numbers float64, err error) {
	d, my := f.spec.Data, len(present)
	if my > mostAlong {
		return present, 0, nil
	}
	unit := floats.Sum(t.squares) / floats.Sum(t.freedom)
	if !(unit > 0) {
		return present, 0, nil
	}
	c := outputs.ScaledCovariance(d)
	z, free, errors := slices.Clone(present), make([]float64, my), mat.NewSymDense(my, nil)
	for k := range my {
		square, freedom, own := 0.0, 0.0, c.At(k, k)
		for at := k; at < len(t.squares); at += my {
			square, freedom = square+t.squares[at], freedom+t.freedom[at]
		}
		if !(square > 0) || !(own > 0) { // nothing was observed
			errors.SetSym(k, k, unknown)
			continue
		}
		free[k] = max(freedom/own, leastLeft*math.Sqrt(float64(d.N())))
		z[k] += math.Log(square / (unit * own * free[k]))
		for l := range k {
			if free[l] > 0 {
				errors.SetSym(k, l, 2*c.At(k, l)*c.At(k, l)/(own*c.At(l, l)*math.Sqrt(free[k]*free[l])))
			}
		}
		errors.SetSym(k, k, (1+alone)*2/free[k])
	}
	return shrunk(ctx, z, uncertain{covariance: errors}, distances(d.OutputMesh))
}

// curvesWhitening makes residuals of noise with curves white; nil where there are none.
func (f *noisy) curvesWhitening(ctx context.Context) (*outputs.Whitening, error) {
	d := *f.spec.Data
	if d.Errors == nil || d.Errors.Covariance == nil {
		return nil, nil
	}
	d.Errors = &dataset.Errors{Covariance: d.Errors.Covariance}
	return outputs.NewWhitening(ctx, &d)
}
