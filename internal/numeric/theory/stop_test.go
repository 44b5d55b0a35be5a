package theory_test

import (
	"context"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/progresstest"
	"github.com/greenbench/workbench/internal/numeric/theory"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Long computations end with their context.
func TestEndsWithContext(t *testing.T) {
	rough := kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.1}}
	fine, few, wide := interval(2500), smooth(t, 40, 60), smooth(t, 1200, 1200)
	progresstest.Ends(t,
		progresstest.Computation{Name: "Eigenvalues", Run: func(ctx context.Context) error {
			for {
				if _, err := theory.Eigenvalues(ctx, rough, fine); err != nil {
					return err
				}
			}
		}},
		progresstest.Computation{Name: "Simultaneous", Run: func(ctx context.Context) error {
			_, err := theory.Simultaneous(ctx, few, rough, 3)
			if err != nil {
				return err
			}
			_, err = theory.Simultaneous(ctx, wide, kernel.Tensor{Input: rough, Output: rough}, 3)
			return err
		}},
	)
}
