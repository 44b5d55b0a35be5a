package model_test

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// inOrder is a table whose outputs are named a, b, … in a given order of them.
func inOrder(d *dataset.Table, order []int) *dataset.Table {
	other := *d
	other.Outputs = nil
	for at, o := range order {
		one := d.Outputs[o]
		one.Name = string(rune('a' + at))
		other.Outputs = append(other.Outputs, one)
	}
	return &other
}

// Coupled outputs are the same whichever of them is named first: predictions, bands, sigma and correlations, of white
// noise, noise that is found, and Huber's loss.
func TestOrderOfCoupledOutputs(t *testing.T) {
	c := sensors{points: 7, samples: 12, seen: 6, noise: .1, u: 1, v: 4, seed: 2}
	two := c.table(t)
	three := *slopes(t, 9, 6, .5, 4)
	third := three.Outputs[0]
	third.Values = third.Values.Copy()
	for i, v := range three.Outputs[1].Values.Data {
		third.Values.Data[i] = .5*third.Values.Data[i] - v + .2*math.Sin(float64(7*i*i))
	}
	three.Outputs = append(slices.Clone(three.Outputs), third)
	matern := kernel.Matern{Nu: 2.5, Lengthscale: ell(.3)}
	of := map[string]kernel.Kernel{"z": matern, "w": matern}
	for i, c := range []struct {
		name string
		s    model.Spec
	}{
		{"two", model.Spec{Data: two}},
		{"three", model.Spec{Data: inOrder(&three, []int{0, 1, 2}), Kernels: of}},
		{"two at a λ", model.Spec{Data: two, Lambda: 1e-2}},
		{"random curves", model.Spec{Data: inOrder(&three, []int{0, 1, 2}), Kernels: of, Noise: curvesOf(kernel.Exponential{Lengthscale: ell(.2)})}},
		{"noise that varies", model.Spec{Data: inOrder(&three, []int{0, 1, 2}), Kernels: of, Noise: noise.Choice{Kind: noise.Diagonal}}},
		{"Huber", model.Spec{Data: inOrder(&three, []int{0, 1, 2}), Kernels: of, Noise: noise.Choice{Huber: true}}},
	} {
		if i != 0 && i != 2 && !testmain.EveryCase() {
			continue
		}
		c.s.Coregional = true
		n := len(c.s.Data.Outputs)
		want := testmain.Must(model.Fit(t.Context(), c.s))(t)
		for _, order := range [][]int{{1, 0, 2}, {2, 0, 1}} {
			if order = order[:min(n, len(order))]; slices.Max(order) >= n {
				continue
			}
			s := c.s
			s.Data = inOrder(c.s.Data, order)
			e := testmain.Must(model.Fit(t.Context(), s))(t)
			for at, o := range order {
				got, was := e.Outputs[at], want.Outputs[o]
				p := testmain.Must(got.Predict(t.Context(), s.Data, mesh.Mesh{}))(t)
				q := testmain.Must(was.Predict(t.Context(), s.Data, mesh.Mesh{}))(t)
				b := testmain.Must(got.PredictStd(t.Context(), s.Data, mesh.Mesh{}))(t)
				d := testmain.Must(was.PredictStd(t.Context(), s.Data, mesh.Mesh{}))(t)
				sigma := math.Abs(got.Report.Sigma/was.Report.Sigma - 1)
				if !(relative(p, q) < 1e-8 && relative(b, d) < 1e-6 && sigma < 1e-8) {
					t.Errorf("%s: output %d, named first to last %v, is off by %.1e, bands %.1e, sigma %.1e", c.name, o, order, relative(p, q), relative(b, d), sigma)
				}
				if r := math.Abs(e.Coupling(0).At(0, 1) - want.Coupling(0).At(order[0], order[1])); r > 1e-8 {
					t.Errorf("%s: correlation off by %.1e", c.name, r)
				}
			}
		}
	}
}

