package noise

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Weights are over variances: standard deviations vary by the root of their ratio. What varies by less
// than 5 % is not told beside what varies by more.
func TestVariationInWords(t *testing.T) {
	const along, by, both = " along the output", " from pair to pair", " along the output, and of "
	for _, c := range []struct {
		points, pairs, values []float64
		want                  string
	}{
		{[]float64{1, 9, 4}, nil, nil, "3" + along},
		{nil, []float64{4, 1, 2}, nil, "2" + by},
		{[]float64{1, 9}, []float64{4, 1}, nil, "3" + both + "2" + by},
		{[]float64{1, 9}, []float64{1, 1.04 * 1.04}, nil, "3" + along},
		{[]float64{1, 1.04 * 1.04}, []float64{1, 4}, nil, "2" + by},
		{[]float64{1, 9}, []float64{1, 1.06 * 1.06}, nil, "3" + both + "1.06" + by},
		{[]float64{1, 1.06 * 1.06}, []float64{1, 9}, nil, "1.06" + both + "3" + by},
		{[]float64{1, 9}, []float64{4, 1}, []float64{25, 1}, "30"},
		{nil, nil, []float64{25, 100, 50}, "2"},
	} {
		e := &dataset.Errors{Points: c.points, Pairs: c.pairs}
		if c.values != nil {
			e.Values = &array.Array{Shape: []int{1, len(c.values)}, Data: c.values}
		}
		if got, want := Variation(e), " has a standard deviation that varies by a factor of "+c.want; got != want {
			t.Errorf("%v, %v, %v: %q, want %q", c.points, c.pairs, c.values, got, want)
		}
	}
}

// What is said of a noise: what it is, and by how much likelier than white noise if that is known.
func TestNoiseInWords(t *testing.T) {
	varies := &dataset.Errors{Points: []float64{1, 9}}
	waves := &curves{kernel: kernel.Exponential{Lengthscale: kernel.Lengthscale{.5}}, share: 3}
	const deviation, curve = " has a standard deviation that varies by a factor of 3 along the output", " is correlated: a random curve of exponential{lengthscale=0.5} for each pair is 75 % of its variance"
	for _, c := range []struct {
		f      found
		better float64
		want   string
	}{
		{found{}, 7, "the noise is white"},
		{found{varies: true}, 7.4, "the noise" + deviation + ", 7 nats likelier than white noise"},
		{found{varies: true}, math.NaN(), "the noise" + deviation},
		{found{curves: waves}, 12, "the noise" + curve + ", 12 nats likelier than white noise"},
		{found{curves: waves}, math.NaN(), "the noise" + curve + ", as the residuals of white noise have it: the likelihood of so many data was not computed"},
		{found{curves: waves}, -0.3, "the noise" + curve + ", as likely as white noise"},
		{found{curves: waves}, 0.4, "the noise" + curve + ", as likely as white noise"},
		{found{curves: waves}, 0.6, "the noise" + curve + ", 1 nats likelier than white noise"},
		{found{curves: waves}, -0.8, "the noise" + curve + ", 1 nats less likely than white noise"},
		{found{curves: waves}, -2.8, "the noise" + curve + ", 3 nats less likely than white noise"},
		{found{varies: true, curves: waves}, 12, "the noise" + deviation + " and" + curve + ", 12 nats likelier than white noise"},
	} {
		c.f.noisy = &noisy{errors: varies}
		if got := c.f.sentence(c.better); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Noise that no numbers were asked for has no price, other noise that of the likelihood-ratio test at
// 1 % for two numbers, and one and a half for each.
func TestPriceOfNoise(t *testing.T) {
	for numbers, want := range map[float64]float64{0: 0, .5: 5.35, 2: 7.6, 10: 19.6} {
		if got := Price(numbers); !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("%g numbers: %g, want %g", numbers, got, want)
		}
	}
}

// The mean variance of a value is by the quadrature, of those that were observed, over their weights.
func TestMeanOverTheQuadrature(t *testing.T) {
	y := mesh.Must(mesh.Trapezoid([]float64{0, 1, 3}, "y")) // weights .5, 1.5, 1
	right, err := y.Right()                                 // 0, 1, 2
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		output []float64
		errors *dataset.Errors
		right  bool
		want   float64
	}{
		{[]float64{1, 2, 3}, nil, false, 3 / 3.},
		{[]float64{1, 2, 3}, nil, true, 2 / 3.},
		{[]float64{math.NaN(), 2, math.NaN()}, nil, true, 1 / 1.},
		{[]float64{1, math.NaN(), 3}, nil, false, 2 / 1.5},
		{[]float64{1, 2, 3}, &dataset.Errors{Points: []float64{2, 4, 5}}, false, (.5 + .25 + .2) / 3},
		{[]float64{1, 2, 3}, &dataset.Errors{Pairs: []float64{2}}, false, 1.5 / 3},
		{[]float64{1, 2, 3}, &dataset.Errors{Values: &array.Array{Shape: []int{1, 3}, Data: []float64{1, 2, 4}}}, false, 1.75 / 3},
	} {
		d := &dataset.Dataset{Output: &array.Array{Shape: []int{1, 3}, Data: c.output}, OutputMesh: y, Errors: c.errors}
		if c.right {
			d.OutputMesh = right
		}
		if got := meanOver(d); !(math.Abs(got-math.Sqrt(c.want)) <= 1e-15) {
			t.Errorf("%v with %+v: %g, want the root of %g", c.output, c.errors, got, c.want)
		}
	}
}

