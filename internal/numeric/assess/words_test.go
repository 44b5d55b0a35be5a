package assess

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// A summary is a table: numbers that are not there are left out, names have their room, and what the
// number of permutations bounds is said to be.
func TestSummaryInWords(t *testing.T) {
	one, small, f, none := 1.0, .001, 12.34, math.NaN()
	s := &Summary{
		Pairs: 30, Values: 600, X: 10, Y: 20, R2: .98765, R2Left: .5, DF: 17.26, Sigma: .012345, Lambda: 1e-6, Rho: .25, Chosen: "reml", Kernel: "se{lengthscale=0.3}", Noise: "white",
		Terms: []Term{{Name: "G", SD: 1.23456, F: &f, Score: &f, P: &small}, {Name: "bias", SD: .5}},
	}
	const p = "p: that the term is zero, by 999 permutations, ± its standard error"
	check := func(want ...string) {
		t.Helper()
		if got := s.String(); got != strings.Join(want, "\n") {
			t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
		}
	}
	check("30 pairs, input 10 and output 20 points, 600 output values",
		"R²                  0.9877, of left-out pairs 0.5000",
		"degrees of freedom  17.3 effective",
		"sigma               0.01235, noise white",
		"lambda              1e-06 (reml), rho 0.25",
		"kernel              se{lengthscale=0.3}",
		"term          sd         F     score  p",
		"G          1.235      12.3      12.3  ≤ 0.001",
		"bias         0.5", p)
	s.X = 1
	if got, _, _ := strings.Cut(s.String(), "\n"); got != "30 pairs, input 1 and output 20 points, 600 output values" {
		t.Errorf("of inputs at one point: %s", got)
	}
	s.X, s.Kernel, s.Partial, s.R2, s.R2Left, s.DF = 0, "", true, none, none, none
	s.Terms = []Term{{Name: "pression", SD: 2, P: &one}}
	check("30 samples, output 20 points, 600 output values",
		"R²                  not defined (at no point do the outputs of two pairs differ), of left-out pairs not defined (at no point do the outputs of two pairs differ)",
		"degrees of freedom  not defined (at no point do the outputs of two pairs differ) effective (of some of the pairs)",
		"sigma               0.01235, noise white",
		"lambda              1e-06 (reml), rho 0.25",
		"term              sd         F     score  p",
		"pression           2                      1.000 ± 0.000", p)
	s.Terms = append(s.Terms, Term{Name: "age", P: &small})
	if lines := strings.Split(s.String(), "\n"); !strings.HasPrefix(lines[len(lines)-1], "p: that the term is zero, the larger of those by 999 draws and by 999 permutations, ± its standard error; ") {
		t.Errorf("of several terms: %s", lines[len(lines)-1])
	}
	if got := (Term{P: new(.0011)}).pValue(); got != "0.001 ± 0.001" {
		t.Errorf("p of 0.0011 is %q", got)
	}
	for v, want := range map[float64]string{-.04: "0.0", .04: "0.0", -.06: "-0.1", -10: "-10.0"} {
		if got := number("%.1f", &v); got != want {
			t.Errorf("%g is %q, want %q", v, got, want)
		}
	}
	if got := (Term{}).pValue(); got != "" {
		t.Errorf("no p is %q", got)
	}
}

// Outputs are alike where those that are there are the same in all pairs, at each point.
func TestOutputsAlike(t *testing.T) {
	none := math.NaN()
	for _, c := range []struct {
		of   []float64
		want bool
	}{
		{[]float64{1, 2, 1, 2, 1, 2}, true},
		{[]float64{1, 2, 1, 2, 1, 3}, false},
		{[]float64{1, none, none, 2, 1, 2}, true},
		{[]float64{none, 2, 1, 2, 3, 2}, false},
		{[]float64{none, none, none, none, none, none}, true},
		{[]float64{0, 2, 1, 2, 1, 2}, false},
	} {
		u := mat.NewDense(3, 2, c.of)
		count := 6
		for _, v := range c.of {
			if math.IsNaN(v) {
				count--
			}
		}
		if got := alike(u); got != c.want || observed(u) != count {
			t.Errorf("%v: alike %t, want %t; %d are there, want %d", c.of, got, c.want, observed(u), count)
		}
	}
}

