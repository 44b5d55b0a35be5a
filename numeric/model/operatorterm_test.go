package model_test

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// squares are n pairs of u(y) = (∫ min(x,y)(1 - max(x,y)) f(x) dx)² times a unit, with noise.
func squares(t testing.TB, n, m int, unit, noise float64, seed uint64) *dataset.Table {
	t.Helper()
	on := mesh.Must(mesh.Uniform(0, 1, m, "x"))
	x, w := on.Points(), on.Weights()
	rng := rand.New(rand.NewPCG(seed, 4))
	f, u := array.New(n, m), array.New(n, m)
	for i := range n {
		for k := range 4 {
			a := unit * rng.NormFloat64() / float64(1+k)
			for j := range m {
				f.Data[i*m+j] += a * math.Cos(math.Pi*float64(k)*x[j])
			}
		}
		for j := range m {
			v := 0.0
			for l := range m {
				v += w[l] * min(x[l], x[j]) * (1 - max(x[l], x[j])) * f.Data[i*m+l]
			}
			u.Data[i*m+j] = v*v/unit + unit*noise*rng.NormFloat64()
		}
	}
	d := testmain.Must(dataset.NewTable(dataset.TableSpec{
		Input: map[string]*array.Array{"f": f}, Output: map[string]*array.Array{"u": u},
		InputMesh: dataset.Meshes{All: on}, OutputMesh: dataset.Meshes{All: on},
	}))(t)
	return d
}

// quick leaves nothing but κ and the norm to be chosen.
func quick(d *dataset.Table, terms ...string) model.Spec {
	curve := kernel.Matern{Nu: 2.5, Lengthscale: ell(.4)}
	s := model.Spec{Data: d, Terms: terms, Kernels: map[string]kernel.Kernel{}}
	for _, name := range terms {
		s.Kernels[name] = kernel.Tensor{Input: curve, Output: curve}
		if strings.HasPrefix(name, "operator") {
			s.Kernels[name] = kernel.Tensor{Input: kernel.Matern{Nu: 2.5, Lengthscale: kernel.Auto}, Output: curve}
		}
	}
	return s
}

// TestOperator: an operator of no given form learns what no linear one does, alone and beside a
// linear term, predicts from other meshes, has bands that hold, and comes back from a file.
func TestOperator(t *testing.T) {
	d, test := squares(t, 30, 7, 1, 1e-4, 1), squares(t, 12, 7, 1, 0, 2)
	cases := [][]string{{"operator(f)"}, {"f", "operator(f)"}}
	if !testmain.EveryCase() {
		cases = cases[1:]
	}
	for _, terms := range cases {
		e := testmain.Must(model.Fit(t.Context(), quick(d, terms...)))(t)
		o := e.Outputs[0]
		p := testmain.Must(o.Predict(t.Context(), test, mesh.Mesh{}))(t)
		truth := test.Outputs[0].Values.Data
		if off := floats.Distance(p.RawMatrix().Data, truth, 2) / floats.Norm(truth, 2); off > 0.2 {
			t.Errorf("%v: error %.2g", terms, off)
		}
		band := testmain.Must(o.PredictStd(t.Context(), test, mesh.Mesh{}))(t)
		within := 0.0
		for i, v := range p.RawMatrix().Data {
			if math.Abs(v-truth[i]) < 2*band.RawMatrix().Data[i]+1e-9 {
				within += 1 / float64(len(truth))
			}
		}
		if within < 0.8 {
			t.Errorf("%v: %.0f %% of the values are within two standard deviations", terms, 100*within)
		}
		path := filepath.Join(t.TempDir(), "model.npz")
		if err := e.Save(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		back := testmain.Must(model.Load(t.Context(), path))(t)
		q := testmain.Must(back.Outputs[0].Predict(t.Context(), test, mesh.Mesh{}))(t)
		if !mat.Equal(p, q) {
			t.Errorf("%v: the saved model predicts other values", terms)
		}
	}
}

// TestOperatorUnits: κ and the norm are chosen alike in other units.
func TestOperatorUnits(t *testing.T) {
	if !testmain.EveryCase() {
		t.Skip("takes a second")
	}
	var kernels []string
	for _, unit := range []float64{1, 1e6} {
		e := testmain.Must(model.Fit(t.Context(), quick(squares(t, 20, 7, unit, 1e-4, 3), "operator(f)")))(t)
		l := e.Outputs[0].Terms[0].Kernel.(kernel.Tensor).Input.(kernel.Matern).Lengthscale
		floats.Scale(1/unit, l)
		kernels = append(kernels, l[:2].String())
	}
	if kernels[0][:8] != kernels[1][:8] {
		t.Errorf("lengthscales %v", kernels)
	}
}

// TestOperatorRefused: what an operator cannot be is said.
func TestOperatorRefused(t *testing.T) {
	d := squares(t, 8, 7, 1, 1e-3, 1)
	given := quick(d, "operator(f)")
	given.Kernels["operator(f)"] = kernel.SE{Lengthscale: ell(1)}
	norm := quick(d, "operator(f)")
	norm.Metrics = map[string]float64{"operator(f)": -1}
	for _, c := range []struct {
		s    model.Spec
		want string
	}{
		{quick(d, "operator(g)"), "no input g"},
		{given, "lengthscale is chosen"},
		{norm, "must be from 0 to 4"},
	} {
		if _, err := model.Fit(t.Context(), c.s); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
	e := testmain.Must(model.Fit(t.Context(), quick(d, "operator(f)")))(t)
	if _, err := e.Outputs[0].Terms[0].Effect(t.Context(), "", mesh.Mesh{}); err == nil || !strings.Contains(err.Error(), "no given form") {
		t.Errorf("the curve of an operator: %v", err)
	}
}

// TestOperatorStopsAnywhere: a fit and a prediction end where their context does, and make nothing then.
func TestOperatorStopsAnywhere(t *testing.T) {
	d := squares(t, 10, 5, 1, 1e-4, 1)
	s := quick(d, "f", "operator(f)")
	testmain.StopsAnywhere(t, "fit", func(ctx context.Context) (bool, error) {
		e, err := model.Fit(ctx, s)
		return e != nil, err
	})
	o := testmain.Must(model.Fit(t.Context(), s))(t).Outputs[0]
	testmain.StopsAnywhere(t, "predict", func(ctx context.Context) (bool, error) {
		p, err := o.Predict(ctx, d, mesh.Mesh{})
		return p != nil, err
	})
}
