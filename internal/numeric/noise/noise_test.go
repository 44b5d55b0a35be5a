package noise_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

func specOf(d *dataset.Dataset) fit.Spec {
	return fit.Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.15}}}
}

func learn(t *testing.T, s fit.Spec, c noise.Choice) *fit.Estimate {
	t.Helper()
	e, err := noise.Fit(t.Context(), s, c)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Each shape of noise is found for what it is; G is then learned as well as by the fit that
// knows the covariance, to 15 % (by 200 data sets in the mean to 5 %: see TestStudy).
func TestNoiseIsFound(t *testing.T) {
	for i, says := range []string{"the noise is white", "is correlated: a random curve", "along the output", "from pair to pair"} {
		s := shapes()[i]
		t.Run(s.name, func(t *testing.T) {
			data := simulate(helmholtz, s, 30, 16, .3, 7)
			e := learn(t, specOf(data.d), noise.Choice{Kind: noise.Auto})
			if first, _, _ := strings.Cut(e.Report.Reason, ";"); !strings.Contains(first, says) {
				t.Errorf("the report says: %s", first)
			}
			if loose := e.Report.LooseWeights; (loose != nil) != (says == "along the output" || says == "from pair to pair") || loose != nil && len(loose) != data.d.N() {
				t.Errorf("the weights of pairs may be off by %v", loose)
			}
			known := specOf(data.d)
			var err error
			if known.Data, err = data.d.WithErrors(data.errors); err != nil {
				t.Fatal(err)
			}
			oracle := learn(t, known, noise.Choice{})
			if here, best := off(t, e, data), off(t, oracle, data); !(here <= 1.15*best) {
				t.Errorf("G is off by %.3g, where the covariance is known by %.3g", here, best)
			}
			if ratio := e.Report.Sigma / oracle.Report.Sigma; !(math.Abs(ratio-1) <= .3) {
				t.Errorf("sigma is %.3g times that where the covariance is known, %.3g of the true one", ratio, e.Report.Sigma/data.sigma)
			}
		})
	}
}

// Finding the noise chooses the kernel a few times, not for each of its fits, and is expected to take that: a time limit
// that leaves enough would be no reason to refuse it otherwise.
func TestExpectedCostOfNoise(t *testing.T) {
	s := specOf(simulate(helmholtz, shapes()[0], 5, 5, .3, 7).d)
	known := fit.Expected(t.Context(), s).Seconds
	s.Kernel = nil
	once := math.Inf(1) // the processor is looked at each time
	for range 5 {
		once = min(once, fit.Expected(t.Context(), s).Seconds)
	}
	if all := learn(t, s, noise.Choice{Kind: noise.Diagonal}).Report.Expected.Seconds; !(all <= 5*once+12*known) || !(all >= once) {
		t.Errorf("%g s, with white noise %g s, of a kernel that is known %g s", all, once, known)
	}
}

// With noise that is found the likelihood chooses λ, but where another criterion was asked for.
func TestCriterionWithFoundNoise(t *testing.T) {
	s := specOf(simulate(helmholtz, shapes()[2], 30, 16, .3, 7).d)
	for asked, want := range map[fit.Criterion]fit.Criterion{"": fit.REML, fit.GCV: fit.GCV} {
		s.Criterion = asked
		if r := learn(t, s, noise.Choice{Kind: noise.Diagonal}).Report; r.Criterion != string(want) || !strings.Contains(r.Reason, "along the output") {
			t.Errorf("asked for %q: %q, %s", asked, r.Criterion, r.Reason)
		}
	}
}

// White noise of one variance for each length of the output, which is twice that at the ends, is the fit without a choice, to the bit.
func TestWhiteStaysAsItIs(t *testing.T) {
	s := specOf(simulate(poisson, shape{along: loudEnds}, 40, 12, .2, 3).d)
	plain, found := learn(t, s, noise.Choice{}), learn(t, s, noise.Choice{Kind: noise.Auto})
	if !floats.Equal(plain.Weights.RawMatrix().Data, found.Weights.RawMatrix().Data) || found.Errors() != nil {
		t.Errorf("another estimate: %s", found.Report.Reason)
	}
}

func loudEnds(y float64) float64 {
	if y == 0 || y == 1 {
		return math.Sqrt2
	}
	return 1
}

// White noise of the same variance for all values is the fit for which that is given, with weights of pairs that are given beside it.
func TestWhiteOfValuesAlike(t *testing.T) {
	data := simulate(poisson, shape{pair: someLoud}, 40, 12, .2, 3)
	s := specOf(testmain.Must(data.d.WithErrors(&dataset.Errors{Pairs: data.errors.Pairs}))(t))
	found := learn(t, s, noise.Choice{Kind: noise.Auto})
	e := testmain.Must(data.d.OfDeviations(ones(12)))(t)
	e.Pairs = data.errors.Pairs
	s.Data = testmain.Must(data.d.WithErrors(e))(t)
	given := learn(t, s, noise.Choice{})
	if !floats.Equal(given.Weights.RawMatrix().Data, found.Weights.RawMatrix().Data) || given.Report.Criterion != found.Report.Criterion {
		t.Errorf("another estimate: %s", found.Report.Reason)
	}
	if says := "the noise is white, of the same variance for all values"; !strings.HasPrefix(found.Report.Reason, says) {
		t.Errorf("the report says: %s; want %q", found.Report.Reason, says)
	}
}

// Curves that are found are as likely, to a tenth of a nat, as the likeliest of a grid of lengthscales and sizes, wherever that is.
func TestCurvesAreTheLikeliest(t *testing.T) {
	for _, ar := range []float64{.7, .9, .95} {
		data := simulate(helmholtz, shape{ar: ar}, 24, 12, .3, 5)
		s := specOf(data.d)
		s.Criterion = fit.REML
		found := learn(t, s, noise.Choice{Kind: noise.Curves, Kernel: kernel.Exponential{Lengthscale: kernel.Auto}})
		least, at := math.Inf(1), ""
		y, dy := data.d.OutputMesh.Points(), data.d.OutputMesh.Weights()
		for l := .1; l < 4; l *= 1.2 {
			for share := .3; share < 1e6; share *= 4 {
				c := mat.NewSymDense(len(y), nil)
				for i := range y {
					for j := range i + 1 {
						c.SetSym(i, j, share*math.Exp(-math.Abs(y[i]-y[j])/l))
					}
					c.SetSym(i, i, share+.1/dy[i])
				}
				s.Data = testmain.Must(data.d.WithErrors(&dataset.Errors{Covariance: c}))(t)
				if r := *learn(t, s, noise.Choice{}).Report.REML; r < least {
					least, at = r, fmt.Sprintf("lengthscale %.2g, size %.2g", l, share)
				}
			}
		}
		if r := *found.Report.REML; !(r <= least+.1) {
			t.Errorf("correlation %g: minus the log likelihood is %.2f, of %s %.2f: %s", ar, r, at, least, found.Report.Reason)
		}
	}
}

// The deviations that are found do not depend on the unit of the outputs.
func TestUnits(t *testing.T) {
	data := simulate(helmholtz, shapes()[2], 20, 12, .3, 5)
	one := learn(t, specOf(data.d), noise.Choice{Kind: noise.Diagonal})
	for _, c := range []float64{1e-9, 1e9} {
		d := *data.d
		d.Output = data.d.Output.Copy()
		floats.Scale(c, d.Output.Data)
		e := learn(t, specOf(&d), noise.Choice{Kind: noise.Diagonal})
		if !floats.EqualApprox(e.Errors().Points, one.Errors().Points, 1e-5) {
			t.Errorf("outputs × %g: weights %v, before %v", c, e.Errors().Points, one.Errors().Points)
		}
	}
}

// What makes sigma unbiased where deviations were found does not depend on the unit of the weights.
func TestUnshrinkInAllUnits(t *testing.T) {
	data, factor := simulate(helmholtz, shapes()[2], 20, 12, .3, 5), 0.0
	for _, unit := range []float64{1, 1e-9, 1e9} {
		w := ones(12)
		for k := range w {
			w[k] = unit * float64(1+k%3)
		}
		s := specOf(testmain.Must(data.d.WithErrors(&dataset.Errors{Points: w}))(t))
		s.Criterion = fit.REML
		e := testmain.Must(fit.Fit(t.Context(), s))(t)
		before := e.Report.Sigma
		if err := noise.Unshrink(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		got := e.Report.Sigma / before
		if unit == 1 {
			factor = got
		}
		if !(math.Abs(factor-1) > .01) || !(math.Abs(got/factor-1) < 1e-6) {
			t.Errorf("weights × %g: sigma × %.9g, where they are about one × %.9g", unit, got, factor)
		}
	}
}

// Huber's fit is the minimiser of its objective: the gap says so, and no estimate nearby has a
// lower value, computed from the definition. Values that are far off hardly matter.
func TestHuberIsTheMinimum(t *testing.T) {
	testmain.Long(t)
	data := simulate(helmholtz, shape{outlier: .05}, 20, 10, .1, 11)
	s := specOf(data.d)
	s.Lambda, s.Rho, s.Intercept = 1e-5, 1, fit.NoIntercept
	k := 1.345 * data.sigma / math.Sqrt(10)
	e, err := fit.WithLoss(t.Context(), s, k, outputs.Huber(k).Of, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := e.Report
	if !(r.Gap <= 1e-9*r.Objective) {
		t.Errorf("gap %g of %g", r.Gap, r.Objective)
	}
	value := func(e *fit.Estimate) float64 {
		in, u := data.d.Matrices()
		p, err := e.Predict(t.Context(), in, mesh.Mesh{}, mesh.Mesh{})
		if err != nil {
			t.Fatal(err)
		}
		sum, dy := 0.0, data.d.OutputMesh.Weights()
		for i, v := range u.RawMatrix().Data {
			r := math.Abs(v-p.RawMatrix().Data[i]) * math.Sqrt(dy[i%len(dy)])
			if r > k {
				sum += 2*k*r - k*k
			} else {
				sum += r * r
			}
		}
		return sum/float64(data.d.N()) + s.Lambda*e.Report.GreenNorm2 + s.Rho*e.Report.BiasNorm2
	}
	least := value(e)
	if !(math.Abs(r.Objective-least) <= 1e-9*least) {
		t.Errorf("objective %.12g, by its definition %.12g", r.Objective, least)
	}
	cut := 0
	for i, w := range e.Errors().Values.Data {
		if w < 1 {
			cut++
		}
		if i%7 != 0 {
			continue
		}
		near := s
		d := *data.d
		d.Output = data.d.Output.Copy()
		d.Output.Data[i] += .1 * data.sigma // the minimiser for other data
		near.Data = &d
		other, err := fit.WithLoss(t.Context(), near, k, outputs.Huber(k).Of, nil)
		if err != nil {
			t.Fatal(err)
		}
		if v := value(other); !(v >= least-r.Gap) {
			t.Errorf("value %.12g nearby, %.12g at the minimum", v, least)
		}
	}
	if cut < 8 {
		t.Errorf("%d values count less", cut)
	}
	far := s
	d := *data.d
	d.Output = data.d.Output.Copy()
	d.Output.Data[40] += 1e6
	far.Data = &d
	away, err := fit.WithLoss(t.Context(), far, k, outputs.Huber(k).Of, nil)
	if err != nil {
		t.Fatal(err)
	}
	if moved := math.Abs(off(t, away, data) - off(t, e, data)); !(moved <= .1) {
		t.Errorf("one value that is off by a million moves the error of G by %g", moved)
	}
}

// Penalties that are given are those of Huber's loss, ρ that of λ where it is not.
func TestPenaltiesOfHuberAreThoseGiven(t *testing.T) {
	s := specOf(simulate(poisson, shapes()[4], 12, 8, .1, 13).d)
	for _, c := range [][3]float64{{1e-3, 0, 1e-3}, {1e-3, 2e-3, 2e-3}, {0, 2e-3, 2e-3}} {
		s.Lambda, s.Rho = c[0], c[1]
		if r := learn(t, s, noise.Choice{Huber: true}).Report; !(c[0] <= 0) && r.Lambda != c[0] || r.Rho != c[2] {
			t.Errorf("λ = %g and ρ = %g were given, and are %g and %g", c[0], c[1], r.Lambda, r.Rho)
		}
	}
}

// Where the likelihood chooses λ beside Huber's loss, the report has that λ as its best.
func TestHuberReportsItsLambda(t *testing.T) {
	s := specOf(simulate(poisson, shapes()[4], 20, 12, .1, 13).d)
	s.Criterion = fit.REML
	if r := learn(t, s, noise.Choice{Huber: true}).Report; r.LambdaREML == nil || !(math.Abs(*r.LambdaREML/r.Lambda-1) <= 1e-9) {
		t.Errorf("λ = %g, the best by REML %v", r.Lambda, r.LambdaREML)
	}
}

// One value that is off moves nothing more however far off it is: neither G, nor its bands, nor the
// deviation of the noise; what is no measurement any more is refused by its place.
func TestHuberWhereverOneValueIs(t *testing.T) {
	data := simulate(poisson, shape{}, 20, 12, .1, 13)
	at := func(v float64) (*fit.Estimate, error) {
		d := *data.d
		d.Output = data.d.Output.Copy()
		d.Output.Data[2*12+5] = v
		s := specOf(&d)
		return noise.Fit(t.Context(), s, noise.Choice{Huber: true})
	}
	near := testmain.Must(at(20 * data.sigma * 10))(t)
	if ratio := near.Report.Sigma / data.sigma; !(math.Abs(ratio-1) <= .25) {
		t.Errorf("sigma is %.3g of the true one", ratio)
	}
	std := func(e *fit.Estimate) float64 {
		return testmain.Must(e.Std(t.Context(), mesh.Mesh{}, mesh.Mesh{}))(t).At(3, 4)
	}
	for _, far := range []float64{1e2, 1e4, -1e5, 1e6} {
		e, err := at(far * data.sigma)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := off(t, e, data), off(t, near, data); !(math.Abs(a-b) <= .02*b) {
			t.Errorf("%g deviations: G is off by %.3g, by %.3g with a value that is nearer", far, a, b)
		}
		if a, b := std(e), std(near); !(math.Abs(a-b) <= .05*b) {
			t.Errorf("%g deviations: band %.3g, %.3g with a value that is nearer", far, a, b)
		}
		if a, b := e.Report.Sigma, near.Report.Sigma; !(math.Abs(a-b) <= .05*b) {
			t.Errorf("%g deviations: sigma %.3g, %.3g with a value that is nearer", far, a, b)
		}
	}
	for _, mark := range []float64{1e12, -9.97e36} {
		if _, err := at(mark); err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("output[3][6] is %g", mark)) {
			t.Errorf("%g: %v", mark, err)
		}
	}
}

// Huber's loss that changes beyond all residuals is that of squares: so are the bands.
func TestHuberOfNoOutliersHasTheBandsOfSquares(t *testing.T) {
	s := specOf(simulate(helmholtz, shape{}, 15, 10, .2, 12).d)
	e := learn(t, s, noise.Choice{})
	learned, _ := e.Learned()
	s.Lambda, s.Rho, s.Intercept = e.Report.Lambda, e.Report.Rho, learned.Intercept
	e = learn(t, s, noise.Choice{})
	h, err := fit.WithLoss(t.Context(), s, 1e6, outputs.Huber(1e6).Of, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := e.Std(t.Context(), mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := h.Std(t.Context(), mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	a, b := got.At(3, 4), want.At(3, 4)
	if !(math.Abs(a/b-1) <= .02) { // one of a free constant that is counted or not
		t.Errorf("band %g, of squares %g", a, b)
	}
}

// What does not go together is refused, by the name of the argument.
func TestRefused(t *testing.T) {
	data := simulate(poisson, shapes()[3], 12, 8, .2, 1)
	two, err := data.d.Rows(0, 2)
	if err != nil {
		t.Fatal(err)
	}
	sd, err := data.d.OfDeviations(ones(8))
	if err != nil {
		t.Fatal(err)
	}
	with, err := data.d.WithErrors(sd)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		d    *dataset.Dataset
		c    noise.Choice
		says string
	}{
		{two, noise.Choice{Kind: noise.Auto}, "2 pairs"},
		{two, noise.Choice{Kind: noise.Curves, Kernel: kernel.Exponential{}}, "want at least 3"},
		{data.d, noise.Choice{Kind: noise.Auto, Huber: true}, `loss "huber"`},
		{with, noise.Choice{Kind: noise.Diagonal}, "given already"},
	} {
		if _, err := noise.Fit(t.Context(), specOf(c.d), c.c); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want %q", c.c, err, c.says)
		}
	}
}

// What is found of few pairs does not depend on which of them comes first.
func TestOrderOfPairs(t *testing.T) {
	data := simulate(helmholtz, shapes()[3], 15, 6, .3, 7)
	order := make([]int, 15)
	for i := range order {
		order[i] = (7*i + 3) % 15
	}
	turned := testmain.Must(data.d.Select(order))(t)
	in, _ := data.d.Matrices()
	for _, c := range []noise.Choice{{Kind: noise.Diagonal}, {Kind: noise.Auto}, {Huber: true}} {
		a, b := learn(t, specOf(data.d), c), learn(t, specOf(turned), c)
		u := testmain.Must(a.Predict(t.Context(), in, mesh.Mesh{}, mesh.Mesh{}))(t)
		v := testmain.Must(b.Predict(t.Context(), in, mesh.Mesh{}, mesh.Mesh{}))(t)
		if off := floats.Distance(u.RawMatrix().Data, v.RawMatrix().Data, 2) / floats.Norm(u.RawMatrix().Data, 2); !(off <= 1e-7) {
			t.Errorf("%+v: predictions differ by %.2g", c, off)
		}
		if !(math.Abs(a.Report.Sigma/b.Report.Sigma-1) <= 1e-7) {
			t.Errorf("%+v: sigma %g and %g", c, a.Report.Sigma, b.Report.Sigma)
		}
	}
}

// Nor what is found of several hundred values.
func TestOrderOfMorePairs(t *testing.T) {
	data := simulate(helmholtz, shapes()[2], 30, 20, .2, 1)
	order := make([]int, 30)
	for i := range order {
		order[i] = (7*i + 2) % 30
	}
	turned := testmain.Must(data.d.Select(order))(t)
	c := noise.Choice{Kind: noise.Diagonal}
	a, b := learn(t, specOf(data.d), c), learn(t, specOf(turned), c)
	x := testmain.Must(a.Std(t.Context(), mesh.Mesh{}, mesh.Mesh{}))(t)
	y := testmain.Must(b.Std(t.Context(), mesh.Mesh{}, mesh.Mesh{}))(t)
	if !mat.EqualApprox(x, y, 1e-6*mat.Max(x)) {
		t.Error("bands depend on the order of the pairs")
	}
}
