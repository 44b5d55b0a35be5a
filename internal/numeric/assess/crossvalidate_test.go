package assess_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/internal/numeric/assess"
	found "github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// Leaving out one pair at a time is what closed forms say of it, at given penalties, with errors that go with
// their pairs as well; groups are left out as a whole.
func TestCrossValidateByDefinition(t *testing.T) {
	m := line(10)
	d := simulated(t, m, 12, pde.Poisson{Mesh: m}, white(.2), 5)
	s := fit.Spec{Data: d, Kernel: se(.3), Lambda: 1e-4, Rho: 1e-3}
	leaveOutEach(t, s, m)
	e := &dataset.Errors{Points: m.Points(), Values: d.Output.Copy()}
	for k := range e.Points {
		e.Points[k] += .1
	}
	for i := range e.Values.Data {
		e.Values.Data[i] = 1 + float64(i%3)
	}
	weighted := s
	var err error
	weighted.Data = testmain.Must(d.WithErrors(e))(t)
	leaveOutEach(t, weighted, m)
	groups := strings.Split("aabbccddeeff", "")
	by, err := assess.CrossValidate(ctx, s, found.Choice{}, assess.Split{Groups: groups})
	if err != nil || by.Folds != 5 {
		t.Errorf("groups: %v, %v", by, err)
	}
	for _, bad := range []assess.Split{{Folds: 1}, {Folds: 13}, {Groups: groups[:3]}, {Groups: groups, Folds: 7}} {
		if _, err := assess.CrossValidate(ctx, s, found.Choice{}, bad); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
	same := strings.Split(strings.Repeat("a", len(groups)), "")
	if _, err := assess.CrossValidate(ctx, s, found.Choice{}, assess.Split{Groups: same}); err == nil || !strings.Contains(err.Error(), `groups: every pair has the label "a"`) {
		t.Errorf("one label for all: %v", err)
	}
	s.Data = testmain.Must(d.Select([]int{3}))(t)
	if _, err := assess.CrossValidate(ctx, s, found.Choice{}, assess.Split{}); err == nil || !strings.Contains(err.Error(), "there is one pair") {
		t.Errorf("one pair: %v", err)
	}
}

// More pairs predict better.
func TestLearningCurve(t *testing.T) {
	m := line(10)
	s := fit.Spec{Data: simulated(t, m, 40, pde.Poisson{Mesh: m}, white(.1), 5), Kernel: se(.3)}
	c := testmain.Must(assess.Learn(ctx, s, found.Choice{}, nil, 1))(t)
	if len(c) != 4 || c[3].Pairs != 32 || !(c[3].RMSE < c[0].RMSE) || !(c[3].R2 > .8) {
		t.Errorf("\n%s", c)
	}
	for k, want := range []int{4, 8, 16, 32} { // an eighth, a quarter and a half of four fifths
		if c[k].Pairs != want {
			t.Errorf("size %d is of %d pairs, want %d", k+1, c[k].Pairs, want)
		}
	}
	if _, err := assess.Learn(ctx, s, found.Choice{}, []int{33}, 1); err == nil {
		t.Error("more than there are were taken")
	}
}

// The inputs that are chosen lower the variance of all predictions more than the first ones do, and
// where inputs were, the data determine G; where none was, they say nothing.
func TestNextAndIdentifiability(t *testing.T) {
	m := line(10)
	d := simulated(t, m, 4, pde.Poisson{Mesh: m}, white(.2), 5)
	for i := range d.N() { // inputs on the left half alone
		for j := 5; j < 10; j++ {
			d.Input.Data[i*10+j] = 0
		}
	}
	e := fitted(t, fit.Spec{Data: d, Kernel: se(.1), Lambda: 1e-6, Rho: 1e-3})
	map1 := testmain.Must(e.Identifiability(ctx, mesh.Mesh{}, mesh.Mesh{}))(t)
	left, right := mat.Sum(map1.Slice(0, 5, 0, 10)), mat.Sum(map1.Slice(7, 10, 0, 10))
	if !(left > 5*right) || !(mat.Min(map1) >= 0) || !(mat.Max(map1) <= 1) {
		t.Errorf("identified %g at the left, %g at the right", left, right)
	}
	candidates, _ := inputs(t, m, 12, 77).Matrix()
	chosen := testmain.Must(assess.Next(ctx, e, candidates, 3))(t)
	after := func(rows ...int) float64 {
		o := e
		for _, i := range rows {
			o = testmain.Must(o.Beside(ctx, candidates.RawRowView(i)))(t)
		}
		sd := testmain.Must(o.PredictStd(ctx, candidates, mesh.Mesh{}, mesh.Mesh{}))(t)
		return mat.Norm(sd, 2) / math.Sqrt(o.Report.Objective) // over the noise
	}
	best := after(chosen[0].Candidate, chosen[1].Candidate, chosen[2].Candidate)
	if first := after(0, 1, 2); !(chosen[0].SD >= chosen[2].SD) || !(best <= first) {
		t.Errorf("%v: %g, with the first three %g", chosen, best, first)
	}
	for _, n := range []int{0, 13} {
		if _, err := assess.Next(ctx, e, candidates, n); err == nil {
			t.Errorf("%d of 12 were chosen", n)
		}
	}
	candidates.Set(2, 4, math.NaN())
	if _, err := assess.Next(ctx, e, candidates, 3); err == nil || err.Error() != "candidates[3][5] is NaN: must be finite" {
		t.Errorf("a candidate with NaN: %v", err)
	}
}

// Each choice is by definition: of the candidates that are left, in any order, the first whose
// prediction is least sure, given the data and those chosen before, until none is left.
func TestNextIsByItsDefinition(t *testing.T) {
	m := mesh.Must(mesh.Trapezoid([]float64{0, .1, .2, .5, 1.5, 2}, "x"))
	e := fitted(t, fit.Spec{Data: simulated(t, m, 3, matern(.4), white(.2), 5), Kernel: se(.3), Lambda: 1e-4, Rho: 1e-3})
	three, _ := inputs(t, m, 3, 77).Matrix()
	for _, order := range [][]int{{0, 1, 2, 1}, {2, 1, 0, 0}, {1, 2, 2, 0}} { // one is there twice
		candidates := mat.NewDense(len(order), m.Size(), nil)
		for i, from := range order {
			candidates.SetRow(i, three.RawRowView(from))
		}
		var want []assess.Choice
		known, left := e, map[int]bool{0: true, 1: true, 2: true, 3: true}
		for len(left) > 0 {
			best := assess.Choice{}
			for i := len(order) - 1; i >= 0; i-- {
				if !left[i] {
					continue
				}
				sd := testmain.Must(known.PredictStd(ctx, candidates, mesh.Mesh{}, mesh.Mesh{}))(t).RawRowView(i)
				squares := 0.0
				for j, w := range m.Weights() {
					squares += w / 2 * sd[j] * sd[j]
				}
				if v := math.Sqrt(squares); v >= best.SD {
					best = assess.Choice{Candidate: i, SD: v}
				}
			}
			want = append(want, best)
			delete(left, best.Candidate)
			known = testmain.Must(known.Beside(ctx, candidates.RawRowView(best.Candidate)))(t)
		}
		got := testmain.Must(assess.Next(ctx, e, candidates, len(order)))(t)
		for k, c := range want {
			if got[k].Candidate != c.Candidate || !(math.Abs(got[k].SD-c.SD) <= 1e-9*c.SD) {
				t.Errorf("candidates %v: choice %d is %v, want %v", order, k, got[k], c)
			}
		}
	}
}

// How uncertain the chosen input is: the root of the mean of its variance over the output, which
// is not the root of the integral where the output is two units long.
func TestNextSaysHowUncertain(t *testing.T) {
	m := mesh.Must(mesh.Uniform(0, 2, 8, "x"))
	d := simulated(t, m, 4, pde.Poisson{Mesh: m}, white(.2), 5)
	e := fitted(t, fit.Spec{Data: d, Kernel: se(.2), Lambda: 1e-6, Rho: 1e-3})
	candidates, _ := inputs(t, m, 5, 77).Matrix()
	chosen := testmain.Must(assess.Next(ctx, e, candidates, 1))(t)
	sd := testmain.Must(e.PredictStd(ctx, candidates, mesh.Mesh{}, mesh.Mesh{}))(t)
	sum := 0.0
	for j, w := range m.Weights() {
		sum += w * sd.At(chosen[0].Candidate, j) * sd.At(chosen[0].Candidate, j)
	}
	if want := math.Sqrt(sum / 2); !(math.Abs(chosen[0].SD-want) <= 1e-9*want) {
		t.Errorf("uncertain by %g, want %g", chosen[0].SD, want)
	}
}

func leaveOutEach(t *testing.T, s fit.Spec, m mesh.Mesh) {
	t.Helper()
	one := testmain.Must(assess.CrossValidate(ctx, s, found.Choice{}, assess.Split{Folds: 12}))(t)
	at := s // the penalties of fits to eleven pairs, for all twelve
	at.Lambda, at.Rho = s.Lambda*11/12, s.Rho*11/12
	r := testmain.Must(fitted(t, at).Residuals(ctx))(t)
	total, squares := 0.0, make([]float64, 12)
	for i := range squares {
		sum, length := 0.0, 0.0
		for k, w := range m.Weights() {
			e := r.Observed.Errors.At(i, k)
			sum, length = sum+w*e*e, length+w
		}
		squares[i] = sum / length
		total += sum / length
		if want := math.Sqrt(sum / length); !(math.Abs(one.Errors[i]-want) <= 1e-6*want) {
			t.Errorf("pair %d: error %g, want %g", i, one.Errors[i], want)
		}
	}
	if want := math.Sqrt(total / 12); !(math.Abs(one.RMSE-want) <= 1e-6*want) || one.Folds != 12 {
		t.Errorf("%s, want %g", one, want)
	}
	// The root of a mean scatters as the mean does, over twice the root.
	if want := stat.StdDev(squares, nil) / math.Sqrt(12) / (2 * one.RMSE); !(math.Abs(one.SE-want) <= 1e-5*want) {
		t.Errorf("%s: standard error %g, want %g", one, one.SE, want)
	}
}

// Noise is found anew without what is left out: where a quarter of the pairs is loud, errors of the
// others are smaller than with white noise.
func TestCrossValidateFindsNoise(t *testing.T) {
	m := line(10)
	d := simulated(t, m, 16, pde.Poisson{Mesh: m}, white(.2), 5)
	for i, v := range d.Output.Data {
		if i/10%4 == 3 {
			d.Output.Data[i] = v + .05*math.Sin(float64(17*i*i)) // a known function, rough as noise
		}
	}
	s := fit.Spec{Data: d, Kernel: se(.3)}
	quiet := func(c found.Choice) (sum float64) {
		v := testmain.Must(assess.CrossValidate(ctx, s, c, assess.Split{Folds: 4, Seed: 1}))(t)
		for i, e := range v.Errors {
			if i%4 != 3 {
				sum += e * e
			}
		}
		return sum
	}
	if a, b := quiet(found.Choice{}), quiet(found.Choice{Kind: found.Diagonal}); !(b <= .9*a) {
		t.Errorf("squared errors of quiet pairs %g, with white noise %g", b, a)
	}
}

// Which constraint G obeys is asked of the pairs that are left, not of those that are to be predicted, too: errors are those of fits to the
// rest of each group that ask by themselves, of data for which not all rests say the same.
func TestCrossValidateAsksForTheConstraint(t *testing.T) {
	m := line(10)
	d := simulated(t, m, 16, pde.Poisson{Mesh: m}, white(.7), 12)
	s := fit.Spec{Data: d, Kernel: se(.3), AskConstraint: true}
	groups := strings.Split("aaaabbbbccccdddd", "")
	v := testmain.Must(assess.CrossValidate(ctx, s, found.Choice{}, assess.Split{Groups: groups, Folds: 4}))(t)
	taken := 0
	for g := range 4 {
		var rest, left []int
		for i := range d.N() {
			if i/4 == g {
				left = append(left, i)
			} else {
				rest = append(rest, i)
			}
		}
		own := s
		own.Data = testmain.Must(d.Select(rest))(t)
		e := fitted(t, own)
		if e.Constraint != nil {
			taken++
		}
		f, truth := testmain.Must(d.Select(left))(t).Matrices()
		u := testmain.Must(e.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{}))(t)
		for k, i := range left {
			sum, length := 0.0, 0.0
			for j, w := range m.Weights() {
				off := u.At(k, j) - truth.At(k, j)
				sum, length = sum+w*off*off, length+w
			}
			if want := math.Sqrt(sum / length); !(math.Abs(v.Errors[i]-want) <= 1e-9*want) {
				t.Errorf("pair %d: error %g, want %g", i, v.Errors[i], want)
			}
		}
	}
	if taken == 0 || taken == 4 {
		t.Errorf("a constraint was taken %d times of 4: the data do not tell asking once from asking each time", taken)
	}
}

