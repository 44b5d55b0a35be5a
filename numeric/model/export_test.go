package model

import (
	"context"
	"math"

	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/fit"
)

// Expected is the cost of all blocks.
func Expected(ctx context.Context, s Spec) (all progress.Cost) {
	_, all = s.costs(ctx)
	return all
}

// Contrasts is contrasts with the whole output as the one that is free.
func Contrasts(ctx context.Context, e *fit.Estimate) (float64, error) {
	s, _ := e.Learned()
	one := s.Data.Output.Copy()
	for i, v := range one.Data {
		if !math.IsNaN(v) {
			one.Data[i] = 1
		}
	}
	return contrasts(ctx, e, []*array.Array{one})
}

// Spec is what the estimate was learned with.
func (e *Estimate) Spec() Spec { return e.spec }
