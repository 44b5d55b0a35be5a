package prepare_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/interp"
	"github.com/greenbench/workbench/internal/numeric/prepare"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// polynomials are curves of x³ - a x at random points that reach from 0 to size.
func polynomials(rng *rand.Rand, n int, size, noise float64) (out []dataset.Curve) {
	for range n {
		c, a := dataset.Curve{}, rng.NormFloat64()
		for k := range 8 + rng.IntN(8) {
			x := rng.Float64()
			if k < 2 {
				x = float64(k)
			}
			c.Points, c.Values = append(c.Points, size*x), append(c.Values, x*x*x-a*x+noise*rng.NormFloat64())
		}
		out = append(out, c)
	}
	return out
}

// sorted are the points of a curve in order, with their values.
func sorted(c dataset.Curve) (x, v []float64) {
	x = slices.Sorted(slices.Values(c.Points))
	for _, at := range x {
		v = append(v, c.Values[slices.Index(c.Points, at)])
	}
	return x, v
}

func resampled(t *testing.T, in, out []dataset.Curve, s prepare.ResampleSpec) (*dataset.Dataset, error) {
	t.Helper()
	d, err := dataset.NewCurves(dataset.CurvesSpec{Input: in, Output: out})
	if err != nil {
		t.Fatal(err)
	}
	got, _, _, err := prepare.Resample(t.Context(), d, s)
	return got, err
}

// Splines give cubics back, broken lines what is between neighbours, in all units.
func TestResampleInterpolates(t *testing.T) {
	for _, size := range []float64{1, 1e-9, 1e9} {
		curves := polynomials(rand.New(rand.NewPCG(1, 1)), 5, size, 0)
		m := mesh.Must(mesh.Uniform(0, size, 7, "x"))
		d, err := resampled(t, curves, curves, prepare.ResampleSpec{Input: m, Method: interp.Cubic})
		if err != nil {
			t.Fatal(err)
		}
		if d.Curves != nil || !d.OfCurves() || !d.InputMesh.Equal(m) {
			t.Errorf("%v", d)
		}
		linear, err := resampled(t, curves, curves, prepare.ResampleSpec{Input: m, Output: m, Method: interp.Linear})
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range curves {
			a := 1 - c.Values[1] // at size
			x, v := sorted(c)
			for k := range 7 {
				at := float64(k) / 6
				if got := d.Input.At(i, k); math.Abs(got-(at*at*at-a*at)) > 1e-9 {
					t.Errorf("cubic: %g, want %g", got, at*at*at-a*at)
				}
				j := 1
				for j < len(x)-1 && x[j] < at*size {
					j++
				}
				part := (at*size - x[j-1]) / (x[j] - x[j-1])
				if want := v[j-1] + part*(v[j]-v[j-1]); math.Abs(linear.Output.At(i, k)-want) > 1e-9 {
					t.Errorf("linear: %g, want %g", linear.Output.At(i, k), want)
				}
			}
		}
	}
}

// Smoothing is the best linear prediction of the model: with every weight by the definition, at
// the lengthscale and noise that were chosen.
func TestResampleSmooths(t *testing.T) {
	for _, size := range []float64{1, 1e-9, 1e9} {
		curves := polynomials(rand.New(rand.NewPCG(2, 1)), 12, size, 0.05)
		for i := range curves {
			curves[i].Points, curves[i].Values = sorted(curves[i])
		}
		m := mesh.Must(mesh.Uniform(-0.1*size, 1.1*size, 5, "x"))
		d, err := dataset.NewCurves(dataset.CurvesSpec{Input: curves, Output: curves})
		if err != nil {
			t.Fatal(err)
		}
		got, band, _, err := prepare.Resample(t.Context(), d, prepare.ResampleSpec{Input: m, Method: prepare.ByKernel, Outside: interp.Extend})
		if err != nil {
			t.Fatal(err)
		}
		var samples []interp.Samples
		for _, c := range curves {
			samples = append(samples, interp.Samples{X: c.Points, Y: c.Values})
		}
		model, err := interp.ChooseSmoother(t.Context(), samples, kernel.Matern{Nu: 2.5}, -1)
		if err != nil {
			t.Fatal(err)
		}
		first, err := model.Of(t.Context(), samples[0])
		if err != nil {
			t.Fatal(err)
		}
		s := smoother{model.Kernel.(kernel.Matern).Lengthscale[0], first.Noise() * first.Noise() / first.Variance()}
		variance, values := 0.0, 0.0
		var want, wide [][]float64
		for _, c := range curves {
			v, w, quad := kriging(c, m.Points(), s)
			want, wide = append(want, v), append(wide, w)
			variance, values = variance+quad, values+float64(len(c.Values)-1)
		}
		for i := range curves {
			for k := range m.Size() {
				if v := got.Input.At(i, k); math.Abs(v-want[i][k]) > 1e-8 {
					t.Errorf("curve %d at point %d: %g, want %g", i+1, k+1, v, want[i][k])
				}
				if v, w := band.At(i, k), math.Sqrt(variance/values*wide[i][k]); math.Abs(v-w) > 1e-6*w {
					t.Errorf("band of curve %d at point %d: %g, want %g", i+1, k+1, v, w)
				}
			}
		}
	}
}