// Where most values are the same, those that are not are left alone: nothing tells how far is far.
func TestTamedWhereMostAreTheSame(t *testing.T) {
	v := &array.Array{Shape: []int{5, 2}, Data: []float64{1, 2, 1, 2, 1, 2, 1, 9, 1, 2}}
	if got, err := Tamed(v); err != nil || !slices.Equal(got.Data, v.Data) {
		t.Errorf("%v, %v, want %v", got, err, v.Data)
	}
}

// The smooth part is correlated as Matérn's kernel of smoothness 3/2 has it.
func TestSmoothPartIsMatern(t *testing.T) {
	f, err := kernels.Compile(kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.4}}, kernels.Line())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []float64{0, .1, .5, 2} {
		if got, want := smoothly(d/.4), f.At([]float64{1}, []float64{1 + d}); !(math.Abs(got-want) <= 1e-15) {
			t.Errorf("at %g: %g, want %g", d, got, want)
		}
	}
}

// Residuals that are all zero have no noise whose variances could be found.
func TestVariancesOfNothing(t *testing.T) {
	before := product{[]float64{1, 2, -3}, []float64{4, 5}}
	after, numbers, err := before.fitted(t.Context(), make([]float64, 6), []float64{1, 1, 1, 1, 1, 1}, func(int, int) float64 { return 1 })
	if err != nil || numbers.all() != 0 || after.change(before) != 0 {
		t.Errorf("%v, %g numbers, %v; want those from before", after, numbers, err)
	}
}

// What goes together is let through, and what does not is refused for its reason.
func TestWhatGoesTogether(t *testing.T) {
	data := func(n int, e *dataset.Errors) *dataset.Dataset {
		return &dataset.Dataset{Input: array.New(n, 2), Output: array.New(n, 2), Errors: e}
	}
	y := mesh.Must(mesh.Uniform(0, 1, 2, "y"))
	covariance, err := curves{open: kernel.White{}, kernel: kernel.White{}, share: 1}.covariance(t.Context(), y)
	if err != nil {
		t.Fatal(err)
	}
	correlated, pairs, points := &dataset.Errors{Covariance: covariance}, &dataset.Errors{Pairs: []float64{1, 2, 3}}, &dataset.Errors{Points: []float64{1, 2}}
	for _, c := range []struct {
		c      Choice
		n      int
		e      *dataset.Errors
		dense  bool
		refuse string
	}{
		{Choice{Kind: White}, 2, correlated, true, ""},
		{Choice{}, 1, points, true, ""},
		{Choice{Kind: Diagonal}, 3, nil, false, ""},
		{Choice{Kind: Diagonal}, 3, pairs, false, ""},
		{Choice{Kind: Auto}, 3, pairs, false, ""},
		{Choice{Kind: Curves}, 3, nil, false, ""},
		{Choice{Huber: true}, 2, pairs, false, ""},
		{Choice{Kind: Diagonal, Huber: true}, 3, pairs, false, ""},
		{Choice{Kind: White, Huber: true}, 3, points, false, ""},
		{Choice{Kind: Curves, Huber: true}, 3, nil, false, "is no part of a curve"},
		{Choice{Kind: Auto, Huber: true}, 3, nil, false, "is no part of a curve"},
		{Choice{Huber: true}, 3, correlated, false, "values of correlated noise have no loss"},
		{Choice{Huber: true}, 3, nil, true, "method \"dense\""},
		{Choice{Kind: Diagonal}, 3, nil, true, "method \"dense\""},
		{Choice{Kind: Curves}, 3, nil, true, "method \"dense\""},
		{Choice{Kind: Auto}, 3, correlated, false, "is given already"},
		{Choice{Kind: Diagonal}, 3, points, false, "is given already"},
		{Choice{Kind: Diagonal}, 2, nil, false, "want at least 3"},
		{Choice{Kind: Curves}, 2, pairs, false, "want at least 3"},
	} {
		err := c.c.check(&fit.Spec{Data: data(c.n, c.e), Dense: c.dense})
		if (err != nil) != (c.refuse != "") || err != nil && !strings.Contains(err.Error(), c.refuse) {
			t.Errorf("%+v of %d pairs, dense %t: %v, want %q", c.c, c.n, c.dense, err, c.refuse)
		}
	}
}

