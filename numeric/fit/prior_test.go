package fit_test

import (
	"math"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/known"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// helmholtz is Green's function of u″ + ω² u = f on [0, 1], zero at the ends.
func helmholtz(omega float64, m mesh.Mesh) *mat.Dense {
	p := m.Points()
	g := mat.NewDense(len(p), len(p), nil)
	g.Apply(func(i, j int, _ float64) float64 {
		a, b := min(p[i], p[j]), max(p[i], p[j])
		return math.Sin(omega*a) * math.Sin(omega*(b-1)) / (omega * math.Sin(omega))
	}, g)
	return g
}

func pairsOf(t *testing.T, g *mat.Dense, m mesh.Mesh, n int, seed uint64) *dataset.Dataset {
	t.Helper()
	f := testmain.Must(randfield.Field{Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.05}}, Mesh: m, N: n, Seed: seed}.Draw(t.Context()))(t)
	input := testmain.Must(f.Matrix())(t)
	weighted := mat.DenseCopyOf(input)
	weighted.Apply(func(_, j int, v float64) float64 { return v * m.Weights()[j] }, weighted)
	var u mat.Dense
	u.Mul(weighted, g)
	return testmain.Must(dataset.New(dataset.Spec{Input: f, Output: array.FromMatrix(&u), InputMesh: m, OutputMesh: m}))(t)
}

// With a model that is 11 % wrong as the prior, ten pairs give an error of G at least 8
// times below that without; an offset and a factor of the prior make no difference.
func TestPrior(t *testing.T) {
	m := mesh.Must(mesh.Uniform(0, 1, 60, "x"))
	k := kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{.1}}
	product := kernel.Tensor{Input: k, Output: k}
	truth := helmholtz(15, m)
	d := pairsOf(t, truth, m, 10, 3)
	cheap := testmain.Must(fit.Fit(t.Context(), fit.Spec{Data: pairsOf(t, helmholtz(15.08, m), m, 300, 4), Kernel: product}))(t)
	errorOf := func(e *fit.Estimate) float64 {
		g := testmain.Must(e.Green(t.Context(), mesh.Mesh{}, mesh.Mesh{}))(t)
		var off mat.Dense
		off.Sub(g, truth)
		return mat.Norm(&off, 2) / mat.Norm(truth, 2)
	}
	alone := testmain.Must(fit.Fit(t.Context(), fit.Spec{Data: d, Kernel: product}))(t)
	with := testmain.Must(fit.Fit(t.Context(), fit.Spec{Data: d, Kernel: product, Prior: cheap}))(t)
	t.Logf("the prior is off by %.3f; 10 pairs alone %.3f, with the prior %.3f (factor %.3f)", errorOf(cheap), errorOf(alone), errorOf(with), *with.Report.Prior)
	if !(errorOf(with) <= errorOf(alone)/8) {
		t.Errorf("error %.4f with the prior, %.4f without", errorOf(with), errorOf(alone))
	}
	// Predictions on the data, by definition: c times the prior's, and G of the rest.
	f, _ := d.Input.Matrix()
	p := testmain.Must(with.Predict(t.Context(), f, mesh.Mesh{}, mesh.Mesh{}))(t)
	g := testmain.Must(with.Green(t.Context(), mesh.Mesh{}, mesh.Mesh{}))(t)
	beta := testmain.Must(with.Bias(t.Context(), mesh.Mesh{}))(t)
	for i := range 10 {
		for y, b := range beta {
			sum := b
			for x, w := range m.Weights() {
				sum += w * f.At(i, x) * g.At(x, y)
			}
			if !(math.Abs(sum-p.At(i, y)) <= 1e-9*mat.Norm(p, math.Inf(1))) {
				t.Fatalf("prediction %d, %d is %g, by G and β %g", i, y, p.At(i, y), sum)
			}
		}
	}
}

// An estimate with a prior, whose own prior is kept as well, is read as it was saved, with its
// bands; one of values is, on the meshes of the data.
func TestSavePrior(t *testing.T) {
	m := interval(7)
	k := kernel.SE{Lengthscale: kernel.Lengthscale{.4}}
	values := known.Values{X: m, Y: m, G: mat.NewDense(7, 7, nil)}
	values.G.Apply(func(i, j int, _ float64) float64 { return float64(i - 2*j) }, values.G)
	first := mustFit(t, fit.Spec{Data: pairs(t, m, 8, 0.05, 2), Kernel: k, Lambda: 1e-3, Prior: values})
	second := mustFit(t, fit.Spec{Data: pairs(t, m, 8, 0.05, 3), Kernel: k, Lambda: 1e-2})
	third := mustFit(t, fit.Spec{Data: pairs(t, m, 6, 0.3, 4), Kernel: k, Lambda: 1e-2, Prior: second})
	fourth := mustFit(t, fit.Spec{Data: pairs(t, m, 6, 0.3, 5), Kernel: k, Lambda: 1e-2, Prior: third})
	for i, e := range []*fit.Estimate{first, third, fourth} {
		path := filepath.Join(t.TempDir(), "e.npz")
		if err := e.SaveWithData(ctx, path); err != nil {
			t.Fatal(err)
		}
		back := testmain.Must(fit.Load(ctx, path))(t)
		on := interval(5)
		if i == 0 {
			on = m
		}
		for name, ask := range map[string]func(e *fit.Estimate) (*mat.Dense, error){
			"G":   func(e *fit.Estimate) (*mat.Dense, error) { return e.Green(ctx, on, on) },
			"std": func(e *fit.Estimate) (*mat.Dense, error) { return e.Std(ctx, on, on) },
		} {
			want := testmain.Must(ask(e))(t)
			if got, err := ask(back); err != nil || !mat.Equal(got, want) {
				t.Errorf("estimate %d: %s differs (%v)", i, name, err)
			}
		}
	}
}
