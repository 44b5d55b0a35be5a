package criteria

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// Sizes are the logarithms of s_t, the variances of terms over that of the noise.
type Sizes []float64

// Components is the restricted likelihood of data with noise and several terms, as a
// function of the sizes of the terms and with the noise at its best:
//
//	REML = ½ (N log(⟨T, R T⟩/N) + log det H + log cᵀH⁻¹c),  H = I + Σ_t s_t C_t,
//
// R as in Exact, c the data of a free constant, of which N is one less; of several, one after
// the other.
type Components struct {
	C        []*mat.Dense // covariances of the terms, symmetric
	T        []float64    // the data
	Contrast [][]float64  // c of each constant that is free
}

// sized is the likelihood at some sizes, with its gradient and the average of observed and
// expected information (Gilmour, Thompson and Cullis, Biometrics 51, 1995), both by the
// logarithms of the sizes.
type sized struct {
	at          Sizes
	value       float64
	gradient    []float64
	information *mat.SymDense
}

// likelihood evaluates one at parameters.
type likelihood func(ctx context.Context, s Sizes) (*sized, error)

// derivative is that of H by a parameter.
type derivative struct {
	times float64
	of    *mat.Dense
}

// evaluate is the likelihood where H, of which the lower triangle is read and lost, has these
// derivatives. Cost: a Cholesky factorisation and an inverse.
func (l *Components) evaluate(ctx context.Context, s Sizes, h *mat.Dense, slopes []derivative) (*sized, error) {
	n := len(l.T)
	d := make([]float64, n)
	for i := range d {
		d[i] = h.At(i, i)
	}
	f, err := factor(ctx, h, d)
	if err != nil {
		return nil, err
	}
	if err := f.invert(ctx); err != nil {
		return nil, err
	}
	inverse := linop.Product(ctx, f.l.T(), f.l)
	if err := linop.Stopped(ctx); err != nil {
		return nil, err
	}
	p := &sized{at: slices.Clone(s), value: 0.5 * f.logs, gradient: make([]float64, len(s)), information: mat.NewSymDense(len(s), nil)}
	r, values := &residual{inverse: inverse}, float64(n)
	for _, c := range l.Contrast {
		p.value += 0.5 * math.Log(r.free(c))
		values--
	}
	z := r.times(mat.NewVecDense(n, l.T))
	quad := floats.Dot(l.T, z.RawVector().Data)
	p.value += 0.5 * values * math.Log(quad/values)
	var cz, rcz []*mat.VecDense
	for k, c := range slopes {
		v := mat.NewVecDense(n, nil)
		v.MulVec(c.of, z)
		cz, rcz = append(cz, v), append(rcz, r.times(v))
		p.gradient[k] = 0.5 * c.times * (r.trace(c.of) - values*mat.Dot(z, v)/quad)
	}
	for j := range slopes {
		for k := range j + 1 {
			p.information.SetSym(j, k, 0.5*slopes[j].times*slopes[k].times*values/quad*mat.Dot(cz[j], rcz[k]))
		}
	}
	if math.IsNaN(p.value) {
		return nil, fmt.Errorf("the likelihood is no number")
	}
	return p, nil
}

// residual is R, the inverse of H without what the free directions take:
// R - R c cᵀR / cᵀR c for one after the other.
type residual struct {
	inverse *mat.Dense
	rc      []*mat.VecDense
	sizes   []float64 // cᵀR c
}

// free takes a direction out, and returns cᵀR c.
func (r *residual) free(c []float64) float64 {
	v := mat.NewVecDense(len(c), c)
	rc := r.times(v)
	size := mat.Dot(v, rc)
	r.rc, r.sizes = append(r.rc, rc), append(r.sizes, size)
	return size
}

func (r *residual) times(v *mat.VecDense) *mat.VecDense {
	z := mat.NewVecDense(v.Len(), nil)
	z.MulVec(r.inverse, v)
	for k, c := range r.rc {
		z.AddScaledVec(z, -mat.Dot(c, v)/r.sizes[k], c)
	}
	return z
}

// trace is that of R C.
func (r *residual) trace(c *mat.Dense) float64 {
	sum := 0.0
	for i := range c.RawMatrix().Rows {
		sum += floats.Dot(r.inverse.RawRowView(i), c.RawRowView(i))
	}
	var v mat.VecDense
	for k, h := range r.rc {
		v.MulVec(c, h)
		sum -= mat.Dot(h, &v) / r.sizes[k]
	}
	return sum
}

func isCondition(err error) bool {
	var c mat.Condition
	return errors.As(err, &c)
}