// Where the likelihood and left-out pairs ask for λ more than ten times apart, in a fit where nothing was
// asked for, left-out pairs choose it for the same kernel; elsewhere nothing changes.
func TestCriteriaThatDisagree(t *testing.T) {
	m := mesh.Must(mesh.Uniform(0, 1, 5, "x"))
	f := array.New(8, 5)
	for i := range f.Data {
		f.Data[i] = math.Sin(float64(i * i))
	}
	d, err := dataset.New(dataset.Spec{Input: f, Output: f, InputMesh: m, OutputMesh: m})
	if err != nil {
		t.Fatal(err)
	}
	s := fit.Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.3}}}
	for _, c := range []struct {
		of        Choice
		by        fit.Criterion
		reml, loo *float64
		again     bool
	}{
		{Choice{Kind: Auto}, "", new(1e-3), new(2e-2), true},
		{Choice{Kind: Auto}, "", new(2e-2), new(1e-3), true},
		{Choice{Kind: Auto}, "", new(1e-3), new(9e-3), false},
		{Choice{Kind: Auto}, "", new(9e-3), new(1e-3), false},
		{Choice{Kind: Auto}, fit.REML, new(1e-3), new(2e-2), false},
		{Choice{Kind: Diagonal}, "", new(1e-3), new(2e-2), false},
		{Choice{Kind: Auto}, "", nil, new(2e-2), false},
		{Choice{Kind: Auto}, "", new(1e-3), nil, false},
	} {
		s.Criterion = c.by
		e, err := fit.Fit(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		e.Report.LambdaREML, e.Report.LambdaLOO = c.reml, c.loo
		got, err := c.of.agreed(t.Context(), s, e)
		if err != nil {
			t.Fatal(err)
		}
		if (got != e) != c.again || c.again && (got.Report.Criterion != string(fit.LOO) || !strings.Contains(got.Report.Reason, "times that of the likelihood")) {
			t.Errorf("%+v: another estimate %t, by %s: %s", c, got != e, got.Report.Criterion, got.Report.Reason)
		}
	}
}

