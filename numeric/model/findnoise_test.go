package model_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// loud are samples of two outputs of a field and a covariate, with noise of its own for each: of u every
// fourth sample has 6.5 times the noise, of v the end 20 times that of the beginning, and in both one value of
// twenty is off where there are outliers.
type loud struct {
	d     *dataset.Table
	clean map[string]*mat.Dense
	sigma map[string]float64 // root of the mean variance, by the quadrature
}

func newLoud(t *testing.T, n, m int, outliers bool, seed uint64) loud {
	t.Helper()
	axis := mesh.Must(mesh.Uniform(0, 1, m, "x"))
	f := fields(t, axis, n, .15, seed)
	rng := rand.New(rand.NewPCG(seed, 77))
	x, w := axis.Points(), axis.Weights()
	l := loud{clean: map[string]*mat.Dense{}, sigma: map[string]float64{}}
	age := array.New(n)
	for i := range n {
		age.Data[i] = rng.NormFloat64()
	}
	out := map[string]*array.Array{}
	for o, name := range []string{"u", "v"} {
		u := mat.NewDense(n, m, nil)
		for i := range n {
			for k := range m {
				sum := .05 * age.Data[i] * math.Cos(3*x[k]+float64(o))
				for j := range m {
					sum += f.At(i, j) * w[j] * math.Min(x[j], x[k]) * (1 - math.Max(x[j], x[k])) * float64(1+o)
				}
				u.Set(i, k, sum)
			}
		}
		l.clean[name] = mat.DenseCopyOf(u)
		size := .3 * mat.Norm(u, 2) / math.Sqrt(float64(n*m))
		variance, length := 0.0, 0.0
		for i := range n {
			for k := range m {
				sd := .3
				switch {
				case outliers:
					sd = 1
				case name == "u" && i%4 == 3:
					sd = 1.95
				case name == "v":
					sd = math.Pow(20, x[k]) / 10
				}
				sd *= size
				variance, length = variance+w[k]*sd*sd, length+w[k]
				e := sd * rng.NormFloat64()
				if outliers && rng.Float64() < .05 {
					e += 8 * sd * math.Copysign(1, rng.Float64()-.5)
				}
				u.Set(i, k, u.At(i, k)+e)
			}
		}
		l.sigma[name] = math.Sqrt(variance / length)
		out[name] = array.FromMatrix(u)
	}
	l.d = testmain.Must(dataset.NewTable(dataset.TableSpec{
		Input: map[string]*array.Array{"f": array.FromMatrix(f), "age": age}, Output: out,
		InputMesh: dataset.Meshes{Of: map[string]mesh.Mesh{"f": axis}}, OutputMesh: dataset.Meshes{All: axis},
	}))(t)
	return l
}

func (l loud) spec(c noise.Choice, coregional bool) model.Spec {
	k := kernel.Matern{Nu: 2.5, Lengthscale: ell(.3)}
	return model.Spec{Data: l.d, Kernels: map[string]kernel.Kernel{"f": k, "age": k}, Noise: c, Coregional: coregional}
}

// off is by how much predictions are off, relative to the outputs.
func (l loud) off(t *testing.T, o *model.Output) float64 {
	u := testmain.Must(o.Predict(t.Context(), l.d, mesh.Mesh{}))(t)
	return relative(u, l.clean[o.Name])
}

