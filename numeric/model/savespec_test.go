package model_test

import (
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/model"
)

// The file of a model has every field of its spec: each is set in one of these models at least, and what is read is equal.
func TestFilesHaveAllOfTheSpec(t *testing.T) {
	k := givenKernels()
	d := everything(t, 12, false, false)
	two := *d
	two.Outputs = append(slices.Clone(d.Outputs), d.Outputs[0])
	two.Outputs[1].Name, two.Outputs[1].Values = "v", d.Outputs[0].Values.Copy()
	for i := range two.Outputs[1].Values.Data {
		two.Outputs[1].Values.Data[i] += float64(i * i % 5)
	}
	specs := map[string]model.Spec{
		"all by term": {
			Data: d, Terms: []string{"f", "age", "operator(f)"}, Kernels: map[string]kernel.Kernel{"f": k["f"]},
			Constraints: map[string]constraint.Constraint{"f": constraint.Symmetric{Names: []string{"x", "y"}}},
			Metrics:     map[string]float64{"operator(f)": .5}, Amplitudes: map[string]float64{"age": 2, "noise": .5},
			Noise: curvesOf(kernel.Exponential{Lengthscale: kernel.Auto}), Bias: kernel.SE{Lengthscale: ell(.5)}, Intercept: fit.NoIntercept,
			Criterion: fit.GCV, Tolerance: 1e-9, MaxIterations: 500,
		},
		"penalties": {Data: d, Terms: []string{"f"}, Kernels: map[string]kernel.Kernel{"f": k["f"]}, NoBias: true, Lambda: 1e-2, Rho: 2e-2, Dense: true},
		"coupled":   {Data: &two, Terms: []string{"age"}, Kernels: map[string]kernel.Kernel{"age": k["age"]}, Coregional: true},
	}
	set := map[string]bool{
		"Kernels": true, // the file has those that were learned, in which the given ones are
		"without": true, // no model that is saved lacks a term
		"Prior":   true, // a part of its own, see TestSavePrior
	}
	for name, s := range specs {
		e := testmain.Must(model.Fit(t.Context(), s))(t)
		path := filepath.Join(t.TempDir(), "m.npz")
		if err := e.Save(t.Context(), path); err != nil {
			t.Fatal(name, err)
		}
		was, is := e.Spec(), testmain.Must(model.Load(t.Context(), path))(t).Spec()
		was.Kernels, is.Kernels = nil, nil
		for i := range reflect.TypeFor[model.Spec]().NumField() {
			field := reflect.TypeFor[model.Spec]().Field(i)
			set[field.Name] = set[field.Name] || !reflect.ValueOf(was).Field(i).IsZero()
			if field.IsExported() && !reflect.DeepEqual(reflect.ValueOf(was).Field(i).Interface(), reflect.ValueOf(is).Field(i).Interface()) {
				t.Errorf("%s: %s is %v, was %v", name, field.Name, reflect.ValueOf(is).Field(i), reflect.ValueOf(was).Field(i))
			}
		}
		if !reflect.DeepEqual(was, is) {
			t.Errorf("%s: the specs differ", name)
		}
	}
	for i := range reflect.TypeFor[model.Spec]().NumField() {
		if field := reflect.TypeFor[model.Spec]().Field(i); !set[field.Name] {
			t.Errorf("no model here has %s: set it in one", field.Name)
		}
	}
}
