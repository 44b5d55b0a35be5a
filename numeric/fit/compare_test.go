package fit_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// A true constraint is preferred to none, and none to a false one, by likelihood and by
// pairs that are left out; the values are those of the fits.
func TestHypothesesAreRanked(t *testing.T) {
	d := noisyPoisson(t, 20)
	k := kernel.SE{Lengthscale: kernel.Lengthscale{.3}}
	models := []fit.Model{
		{Name: "antisymmetric", Spec: fit.Spec{Kernel: k, Constraint: constraint.Antisymmetric{Names: []string{"x", "y"}}}},
		{Name: "any", Spec: fit.Spec{Kernel: k}},
		{Name: "symmetric", Spec: fit.Spec{Kernel: k, Constraint: constraint.Symmetric{Names: []string{"x", "y"}}}},
	}
	c := testmain.Must(fit.Compare(ctx, d, models))(t)
	for i, name := range []string{"symmetric", "any", "antisymmetric"} {
		m := c.Models[i]
		if m.Name != name {
			t.Fatalf("%s\nplace %d must be %s", c, i+1, name)
		}
		if i > 0 && !(*m.REMLDifference > 1 && m.DifferenceSE > 0 && m.Difference > -3*m.DifferenceSE) {
			t.Errorf("%+v: must be worse than the first", m)
		}
		s := models[2-i].Spec
		s.Data = d
		if e := mustFit(t, s); !(math.Abs(*e.Report.REML-*m.REML) <= 1e-6) {
			t.Errorf("%s: REML %.6f, that of the fit is %.6f", name, *m.REML, *e.Report.REML)
		}
	}
	if text := c.String(); strings.Count(text, "\n") != 4 || !strings.Contains(text, "±") {
		t.Errorf("table:\n%s", text)
	}
}

// Likelihoods with an intercept that is not penalised are of one number fewer: they are not
// compared with those without.
func TestLikelihoodsOfOtherNumbersAreNotCompared(t *testing.T) {
	d := noisyPoisson(t, 12)
	k := kernel.SE{Lengthscale: kernel.Lengthscale{.3}}
	c := testmain.Must(fit.Compare(ctx, d, []fit.Model{{Name: "with", Spec: fit.Spec{Kernel: k}}, {Name: "without", Spec: fit.Spec{Kernel: k, NoBias: true}}}))(t)
	if c.Models[1].REMLDifference != nil || c.Models[1].REML == nil || !(c.Models[0].Squared <= c.Models[1].Squared) {
		t.Errorf("%s", c)
	}
	if text := c.String(); strings.Count(text, "not comparable") != 2 || strings.Contains(text, strconv.FormatFloat(*c.Models[1].REML, 'f', 2, 64)) {
		t.Errorf("numbers that are not compared stand in one column:\n%s", text)
	}
}

func TestTooLittleToCompare(t *testing.T) {
	d := noisyPoisson(t, 12)
	few := noisyPoisson(t, 3)
	two := []fit.Model{{Name: "a", Spec: fit.Spec{Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.3}}}}, {Name: "b", Spec: fit.Spec{Lambda: -1}}}
	for want, f := range map[string]func() (*fit.Comparison, error){
		"models: got 1":        func() (*fit.Comparison, error) { return fit.Compare(ctx, d, two[:1]) },
		"data: has 3 pairs":    func() (*fit.Comparison, error) { return fit.Compare(ctx, few, two) },
		"data: missing":        func() (*fit.Comparison, error) { return fit.Compare(ctx, nil, two) },
		"models.b: lambda -1:": func() (*fit.Comparison, error) { return fit.Compare(ctx, d, two) },
	} {
		if _, err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// noisyPoisson is pairs of a problem whose G is symmetric, with 20 % noise.
func noisyPoisson(t *testing.T, n int) *dataset.Dataset {
	t.Helper()
	line := mesh.Must(mesh.Uniform(0, 1, 12, ""))
	d := noise(t, n, line, line)
	for i := range n {
		for k := range 12 {
			u := 0.0
			for j := range 12 {
				x, y := float64(j)/11, float64(k)/11
				u += d.Input.At(i, j) * min(x, y) * (1 - max(x, y)) / 11
			}
			d.Output.Data[i*12+k] = .5 + u
		}
	}
	return testmain.Must(d.Noise(.2, 1))(t)
}
