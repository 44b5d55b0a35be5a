package model_test

import (
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// A term that the data have is preferred by the likelihood and by samples left out, by many
// standard errors; one that they do not have is not.
func TestCompareTerms(t *testing.T) {
	testmain.Long(t)
	c := newCoupled(10)
	d := c.table(t, 30, .2, 3)
	rank := func(d *dataset.Table, lists map[string][]string) *fit.Comparison {
		var all []model.Hypothesis
		for _, name := range []string{"both", "f", "with z"} {
			if lists[name] != nil {
				k := kernel.Matern{Nu: 2.5, Lengthscale: ell(.3)}
				all = append(all, model.Hypothesis{Name: name, Spec: model.Spec{Terms: lists[name], Kernels: map[string]kernel.Kernel{lists[name][0]: k}}})
			}
		}
		return testmain.Must(model.Compare(t.Context(), d, all))(t)
	}
	r := rank(d, map[string][]string{"both": {"f", "g"}, "f": {"f"}})
	if r.Models[0].Name != "both" || *r.Models[1].REMLDifference < 50 || r.Models[1].Difference < 2.5*r.Models[1].DifferenceSE {
		t.Errorf("a term that is there:\n%v", r)
	}
	z := array.New(30)
	for i := range 30 {
		z.Data[i] = math.Sin(float64(7 * i))
	}
	m := mesh.Must(mesh.Uniform(0, 1, 10, "x"))
	noise := testmain.Must(dataset.NewTable(dataset.TableSpec{
		Input: map[string]*array.Array{"f": d.Field("f").Values, "g": d.Field("g").Values, "z": z}, InputMesh: dataset.Meshes{All: m},
		Output: map[string]*array.Array{"u": d.Output("u").Values}, OutputMesh: dataset.Meshes{All: m},
	}))(t)
	r = rank(noise, map[string][]string{"both": {"f", "g"}, "with z": {"f", "g", "z"}})
	if with := r.Models[1]; math.Abs(*with.REMLDifference) > 4 || math.Abs(with.Difference) > 4*with.DifferenceSE {
		t.Errorf("a term that is not there:\n%v", r)
	}
	if r.Models[0].Error > .5 || r.Models[0].Error < .1 { // the noise is .2 of the outputs
		t.Errorf("relative error %g", r.Models[0].Error)
	}
}

func TestCompareErrors(t *testing.T) {
	d := newCoupled(8).table(t, 6, .1, 3)
	three := testmain.Must(d.Select([]int{0, 1, 2}))(t)
	two := []model.Hypothesis{{Name: "a"}, {Name: "b", Spec: model.Spec{Terms: []string{"h"}}}}
	for _, c := range []struct {
		d      *dataset.Table
		models []model.Hypothesis
		say    string
	}{
		{nil, two, "data: missing"}, {d, two[:1], "need at least 2"}, {three, two, "at least 4"}, {d, two, "models.b: "},
	} {
		if _, err := model.Compare(t.Context(), c.d, c.models); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%v, want %q", err, c.say)
		}
	}
}
