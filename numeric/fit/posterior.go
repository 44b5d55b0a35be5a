package fit

import (
	"cmp"
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/fit/internal/posterior"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/mesh"
)

// posterior returns the factors, made from the data on the first call.
func (e *Estimate) posterior(ctx context.Context) (*posterior.Posterior, error) {
	if e.learned == nil {
		return nil, e.noData("the posterior needs the data")
	}
	l := e.learned
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if err := l.spec.intact(); err != nil {
		return nil, err
	}
	if l.factors == nil {
		p, err := newPosterior(ctx, &l.spec, &e.Report)
		if err != nil {
			return nil, err
		}
		l.factors = p
	}
	return l.factors, nil
}

// Std is the posterior standard deviation of G on xs × ys; meshes without points
// stand for those trained on. For a separable kernel, whose bias kernel is its
// factor, it is exact and costs a few matrix products. For a smooth kernel, which is about a
// sum of squares of at most 500 functions, it is computed from these. For a band of more than
// a few points of another, the covariance of what the data say in at most 6000 directions, those that
// matter, is factored once, and a point costs a triangular solve; where these are more than 1000, only that of those which
// matter most, at most 4000, and a direction costs a product with the kernel: 3 s for 100 × 100 points. Otherwise each point costs
// some iterations of CG. Either way the band is exact to 1 %, on the wide side: less data, or
// stopping early, after 500 iterations at the latest, can only widen it. Predictions on fine
// meshes of outputs that far points say little of are found for many points at a time, and
// held to 1 % of what four points are by themselves, in the middle and at the sides.
//
// The band is that of the model: G is as smooth as its kernel says, and λ, ρ and the
// kernel are taken for known. The factor of a prior is not: it is one more unknown; and weights of pairs that
// were found are known as well as the data tell them (see loosen). See Calibrate.
func (e *Estimate) Std(ctx context.Context, xs, ys mesh.Mesh) (*mat.Dense, error) {
	return e.std(ctx, xs, ys, true)
}

// std is Std with what is uncertain of the factor of the prior and of the weights of pairs, or without.
func (e *Estimate) std(ctx context.Context, xs, ys mesh.Mesh, loose bool) (*mat.Dense, error) {
	xs, ys, err := e.meshes(xs, ys)
	if err != nil {
		return nil, err
	}
	if e.within != nil {
		return e.within.std(ctx, xs, ys)
	}
	p, err := e.posterior(ctx)
	if err != nil {
		return nil, err
	}
	band, err := p.Std(ctx, xs, ys)
	if err == nil && loose {
		err = e.loosen(ctx, p, band, func(k Known) (*mat.Dense, error) { return k.Green(ctx, xs, ys) })
	}
	if err != nil {
		return nil, err
	}
	return e.widened(ctx, band,
		func(e *Estimate) (*mat.Dense, error) { return e.Green(ctx, xs, ys) },
		func(e *Estimate) (*mat.Dense, error) { return e.std(ctx, xs, ys, loose) })
}

// WithOthers lets the bands of an estimate know that it may be another one, of other penalties or
// another kernel: its variance is the mean of all by their probabilities, with the square of what
// they differ from it by. The others, each with its probability, are made when they are first needed.
func (e *Estimate) WithOthers(make func(ctx context.Context, others func(share float64, e *Estimate)) error) {
	e.learned.others.make = func(ctx context.Context) (all []otherOne, err error) {
		err = make(ctx, func(share float64, o *Estimate) {
			o.Report.LooseWeights = e.Report.LooseWeights
			all = append(all, otherOne{share, o})
		})
		return all, err
	}
}

// widened is a band with those of the other estimates, and what they differ by.
func (e *Estimate) widened(ctx context.Context, band *mat.Dense, value, std func(e *Estimate) (*mat.Dense, error)) (*mat.Dense, error) {
	others, err := e.learned.others.get(ctx)
	if len(others) == 0 || err != nil {
		return band, err
	}
	center, err := value(e)
	if err != nil {
		return nil, err
	}
	left := 1.0
	for _, o := range others {
		left -= o.share
	}
	variance := mat.DenseCopyOf(band)
	variance.Apply(func(_, _ int, v float64) float64 { return max(left, 0) * v * v }, variance)
	for _, o := range others {
		off, err := value(o.estimate)
		if err != nil {
			return nil, err
		}
		wide, err := std(o.estimate)
		if err != nil {
			return nil, err
		}
		shift, err := o.estimate.shift(ctx, off, value)
		if err != nil {
			return nil, err
		}
		variance.Apply(func(i, k int, v float64) float64 {
			off, own := off.At(i, k)-center.At(i, k), wide.At(i, k)
			return v + o.share*(own*own+off*(off+2*shift.At(i, k)))
		}, variance)
	}
	variance.Apply(func(_, _ int, v float64) float64 { return math.Sqrt(v) }, variance)
	return variance, nil
}

