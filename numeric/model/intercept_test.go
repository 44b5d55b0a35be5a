package model_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// The constant of β is free where λ and ρ are both chosen, and penalised where one of them is given, whether outputs are learned by
// themselves or coupled. Where it is free, a constant added to the outputs is added to the predictions; otherwise it is not.
func TestInterceptThatIsNotGiven(t *testing.T) {
	d := everything(t, 8, false, false)
	d.Outputs = append(slices.Clone(d.Outputs), d.Outputs[0])
	d.Outputs[1].Name, d.Outputs[1].Values = "v", d.Outputs[0].Values.Copy()
	for i := range d.Outputs[1].Values.Data {
		d.Outputs[0].Values.Data[i] += 3
		d.Outputs[1].Values.Data[i] += float64(i * i % 5)
	}
	higher := *d
	higher.Outputs = slices.Clone(d.Outputs)
	higher.Outputs[0].Values = d.Outputs[0].Values.Copy()
	for i := range higher.Outputs[0].Values.Data {
		higher.Outputs[0].Values.Data[i] += 40
	}
	for _, c := range []struct {
		coregional  bool
		lambda, rho float64
		want        fit.Intercept
	}{
		{false, 0, 0, fit.Flat},
		{false, .02, 0, fit.NoIntercept},
		{false, 0, .5, fit.NoIntercept},
		{false, .02, .5, fit.NoIntercept},
		{true, 0, 0, fit.Flat},
		{true, .02, 0, fit.NoIntercept},
		{true, 0, .5, fit.NoIntercept},
		{true, .02, .5, fit.NoIntercept},
	} {
		s := model.Spec{
			Data: d, Terms: []string{"f", "age"}, Kernels: map[string]kernel.Kernel{"f": givenKernels()["f"], "age": givenKernels()["age"]},
			Coregional: c.coregional, Lambda: c.lambda, Rho: c.rho,
		}
		predicted := func(s model.Spec) *mat.Dense {
			return testmain.Must(testmain.Must(model.Fit(t.Context(), s))(t).Outputs[0].Predict(t.Context(), d, mesh.Mesh{}))(t)
		}
		auto := predicted(s)
		s.Intercept = c.want
		if !mat.Equal(auto, predicted(s)) {
			t.Errorf("%+v: other predictions than by intercept %q", c, c.want)
		}
		s.Intercept, s.Data = "", &higher
		more := predicted(s)
		more.Sub(more, auto)
		worst := 0.0
		for _, v := range more.RawMatrix().Data {
			worst = max(worst, math.Abs(v-40))
		}
		if free := worst < 1e-4; free != (c.want == fit.Flat) {
			t.Errorf("%+v: 40 more changes predictions by 40 ± %.3g", c, worst)
		}
	}
}
