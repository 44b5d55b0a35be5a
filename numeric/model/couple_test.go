package model_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// sensors are outputs of one operator with a field f: v is 3 u without the part of the second
// operator, on other units and with more noise. Of v only the first seen samples are there.
type sensors struct {
	points, samples, seen int
	noise                 float64
	u, v, origin          float64 // units, and what v is more
	seed                  uint64
}

func (c sensors) table(t *testing.T) *dataset.Table {
	t.Helper()
	m := mesh.Must(mesh.Uniform(0, 1, c.points, "x"))
	f := fields(t, m, c.samples, .1, c.seed)
	rng := rand.New(rand.NewPCG(c.seed, 99))
	weighted := mat.DenseCopyOf(f)
	for i := range c.samples {
		for k, w := range m.Weights() {
			weighted.Set(i, k, weighted.At(i, k)*w)
		}
	}
	var one, other mat.Dense
	one.Mul(weighted, airy(c.points, 2))
	other.Mul(weighted, airy(c.points, 9))
	u, v := array.New(c.samples, c.points), array.New(c.samples, c.points)
	size := mat.Norm(&one, 2) / math.Sqrt(float64(c.samples*c.points))
	for i := range c.samples {
		for k := range c.points {
			at := i*c.points + k
			u.Data[at] = c.u * (one.At(i, k) + c.noise*size*rng.NormFloat64())
			v.Data[at] = c.v * (3*one.At(i, k) + .5*other.At(i, k) + 3*c.noise*size*rng.NormFloat64() + c.origin*size)
			if i >= c.seen {
				v.Data[at] = math.NaN()
			}
		}
	}
	d := testmain.Must(dataset.NewTable(dataset.TableSpec{
		Input: map[string]*array.Array{"f": array.FromMatrix(f)}, Output: map[string]*array.Array{"u": u, "v": v},
		InputMesh: dataset.Meshes{All: m}, OutputMesh: dataset.Meshes{All: m}, Missing: c.seen < c.samples,
	}))(t)
	return d
}

// fit learns from the samples, and returns the error of v of others.
func (c sensors) fit(t *testing.T, coregional bool) (*model.Estimate, float64) {
	t.Helper()
	e := testmain.Must(model.Fit(t.Context(), model.Spec{Data: c.table(t), Coregional: coregional}))(t)
	c.seed, c.noise, c.seen, c.samples = c.seed+1000, 0, 40, 40
	fresh := c.table(t)
	p := testmain.Must(e.Outputs[1].Predict(t.Context(), fresh, mesh.Mesh{}))(t)
	truth := testmain.Must(fresh.Outputs[1].Values.Matrix())(t)
	return e, relative(p, truth)
}

// An output that was seen seldom is learned from one that it depends on, and the correlation
// is found; one that was seen as often is no worse for it. Units of single outputs, and where
// they begin, make no difference.
func TestCoupledOutputsHelp(t *testing.T) {
	testmain.Long(t)
	c := sensors{points: 8, samples: 15, seen: 4, noise: .05, u: 1, v: 1, seed: 1}
	_, alone := c.fit(t, false)
	e, together := c.fit(t, true)
	r := e.Coupling(0).At(0, 1)
	t.Logf("error of v, seen in %d of %d samples: %.4f alone, %.4f coupled; correlation %.4f", c.seen, c.samples, alone, together, r)
	if !(together < alone/2) || r < .95 {
		t.Errorf("error of v %.4f alone, %.4f coupled, correlation %.3f", alone, together, r)
	}
	want := testmain.Must(e.Outputs[1].Predict(t.Context(), e.Data, mesh.Mesh{}))(t)
	at := mesh.Must(mesh.Uniform(.2, .7, 2, "x"))
	bands := testmain.Must(e.Outputs[1].PredictStd(t.Context(), first(t, e.Data), at))(t)
	g := testmain.Must(e.Outputs[1].Term("f").Green())(t)
	std := testmain.Must(g.Std(t.Context(), at, at))(t)
	for _, in := range []sensors{{u: 1e-9, v: 1e9, origin: 1e6}} {
		other := c
		other.u, other.v, other.origin = in.u, in.v, in.origin
		e, _ := other.fit(t, true)
		p := testmain.Must(e.Outputs[1].Predict(t.Context(), e.Data, mesh.Mesh{}))(t)
		b := testmain.Must(e.Outputs[1].PredictStd(t.Context(), first(t, e.Data), at))(t)
		g := testmain.Must(e.Outputs[1].Term("f").Green())(t)
		s := testmain.Must(g.Std(t.Context(), at, at))(t)
		shift := 0.0
		if in.origin != 0 { // predictions begin elsewhere by the same number
			shift = p.At(0, 0)/in.v - want.At(0, 0)
		}
		p.Apply(func(_, _ int, v float64) float64 { return v/in.v - shift }, p)
		b.Scale(1/in.v, b)
		s.Scale(1/in.v, s)
		if bad := max(relative(b, bands), relative(s, std)); !(relative(p, want) < 1e-6 && bad < 1e-2) { // bands are exact to 1 %
			t.Errorf("units %g and %g, beginning at %g: off by %.1e, bands %.1e, of G %.1e", in.u, in.v, in.origin, relative(p, want), relative(b, bands), relative(s, std))
		}
	}
	c.seen = c.samples
	_, alone = c.fit(t, false)
	_, together = c.fit(t, true)
	t.Logf("seen always: %.4f alone, %.4f coupled", alone, together)
	if together > 1.1*alone {
		t.Errorf("an output seen always: %.4f alone, %.4f coupled", alone, together)
	}
}