// What finding the noise takes is that of the fits it makes: one beside white noise; two that choose, some that choose λ alone, and
// some with everything known, for noise to be found; these for each round of Huber's loss.
func TestExpectedIsTheSumOfItsFits(t *testing.T) {
	m := mesh.Must(mesh.Uniform(0, 1, 5, "x"))
	f := array.New(6, 5)
	for i := range f.Data {
		f.Data[i] = math.Sin(float64(i * i))
	}
	d, err := dataset.New(dataset.Spec{Input: f, Output: f, InputMesh: m, OutputMesh: m})
	if err != nil {
		t.Fatal(err)
	}
	s := fit.Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, Lambda: 1}
	one := progress.Cost{Seconds: 0, Bytes: 10} // a fit with all known takes no longer than one that chooses
	for _, c := range []Choice{{}, {Kind: White}, {Kind: Diagonal}, {Kind: Auto, Huber: true}} {
		if got := c.expected(t.Context(), s, one); got.Seconds != 0 || got.Bytes != usualCopies*10 {
			t.Errorf("%+v: %+v of fits that take no time", c, got)
		}
	}
	const second = 1e-12 // less than any fit takes, so that all are alike
	one.Seconds = second
	for _, c := range []struct {
		of   Choice
		want float64
	}{
		{Choice{}, 1},
		{Choice{Kind: White}, 1},
		{Choice{Kind: Diagonal}, 2 + fitsDiagonal + choosesDiagonal},
		{Choice{Kind: Curves}, 2 + fitsCurves + choosesCurves},
		{Choice{Kind: Auto}, 2 + fitsDiagonal + fitsCurves + fitsTurns + choosesDiagonal + choosesCurves},
		{Choice{Huber: true}, 2*HuberRounds + fitsHuber},
		{Choice{Kind: Diagonal, Huber: true}, HuberRounds*(3+choosesDiagonal) + fitsDiagonal + fitsHuber},
	} {
		if got := c.of.expected(t.Context(), s, one).Seconds / second; !(math.Abs(got-c.want) <= 1e-9) {
			t.Errorf("%+v: as long as %g fits, want %g", c.of, got, c.want)
		}
	}
}

// A kernel that is no product is taken for that of what it is on each side, in the middle of the other.
func TestSeparatedInTheMiddle(t *testing.T) {
	k := kernel.Polynomial{Degree: 2, Offset: 1}
	s := &fit.Spec{Data: &dataset.Dataset{InputMesh: mesh.Must(mesh.Uniform(1, 4, 3, "x")), OutputMesh: mesh.Must(mesh.Uniform(-3, 7, 3, "y"))}}
	f, err := kernels.Compile(separated(k, s), kernel.Space{Names: []string{"x", "y"}, Inputs: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][4]float64{{1, 2, 3, 4}, {2.5, 2, 2.5, 2}, {0, -1, 2, .5}} {
		want := math.Pow(1+c[0]*c[2]+2*2, 2) * math.Pow(1+2.5*2.5+c[1]*c[3], 2)
		if got := f.At(c[:2], c[2:]); !(math.Abs(got-want) <= 1e-12*want) {
			t.Errorf("between %v and %v: %g, want %g", c[:2], c[2:], got, want)
		}
	}
	for _, k := range []kernel.Kernel{kernel.SE{Lengthscale: kernel.Lengthscale{1}}, kernel.Tensor{Input: k, Output: k}, kernel.Kink{Base: k, Jump: k, Power: 1}} {
		if got := separated(k, s); fmt.Sprint(got) != fmt.Sprint(k) {
			t.Errorf("%v is %v", k, got)
		}
	}
}

// Variances of pairs are uncertain where pairs have some: not where there are none, nor where all are the same.
func TestLooseVariances(t *testing.T) {
	freedom := []float64{1, 1, 1, 1, 1, 1}
	for _, e := range []*dataset.Errors{nil, {}, {Points: []float64{1, 2}}, {Pairs: []float64{2, 2, 2}}} {
		if got := loose(e, freedom); got != nil {
			t.Errorf("%+v: %v", e, got)
		}
	}
	if got := loose(&dataset.Errors{Pairs: []float64{1, 2, 30}}, freedom); len(got) != 3 || !(slices.Min(got) > 0) {
		t.Errorf("of three pairs: %v", got)
	}
}

// Why kinds of noise cannot be told apart is said as it is.
func TestWhyThereIsNoLikelihood(t *testing.T) {
	y := mesh.Must(mesh.Uniform(0, 1, 2, "y"))
	for want, output := range map[string][]float64{
		"the outputs of all pairs are the same":         {1, 2, 1, 2},
		"3 of 4 outputs were observed":                  {1, 2, 3, math.NaN()},
		"of 4 outputs with a kernel that is no product": {1, 2, 3, 4},
	} {
		d := &dataset.Dataset{Input: array.New(2, 2), Output: &array.Array{Shape: []int{2, 2}, Data: output}, OutputMesh: y}
		if err := noLikelihood(d); !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", output, err, want)
		}
	}
}
