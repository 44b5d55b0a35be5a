package fit_test

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Weights of pairs that may be off widen bands by what estimates with other weights differ by, from difference quotients; draws are as
// wide, and so are the bands of a file.
func TestBandsKnowWhatWeightsMayBeOffBy(t *testing.T) {
	const draws, step = 4000, 1e-4
	x, y := interval(6), mesh.Must(mesh.Uniform(0, 1, 5, "y"))
	d := noise(t, 7, x, y)
	gaps := *d
	gaps.Output, gaps.Missing = d.Output.Copy(), true
	gaps.Output.Data[3], gaps.Output.Data[17] = math.NaN(), math.NaN()
	weights := []float64{1, 4, .5, 1, 9, .2, 1}
	correlated := mat.NewSymDense(5, nil)
	for i := range 5 {
		for k := range i + 1 {
			correlated.SetSym(i, k, math.Pow(.5, float64(i-k)))
		}
	}
	for name, c := range map[string]struct {
		d    *dataset.Dataset
		s    fit.Spec
		more dataset.Errors
	}{
		"flat":       {d, fit.Spec{Rho: .3, Intercept: fit.Flat}, dataset.Errors{}},
		"no bias":    {d, fit.Spec{NoBias: true}, dataset.Errors{}},
		"missing":    {&gaps, fit.Spec{Rho: .3}, dataset.Errors{}},
		"correlated": {d, fit.Spec{Rho: .3}, dataset.Errors{Covariance: correlated}},
		"prior": {d, fit.Spec{Rho: .3, Prior: fit.KnownValues(x, y, mat.NewDense(6, 5, []float64{
			1, 2, 0, 1, 1, 3, 1, 1, 0, 1, 2, 2, 2, 1, 0, 0, 0, 1, 3, 1, 1, 1, 0, 2, 1, 2, 1, 0, 0, 3,
		}), nil)}, dataset.Errors{}},
	} {
		s := c.s
		s.Kernel, s.Lambda, s.Tolerance = kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.5}}, 1e-2, 1e-13
		with := func(w []float64) *fit.Estimate {
			own, e := s, c.more
			e.Pairs = w
			own.Data = testmain.Must(c.d.WithErrors(&e))(t)
			return mustFit(t, own)
		}
		f := mat.NewDense(2, 6, []float64{1, 2, 0, -1, 3, 1, 0, 0, 1, 0, 0, 2})
		for what, f := range map[string]*mat.Dense{"G": nil, "predictions": f} {
			value := func(e *fit.Estimate) *mat.Dense {
				if f == nil {
					return testmain.Must(e.Green(ctx, mesh.Mesh{}, mesh.Mesh{}))(t)
				}
				return testmain.Must(e.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{}))(t)
			}
			std := func(e *fit.Estimate) *mat.Dense {
				if f == nil {
					return testmain.Must(e.Std(ctx, mesh.Mesh{}, mesh.Mesh{}))(t)
				}
				return testmain.Must(e.PredictStd(ctx, f, mesh.Mesh{}, mesh.Mesh{}))(t)
			}
			e := with(weights)
			known, loose := std(e), []float64{.6, .4, .8, 0, .2, .6, .4}
			want := mat.DenseCopyOf(known)
			want.MulElem(want, want)
			for i, own := range loose {
				w := slices.Clone(weights)
				w[i] *= math.Exp(step / 2)
				more := value(with(w))
				w[i] *= math.Exp(-step)
				more.Sub(more, value(with(w)))
				want.Apply(func(i, k int, v float64) float64 { return v + 1.5*own*own*more.At(i, k)*more.At(i, k)/step/step }, want)
			}
			e.Report.LooseWeights = loose
			got, widest := std(e), 0.0
			drawn := testmain.Must(e.Deviate(ctx, fit.Draws{N: draws, Seed: 1, F: f}))(t)
			for k, v := range got.RawMatrix().Data {
				w := math.Sqrt(want.RawMatrix().Data[k])
				widest = max(widest, w/known.RawMatrix().Data[k])
				square := 0.0
				for i := range draws {
					square += drawn.At(i, k) * drawn.At(i, k) / draws
				}
				if !(math.Abs(v/w-1) <= 1e-4) || !(math.Abs(square/(w*w)-1) <= .15) {
					t.Errorf("%s, %s %d: band %.6g, by definition %.6g; draws have %.4g", name, what, k, v, w, math.Sqrt(square))
				}
			}
			if !(widest > 1.01) {
				t.Errorf("%s, %s: weights change nothing: another problem is needed", name, what)
			}
			file := filepath.Join(t.TempDir(), "e.npz")
			if err := e.SaveWithData(ctx, file); err != nil {
				t.Fatal(err)
			}
			if again := std(testmain.Must(fit.Load(ctx, file))(t)); !mat.Equal(again, got) {
				t.Errorf("%s, %s: the bands of a file are others", name, what)
			}
		}
	}
}

// Of more pairs than fits, those that share one do not add up: bands are what each by itself makes them, in the mean.
func TestManyWeightsShareFits(t *testing.T) {
	x := interval(5)
	d := noise(t, 48, x, x)
	loose := slices.Repeat([]float64{.5}, 48)
	s := fit.Spec{Data: d, Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.5}}, Lambda: 1e-2, Rho: 1e-2}
	std := func(loose []float64) *mat.Dense {
		e := mustFit(t, s)
		e.Report.LooseWeights = loose
		return testmain.Must(e.Std(ctx, mesh.Mesh{}, mesh.Mesh{}))(t)
	}
	square := func(m *mat.Dense) float64 { return mat.Norm(m, 2) * mat.Norm(m, 2) }
	known, want := square(std(nil)), 0.0
	for i := range loose {
		one := make([]float64, 48)
		one[i] = .5
		want += square(std(one)) - known
	}
	if got := square(std(loose)) - known; !(want > .02*known) || !(math.Abs(got/want-1) <= .25) {
		t.Errorf("all weights add %g to %g, each by itself %g", got, known, want)
	}
}
