package criteria

import (
	"context"
	"fmt"
)

// Eigenbasis is the eigenvectors at one ρ/λ, found again where a greater one is asked for.
type Eigenbasis struct {
	At   func(ctx context.Context, ratio float64) (*Diagonalised, error)
	Unit float64 // of ρ/λ where that is free; 0: it is not
	Last *Diagonalised
}

// The ρ/λ of the eigenvectors, from which criteria follow for all smaller ones but not for much
// greater: above the unit, around which the best is looked for, and above what is asked.
const (
	aboveUnit  = 1e3
	aboveAsked = 100
)

// Along implements criteria.Model.
func (m *Eigenbasis) Along(ctx context.Context, p Penalty) (Curve, error) {
	if ctx.Err() != nil {
		return nil, fmt.Errorf("lambda stopped: %w", context.Cause(ctx))
	}
	if m.Last == nil || !m.Last.Reaches(p.Ratio) {
		ratio := p.Ratio
		switch {
		case m.Last != nil:
			ratio *= aboveAsked
		case m.Unit > 0:
			ratio = max(ratio, aboveUnit*m.Unit)
		}
		d, err := m.At(ctx, ratio)
		if err != nil {
			return nil, err
		}
		m.Last = d
	}
	return m.Last.At(p.Ratio), nil
}

// Eigenvectors is an evaluator that knows all but leaving out pairs from an [Eigenbasis].
type Eigenvectors struct{ Eigenbasis }

// At implements Evaluator.
func (e *Eigenvectors) At(ctx context.Context, lambda, rho float64) (Sheet, error) {
	c, err := e.Along(ctx, Penalty{Ratio: rho / lambda})
	if err != nil {
		return Sheet{}, err
	}
	v, err := c.Sheet(ctx, lambda)
	v.Rho = rho
	return v, err
}
