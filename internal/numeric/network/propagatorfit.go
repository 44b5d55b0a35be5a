package network

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/linop"
)

// features are what a step is made of, in the order of unknowns: the state it looks back to,
// and the channels by lag.
func features(h history, phi [][]*mat.Dense, k, back int) []*mat.Dense {
	all := []*mat.Dense{h[k-back]}
	for _, c := range phi {
		for lag := range back + 1 {
			all = append(all, c[k-lag])
		}
	}
	return all
}

// fitStage fits matrices for times from … to.
func (p *Propagator) fitStage(ctx context.Context, h history, phi [][]*mat.Dense, back, from, to int, lambda float64) (*stage, error) {
	n, m := h[0].Dims()
	parts := 1 + len(phi)*(back+1)
	size := parts*m + 1 // and the bias
	if err := dense.CheckMatrix("propagator", 4, size, max(size, n)); err != nil {
		return nil, err
	}
	normal, right := mat.NewDense(size, size, nil), mat.NewDense(size, m, nil)
	x := mat.NewDense(n, size, nil)
	for k := from; k <= to; k++ {
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		for f, v := range features(h, phi, k, back) {
			x.Slice(0, n, f*m, (f+1)*m).(*mat.Dense).Copy(v)
		}
		for i := range n {
			x.Set(i, size-1, 1)
		}
		normal.Add(normal, linop.Product(ctx, x.T(), x))
		right.Add(right, linop.Product(ctx, x.T(), h[k]))
	}
	w, err := p.ridge(ctx, normal, right, lambda)
	if err != nil {
		return nil, err
	}
	return newStage(len(phi), back, m, func(part int) *mat.Dense {
		return mat.DenseCopyOf(w.Slice(part*m, (part+1)*m, 0, m))
	}, w.RawRowView(size-1)), nil
}

// newStage takes the unknowns in the order of features.
func newStage(channels, back, m int, part func(k int) *mat.Dense, bias []float64) *stage {
	s := &stage{from: part(0), bias: append(make([]float64, 0, m), bias...)}
	for c := range channels {
		var lags []*mat.Dense
		for lag := range back + 1 {
			lags = append(lags, part(1+c*(back+1)+lag))
		}
		s.terms = append(s.terms, lags)
	}
	return s
}

// ridge solves the normal equations with λ times their diagonal added, scaled to a unit diagonal.
func (p *Propagator) ridge(ctx context.Context, normal, right *mat.Dense, lambda float64) (*mat.Dense, error) {
	n, m := right.Dims()
	scale := make([]float64, n)
	for i := range scale {
		if v := normal.At(i, i); v > 0 {
			scale[i] = 1 / math.Sqrt(v)
		}
	}
	a, b := mat.NewSymDense(n, nil), mat.NewDense(n, m, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, normal.At(i, j)*scale[i]*scale[j])
		}
		for j := range m {
			b.Set(i, j, right.At(i, j)*scale[i])
		}
	}
	for added := max(lambda, 1e-15); ; added *= 10 { // rounding may leave the matrix indefinite
		for i := range n {
			a.SetSym(i, i, 1+added)
			if scale[i] == 0 {
				a.SetSym(i, i, 1)
			}
		}
		c, err := linop.Cholesky(ctx, a)
		if err != nil && linop.Stopped(ctx) == nil && added < 1 {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("propagator: %w", err)
		}
		w := mat.NewDense(n, m, nil)
		if err := c.SolveTo(w, b); err != nil {
			var condition mat.Condition
			if !errors.As(err, &condition) {
				return nil, fmt.Errorf("propagator: %w", err)
			}
		}
		rest := linop.Product(ctx, a, w)
		rest.Sub(rest, b)
		p.Report.Residual = max(p.Report.Residual, largest(rest.RawMatrix().Data)/max(largest(b.RawMatrix().Data), math.SmallestNonzeroFloat64))
		for i := range n {
			floats.Scale(scale[i], w.RawRowView(i))
		}
		p.Report.Unknowns += n * m
		return w, nil
	}
}