// The samples of a model are left out as a fit without them leaves them, with every output, by groups too.
func TestCrossValidateModelByDefinition(t *testing.T) {
	s := severalTerms{sizes: ones(), n: 12, points: 4, noise: white(.5), twice: true}
	spec := model.Spec{Data: s.draw(t, 2), Terms: []string{"age", "who"}, Lambda: 1e-2, Kernels: map[string]kernel.Kernel{"age": se(.4), "who": se(.4)}, Amplitudes: map[string]float64{"age": 1, "who": 1}}
	var labels []string
	for _, k := range spec.Data.Groups[0].Of {
		labels = append(labels, spec.Data.Groups[0].Labels[k])
	}
	all := testmain.Must(assess.CrossValidateModel(ctx, spec, assess.Split{Groups: labels, Folds: 6}))(t)
	rest := spec
	var in []int
	for i, l := range labels {
		if l != labels[1] {
			in = append(in, i)
		}
	}
	rest.Data = testmain.Must(spec.Data.Select(in))(t)
	e := testmain.Must(model.Fit(ctx, rest))(t)
	for o, out := range e.Outputs {
		u := testmain.Must(out.Predict(ctx, spec.Data, mesh.Mesh{}))(t)
		sum, length := 0.0, 0.0
		for k, w := range out.Mesh.Weights() {
			sum, length = sum+w*math.Pow(u.At(1, k)-spec.Data.Outputs[o].Values.Data[4+k], 2), length+w
		}
		if got, want := all[o].Errors[1], math.Sqrt(sum/length); !(math.Abs(got-want) <= 1e-9*want) {
			t.Errorf("%s: error %g, without its group %g", out.Name, got, want)
		}
	}
	curves, err := assess.LearnModel(ctx, spec, []int{4, 9}, 1)
	if err != nil || len(curves) != 2 || len(curves[1]) != 2 || !(curves[0][0].RMSE > 0) {
		t.Errorf("learning curves %v, %v", curves, err)
	}
}

