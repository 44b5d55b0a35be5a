package adam_test

import (
	"context"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/adam"
	"github.com/greenbench/workbench/internal/numeric/progresstest"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
)

// A training ends with its context.
func TestEndsWithContext(t *testing.T) {
	s := fit.Spec{Data: pairs(t, interval(300), 400, .1, 1), Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.1}}, Lambda: 1e-4}
	progresstest.Ends(t, progresstest.Computation{Name: "adam", Run: func(ctx context.Context) error {
		_, err := adam.Trainer{Epochs: 100000}.Fit(ctx, s)
		return err
	}})
}
