package assess_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/assess"
	noises "github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
)

// outputsOf are data with the outputs of a function of pair, point and white noise.
func outputsOf(t *testing.T, of func(i, k int, z float64) float64) *dataset.Dataset {
	t.Helper()
	m := line(8)
	e := inputs(t, m, 12, 9)
	u := mat.NewDense(12, 8, nil)
	u.Apply(func(i, k int, _ float64) float64 { return of(i, k, e.Data[i*8+k]) }, u)
	return testmain.Must(dataset.New(dataset.Spec{Input: inputs(t, m, 12, 3), Output: array.FromMatrix(u), InputMesh: m, OutputMesh: m, Missing: true}))(t)
}

// Of outputs that do not differ, or hardly, no number that is none is told, and no test without a
// number passes: what cannot be told is refused, or said not to be defined.
func TestOutputsThatDoNotDiffer(t *testing.T) {
	for name, c := range map[string]struct {
		of   func(i, k int, z float64) float64
		same bool
	}{
		"2":         {func(int, int, float64) float64 { return 2 }, true},
		"0":         {func(int, int, float64) float64 { return 0 }, true},
		"0.1, huge": {func(int, int, float64) float64 { return .1e90 }, true},
		"0.1":       {func(int, int, float64) float64 { return .1 }, true},
		"a curve":   {func(_, k int, _ float64) float64 { return math.Sin(float64(k)) }, true},
		"missing": {func(i, k int, _ float64) float64 {
			if (i+k)%5 == 0 {
				return math.NaN()
			}
			return .1
		}, true},
		"rounding": {func(_, _ int, z float64) float64 { return 2 + 1e-15*z }, false},
		"one off": {func(i, k int, _ float64) float64 {
			if i == 3 && k == 4 {
				return 3
			}
			return 2
		}, false},
		"tiny": {func(_, _ int, z float64) float64 { return 1e-90 * z }, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := fit.Spec{Data: outputsOf(t, c.of), Kernel: se(.3)}
			e := testmain.Must(fit.Fit(ctx, s))(t)
			check, err := assess.Run(ctx, e, assess.Options{Seed: 1, NoKernels: true})
			if c.same != (err != nil && strings.Contains(err.Error(), "nothing to check against")) {
				t.Errorf("check: %v, the same everywhere: %t", err, c.same)
			}
			if err == nil {
				for _, test := range check.Tests {
					if strings.Contains(test.Finding, "NaN") || test.P != nil && math.IsNaN(*test.P) || test.Skipped && test.Passed {
						t.Errorf("%+v", test)
					}
				}
			}
			summary := testmain.Must(assess.Summarise(ctx, e, 1))(t)
			left := testmain.Must(assess.CrossValidate(ctx, s, noises.Choice{}, assess.Split{Folds: 3}))(t)
			for _, text := range []string{summary.String(), left.String()} {
				if strings.Contains(text, "NaN") || strings.Contains(text, "not defined") != c.same {
					t.Errorf("%s\nthe same everywhere: %t", text, c.same)
				}
			}
			if summary.DF < 0 || c.same != math.IsNaN(left.R2) {
				t.Errorf("%g degrees of freedom, R² %g", summary.DF, left.R2)
			}
		})
	}
}