// R² of left-out pairs is over the errors of the mean of the others, by the quadrature; a value that is
// alone at its point has no others.
func TestLeftOutR2ByHand(t *testing.T) {
	y := mesh.Must(mesh.Trapezoid([]float64{0, 1, 3}, "y")) // weights .5, 1.5, 1
	none := math.NaN()
	u := mat.NewDense(3, 3, []float64{1, 2, none, 3, 5, none, 8, none, 4})
	d := &dataset.Dataset{Input: array.FromMatrix(mat.NewDense(3, 3, nil)), Output: array.FromMatrix(u), InputMesh: y, OutputMesh: y, Missing: true}
	errors := mat.NewDense(3, 3, []float64{.1, .2, none, .3, -.4, none, .5, none, 9})
	got := leftOutR2(&fit.Residuals{Data: d, Given: d, Observed: &fit.Residue{Errors: errors}}, nil)
	left := .5*(.01+.09+.25) + 1.5*(.04+.16)
	all := .5*(math.Pow(1-11./2, 2)+math.Pow(3-9./2, 2)+math.Pow(8-4./2, 2)) + 1.5*(9+9)
	if want := 1 - left/all; !(math.Abs(got-want) <= 1e-14) {
		t.Errorf("%g, want %g", got, want)
	}
}

// Means, products and choices of matrices are what their names say.
func TestMatricesOfTests(t *testing.T) {
	a, b := mat.NewDense(3, 3, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}), mat.NewDense(3, 3, []float64{1, 0, 2, 0, -1, 0, 3, 0, 1})
	if got := sumOfProducts(a, b); got != 1+6-5+21+9 {
		t.Errorf("the sum of products is %g", got)
	}
	if got := both(a, []int{2, 0}); !mat.Equal(got, mat.NewDense(2, 2, []float64{9, 7, 3, 1})) {
		t.Errorf("rows and columns 2 and 0: %v", mat.Formatted(got))
	}
	if both(a, nil) != a {
		t.Error("all rows and columns are others")
	}
	if got := deviation(mat.NewDense(2, 2, []float64{1, 5, 3, 11})); !(math.Abs(got-math.Sqrt((1+1+9+9)/4.)) <= 1e-15) {
		t.Errorf("the deviation is %g", got)
	}
	drawn := measured{}
	drawn.learn([][]float64{{1, 5}, {2, 5}, {3, 5}})
	if z := drawn.standardised([]float64{4, 9}); z[0] != 2 || z[1] != 0 {
		t.Errorf("standardised by the mean 2 and the deviation 1, and by those of what does not scatter: %v", z)
	}
	m := mesh.Must(mesh.Scattered([]float64{0, 0, 3, 4, 0, 8}, 2, nil, "x", "y"))
	near := nearIn(m)
	mean := 2 * (25. + 64 + 25) / 9
	for i, l := range []float64{.25, 1, 4} {
		for _, c := range []struct {
			j, k    int
			squares float64
		}{{0, 0, 0}, {0, 1, 25}, {1, 2, 25}, {0, 2, 64}} {
			if got, want := near[i].At(c.j, c.k), math.Exp(-c.squares/(2*l*l*mean)); !(math.Abs(got-want) <= 1e-15) {
				t.Errorf("lengthscale %g, points %d and %d: %g, want %g", l, c.j, c.k, got, want)
			}
		}
	}
	if len(near) != 3 {
		t.Errorf("%d lengthscales", len(near))
	}
}

// A likelihood that was estimated is known to three standard errors, another one exactly; and kernels are
// compared on the first coarser meshes that have few enough points.
func TestWhatKernelsAreComparedOn(t *testing.T) {
	if a, b := uncertainty(fit.Report{}), uncertainty(fit.Report{REMLError: new(.5)}); a != 0 || b != 1.5 {
		t.Errorf("%g and %g, want 0 and 1.5", a, b)
	}
	for n, want := range map[int]int{20: 20, 31: 16, 61: 11} {
		m := mesh.Must(mesh.Uniform(0, 1, n, "x"))
		f := mat.NewDense(3, n, nil)
		f.Apply(func(i, j int, _ float64) float64 { return float64(i*i + j) }, f)
		d, err := dataset.New(dataset.Spec{Input: array.FromMatrix(f), Output: array.FromMatrix(f), InputMesh: m, OutputMesh: m})
		if err != nil {
			t.Fatal(err)
		}
		if c := coarse(d); c.InputMesh.Size() != want || c.OutputMesh.Size() != want {
			t.Errorf("of %d points %d and %d, want %d", n, c.InputMesh.Size(), c.OutputMesh.Size(), want)
		}
	}
}

// against are parts whose rivals are given.
type against struct {
	parts
	r rivals
}