// shift is by how much the mean of an estimate and of all that it may be instead differs from its
// value: bands are about values, not about means.
func (e *Estimate) shift(ctx context.Context, of *mat.Dense, value func(e *Estimate) (*mat.Dense, error)) (*mat.Dense, error) {
	others, err := e.learned.others.get(ctx)
	if err != nil {
		return nil, err
	}
	rows, columns := of.Dims()
	sum := mat.NewDense(rows, columns, nil)
	for _, o := range others {
		own, err := value(o.estimate)
		if err != nil {
			return nil, err
		}
		further, err := o.estimate.shift(ctx, own, value)
		if err != nil {
			return nil, err
		}
		further.Add(further, own)
		further.Sub(further, of)
		further.Scale(o.share, further)
		sum.Add(sum, further)
	}
	return sum, nil
}

// PredictStd is the posterior standard deviation of the predictions of Predict,
// with the same arguments and shape: of the output without its noise. Costs and
// exactness are those of Std; where there is no closed form, with a row of kernel values more
// for each point of xs × ys, or a product with the kernel for each output if those are few.
func (e *Estimate) PredictStd(ctx context.Context, f *mat.Dense, xs, ys mesh.Mesh) (*mat.Dense, error) {
	return e.predictStd(ctx, f, xs, ys, true)
}

// predictStd is PredictStd with what is uncertain of the factor of the prior and of the weights of pairs, or without.
func (e *Estimate) predictStd(ctx context.Context, f *mat.Dense, xs, ys mesh.Mesh, loose bool) (*mat.Dense, error) {
	xs, ys, err := e.meshesFor(f, xs, ys)
	if err != nil {
		return nil, err
	}
	given, on := f, xs
	if f, xs, err = e.reduction.Input(ctx, f, xs); err != nil {
		return nil, err
	}
	if e.within != nil && e.within.bias {
		return e.within.predictStd(ctx, f, xs, ys)
	}
	p, err := e.posterior(ctx)
	if err != nil {
		return nil, err
	}
	band, err := p.PredictStd(ctx, f, xs, ys)
	if err == nil && loose {
		err = e.loosen(ctx, p, band, func(k Known) (*mat.Dense, error) { return k.Predict(ctx, given, on, ys) })
	}
	if err != nil {
		return nil, err
	}
	return e.widened(ctx, band,
		func(e *Estimate) (*mat.Dense, error) { return e.Predict(ctx, f, xs, ys) },
		func(e *Estimate) (*mat.Dense, error) { return e.predictStd(ctx, f, xs, ys, loose) })
}

// BiasStd is the posterior standard deviation of β on ys: that of the prediction
// for an input that is zero.
func (e *Estimate) BiasStd(ctx context.Context, ys mesh.Mesh) ([]float64, error) {
	return e.biasStd(ctx, ys, true)
}

// biasStd is BiasStd with what is uncertain of the factor of the prior and of the weights of pairs, or without.
func (e *Estimate) biasStd(ctx context.Context, ys mesh.Mesh, loose bool) ([]float64, error) {
	zero := mat.NewDense(1, e.InputMesh.Size(), nil)
	s, err := e.predictStd(ctx, zero, mesh.Mesh{}, ys, loose)
	if err != nil {
		return nil, err
	}
	return s.RawRowView(0), nil
}

// std is the deviation of the part on xs × ys.
func (w *within) std(ctx context.Context, xs, ys mesh.Mesh) (*mat.Dense, error) {
	xs, ys, err := w.place(xs, ys)
	if err != nil {
		return nil, err
	}
	band, err := w.whole.Std(ctx, xs, ys)
	if err == nil {
		band.Scale(w.unit, band)
	}
	return band, err
}

// predictStd is that of the whole, of a part with its bias.
func (w *within) predictStd(ctx context.Context, f *mat.Dense, xs, ys mesh.Mesh) (*mat.Dense, error) {
	x, y, err := w.place(xs, ys)
	if err != nil {
		return nil, err
	}
	return w.whole.PredictStd(ctx, f, x, y)
}

// newPosterior is that of a spec at the λ and ρ of a report.
func newPosterior(ctx context.Context, s *Spec, r *Report) (*posterior.Posterior, error) {
	of := posterior.Amplitude{Least: r.Objective, Known: r.Amplitude}
	if r.Minimum > 0 {
		of.Least = r.Minimum
	}
	return posterior.New(ctx, s.setting(), problem.At(r.Lambda, cmp.Or(r.Rho, r.Lambda)), of)
}