// The noise of each output is found: predictions are better than for white noise, sigma is that of
// the noise, within its error, and intervals hold new observations. By themselves and coupled; the file has it all.
func TestNoiseOfEachOutput(t *testing.T) {
	testmain.Long(t)
	l := newLoud(t, 16, 10, false, 3)
	for _, coregional := range []bool{false, true} {
		if coregional && !testmain.EveryCase() {
			continue
		}
		white := testmain.Must(model.Fit(t.Context(), l.spec(noise.Choice{}, coregional)))(t)
		e := testmain.Must(model.Fit(t.Context(), l.spec(noise.Choice{Kind: noise.Diagonal}, coregional)))(t)
		for i, o := range e.Outputs {
			if before, after := l.off(t, white.Outputs[i]), l.off(t, o); after > before || o.Name == "u" && after > .8*before {
				t.Errorf("coupled %v, %s: off by %.3g, with white noise %.3g", coregional, o.Name, after, before)
			}
			if r := o.Report.Sigma / l.sigma[o.Name]; math.Abs(r-1) > .15 { // of 160 values, 40 of them loud
				t.Errorf("coupled %v, %s: sigma is %.3g of the true one", coregional, o.Name, r)
			}
			if !strings.HasPrefix(o.Report.Reason, "the noise has a standard deviation that varies by a factor of") {
				t.Errorf("coupled %v, %s: %s", coregional, o.Name, o.Report.Reason)
			}
		}
		path := filepath.Join(t.TempDir(), "m.npz")
		if err := e.Save(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		back := testmain.Must(model.Load(t.Context(), path))(t)
		banded := len(e.Outputs)
		if !testmain.EveryCase() {
			banded = 1
		}
		sameOutputs(t, e, back, banded)
		for i, o := range e.Outputs[:banded] {
			at := fit.Interval{Level: .9, Observation: true}
			want := testmain.Must(o.Intervals(t.Context(), l.d, mesh.Mesh{}, at))(t)
			got, err := back.Outputs[i].Intervals(t.Context(), l.d, mesh.Mesh{}, at)
			if err != nil || !mat.EqualApprox(got, want, 1e-9*mat.Max(want)) {
				t.Errorf("intervals of the file differ (%v)", err)
			}
			if back.Outputs[i].Report.Sigma != o.Report.Sigma || back.Outputs[i].Report.Reason != o.Report.Reason {
				t.Errorf("report %v, was %v", back.Outputs[i].Report, o.Report)
			}
		}
	}
}

// Values that are off do little harm to a fit with Huber's loss, which is certified, saved and read.
func TestHuberOfModels(t *testing.T) {
	testmain.Long(t)
	l := newLoud(t, 16, 8, true, 7)
	for _, coregional := range []bool{false, true} {
		if coregional && !testmain.EveryCase() {
			continue
		}
		white := testmain.Must(model.Fit(t.Context(), l.spec(noise.Choice{}, coregional)))(t)
		e := testmain.Must(model.Fit(t.Context(), l.spec(noise.Choice{Huber: true}, coregional)))(t)
		for i, o := range e.Outputs {
			if before, after := l.off(t, white.Outputs[i]), l.off(t, o); after > .85*before {
				t.Errorf("coupled %v, %s: off by %.3g, with squares %.3g", coregional, o.Name, after, before)
			}
			if r := o.Report.Sigma / l.sigma[o.Name]; math.Abs(r-1) > .2 || !strings.HasPrefix(o.Report.Reason, "the loss is Huber's") {
				t.Errorf("coupled %v, %s: sigma is %.3g of the true one; %s", coregional, o.Name, r, o.Report.Reason)
			}
		}
		path := filepath.Join(t.TempDir(), "m.npz")
		if err := e.Save(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		back := testmain.Must(model.Load(t.Context(), path))(t)
		if !coregional { // solved iteratively
			sameModel(t, e, back)
		}
	}
}

// One value that is off moves neither effects nor their bands more however far off it is, and is
// refused by its place where it is no measurement any more.
func TestHuberOfModelsWhereverOneValueIs(t *testing.T) {
	l := newLoud(t, 12, 6, false, 9)
	at := func(v float64) (*model.Output, error) {
		s := l.spec(noise.Choice{Huber: true}, false)
		table := *l.d
		table.Outputs = slices.Clone(l.d.Outputs[:1])
		table.Outputs[0].Values = l.d.Outputs[0].Values.Copy()
		table.Outputs[0].Values.Data[2*6+4] = v
		s.Data = &table
		e, err := model.Fit(t.Context(), s)
		if err != nil {
			return nil, err
		}
		return e.Outputs[0], nil
	}
	numbers := func(o *model.Output) []float64 {
		age := o.Term("age")
		return slices.Concat(testmain.Must(age.Effect(t.Context(), "", mesh.Mesh{}))(t), testmain.Must(age.EffectStd(t.Context(), "", mesh.Mesh{}))(t), []float64{o.Report.Sigma})
	}
	want := numbers(testmain.Must(at(10))(t))
	for _, far := range []float64{1e3, 1e5, 1e7} {
		got := numbers(testmain.Must(at(far))(t))
		for i, v := range got {
			if math.Abs(v-want[i]) > .05*math.Abs(want[i]) {
				t.Errorf("%g: effect, its bands and sigma %.4v, with 10 %.4v", far, got, want)
				break
			}
		}
	}
	if _, err := at(9.97e36); err == nil || !strings.HasPrefix(err.Error(), "u: output[3][5] is 9.97e+36") {
		t.Errorf("9.97e36: %v", err)
	}
}
