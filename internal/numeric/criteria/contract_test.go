package criteria

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// evaluators are all that know a problem.
func (b problem) evaluators() map[string]Evaluator {
	all := map[string]Evaluator{"matrix": b.exact(), "probes": b.probed(), "eigenvalues": curveEvaluator{b}}
	if b.diagonal {
		all["closed form"], all["closed form, along"] = b.closed(), curveEvaluator{b.closed()}
	}
	return all
}

// Every evaluator gives the criteria, the determinant and the degrees of freedom by their definitions,
// and the derivative of its REML; those from random vectors within four standard errors.
func TestEvaluatorsAreTheirDefinitions(t *testing.T) {
	worst := map[string]float64{}
	for name, b := range catalog() {
		unit := mat.Max(b.green)
		for _, p := range []Penalty{{Ratio: 1 / unit}, {Ratio: 1e-3 / unit}} {
			for _, level := range []float64{10, 1e-2, 1e-4} {
				lambda := level * unit
				want := b.defined(lambda, p.At(lambda))
				largest := 0.0
				for i, a := 0, b.matrix(lambda, p.At(lambda)); i < len(b.t); i++ {
					largest = max(largest, a.At(i, i))
				}
				to := max(1e-9, 1e-14*largest) // the rounding of A, beside the smallest eigenvalue of H, which is 1
				for kind, e := range b.evaluators() {
					off := checkSheet(t, fmt.Sprintf("%s, %s, λ = %g, ρ/λ = %g", name, kind, lambda, p.Ratio), e, want, to)
					worst[kind] = max(worst[kind], off)
				}
			}
		}
	}
	t.Logf("largest relative deviations: %v", worst)
}

// checkSheet returns the largest relative deviation of values that claim to be exact.
func checkSheet(t *testing.T, name string, e Evaluator, want Sheet, to float64) (worst float64) {
	t.Helper()
	ctx := context.Background()
	got, err := e.At(ctx, want.Lambda, want.Rho)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return 0
	}
	near := func(what string, got, want, size, err float64) {
		t.Helper()
		if math.IsNaN(got) && (what == "LOO" || what == "derivative by ρ") {
			return
		}
		if err == 0 {
			worst = max(worst, math.Abs(got-want)/size)
		}
		if !(math.Abs(got-want) <= to*size+4*err) {
			t.Errorf("%s: %s %.12g ± %.2g, by its definition %.12g", name, what, got, err, want)
		}
	}
	near("REML", got.REML, want.REML, 1+math.Abs(want.REML), got.REMLErr)
	near("log det", got.LogDet, want.LogDet, 1+math.Abs(want.LogDet), 2*got.REMLErr)
	near("residual degrees of freedom", got.ResidualDF, want.ResidualDF, want.ResidualDF, got.DFError)
	near("effective degrees of freedom", got.EffectiveDF, want.EffectiveDF, 1+want.EffectiveDF, got.DFError)
	near("GCV", got.GCV, want.GCV, want.GCV, 2*got.GCV*got.DFError/got.ResidualDF)
	near("LOO", got.LOO, want.LOO, want.LOO, 0)
	if got.REMLErr > 0 {
		return worst
	}
	const h = 1e-4
	value := func(a, b float64) float64 {
		v, err := e.At(ctx, want.Lambda*math.Exp(a), want.Rho*math.Exp(b))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return v.REML
	}
	for what, c := range map[string][2]float64{
		"derivative":      {got.Slope, (value(h, h) - value(-h, -h)) / (2 * h)},
		"derivative by ρ": {got.RhoSlope, (value(0, h) - value(0, -h)) / (2 * h)},
	} {
		if !math.IsNaN(c[0]) && !(math.Abs(c[0]-c[1]) <= 1e-5*(1+math.Abs(want.REML))) {
			t.Errorf("%s: %s %.8g, by differences %.8g", name, what, c[0], c[1])
		}
	}
	return worst
}

// What a free constant explains, a million times what is left, changes nothing of the closed form: no squares of it are taken
// from one another. The bound is the rounding of the data.
func TestFreeConstantChangesNothing(t *testing.T) {
	const size = 1e6
	for name, b := range catalog() {
		if !b.diagonal || b.constant == nil {
			continue
		}
		moved := b
		moved.t = append([]float64(nil), b.t...)
		floats.AddScaled(moved.t, size*floats.Norm(b.t, 2), b.contrast())
		for _, level := range []float64{10, 1e-2, 1e-4} {
			lambda := level * mat.Max(b.green)
			for _, rho := range []float64{1e-3, 1, 1e3} {
				want, _ := b.closed().At(context.Background(), lambda, rho)
				got, err := moved.closed().At(context.Background(), lambda, rho)
				if err != nil {
					t.Fatal(err)
				}
				for what, v := range map[string][2]float64{"REML": {got.REML, want.REML}, "GCV": {got.GCV, want.GCV}, "LOO": {got.LOO, want.LOO}} {
					if !(math.Abs(v[0]-v[1]) <= 1e3*size*0x1p-52*math.Abs(v[1])) {
						t.Errorf("%s, λ = %g, ρ = %g: %s %.12g, without the constant %.12g", name, lambda, rho, what, v[0], v[1])
					}
				}
			}
		}
	}
}
