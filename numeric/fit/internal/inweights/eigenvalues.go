package inweights

import (
	"context"

	"github.com/greenbench/workbench/internal/numeric/criteria"
)

// allEigenvalues is the model of a small problem: one eigenproblem, of the smaller side, and the
// bias as an update of low rank for other ρ/λ.
type allEigenvalues struct {
	w *Space
	criteria.Eigenbasis
}

// Tied implements criteria.Model.
func (m *allEigenvalues) Tied() bool { return m.w.Q != nil }

// exactly is the rules from the eigenvalues at a ρ/λ.
func (m *allEigenvalues) exactly(ctx context.Context, ratio float64) (*spectrum, error) {
	s, d := m.w.newSpectrum(ratio), m.Last
	if d.Zeros > 0 && d.Ratio != ratio { // eigenvectors below rounding are left out, and may not be at this ratio
		var err error
		if d, err = m.w.Diagonalised(ctx, ratio); err != nil {
			return nil, err
		}
	}
	var err error
	s.Rules, err = d.Rules(ctx, ratio)
	return s, err
}

// Diagonalised is the problem in its eigenvectors at a ρ/λ.
func (w *Space) Diagonalised(ctx context.Context, ratio float64) (*criteria.Diagonalised, error) {
	s := w.newSpectrum(ratio)
	d := &criteria.Diagonalised{RSS0: s.RSS0, Outputs: s.Outputs, Values: s.Values, Ratio: ratio}
	at := *w
	at.Lambda, at.Rho = 1, ratio
	diagonalise := at.diagonaliseData
	if _, ok := w.pointwise(); ok {
		diagonalise = at.diagonalisePoints
	} else if unknowns, _ := w.Dims(); unknowns < len(w.T) {
		diagonalise = at.diagonaliseWeights
	}
	err := diagonalise(ctx, d)
	d.KnowZeros()
	return d, err
}
