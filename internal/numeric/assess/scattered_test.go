package assess_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/assess"
	found "github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

// scattered are curves of four values each at points that no other curve has: u = a y (1 - y) + 0.3 y with
// an amplitude a that is the input, and noise of .01.
func scattered(t *testing.T, n int, unit float64) *dataset.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 9))
	var in, out []dataset.Curve
	for range n {
		a := rng.NormFloat64()
		f, u := dataset.Curve{Mesh: line(6)}, dataset.Curve{}
		for range 6 {
			f.Values = append(f.Values, a)
		}
		for range 4 {
			y := rng.Float64()
			u.Points, u.Values = append(u.Points, y), append(u.Values, unit*(a*y*(1-y)+.3*y+.01*rng.NormFloat64()))
		}
		in, out = append(in, f), append(out, u)
	}
	return testmain.Must(dataset.NewCurves(dataset.CurvesSpec{Input: in, Output: out}))(t)
}

// drawn is a curve at y: linear between its points, beyond them as at the nearest. The slow, obvious way.
func drawn(c dataset.Curve, y float64) float64 {
	below, above := -1, -1
	for k, p := range c.Points {
		if p <= y && (below < 0 || p > c.Points[below]) {
			below = k
		}
		if p >= y && (above < 0 || p < c.Points[above]) {
			above = k
		}
	}
	switch {
	case below < 0:
		return c.Values[above]
	case above < 0 || above == below:
		return c.Values[below]
	}
	part := (y - c.Points[below]) / (c.Points[above] - c.Points[below])
	return c.Values[below] + part*(c.Values[above]-c.Values[below])
}

// Where every curve has points of its own, what is said of an estimate is what the definitions say with the
// mean of all curves, each drawn through its points: shares of the variance, what is left out, and the test of G = 0.
func TestAssessmentOfScatteredCurves(t *testing.T) {
	const n = 20
	for _, unit := range []float64{1, 1e-9} {
		d := scattered(t, n, unit)
		s := fit.Spec{Data: d, Kernel: matern(.4), Lambda: 5e-5, Rho: 2e-4}
		e := fitted(t, s)
		for _, note := range strings.Split(e.Report.Advice, "\n") {
			if strings.Contains(note, "mean curve") {
				t.Errorf("a good fit has the note %q", note)
			}
		}
		f, u := d.Matrices()
		w, y := d.OutputMesh.Weights(), d.OutputMesh.Points()
		around := func(i, k int, in []int) float64 {
			mean := 0.0
			for _, j := range in {
				mean += drawn(d.OutputCurve(j), y[k]) / float64(len(in))
			}
			return w[k] * math.Pow(u.At(i, k)-mean, 2)
		}
		all := others(n, -1)
		of := testmain.Must(e.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{}))(t)
		var misfit, spread, total, left, without float64
		for i := range n {
			rest := others(n, i)
			less := s
			less.Data = testmain.Must(d.Select(rest))(t)
			one := f.Slice(i, i+1, 0, len(f.RawRowView(0))).(*mat.Dense)
			v := testmain.Must(fitted(t, less).Predict(ctx, one, mesh.Mesh{}, d.OutputMesh))(t)
			var square, off, length float64
			for k := range w {
				if math.IsNaN(u.At(i, k)) {
					continue
				}
				misfit, spread = misfit+w[k]*math.Pow(u.At(i, k)-of.At(i, k), 2), spread+around(i, k, all)
				square, off, length = square+w[k]*math.Pow(u.At(i, k)-v.At(0, k), 2), off+around(i, k, rest), length+w[k]
			}
			left, without, total = left+square/length, without+off/length, total+1
		}
		sum := testmain.Must(assess.Summarise(ctx, e, 1))(t)
		if got := outputs.Spread2(d); !(math.Abs(got-spread/n) <= 1e-9*got) {
			t.Errorf("squares around the mean curve %g, want %g", got, spread/n)
		}
		if want := 1 - misfit/spread; !(math.Abs(sum.R2-want) <= 1e-9) || !(want >= .9) {
			t.Errorf("R² %g, want %g", sum.R2, want)
		}
		if !(sum.R2Left <= sum.R2) || !(sum.R2Left >= .9) || !(sum.DF > 2) || !(*sum.Terms[0].P <= .002) || sum.Terms[0].F != nil {
			t.Errorf("of a curve that depends on its input:\n%s", sum)
		}
		cv := testmain.Must(assess.CrossValidate(ctx, s, found.Choice{}, assess.Split{Folds: n}))(t)
		if want, r2 := math.Sqrt(left/total), 1-left/without; !(math.Abs(cv.RMSE-want) <= 1e-6*want) || !(math.Abs(cv.R2-r2) <= 1e-6) {
			t.Errorf("left out: rmse %g and R² %g, want %g and %g", cv.RMSE, cv.R2, want, r2)
		}
		if c := testmain.Must(assess.Run(ctx, e, assess.Options{NoKernels: true}))(t); !c.Passed() {
			t.Errorf("a true model fails:\n%s", c)
		}
	}
}

// others are the numbers below n but one.
func others(n, but int) (all []int) {
	for i := range n {
		if i != but {
			all = append(all, i)
		}
	}
	return all
}