// Inputs that are zero say nothing of G: beside them all predictions are as sure as before, with few
// pairs and with many, and the noise is that of the data.
func TestNothingIsLearnedBesideZero(t *testing.T) {
	m := mesh.Must(mesh.Uniform(0, 2, 6, "x"))
	zero := make([]float64, 6)
	for _, n := range []int{1, 2, 9} {
		d := simulated(t, m, n, pde.Poisson{Mesh: m}, white(.2), 5)
		candidates, _ := inputs(t, m, 3, 77).Matrix()
		for _, s := range []fit.Spec{
			{Data: d, Kernel: se(.3), Lambda: 1e-4, NoBias: true},
			{Data: d, Kernel: se(.3), Lambda: 1e-4, NoBias: true, Constraint: constraint.Symmetric{Names: []string{"x", "y"}}},
		} {
			e := fitted(t, s)
			want := testmain.Must(e.PredictStd(ctx, candidates, mesh.Mesh{}, mesh.Mesh{}))(t)
			for range 3 {
				e = testmain.Must(e.Beside(ctx, zero))(t)
			}
			got := testmain.Must(e.PredictStd(ctx, candidates, mesh.Mesh{}, mesh.Mesh{}))(t)
			if !mat.EqualApprox(got, want, 1e-6*mat.Max(want)) {
				t.Errorf("%d pairs: bands %g, before %g", n, mat.Formatted(got), mat.Formatted(want))
			}
		}
	}
}

// What few data determine is said of the kernel and penalties that were chosen, as if they had been given.
func TestIdentifiabilityOfFewData(t *testing.T) {
	m := mesh.Must(mesh.Uniform(0, 2, 6, "x"))
	for _, n := range []int{3, 5} {
		d := simulated(t, m, n, pde.Poisson{Mesh: m}, white(.2), 5)
		for _, k := range []kernel.Kernel{nil, se(.3)} {
			e := fitted(t, fit.Spec{Data: d, Kernel: k})
			given := fitted(t, fit.Spec{Data: d, Kernel: e.Kernel, Lambda: e.Report.Lambda, Rho: e.Report.Rho, Intercept: fit.Flat})
			got := testmain.Must(e.Identifiability(ctx, mesh.Mesh{}, mesh.Mesh{}))(t)
			want := testmain.Must(given.Identifiability(ctx, mesh.Mesh{}, mesh.Mesh{}))(t)
			if !mat.EqualApprox(got, want, 1e-6) {
				t.Errorf("%d pairs, %v: %.4g, of the same choices %.4g", n, e.Kernel, mat.Formatted(got), mat.Formatted(want))
			}
		}
	}
}