func first(t *testing.T, d *dataset.Table) *dataset.Table {
	return testmain.Must(d.Select([]int{0}))(t)
}

// Coupled outputs are the minimiser that the matrix of the whole problem gives, with every
// kind of term, parameters and missing outputs.
func TestCoupledAgreesWithDense(t *testing.T) {
	for _, theta := range []bool{false, true} {
		for _, missing := range []bool{false, true} {
			if theta != missing && !testmain.EveryCase() {
				continue
			}
			list := []string{"g", "age"}
			if theta != missing {
				list = []string{"f", "who", "age*f"}
			}
			base := everything(t, 12, theta, missing)
			u := base.Outputs[0]
			v := u.Values.Copy()
			for i := range v.Data {
				v.Data[i] = 2*v.Data[i] + .3*base.Scalars[0].Values[i/u.Mesh.Size()] + .4*float64(i*i%5-2)
			}
			d := *base
			d.Outputs = []dataset.Field{u, {Name: "v", Values: v, Mesh: u.Mesh, Errors: errorsOf(13, 12, u.Mesh.Size())}}
			d.Outputs[0].Errors = errorsOf(3, 12, u.Mesh.Size())
			s := model.Spec{Data: &d, Terms: list, Coregional: true, Kernels: map[string]kernel.Kernel{}, Lambda: 1e-3, Rho: 2e-3, Tolerance: 1e-10}
			for _, name := range list {
				s.Kernels[name] = givenKernels()[name]
			}
			if theta {
				s.Kernels["theta"] = givenKernels()["theta"]
			}
			compareWithDense(t, strings.Join(list, " and "), s)
		}
	}
}

// Read from its file, a model of coupled outputs is the same to the bit.
func TestCoupledSaved(t *testing.T) {
	c := sensors{points: 9, samples: 12, seen: 6, noise: .05, u: 1, v: 4, seed: 2}
	e := testmain.Must(model.Fit(t.Context(), model.Spec{Data: c.table(t), Coregional: true, Kernels: map[string]kernel.Kernel{"f": givenKernels()["f"]}}))(t)
	path := filepath.Join(t.TempDir(), "model.npz")
	if err := e.Save(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	back := testmain.Must(model.Load(t.Context(), path))(t)
	sameModel(t, e, back)
	if !mat.Equal(e.Coupling(0), back.Coupling(0)) {
		t.Errorf("coupling %v, was %v", back.Coupling(0), e.Coupling(0))
	}
	want := testmain.Must(e.Outputs[1].BiasStd(t.Context(), mesh.Mesh{}))(t)
	got, err := back.Outputs[1].BiasStd(t.Context(), mesh.Mesh{})
	if err != nil || relative(mat.NewDense(1, len(got), got), mat.NewDense(1, len(want), want)) != 0 {
		t.Errorf("bands of the bias: %v, were %v (%v)", got, want, err)
	}
}

// What cannot be coupled is refused in words.
func TestCoregionalRefuses(t *testing.T) {
	c := sensors{points: 8, samples: 10, seen: 10, u: 1, v: 1, seed: 2}
	d := c.table(t)
	one := *d
	one.Outputs = one.Outputs[:1]
	other := *d
	other.Outputs = append([]dataset.Field(nil), d.Outputs...)
	other.Outputs[1].Mesh = mesh.Must(mesh.Gauss(0, 1, 8, "x"))
	copies := *d
	copies.Outputs = []dataset.Field{d.Outputs[0], {Name: "v", Mesh: d.Outputs[0].Mesh, Values: d.Outputs[0].Values}}
	for _, c := range []struct {
		s   model.Spec
		say string
	}{
		{model.Spec{Data: &copies}, "copies or multiples"},
		{model.Spec{Data: &one}, "at least two"},
		{model.Spec{Data: &other}, "one mesh"},
		{model.Spec{Data: d, Amplitudes: map[string]float64{"f": 1}}, "amplitude"},
	} {
		c.s.Coregional = true
		if _, err := model.Fit(t.Context(), c.s); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%v, want an error that says %q", err, c.say)
		}
	}
}

// Compared with outputs by themselves, those that depend on each other are likelier, in the
// units of the data and wherever these begin; those that do not are as likely, but for what one correlation can gain.
func TestCompareCoupled(t *testing.T) {
	c := sensors{points: 8, samples: 12, seen: 12, noise: .3, u: 1, v: 1, seed: 3}
	kernels := map[string]kernel.Kernel{"f": kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.3}}}
	gain := func(d *dataset.Table) float64 {
		r := testmain.Must(model.Compare(t.Context(), d, []model.Hypothesis{
			{Name: "alone", Spec: model.Spec{Kernels: kernels}}, {Name: "coupled", Spec: model.Spec{Kernels: kernels, Coregional: true}},
		}))(t)
		reml := map[string]float64{}
		for _, m := range r.Models {
			reml[m.Name] = *m.REML
		}
		if text := r.String(); strings.Contains(text, "not comparable") {
			t.Error(text)
		}
		return reml["alone"] - reml["coupled"]
	}
	want := gain(c.table(t))
	if want < 10 || want > 40 {
		t.Errorf("the likelihood gains %g", want)
	}
	c.v, c.origin = 1e-6, 1e3
	if got := gain(c.table(t)); math.Abs(got-want) > 1e-2 { // ρ is chosen with constants of the outputs' size
		t.Errorf("the likelihood gains %g, in other units %g", want, got)
	}
	apart, other := c.table(t), c
	other.seed = 503
	apart.Outputs[1].Values = other.table(t).Outputs[1].Values
	if got := gain(apart); got < -.3 || got > 5 {
		t.Errorf("the likelihood of independent outputs gains %g", got)
	}
}
