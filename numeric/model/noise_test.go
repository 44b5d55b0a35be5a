package model_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
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

// noisy are pairs of a known G with noise that is correlated along the output: an
// autoregression of the given coefficient, of the given size.
func noisy(t *testing.T, n, m int, coefficient, size float64, seed uint64) (*dataset.Table, func(x, y float64) float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 5))
	axis := mesh.Must(mesh.Uniform(0, 1, m, "x"))
	out := mesh.Must(mesh.Uniform(0, 1, m, "y"))
	green := func(x, y float64) float64 { return math.Min(x, y) * (1 - math.Max(x, y)) }
	f, u := array.New(n, m), array.New(n, m)
	x, w := axis.Points(), axis.Weights()
	for i := range n {
		for c := range 12 {
			a, phase := rng.NormFloat64(), 2*math.Pi*rng.Float64()
			for j := range m {
				f.Data[i*m+j] += a * math.Sin(float64(c+1)*3*x[j]+phase)
			}
		}
	}
	sum := 0.0
	for i := range n {
		for k := range m {
			for j := range m {
				u.Data[i*m+k] += green(x[j], x[k]) * f.Data[i*m+j] * w[j]
			}
			sum += u.Data[i*m+k] * u.Data[i*m+k]
		}
	}
	sd := size * math.Sqrt(sum/float64(n*m))
	for i := range n {
		e := rng.NormFloat64()
		for k := range m {
			if k > 0 {
				e = coefficient*e + math.Sqrt(1-coefficient*coefficient)*rng.NormFloat64()
			}
			u.Data[i*m+k] += sd * e
		}
	}
	d := testmain.Must(dataset.NewTable(dataset.TableSpec{
		Input: map[string]*array.Array{"f": f}, Output: map[string]*array.Array{"u": u},
		InputMesh: dataset.Meshes{All: axis}, OutputMesh: dataset.Meshes{All: out},
	}))(t)
	return d, green
}

// accuracy is the relative error of a G and how much of it 95 % bands cover.
func accuracy(t *testing.T, g *fit.Estimate, green func(x, y float64) float64) (off, coverage float64) {
	t.Helper()
	values := testmain.Must(g.Green(t.Context(), mesh.Mesh{}, mesh.Mesh{}))(t)
	std := testmain.Must(g.Std(t.Context(), mesh.Mesh{}, mesh.Mesh{}))(t)
	p := g.InputMesh.Points()
	all, in := 0.0, 0
	for i, x := range p {
		for j, y := range p {
			v := green(x, y)
			d := values.At(i, j) - v
			off, all = off+d*d, all+v*v
			if math.Abs(d) <= 1.96*std.At(i, j) {
				in++
			}
		}
	}
	return math.Sqrt(off / all), float64(in) / float64(len(p)*len(p))
}

// Noise that is an autoregression along the output is found by the likelihood, by hundreds of
// nats; G is nearer to the truth, and its bands hold. White noise is found to be white.
func TestCorrelatedNoiseIsFound(t *testing.T) {
	auto := noise.Choice{Kind: noise.Auto}
	learn := func(d *dataset.Table, noise noise.Choice) *model.Estimate {
		return testmain.Must(model.Fit(t.Context(), model.Spec{Data: d, Kernels: map[string]kernel.Kernel{"f": kernel.Matern{Nu: 1.5, Lengthscale: ell(.5)}}, Noise: noise}))(t)
	}
	d, green := noisy(t, 16, 16, .9, .3, 1)
	white, found := learn(d, noise.Choice{}), learn(d, curvesOf(kernel.Exponential{Lengthscale: kernel.Auto}))
	if found.Outputs[0].Term("noise") == nil {
		t.Fatal("noise with a correlation of .9 was taken for white")
	}
	if better := *white.Outputs[0].Report.REML - *found.Outputs[0].Report.REML; better < 100 {
		t.Errorf("correlated noise is likelier by %g nats only", better)
	}
	alone := testmain.Must(found.Alone())(t)
	g := testmain.Must(white.Outputs[0].Term("f").Green())(t)
	before, narrow := accuracy(t, g, green)
	after, coverage := accuracy(t, alone, green)
	if after > before || coverage < .85 || narrow > .8 {
		t.Errorf("G off by %.3g with coverage %.3g; with white noise %.3g, %.3g", after, coverage, before, narrow)
	}
	d, _ = noisy(t, 12, 12, 0, .3, 1)
	if o := learn(d, auto).Outputs[0]; o.Term("noise") != nil {
		t.Errorf("white noise was taken for %s", o.Term("noise").Kernel)
	}
}

// The estimate of one operator is that of the model: its values, predictions, and bands; and a
// model with noise is saved and read to the bit.
func TestNoiseAlone(t *testing.T) {
	d, _ := noisy(t, 8, 10, .5, .3, 2)
	k := kernel.Matern{Nu: 1.5, Lengthscale: ell(.3)}
	e := testmain.Must(model.Fit(t.Context(), model.Spec{Data: d, Kernels: map[string]kernel.Kernel{"f": k}, Noise: curvesOf(kernel.SE{Lengthscale: ell(.1)})}))(t)
	alone := testmain.Must(e.Alone())(t)
	f := d.Fields[0]
	in := testmain.Must(f.Values.Matrix())(t)
	path := filepath.Join(t.TempDir(), "m.npz")
	if err := e.Save(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	again := testmain.Must(model.Load(t.Context(), path))(t)
	ys := mesh.Must(mesh.Uniform(0, 1, 7, "y"))
	for _, at := range []mesh.Mesh{{}, ys} {
		want := testmain.Must(e.Outputs[0].Predict(t.Context(), d, at))(t)
		got, err := alone.Predict(t.Context(), in, f.Mesh, at)
		if err != nil || !mat.EqualApprox(got, want, 1e-12*mat.Max(want)) {
			t.Errorf("prediction %v, of the model %v (%v)", got, want, err)
		}
		read, err := again.Outputs[0].Predict(t.Context(), d, at)
		if err != nil || !mat.Equal(read, want) {
			t.Errorf("prediction of the file %v, of the model %v (%v)", read, want, err)
		}
		band := testmain.Must(e.Outputs[0].PredictStd(t.Context(), d, at))(t)
		own, err := alone.PredictStd(t.Context(), in, f.Mesh, at)
		if err != nil || !mat.EqualApprox(own, band, 1e-9*mat.Max(band)) {
			t.Errorf("band %v, of the model %v (%v)", own, band, err)
		}
	}
}

// Amplitudes that are given are kept to the bit, also beside one that the data make extreme.
func TestGivenAmplitudesAreKept(t *testing.T) {
	k := givenKernels()
	given := map[string]float64{"f": 1, "age": 4, "who": .5}
	e := testmain.Must(model.Fit(t.Context(), model.Spec{
		Data: everything(t, 12, false, false), Terms: []string{"f", "age", "who"}, Kernels: map[string]kernel.Kernel{"f": k["f"], "age": k["age"], "who": k["who"]},
		Amplitudes: given, Noise: curvesOf(kernel.Exponential{Lengthscale: ell(.2)}), // outputs are noise alone
	}))(t)
	for name, a := range given {
		if got := e.Outputs[0].Term(name).Factor; got != a {
			t.Errorf("%s: amplitude %g, given %g", name, got, a)
		}
	}
}
