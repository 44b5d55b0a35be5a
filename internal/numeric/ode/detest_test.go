package ode_test

import (
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/ode"
)

// calledBySciPy is how often solve_ivp of SciPy 1.10 calls f by default, with rtol = 1e-3, 1e-6
// and 1e-9, and atol = rtol/1000 of the largest size of each component.
func calledBySciPy() map[string][3]int {
	return map[string][3]int{
		"A1": {104, 326, 1178}, "A2": {44, 116, 368}, "A3": {182, 536, 1664}, "A4": {38, 104, 326}, "A5": {32, 86, 284},
		"B1": {332, 986, 3362}, "B2": {164, 260, 716}, "B3": {122, 350, 1256}, "B4": {212, 692, 2744}, "B5": {170, 662, 2108},
		"C1": {152, 476, 1790}, "C2": {452, 614, 2090}, "C3": {212, 368, 1328}, "C4": {218, 518, 2042}, "C5": {38, 92, 314},
		"D1": {194, 674, 2420}, "D2": {230, 758, 2576}, "D3": {290, 920, 2996}, "D4": {374, 1160, 3764}, "D5": {518, 1670, 4988},
		"E1": {146, 692, 2468}, "E2": {464, 1406, 4412}, "E3": {374, 1148, 3920}, "E4": {50, 92, 278}, "E5": {56, 122, 296},
	}
}

// reference is a solution to about rounding, with the largest sizes of the components.
func reference(t *testing.T, p problem) (s *ode.Solution, size []float64) {
	s = solve(t, p, ode.Options{Method: ode.DOP853, Rel: 1e-13})
	size = make([]float64, len(p.y0))
	for _, y := range s.Y {
		for i, v := range y {
			size[i] = max(size[i], math.Abs(v))
		}
	}
	return s, size
}

func apart(a, b, size []float64) (worst float64) {
	for i, v := range a {
		worst = max(worst, math.Abs(v-b[i])/size[i])
	}
	return worst
}

// TestDetest: by default the error at the end is within the tolerance, for each of the 25
// problems, with at most three times as many calls as SciPy makes whose errors are up to a
// thousand times as large; and the estimate of the error is of the right size.
func TestDetest(t *testing.T) {
	theirs := calledBySciPy()
	for _, p := range detest() {
		if p.name == "C4" && testing.Short() {
			continue
		}
		ref, size := reference(t, p)
		check := solve(t, p, ode.Options{Method: ode.Radau, Rel: 1e-8})
		if off := apart(last(check), last(ref), size); off > 1e-6 {
			t.Errorf("%s: two methods differ by %.1e", p.name, off)
		}
		for i, rel := range []float64{1e-3, 1e-6, 1e-9} {
			s := solve(t, p, ode.Options{Rel: rel})
			off := apart(last(s), last(ref), size) / rel
			calls, on := s.Calls, 0.0
			for j, at := range s.T {
				y, err := ref.At(t.Context(), at)
				if err != nil {
					t.Fatal(err)
				}
				on = max(on, apart(s.Y[j], y, size)/rel)
			}
			ratio := float64(calls) / float64(theirs[p.name][i])
			t.Logf("%s at %.0e: error / tolerance at the end %.3f, by estimate %.3f; on the way %.3g, by estimate %.3g; calls %d, SciPy's %d: %.2f", p.name, rel, off, s.Off, on, s.Peak, calls, theirs[p.name][i], ratio)
			if !(off <= 1) || !(s.Off <= 1) {
				t.Errorf("%s at %g: the error is %.3g × the tolerance, by estimate %.3g", p.name, rel, off, s.Off)
			}
			if ratio > 3 {
				t.Errorf("%s at %g: %d calls, SciPy makes %d", p.name, rel, calls, theirs[p.name][i])
			}
		}
	}
}
