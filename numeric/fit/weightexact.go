package fit

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/fit/criteria"
	"github.com/greenbench/workbench/numeric/linop"
)

// allEigenvalues is the model of a small problem: an eigenproblem for each ρ/λ.
type allEigenvalues struct{ w *weightSpace }

// Tied implements criteria.Model.
func (m allEigenvalues) Tied() bool { return m.w.q != nil }

// Along implements criteria.Model, from the smaller side.
func (m allEigenvalues) Along(ctx context.Context, p criteria.Penalty) (criteria.Curve, error) {
	if ctx.Err() != nil {
		return nil, fmt.Errorf("lambda stopped: %w", context.Cause(ctx))
	}
	w := *m.w
	w.lambda, w.rho = 1, p.Ratio
	s := w.newSpectrum(p.Ratio)
	if unknowns, _ := w.Dims(); unknowns < len(w.t) {
		return s, s.exactFromWeights(ctx, &w)
	}
	return s, s.exact(ctx, dataKernel{&w}, w.t)
}

// exact fills the rules from all eigenvectors of A.
func (s *spectrum) exact(ctx context.Context, a linop.Operator, t []float64) error {
	m, err := linop.Matrix(ctx, a)
	if err != nil {
		return err
	}
	values, v, err := linop.Eigen(ctx, m)
	if err != nil {
		return err
	}
	c := mat.NewVecDense(len(t), nil)
	c.MulVec(v.T(), mat.NewVecDense(len(t), t))
	c.MulElemVec(c, c)
	s.AllEigenvalues(values, c.RawVector().Data, ones(len(t)))
	return nil
}

// leastEigenvalue is what eigenvalues are zero below, relative to the largest.
const leastEigenvalue = 1e-14

// exactFromWeights fills the rules of A = B Bᵀ from all eigenvectors of Bᵀ B, which is
// smaller when there are fewer weights than data. B is the response to roots of the
// kernels.
func (s *spectrum) exactFromWeights(ctx context.Context, w *weightSpace) error {
	b, err := w.responses(ctx)
	if err != nil {
		return err
	}
	_, unknowns := b.Dims()
	h := mat.NewDense(unknowns, unknowns, nil)
	if err := linop.MulContext(ctx, h, b.T(), b); err != nil {
		return err
	}
	values, v, err := linop.Eigen(ctx, h)
	if err != nil {
		return err
	}
	t := mat.NewDense(len(w.t), 1, append([]float64(nil), w.t...))
	bt, c := mat.NewDense(unknowns, 1, nil), mat.NewDense(unknowns, 1, nil)
	if err := linop.MulContext(ctx, bt, b.T(), t); err != nil {
		return err
	}
	if err := linop.MulContext(ctx, c, v.T(), bt); err != nil {
		return err
	}
	squares := make([]float64, unknowns+1)
	for i, x := range values {
		at := c.At(i, 0)
		c.Set(i, 0, 0)
		if x > leastEigenvalue*values[unknowns-1] {
			squares[i] = at * at / x
			c.Set(i, 0, at/x)
		}
	}
	// What no weights explain is left at the eigenvalue zero.
	if err := linop.MulContext(ctx, bt, v, c); err != nil {
		return err
	}
	explained := mat.NewDense(len(w.t), 1, nil)
	if err := linop.MulContext(ctx, explained, b, bt); err != nil {
		return err
	}
	t.Sub(t, explained)
	rest := t.RawMatrix().Data
	squares[unknowns] = floats.Dot(rest, rest)
	count := append(ones(unknowns), float64(len(w.t)-unknowns))
	s.AllEigenvalues(append(values, 0), squares, count)
	return nil
}

// responses returns (𝒜 M P K̃^½ / √λ, c Q̃^½ / √ρ): data × weights.
func (w *weightSpace) responses(ctx context.Context) (*mat.Dense, error) {
	unknowns, _ := w.Dims()
	cut := w.g.Size()
	b := mat.NewDense(len(w.t), unknowns, nil)
	k, err := rootOf(ctx, scaledProduct{w, w.k, w.s}, 1/w.lambda)
	if err != nil {
		return nil, err
	}
	column := make([]float64, cut)
	for j := range cut {
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		b.SetCol(j, w.respond(ctx, mat.Col(column, j, k), nil))
	}
	if w.q == nil {
		return b, nil
	}
	q, err := rootOf(ctx, scaledProduct{w, w.q, w.rdy}, 1/w.rho)
	if err != nil {
		return nil, err
	}
	my := len(w.rdy)
	for i, c := range w.c {
		for k := range my {
			if w.there != nil && w.there[i*my+k] == 0 {
				continue
			}
			row := b.RawRowView(i*my + k)[cut:]
			floats.AddScaled(row, c, q.RawRowView(k))
		}
	}
	for j := cut; j < unknowns && w.flat != nil; j++ {
		column := mat.Col(nil, j, b)
		w.flat.project(column)
		b.SetCol(j, column)
	}
	return b, nil
}
