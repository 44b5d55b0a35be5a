package families_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/families"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Kernels have shares by the mean of their likelihood over λ, which is computed from the covariance here, whatever the units of
// the data; and few of them stand for all: correlations are the same on average.
func TestPlausibleKernelsAreOfThePosterior(t *testing.T) {
	d := pairs(5, 6, 5, 0.02, poisson)
	every, err := families.Plausible(t.Context(), d, families.Choice{}, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	sharesAreOfTheCovariance(t, d, every, 2)
	few, err := families.Plausible(t.Context(), d, families.Choice{}, 12)
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
		if len(few) > 12 || !(math.Abs(a-b) <= 0.1) || !(math.Abs(of-1) <= 1e-12) || !(math.Abs(ofAll-1) <= 1e-12) {
			t.Errorf("correlation with %v: %.3g of %d kernels, %.3g of %d; shares are %.6g and %.6g", p, a, len(few), b, len(every), of, ofAll)
		}
	}
	for _, unit := range []float64{1e-9, 1e9} {
		other := d
		other.Input, other.Output = mat.DenseCopyOf(d.Input), mat.DenseCopyOf(d.Output)
		other.Input.Scale(unit, other.Input)
		other.Output.Scale(1/unit, other.Output)
		again, err := families.Plausible(t.Context(), other, families.Choice{}, 12)
		if err != nil || len(again) != len(few) {
			t.Fatalf("in other units: %d kernels, %d (%v)", len(again), len(few), err)
		}
		for k, c := range again {
			if c.Kernel.String() != few[k].Kernel.String() || !(math.Abs(c.Share/few[k].Share-1) <= 1e-6) {
				t.Errorf("in other units: %v of %.3g, was %v of %.3g", c.Kernel, c.Share, few[k].Kernel, few[k].Share)
			}
		}
	}
}

// sharesAreOfTheCovariance compares the shares of some kernels without a kink, with one on both sides and, of three or more kinds
// of kinks, on one.
func sharesAreOfTheCovariance(t *testing.T, d families.Data, every []families.Choice, kinds int) {
	t.Helper()
	var apart [3][]float64
	for _, c := range every {
		k := 0
		if kink, ok := c.Kernel.(kernel.Kink); ok && kink.OneSided {
			k = 2
		} else if ok {
			k = 1
		}
		if c.Share > 1e-4 && len(apart[k]) < 8 { // known to some digits
			apart[k] = append(apart[k], math.Log(c.Share)-marginalByCovariance(t, d, c, kinds))
		}
	}
	if len(apart[0]) < 4 || len(apart[1]) < 4 || kinds > 2 && len(apart[2]) < 4 {
		t.Fatalf("too few kernels are likely: another problem is needed: %.3f", apart)
	}
	if off := floats.Max(apart[0]) - floats.Min(apart[0]); !(off <= 0.01) {
		t.Errorf("ratios of the shares of %d kernels are off by a factor of e^%.3g", len(apart[0]), off)
	}
	all := slices.Concat(apart[:]...)
	if off := floats.Max(all) - floats.Min(all); !(off <= 0.05) { // jumps are of low rank, their weights of three digits
		t.Errorf("ratios of the shares of %d kernels are off by a factor of e^%.3g with kinks: %.3f", len(all), off, apart)
	}
}

// Kinks on one side are among them where the kernel that was chosen has one, with shares by the covariance, too.
func TestPlausibleKernelsOnOneSide(t *testing.T) {
	testmain.Long(t)
	chosen := families.Choice{}
	for _, c := range testmain.Must(families.Search(t.Context(), pairs(10, 12, 9, 0.05, causal)))(t) {
		if kink, ok := c.Kernel.(kernel.Kink); ok && kink.OneSided {
			chosen = c
		}
	}
	d := pairs(5, 6, 5, 0.3, causal)
	every := testmain.Must(families.Plausible(t.Context(), d, chosen, 1<<20))(t)
	sharesAreOfTheCovariance(t, d, every, 4)
}

func causal(x, y float64) float64 { return math.Sin(8 * max(y-x, 0)) }

// Where nothing is off the diagonal, or nothing depends on G, kinks are none, and no kernel is more than its share.
func TestPlausibleKernelsOfOnePoint(t *testing.T) {
	point := mesh.Must(mesh.Scattered([]float64{.5}, 1, nil, "x"))
	one, none := pairs(5, 6, 5, 0.02, poisson), pairs(5, 6, 5, 0.02, poisson)
	one.X, one.Input = point, mat.DenseCopyOf(one.Input.Slice(0, 5, 0, 1))
	one.Y, one.Output = point, mat.DenseCopyOf(one.Output.Slice(0, 5, 0, 1))
	none.Input.Zero()
	for name, d := range map[string]families.Data{"one point": one, "no input": none} {
		few, err := families.Plausible(t.Context(), d, families.Choice{}, 12)
		sum := 0.0
		for _, c := range few {
			sum += c.Share
		}
		if err != nil || len(few) > 0 && !(math.Abs(sum-1) <= 1e-12) {
			t.Errorf("%s: %d kernels with shares of %g (%v)", name, len(few), sum, err)
		}
	}
}

func compiled(t *testing.T, c families.Choice) *kernels.Function {
	t.Helper()
	k, err := kernels.Compile(c.Kernel, kernel.Space{Names: []string{"x", "y"}, Inputs: 1})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// marginalByCovariance is the logarithm of the mean likelihood of a kernel that is a product, or one with a kink, over the variance
// of the product to that of the noise, times its probability beforehand, where there are so many kinds of kinks.
func marginalByCovariance(t *testing.T, d families.Data, c families.Choice, kinds int) float64 {
	t.Helper()
	var logs []float64
	kink, ok := c.Kernel.(kernel.Kink)
	if !ok {
		of := variance(t, d, c)
		for log := -10.0; log <= 8; log += 0.5 {
			ratio := math.Pow(10, log)
			c.Lambda = of / ratio
			reml, _ := byCovariance(t, d, c)
			logs = append(logs, math.Log(math.Sqrt(ratio)/(1+ratio)/math.Pi*math.Ln10/2)-reml)
		}
		return floats.LogSumExp(logs) - math.Log(2*4*7*7)
	}
	base := variance(t, d, families.Choice{Kernel: kink.Base})
	w := variance(t, d, c)/base - 1
	for log := -5.0; log <= 10; log++ {
		ratio := math.Pow(10, log)
		c.Lambda = base / ratio
		reml, _ := byCovariance(t, d, c)
		density := ratio * math.Sqrt(w) * math.Pow(1+ratio*(1+w), -1.5) / (2 * math.Pi)
		logs = append(logs, math.Log(density*math.Ln10*math.Ln10)-reml)
	}
	return floats.LogSumExp(logs) - math.Log(2*2*4*4*float64(kinds)*4) // that there is one, bases, their lengthscales, kinds, those along the diagonal
}

// variance is that of a value without the noise, weighted, on average.
func variance(t *testing.T, d families.Data, c families.Choice) (of float64) {
	t.Helper()
	k := compiled(t, c)
	x, y, dx, dy := d.X.Columns()[0], d.Y.Columns()[0], d.X.Weights(), d.Y.Weights()
	n, _ := d.Input.Dims()
	for i := range n {
		for a := range x {
			for b := range x {
				for l, v := range y {
					of += d.Input.At(i, a) * dx[a] * d.Input.At(i, b) * dx[b] * dy[l] * k.At([]float64{x[a], v}, []float64{x[b], v})
				}
			}
		}
	}
	return of / float64(n*n*len(dy))
}
