package noise

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/dataset"
)

// loudness is the logarithms of the variances of pairs over those given, and how many numbers they take, by
// REML's equations for residuals that the covariance of a pair makes white: those of a curve as they are would be taken for
// as many independent ones, and tell as little of how loud it is as a few.
func (f *noisy) loudness(ctx context.Context, given *dataset.Errors) (logs []float64, numbers float64, err error) {
	d := f.spec.Data
	w, err := f.curvesWhitening(ctx)
	if err != nil {
		return nil, 0, err
	}
	z, err := f.residuals(ctx)
	if err != nil {
		return nil, 0, err
	}
	whiten(w, z)
	rest, err := f.left(ctx, probes, w)
	if err != nil {
		return nil, 0, err
	}
	n, my, before := d.N(), d.OutputMesh.Size(), pairsOf(given)
	squares, freedom := make([]float64, n), make([]float64, n)
	for i := range n {
		own := z[i*my : (i+1)*my]
		squares[i], freedom[i] = floats.Dot(own, own), max(floats.Sum(rest[i*my:(i+1)*my]), 0)
		if f.errors.Pairs != nil {
			squares[i] /= f.errors.Pairs[i]
		}
		if before != nil {
			squares[i] *= before[i]
		}
	}
	if logs, numbers, err = drawn(ctx, squares, freedom, my, nil); err != nil || logs == nil {
		return nil, 0, err
	}
	p := product{logs, []float64{0}}
	p.centre()
	return p.pairs, numbers, nil
}

// curvesWhitening makes residuals of noise with curves white.
func (f *noisy) curvesWhitening(ctx context.Context) (*outputs.Whitening, error) {
	d := *f.spec.Data
	d.Errors = &dataset.Errors{Covariance: f.errors.Covariance}
	return outputs.NewWhitening(ctx, &d)
}

// pairsOf are the weights of pairs; nil where they are all the same.
func pairsOf(e *dataset.Errors) []float64 {
	if e == nil {
		return nil
	}
	return e.Pairs
}
