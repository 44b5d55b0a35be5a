package noise

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
)

// told is what residuals say of how loud the noise is: for each value a square, and what that is in the mean of noise which
// is as loud as the fit has it, its degrees of freedom. Both are zero where there is no value.
type told struct{ squares, freedom []float64 }

// tell are the squares of residuals z and, with R of which they are, the diagonal of R. Where the errors of a pair have a
// covariance C, which w makes white, they are z C⁻¹z and the diagonal of C⁻¹RC: sums of the two over the
// pairs are the same where the variance of a point is the likeliest, and sums over the points where that of a pair is (REML's equations,
// Patterson and Thompson, Biometrika 58, 1971). The squares of a curve as they are would be taken for as many
// independent ones, and tell as little as a few.
func (f *noisy) tell(ctx context.Context, w *outputs.Whitening) (t told, err error) {
	z, err := f.residuals(ctx)
	if err != nil {
		return t, err
	}
	if t.freedom, err = f.left(ctx, probes, w, precise); err != nil {
		return t, err
	}
	z = t.without(z)
	t.squares = slices.Clone(z)
	w.Forward(t.squares)
	w.Adjoint(t.squares)
	floats.Mul(t.squares, z)
	return t, nil
}

// tellPlain are the squares of residuals as they are, and the diagonal of RC: what the variances of values are, whether or not the covariance has
// the right shape.
func (f *noisy) tellPlain(ctx context.Context, w *outputs.Whitening) (t told, err error) {
	z, err := f.residuals(ctx)
	if err != nil {
		return t, err
	}
	if t.freedom, err = f.left(ctx, probes, w, plain); err != nil {
		return t, err
	}
	t.squares = t.without(z)
	floats.Mul(t.squares, t.squares)
	return t, nil
}

// without are residuals with zero where there is none, as degrees of freedom have it then.
func (t told) without(z []float64) []float64 {
	for i, v := range z {
		if math.IsNaN(v) {
			z[i], t.freedom[i] = 0, 0
		}
	}
	return z
}

// squared is how residuals of noise with covariance C = L Lᵀ are made squares: what the noise of a value is multiplied by, L⁻ᵀ or L of white noise.
type squared bool

const (
	precise squared = false // C⁻¹z
	plain   squared = true  // z
)

func (s squared) of(w *outputs.Whitening, v []float64) {
	switch {
	case w == nil:
	case s == plain:
		w.Back(v)
	default:
		w.Adjoint(v)
	}
}

// mostShares is of how many values the part is computed.
const mostShares = 1000

// left is the part of each square that a fit leaves of noise in the mean, the degrees of freedom of [noisy.tell]. Of many values, of three
// pairs, and of values whose errors are correlated and are not made white, it is found from fits to random signs.
func (f *noisy) left(ctx context.Context, probes int, w *outputs.Whitening, by squared) ([]float64, error) {
	s, r := f.spec, f.est.Report
	learned, _ := f.est.Learned()
	s.Lambda, s.Rho, s.Prior, s.Intercept = r.Lambda, r.Rho, nil, learned.Intercept
	if len(s.Data.Output.Data) <= mostShares && s.Data.N() > 3 && (s.Data.Errors == nil || s.Data.Errors.Covariance == nil || w != nil) {
		e, err := fit.Minimise(ctx, s)
		if err != nil {
			return nil, err
		}
		if r, err := e.Residuals(ctx); err == nil { // else the noise is lost in rounding, or there is no time left
			if w == nil {
				return r.Shares.RawMatrix().Data, nil
			}
			return turned(ctx, r, w, by), nil
		}
	}
	return probed(ctx, s, probes, w, by)
}

// turned is the diagonal of C⁻¹RC or RC: with C = L Lᵀ and M that takes white noise to white residuals, R = L M L⁻¹, of L⁻ᵀ M Lᵀ or L M Lᵀ.
func turned(ctx context.Context, r *fit.Residuals, w *outputs.Whitening, by squared) []float64 {
	n, my := r.Shares.Dims()
	out, blocks := make([]float64, n*my), make([]*mat.Dense, n)
	for i := range n {
		blocks[i] = r.Block(ctx, i)
	}
	for k := range my {
		v := make([]float64, n*my)
		for i := range n {
			v[i*my+k] = 1
		}
		w.BackAdjoint(v)
		for i, b := range blocks {
			row := mat.NewVecDense(my, v[i*my:(i+1)*my])
			row.MulVec(b, mat.VecDenseCopyOf(row))
		}
		by.of(w, v)
		for i := range n {
			out[i*my+k] = v[i*my+k]
		}
	}
	return out
}

// probed is the part that fits leave of noise, in the mean of some made of random signs: what they take of it is small, and has
// the smaller error.
func probed(ctx context.Context, s fit.Spec, probes int, w *outputs.Whitening, by squared) ([]float64, error) {
	d, scale := s.Data, scales(s.Data)
	whole := *d
	if whole.Errors = nil; w != nil && by == plain {
		whole.Errors = &dataset.Errors{Covariance: d.Errors.Covariance}
	}
	out := outputs.ErrorVariances(&whole)
	for i, v := range out {
		if math.IsNaN(v) {
			out[i] = 0
		}
	}
	for p := range probes {
		sharp := signs(len(scale), uint64(p))
		noise := slices.Clone(sharp)
		if w != nil {
			w.Back(noise)
			by.of(w, sharp)
		}
		own := *d
		own.Output = d.Output.Copy()
		for i, v := range d.Output.Data {
			switch {
			case math.IsNaN(v):
			case scale[i] > 0:
				own.Output.Data[i] = noise[i] / scale[i]
			default:
				own.Output.Data[i] = 0
			}
		}
		s.Data = &own
		e, err := fit.Minimise(ctx, s)
		if err != nil {
			return nil, err
		}
		rest, err := residuals(ctx, e, &own)
		if err != nil {
			return nil, err
		}
		for i, v := range rest {
			if !math.IsNaN(v) {
				out[i] -= (noise[i] - v) * sharp[i] / float64(probes)
			}
		}
	}
	return out, nil
}
