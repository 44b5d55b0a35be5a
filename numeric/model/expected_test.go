package model_test

import (
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/model"
)

// What a model is expected to take is positive and finite, more for more data and where more is to be chosen, and
// in its report; of what will be refused nothing is said.
func TestExpectedCost(t *testing.T) {
	matern := kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{.3}}
	given := map[string]kernel.Kernel{"f": matern, "g": matern}
	base := model.Spec{Data: newCoupled(12).table(t, 20, .1, 1), Terms: []string{"f", "g"}, Kernels: given, Amplitudes: map[string]float64{"f": 1, "g": 1}, Lambda: 1e-3}
	with := func(change func(s *model.Spec)) model.Spec {
		s := base
		change(&s)
		return s
	}
	least := model.Expected(t.Context(), base)
	if !(least.Seconds > 0) || !(least.Bytes > 0) {
		t.Errorf("expected %+v", least)
	}
	for name, s := range map[string]model.Spec{
		"points":       with(func(s *model.Spec) { s.Data = newCoupled(30).table(t, 20, .1, 1) }),
		"samples":      with(func(s *model.Spec) { s.Data = newCoupled(12).table(t, 90, .1, 1) }),
		"lambda":       with(func(s *model.Spec) { s.Lambda = 0 }),
		"sizes":        with(func(s *model.Spec) { s.Amplitudes = nil }),
		"lengthscales": with(func(s *model.Spec) { s.Kernels, s.Amplitudes = nil, nil }),
		"noise":        with(func(s *model.Spec) { s.Noise.Kind = noise.Diagonal }),
		"curves":       with(func(s *model.Spec) { s.Noise.Kind = noise.Auto }),
		"outliers":     with(func(s *model.Spec) { s.Noise.Huber = true }),
	} {
		if c := model.Expected(t.Context(), s); !(c.Seconds > least.Seconds) || !(c.Bytes >= least.Bytes) || math.IsInf(c.Seconds+c.Bytes, 0) {
			t.Errorf("%s: %+v, without %+v", name, c, least)
		}
	}
	e, err := model.Fit(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	if got := e.Outputs[0].Report.Expected.And(e.Outputs[1].Report.Expected); got != least {
		t.Errorf("reports %+v, expected %+v", got, least)
	}
	if c := model.Expected(t.Context(), with(func(s *model.Spec) { s.Terms = []string{"nothing"} })); c.Seconds != 0 {
		t.Errorf("of a term that there is not: %+v", c)
	}
}
