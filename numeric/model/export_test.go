package model

import (
	"context"

	"github.com/greenbench/workbench/internal/numeric/progress"
)

// Expected is the cost of all blocks.
func Expected(ctx context.Context, s Spec) (all progress.Cost) {
	_, all = s.costs(ctx)
	return all
}

// Spec is what the estimate was learned with.
func (e *Estimate) Spec() Spec { return e.spec }
