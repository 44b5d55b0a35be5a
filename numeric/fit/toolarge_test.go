package fit_test

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Values, bands and draws on meshes that would not fit into memory are refused before any work, all in the same words.
func TestResultsThatDoNotFitAreRefused(t *testing.T) {
	e := mustFit(t, fit.Spec{Data: small(t, 6, 5, 4, gauss, interval), Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, Lambda: 1e-3})
	const many = 200_000
	x := interval(many)
	f, data := mat.NewDense(1, 5, nil), mesh.Mesh{}
	all := fit.Interval{Level: .9, Simultaneous: true}
	for what, call := range map[string]func() (*mat.Dense, error){
		"green":       func() (*mat.Dense, error) { return e.Green(ctx, x, x) },
		"std":         func() (*mat.Dense, error) { return e.Std(ctx, x, x) },
		"draws":       func() (*mat.Dense, error) { return e.Draw(ctx, fit.Draws{N: 1, X: x, Y: x}) },
		"all at once": func() (*mat.Dense, error) { return e.Intervals(ctx, f, data, x, all) },
		"apart":       func() (*mat.Dense, error) { return e.Deviate(ctx, fit.Draws{N: 1, F: f, Y: x, Apart: true}) },
		"many draws":  func() (*mat.Dense, error) { return e.Deviate(ctx, fit.Draws{N: 1 << 40, F: f}) },
	} {
		if _, err := call(); err == nil || !strings.Contains(err.Error(), "the limit is") {
			t.Errorf("%s: %v", what, err)
		}
	}
}
