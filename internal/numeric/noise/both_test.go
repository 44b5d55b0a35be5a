package noise_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"github.com/greenbench/workbench/internal/numeric/noise"
)

// Noise that is correlated and differs in size is found to be both.
func TestBothKindsAreFound(t *testing.T) {
	s := shape{ar: .9, along: func(y float64) float64 { return math.Pow(30, y) }}
	data := simulate(helmholtz, s, 20, 12, .3, 7)
	e := learn(t, specOf(data.d), noise.Choice{Kind: noise.Auto})
	for _, says := range []string{"a random curve", "along the output"} {
		if !strings.Contains(e.Report.Reason, says) {
			t.Errorf("the report says: %s; want %q", e.Report.Reason, says)
		}
	}
}

// Curves of which some are 6.5 times as loud as others are found to be that, and how loud each is, from twelve values, better than
// from six that are independent; by residuals as they are it is known as from four.
func TestCurvesAsLoudAsTheyAre(t *testing.T) {
	miss, count := 0.0, 0.0
	for seed := range uint64(3) {
		data := simulate(helmholtz, shape{ar: .9, pair: someLoud}, 32, 12, .3, seed)
		e := learn(t, specOf(data.d), noise.Choice{Kind: noise.Auto}).Errors()
		if e == nil || e.Pairs == nil || e.Covariance == nil {
			t.Fatal("no curves that are as loud as they are")
		}
		for i, v := range e.Pairs { // the mean of the logarithms is zero
			off := math.Log(1/v) - 2*math.Log(someLoud(i)) + 2*math.Log(1.95)/4 + 2*math.Log(.3)*3/4
			miss, count = miss+off*off, count+1
		}
	}
	if !(miss/count <= mathext.Zeta(2, 6./2)) {
		t.Errorf("logarithms of variances are off by %.3g in the mean square", miss/count)
	}
}