// smoother is the lengthscale of the Matérn kernel, and the variance of the noise over its own.
type smoother struct{ length, noise float64 }

func (m smoother) kernel(d float64) float64 {
	r := math.Sqrt(5) * math.Abs(d) / m.length
	return (1 + r + r*r/3) * math.Exp(-r)
}

// kriging is the best linear unbiased prediction from its equations, with a multiplier for the
// unknown constant; its variance, and vᵀ H⁻¹ v of the contrasts.
func kriging(c dataset.Curve, at []float64, s smoother) (v, variance []float64, quad float64) {
	n := len(c.Points)
	a := mat.NewDense(n+1, n+1, nil)
	for i, x := range c.Points {
		for j, y := range c.Points {
			a.Set(i, j, s.kernel(x-y))
		}
		a.Set(i, i, 1+s.noise)
		a.Set(i, n, 1)
		a.Set(n, i, 1)
	}
	right := mat.NewVecDense(n+1, append(append([]float64(nil), c.Values...), 0))
	var z mat.VecDense
	if err := z.SolveVec(a, right); err != nil {
		panic(err)
	}
	quad = mat.Dot(&z, right)
	for _, x := range at {
		k := mat.NewVecDense(n+1, nil)
		for i, y := range c.Points {
			k.SetVec(i, s.kernel(x-y))
		}
		k.SetVec(n, 1)
		var w mat.VecDense
		if err := w.SolveVec(a, k); err != nil {
			panic(err)
		}
		v, variance = append(v, mat.Dot(&w, right)), append(variance, 1-mat.Dot(&w, k))
	}
	return v, variance, quad
}

func TestResampleRefuses(t *testing.T) {
	in := []dataset.Curve{{Points: []float64{0, 1}, Values: []float64{1, 2}}, {Points: []float64{0.2, 1}, Values: []float64{1, 2}}}
	out := []dataset.Curve{{Points: []float64{0, 1}, Values: []float64{1, 2}}, {Points: []float64{0.5}, Values: []float64{3}}}
	m := mesh.Must(mesh.Uniform(0, 1, 3, "x"))
	_, err := resampled(t, in, out, prepare.ResampleSpec{Input: m, Method: interp.Linear})
	wantError(t, err, "input 2", "from 0.2 to 1", "outside")
	_, err = resampled(t, in, out, prepare.ResampleSpec{Output: m, Method: prepare.ByKernel})
	wantError(t, err, "output 2", "from 0.5 to 0.5")
	both, err := mesh.Product(m, mesh.Must(mesh.Uniform(0, 1, 2, "z")))
	if err != nil {
		t.Fatal(err)
	}
	_, err = resampled(t, in, out, prepare.ResampleSpec{Input: both, Method: interp.Linear})
	wantError(t, err, "input_mesh", "2 coordinates")
	d, err := resampled(t, in, out, prepare.ResampleSpec{Output: m, Method: interp.Linear, Outside: prepare.OutsideMissing})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.OutputCurve(0).Values) != 3 || len(d.OutputCurve(1).Values) != 1 || d.Output.At(1, 1) != 3 || d.Curves == nil {
		t.Errorf("%v", d.Output.Data)
	}
	for _, method := range []string{interp.Linear, interp.Cubic, prepare.ByKernel} {
		d, err := resampled(t, in, out, prepare.ResampleSpec{Output: m, Method: method, Outside: interp.Extend})
		if err != nil || d.Output.At(1, 0) != 3 || d.Output.At(1, 2) != 3 {
			t.Errorf("%s: %v %v", method, d, err)
		}
	}
	bare, err := dataset.New(dataset.Spec{Input: d.Input, Output: d.Output, InputMesh: d.InputMesh, OutputMesh: d.OutputMesh, Missing: true})
	if err != nil {
		t.Fatal(err)
	}
	_, _, _, err = prepare.Resample(t.Context(), bare, prepare.ResampleSpec{Input: m, Method: interp.Linear, Outside: interp.Extend})
	wantError(t, err, "not as it was measured")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	whole, err := dataset.NewCurves(dataset.CurvesSpec{Input: in, Output: in})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := prepare.Resample(stopped, whole, prepare.ResampleSpec{Input: m, Method: prepare.ByKernel, Outside: interp.Extend}); err == nil {
		t.Error("smoothing goes on when it is stopped")
	}
}
