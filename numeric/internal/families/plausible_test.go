package families_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/families"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Kernels have shares by the mean of their likelihood over λ, which is computed from the covariance here, whatever the units of
// the data; and few of them stand for all: correlations are the same on average.
func TestPlausibleKernelsAreOfThePosterior(t *testing.T) {
	d := pairs(5, 6, 5, 0.02, poisson)
	every, err := families.Plausible(t.Context(), d, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	var apart []float64
	for k := 0; k < len(every); k += 1 + len(every)/8 {
		if c := every[k]; c.Share > 1e-4 { // known to some digits
			apart = append(apart, math.Log(c.Share)-marginalByCovariance(t, d, c))
		}
	}
	if off := floats.Max(apart) - floats.Min(apart); len(apart) < 4 || off > 0.01 {
		t.Errorf("ratios of the shares of %d kernels are off by a factor of e^%.3g", len(apart), off)
	}
	few, err := families.Plausible(t.Context(), d, 12)
	if err != nil {
		t.Fatal(err)
	}
	mean := func(all []families.Choice, p []float64) (correlation, shares float64) {
		for _, c := range all {
			correlation, shares = correlation+c.Share*compiled(t, c).At([]float64{.5, .5}, p), shares+c.Share
		}
		return correlation, shares
	}
	for _, p := range [][]float64{{.6, .5}, {.5, .7}, {.9, .9}} {
		a, of := mean(few, p)
		b, ofAll := mean(every, p)
		if len(few) > 12 || math.Abs(a-b) > 0.1 || math.Abs(of-1) > 1e-12 || math.Abs(ofAll-1) > 1e-12 {
			t.Errorf("correlation with %v: %.3g of %d kernels, %.3g of %d; shares are %.6g and %.6g", p, a, len(few), b, len(every), of, ofAll)
		}
	}
	for _, unit := range []float64{1e-9, 1e9} {
		other := d
		other.Input, other.Output = mat.DenseCopyOf(d.Input), mat.DenseCopyOf(d.Output)
		other.Input.Scale(unit, other.Input)
		other.Output.Scale(1/unit, other.Output)
		again, err := families.Plausible(t.Context(), other, 12)
		if err != nil || len(again) != len(few) {
			t.Fatalf("in other units: %d kernels, %d (%v)", len(again), len(few), err)
		}
		for k, c := range again {
			if c.Kernel.String() != few[k].Kernel.String() || c.Share != few[k].Share {
				t.Errorf("in other units: %v of %.3g, was %v of %.3g", c.Kernel, c.Share, few[k].Kernel, few[k].Share)
			}
		}
	}
}

func compiled(t *testing.T, c families.Choice) *kernel.Function {
	t.Helper()
	k, err := kernel.Compile(c.Kernel, kernel.Space{Names: []string{"x", "y"}, Inputs: 1})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// marginalByCovariance is the logarithm of the mean likelihood of a kernel that is a product, over the variance of G to that of the noise.
func marginalByCovariance(t *testing.T, d families.Data, c families.Choice) float64 {
	t.Helper()
	k, variance := compiled(t, c), 0.0 // of a value, weighted, without the noise
	x, dx, dy := d.X.Columns()[0], d.X.Weights(), d.Y.Weights()
	n, _ := d.Input.Dims()
	for i := range n {
		for a := range x {
			for b := range x {
				variance += d.Input.At(i, a) * dx[a] * d.Input.At(i, b) * dx[b] * k.At([]float64{x[a], 0}, []float64{x[b], 0})
			}
		}
	}
	variance *= floats.Sum(dy) / float64(n*n*len(dy))
	var logs []float64
	for log := -10.0; log <= 8; log += 0.5 {
		ratio := math.Pow(10, log)
		c.Lambda = variance / ratio
		reml, _ := byCovariance(t, d, c)
		logs = append(logs, math.Log(math.Sqrt(ratio)/(1+ratio))-reml)
	}
	return floats.LogSumExp(logs)
}