func (a against) rivals(func(kernel.Kernel) string) rivals { return a.r }

// The likeliest of the other kernels that can be fitted says how much of G bands hold; a likelihood
// that is estimated has to be better by more.
func TestOtherKernelsInWords(t *testing.T) {
	own := fit.Report{REML: new(100.)}
	type other = func(ctx context.Context) (*rival, error)
	fitted := func(reml, held float64) other {
		return func(context.Context) (*rival, error) {
			return &rival{fit.Report{REML: &reml}, fmt.Sprintf("another of %g is", reml), func(context.Context) (float64, string, error) { return held, "G", nil }}, nil
		}
	}
	doubtful := func(reml float64) other { // ± 1
		return func(context.Context) (*rival, error) {
			return &rival{fit.Report{REML: &reml, REMLError: new(1.)}, "another is", func(context.Context) (float64, string, error) { return .62, "G", nil }}, nil
		}
	}
	failing := func(context.Context) (*rival, error) { return nil, errors.New("no kernel") }
	unknown := func(context.Context) (*rival, error) { return &rival{}, nil }
	for _, c := range []struct {
		own    fit.Report
		others []other
		passed bool
		want   string
	}{
		{own, []other{failing, unknown}, false, "not tried: no other kernel could be fitted"},
		{own, []other{failing, fitted(95, .5)}, true, "none of 2 others is likelier by 8 nats"},
		{own, []other{fitted(91, .5), fitted(80, .62), unknown, fitted(85, .5)}, false, "another of 80 is 20 nats likelier; if it is true, bands of 95 % hold 62 % of G"},
		{own, []other{fitted(80, .93)}, true, "another of 80 is 20 nats likelier; if it is true, bands of 95 % hold 93 % of G"},
		{fit.Report{REML: new(100.), REMLError: new(5.)}, []other{fitted(80, .62)}, true, "none of 1 others is likelier by 8 nats"},
		{own, []other{fitted(100-likelierBy, .62)}, true, "none of 1 others is likelier by 8 nats"},
		{own, []other{doubtful(100 - likelierBy - 2.9)}, true, "none of 1 others is likelier by 8 nats"},
		{own, []other{doubtful(100 - likelierBy - 3.1)}, false, "another is 11 nats likelier; if it is true, bands of 95 % hold 62 % of G"},
		{fit.Report{REML: new(100.), REMLError: new(1.)}, []other{doubtful(100 - likelierBy - 5.9)}, true, "none of 1 others is likelier by 8 nats"},
		{fit.Report{REML: new(100.), REMLError: new(1.)}, []other{doubtful(100 - likelierBy - 6.1)}, false, "another is 14 nats likelier; if it is true, bands of 95 % hold 62 % of G"},
		{fit.Report{}, []other{fitted(80, .62)}, false, "not tried: the likelihood was not computed, of too many data"},
		{own, []other{fitted(80, math.NaN())}, false, "not defined for these data: the likelier kernel leaves G no uncertainty"},
	} {
		got, err := tryKernels(t.Context(), against{r: rivals{own: c.own, others: c.others}}, nil)
		if err != nil || got.Finding != c.want || got.Passed != c.passed {
			t.Errorf("%q, passed %t, %v: want %q, %t", got.Finding, got.Passed, err, c.want, c.passed)
		}
	}
}

// Of a number that is normal about the own estimate with its deviation bands hold 95 %; about one that is
// a deviation away Φ(0.96) - Φ(-2.96), and of half the deviation Φ(3.92) - Φ(-3.92).
func TestShareThatBandsHold(t *testing.T) {
	for _, c := range []struct{ own, std, other, otherStd, want float64 }{
		{2, .5, 2, .5, .95}, {2, .5, 2.5, .5, .82992}, {2, .5, 1.5, .5, .82992}, {2, .5, 2, .25, .99991}, {2, .5, 9, .5, 0}, {0, 1, 0, 2, .67292},
	} {
		if got := shareHeld([4][]float64{{c.own}, {c.std}, {c.other}, {c.otherStd}}); !(math.Abs(got-c.want) <= 2e-5) {
			t.Errorf("%+v: %.5f", c, got)
		}
	}
	if got := shareHeld([4][]float64{{0, 0, 0}, {1, 1, 1}, {0, 9, -9}, {1, 1, 1}}); !(math.Abs(got-.95/3) <= 1e-12) {
		t.Errorf("%g where one of three is held, want a third of 0.95", got)
	}
}