// Outputs that are not fitted in the order of their names are saved and read, compared, and fitted otherwise as those that are.
func TestOutputsFittedInAnotherOrder(t *testing.T) {
	c := sensors{points: 6, samples: 10, seen: 5, noise: .1, u: 1, v: 4, seed: 2}
	d := c.table(t)
	s := model.Spec{Data: d, Coregional: true, Kernels: map[string]kernel.Kernel{"f": givenKernels()["f"]}}
	other := s
	other.Data = inOrder(d, []int{1, 0}) // the one that was observed more is the last
	want, e := testmain.Must(model.Fit(t.Context(), s))(t), testmain.Must(model.Fit(t.Context(), other))(t)
	path := filepath.Join(t.TempDir(), "m.npz")
	if err := e.Save(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	back := testmain.Must(model.Load(t.Context(), path))(t)
	sameModel(t, e, back)
	if !mat.Equal(e.Coupling(0), back.Coupling(0)) || e.Coupling(0).At(0, 1) != want.Coupling(0).At(0, 1) {
		t.Errorf("correlations %v, of the file %v, in the other order %v", e.Coupling(0), back.Coupling(0), want.Coupling(0))
	}
	for o, named := range []int{1, 0} {
		got, was := testmain.Must(e.Outputs[o].Residuals(t.Context()))(t), testmain.Must(want.Outputs[named].Residuals(t.Context()))(t)
		same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		if !slices.EqualFunc(got.Observed.Errors.RawMatrix().Data, was.Observed.Errors.RawMatrix().Data, same) {
			t.Errorf("residuals of %s are not those of %s", e.Outputs[o].Name, want.Outputs[named].Name)
		}
	}
	var errors [2]float64
	for i, s := range []model.Spec{s, other} {
		models := []model.Hypothesis{{Name: "alone", Spec: model.Spec{Kernels: s.Kernels}}, {Name: "coupled", Spec: model.Spec{Coregional: true, Kernels: s.Kernels}}}
		for _, m := range testmain.Must(model.Compare(t.Context(), s.Data, models))(t).Models {
			if m.Name == "coupled" {
				errors[i] = m.Error
			}
		}
	}
	if math.Abs(errors[1]/errors[0]-1) > 1e-9 {
		t.Errorf("samples left out are off by %.9g, in the other order by %.9g", errors[0], errors[1])
	}
}

// Models of few samples are the same whatever the order of these: predictions, bands and sigma, of kernels, sizes and noise that
// are chosen.
func TestOrderOfFewSamples(t *testing.T) {
	closed := map[string]kernel.Kernel{"z": kernel.SE{Lengthscale: ell(.2)}, "w": kernel.SE{Lengthscale: ell(.3)}}
	for i, s := range []model.Spec{
		{},
		{Kernels: closed, Noise: noise.Choice{Kind: noise.Diagonal}},
		{Kernels: closed, Coregional: true},
		{Kernels: closed, Noise: noise.Choice{Huber: true}},
		{Kernels: closed, Noise: noise.Choice{Kind: noise.Auto}},
	} {
		if i > 1 && !testmain.EveryCase() {
			continue
		}
		s.Data = slopes(t, 8, 5, 0, 3)
		o := s
		o.Data = testmain.Must(s.Data.Select([]int{5, 2, 7, 0, 1, 6, 4, 3}))(t)
		want, e := testmain.Must(model.Fit(t.Context(), s))(t), testmain.Must(model.Fit(t.Context(), o))(t)
		for k, got := range e.Outputs {
			was := want.Outputs[k]
			p := testmain.Must(got.Predict(t.Context(), s.Data, mesh.Mesh{}))(t)
			q := testmain.Must(was.Predict(t.Context(), s.Data, mesh.Mesh{}))(t)
			b := testmain.Must(got.PredictStd(t.Context(), s.Data, mesh.Mesh{}))(t)
			d := testmain.Must(was.PredictStd(t.Context(), s.Data, mesh.Mesh{}))(t)
			if sigma := math.Abs(got.Report.Sigma/was.Report.Sigma - 1); !(max(relative(p, q), relative(b, d), sigma) < 1e-6) {
				t.Errorf("case %d, %s: in another order off by %.1e, bands %.1e, sigma %.1e", i, got.Name, relative(p, q), relative(b, d), sigma)
			}
		}
	}
}
