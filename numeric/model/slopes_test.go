package model_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// sloped are samples whose effect of a covariate is a random curve for each of eight groups, beside a curve of the group.
func sloped(t *testing.T, seed uint64) (d *dataset.Table, slopes *mat.Dense) {
	t.Helper()
	const n, groups, points = 64, 8, 10
	rng := rand.New(rand.NewPCG(seed, 7))
	m := mesh.Must(mesh.Uniform(0, 1, points, "x"))
	slopes = fields(t, m, groups, .4, seed)
	level := fields(t, m, groups, .4, seed+1000)
	age, who, u := array.New(n), make([]string, n), array.New(n, points)
	for i := range n {
		g := i % groups
		age.Data[i], who[i] = 50+10*rng.NormFloat64(), fmt.Sprint("g", g)
		for k := range points {
			u.Set(level.At(g, k)+(age.Data[i]-50)/10*slopes.At(g, k)+.2*rng.NormFloat64(), i, k)
		}
	}
	slopes.Scale(.1, slopes)
	return testmain.Must(dataset.NewTable(dataset.TableSpec{
		Input: map[string]*array.Array{"age": age}, Output: map[string]*array.Array{"u": u}, OutputMesh: dataset.Meshes{All: m}, Group: map[string][]string{"who": who},
	}))(t), slopes
}

// Effects of a covariate that differ from group to group lie within their bands of 95 %, and comparing
// predictions tells that they are there.
func TestSlopesOfGroups(t *testing.T) {
	ctx := t.Context()
	side := kernel.Matern{Nu: 2.5, Lengthscale: ell(.4)}
	spec := model.Spec{Terms: []string{"who", "age*who"}, Kernels: map[string]kernel.Kernel{"who": side, "age*who": side}}
	within, count := 0, 0
	for seed := range uint64(1 + 4/testmain.Stride(2)) {
		d, truth := sloped(t, seed)
		spec.Data = d
		o := testmain.Must(model.Fit(ctx, spec))(t).Outputs[0]
		term := o.Term("age*who")
		off, size := 0.0, 0.0
		for g, label := range term.Labels() {
			v := testmain.Must(term.Effect(ctx, label, mesh.Mesh{}))(t)
			sd := testmain.Must(term.EffectStd(ctx, label, mesh.Mesh{}))(t)
			for k := range v {
				e := v[k] - truth.At(g, k)
				off, size, count = off+e*e, size+truth.At(g, k)*truth.At(g, k), count+1
				if math.Abs(e) <= 1.96*sd[k] {
					within++
				}
			}
		}
		if off > .02*size {
			t.Errorf("seed %d: slopes are off by %.3g of their size", seed, math.Sqrt(off/size))
		}
	}
	if share := float64(within) / float64(count); share < .88 || share > .995 {
		t.Errorf("%.3f of the slopes lie within their bands of 95 %%", share)
	}
	one := spec
	one.Terms, one.Kernels = []string{"who"}, map[string]kernel.Kernel{"who": side}
	c := testmain.Must(model.Compare(ctx, spec.Data, []model.Hypothesis{{Name: "slopes", Spec: spec}, {Name: "none", Spec: one}}))(t)
	if first := c.Models[0]; first.Name != "slopes" {
		t.Errorf("%s is preferred", first.Name)
	}
}

// The slope of a group that nobody has seen is as uncertain as slopes are spread, and so are predictions in proportion to the covariate.
func TestSlopeOfANewGroup(t *testing.T) {
	ctx := t.Context()
	d, _ := sloped(t, 3)
	side := kernel.Matern{Nu: 2.5, Lengthscale: ell(.4)}
	spec := model.Spec{Data: d, Terms: []string{"age*who"}, Kernels: map[string]kernel.Kernel{"age*who": side}, NoBias: true}
	o := testmain.Must(model.Fit(ctx, spec))(t).Outputs[0]
	std := func(age float64, label string) float64 {
		in := testmain.Must(dataset.NewInputs(dataset.TableSpec{Input: map[string]*array.Array{"age": array.Vector([]float64{age})}, Group: map[string][]string{"who": {label}}}))(t)
		return testmain.Must(o.PredictStd(ctx, in, mesh.Mesh{}))(t).At(0, 4)
	}
	if one, two := std(30, "new"), std(60, "new"); math.Abs(two-2*one) > .02*two {
		t.Errorf("deviations %g and %g at 30 and 60", one, two)
	}
	sum, term := 0.0, o.Term("age*who")
	for _, label := range term.Labels() {
		v := testmain.Must(term.Effect(ctx, label, mesh.Mesh{}))(t)
		sum += v[4] * v[4] / float64(len(term.Labels()))
	}
	if of := std(1, "new"); of < math.Sqrt(sum)/2 || of > 2*math.Sqrt(sum) {
		t.Errorf("the slope of a new group has the deviation %g; those of the data %g", of, math.Sqrt(sum))
	}
	if known := std(60, "g1"); known > std(60, "new")/3 {
		t.Errorf("a group of the data is known no better than a new one: %g", known)
	}
	for name, want := range map[string]string{"who*age": "the covariate comes first: age*who", "age*age": "covariate*group"} {
		s := spec
		s.Terms, s.Kernels = []string{name}, nil
		if _, err := model.Fit(ctx, s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	spec.Constraints = map[string]constraint.Constraint{"age*who": constraint.Symmetric{Names: []string{"x", "y"}}}
	if _, err := model.Fit(ctx, spec); err == nil || !strings.Contains(err.Error(), "constraint.age*who: want the term of a function") {
		t.Errorf("a constraint of curves: %v", err)
	}
}