// Other kernels are those of the automatic choice, and the own one with the λ of the likelihood where
// something else chose it.
func TestRivals(t *testing.T) {
	m := mesh.Must(mesh.Uniform(0, 1, 5, "x"))
	f, u := array.New(12, 5), array.New(12, 5)
	for i := range f.Data {
		f.Data[i] = math.Sin(float64(i * i))
		u.Data[i] = f.Data[i/5*5]*float64(i%5) + .1*math.Cos(float64(3*i))
	}
	d, err := dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: m, OutputMesh: m})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		lambda float64
		by     fit.Criterion
		others int
	}{{0, "", 3}, {0, fit.REML, 3}, {0, fit.GCV, 4}, {1e-3, "", 4}} {
		e, err := fit.Fit(t.Context(), fit.Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.5}}, Lambda: c.lambda, Criterion: c.by})
		if err != nil {
			t.Fatal(err)
		}
		r := partsFor(e).rivals(kernel.Kernel.String)
		if len(r.others) != c.others || r.skip != "" {
			t.Errorf("%+v: %d others, %q", c, len(r.others), r.skip)
			continue
		}
		if c.others == 4 {
			o, err := r.others[3](t.Context())
			if err != nil || o.report.Criterion != string(fit.REML) || o.what != "its own kernel with another lambda is" || o.report.Lambda == e.Report.Lambda {
				t.Errorf("%+v: %+v, %v", c, o, err)
			}
		}
	}
}

// failing is a learner that fails from its second call on.
type failing struct{ calls *int }

func (f failing) outputs() ([]fitted, error) { return nil, nil }

func (f failing) predict(context.Context, []int, []int) ([]*mat.Dense, error) {
	if *f.calls++; *f.calls > 1 {
		return nil, errors.New("no fit")
	}
	return nil, nil
}

// What fails is said to be the part, or the number of pairs, that it is.
func TestPartsThatFail(t *testing.T) {
	_, err := crossValidate(t.Context(), failing{new(0)}, 10, Split{Folds: 5})
	if err == nil || err.Error() != "part 2 of 5: no fit" {
		t.Errorf("error %v", err)
	}
	if _, err := learn(t.Context(), failing{new(0)}, 10, []int{3, 4}, 1); err == nil || err.Error() != "4 pairs: no fit" {
		t.Errorf("error %v", err)
	}
}

// Errors of any one kind are others than white.
func TestErrorsThatAreNotWhite(t *testing.T) {
	values := &array.Array{Shape: []int{1, 1}, Data: []float64{2}}
	for want, all := range map[bool][]*dataset.Errors{
		false: {nil, {}},
		true:  {{Pairs: []float64{2}}, {Points: []float64{2}}, {Values: values}, {Covariance: mat.NewSymDense(1, []float64{2})}},
	} {
		for _, e := range all {
			if got := weighted(nil, &fit.Residuals{Data: &dataset.Dataset{Errors: e}}); got != want {
				t.Errorf("%+v: %t", e, got)
			}
		}
	}
}

// F against the mean curve counts a degree of freedom for each point, and for each value of a pair beyond landmarks.
func TestFAgainstTheMeanCurve(t *testing.T) {
	u := mat.NewDense(4, 2, []float64{1, 2, 3, -1, 0, 4, 2, 3})
	f := fitted{u: u, filled: u, of: mat.NewDense(4, 2, []float64{1, 1, 2, 0, 1, 3, 2, 2}), w: []float64{1, 2}, beyond: beyond{values: 12, left: .5, around: 3}}
	around, left := 4*3., 4*.5
	for k, w := range f.w {
		mean := 0.
		for i := range 4 {
			mean += u.At(i, k) / 4
		}
		for i := range 4 {
			around += w * math.Pow(u.At(i, k)-mean, 2)
			left += w * math.Pow(u.At(i, k)-f.of.At(i, k), 2)
		}
	}
	const df = 7.
	s := &Summary{DF: df}
	want := (around - left) / (df - 5) / (left / (8 + 12 - df))
	if got := s.overMean(f); got == nil || !(math.Abs(*got-want) <= 1e-14*want) {
		t.Errorf("F is %v, want %g", got, want)
	}
	for _, s := range []*Summary{{Partial: true, DF: df}, {known: true, DF: df}} {
		if s.overMean(f) != nil {
			t.Errorf("%+v has an F", s)
		}
	}
	if f.scattered = true; s.overMean(f) != nil {
		t.Error("curves on points of their own have an F")
	}
}
