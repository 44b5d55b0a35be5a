package interp_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/interp"
	"github.com/greenbench/workbench/numeric/kernel"
)

// regression is the model by its definition: generalised least squares for the constant, with
// inverses, and the restricted likelihood with the variance at its best.
func regression(s interp.Samples, k func(d float64) float64, ratio float64, at []float64) (v, variance []float64, scale, reml float64) {
	n := len(s.X)
	h := mat.NewDense(n, n, nil)
	for i, x := range s.X {
		for j, y := range s.X {
			h.Set(i, j, k(x-y))
		}
		h.Set(i, i, k(0)+ratio)
	}
	var inverse mat.Dense
	if err := inverse.Inverse(h); err != nil {
		panic(err)
	}
	one := mat.NewVecDense(n, nil)
	for i := range n {
		one.SetVec(i, 1)
	}
	y := mat.NewVecDense(n, append([]float64(nil), s.Y...))
	ones := mat.Inner(one, &inverse, one)
	b := mat.Inner(one, &inverse, y) / ones
	y.AddScaledVec(y, -b, one)
	scale = mat.Inner(y, &inverse, y) / float64(n-1)
	det, _ := mat.LogDet(h)
	reml = (float64(n-1)*math.Log(scale) + det + math.Log(ones)) / 2
	for _, x := range at {
		c := mat.NewVecDense(n, nil)
		for i, p := range s.X {
			c.SetVec(i, k(x-p))
		}
		left := 1 - mat.Inner(one, &inverse, c)
		v = append(v, b+mat.Inner(c, &inverse, y))
		variance = append(variance, scale*(k(0)-mat.Inner(c, &inverse, c)+left*left/ones))
	}
	return v, variance, scale, reml
}

func noisy(n int, unit, shift, high float64) interp.Samples {
	rng := rand.New(rand.NewPCG(4, 9))
	var s interp.Samples
	for i := range n {
		x := rng.Float64()
		if i < 2 { // a point that was measured twice
			x = 0.7
		}
		s.X = append(s.X, shift+unit*x)
		s.Y = append(s.Y, high+math.Sin(6*x)+0.1*rng.NormFloat64())
	}
	return s
}

func smooth(t *testing.T, s interp.Samples, k kernel.Kernel, noise float64) (interp.Smoother, *interp.Smoothed) {
	t.Helper()
	m, err := interp.ChooseSmoother(t.Context(), []interp.Samples{s}, k, noise)
	if err != nil {
		t.Fatal(err)
	}
	f, err := m.Of(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return m, f
}

// TestSmoothing: values and bands are those of the definition at the lengthscale and noise that
// were chosen, whose likelihood no neighbour exceeds, in every unit and far from 0.
func TestSmoothing(t *testing.T) {
	for _, c := range []struct{ unit, shift, high, exact float64 }{{1, 0, 0, 1e-9}, {1e-9, 0, 0, 1e-9}, {1e9, 0, 0, 1e-9}, {1, 1e6, 1e6, 1e-6}} {
		s := noisy(40, c.unit, c.shift, c.high)
		m, f := smooth(t, s, kernel.SE{}, -1)
		length, ratio := m.Kernel.(kernel.SE).Lengthscale[0], f.Noise()*f.Noise()/f.Variance()
		if f.Noise() < 0.06 || f.Noise() > 0.15 {
			t.Errorf("unit %g: noise %g, made with 0.1", c.unit, f.Noise())
		}
		at := []float64{c.shift - c.unit, c.shift, c.shift + 0.5*c.unit, s.X[0]}
		se := func(l float64) func(d float64) float64 {
			return func(d float64) float64 { return math.Exp(-d * d / (2 * l * l)) }
		}
		v, variance, scale, least := regression(s, se(length), ratio, at)
		if math.Abs(scale-f.Variance()) > 1e-5*scale {
			t.Errorf("variance %g, want %g", f.Variance(), scale)
		}
		for i, x := range at {
			got, std := f.At(x)
			std *= math.Sqrt(f.Variance())
			if math.Abs(got-v[i]) > c.exact || math.Abs(std-math.Sqrt(variance[i])) > 1e-5*std {
				t.Errorf("unit %g at %g: %g ± %g, want %g ± %g", c.unit, x, got, std, v[i], math.Sqrt(variance[i]))
			}
		}
		for _, by := range []float64{0.8, 1.25} {
			for _, o := range [][2]float64{{length * by, ratio}, {length, ratio * by}} {
				if _, _, _, other := regression(s, se(o[0]), o[1], nil); other < least-1e-2 {
					t.Errorf("%v is better than %g %g by %g nats", o, length, ratio, least-other)
				}
			}
		}
	}
}

// TestSmoothingWithGivenNoise: noise that is known is that of the result, at the variance of
// greatest likelihood; without noise the curve goes through the values.
func TestSmoothingWithGivenNoise(t *testing.T) {
	s := noisy(30, 1, 0, 0)
	for _, noise := range []float64{0.02, 0.1, 0.5, 5} {
		if _, f := smooth(t, s, kernel.Matern{Nu: 2.5}, noise); math.Abs(f.Noise()-noise) > 1e-9*noise {
			t.Errorf("noise %g became %g", noise, f.Noise())
		}
	}
	s.X[1] += 0.01
	for _, k := range []kernel.Kernel{kernel.Matern{Nu: 2.5}, kernel.Matern{Nu: 0.5, Lengthscale: kernel.Lengthscale{0.3}}, kernel.SE{}} {
		for _, high := range []float64{0, 1e6} {
			at := interp.Samples{X: s.X}
			for _, y := range s.Y {
				at.Y = append(at.Y, y+high)
			}
			_, f := smooth(t, at, k, 0)
			for i, x := range at.X {
				if v, std := f.At(x); math.Abs(v-at.Y[i]) > 1e-5 || std > 1e-3 || f.Noise() != 0 {
					t.Errorf("%s at %g: %g ± %g, want %g", k, x, v, std, at.Y[i])
				}
			}
		}
	}
}

// TestSmoothingOfLittle: two points, the same value everywhere, points beyond what is taken, a
// kernel that cannot be, and the end of a context.
func TestSmoothingOfLittle(t *testing.T) {
	for _, s := range []interp.Samples{{X: []float64{1, 2}, Y: []float64{3, 5}}, {X: []float64{2, 1, 1, 1}, Y: []float64{7, 7, 7, 7}}} {
		for _, noise := range []float64{-1, 0.1} {
			_, f := smooth(t, s, kernel.Matern{Nu: 2.5}, noise)
			if v, std := f.At(1.5); v < 3 || v > 7 || math.IsNaN(std) {
				t.Errorf("%v: %g ± %g", s, v, std)
			}
		}
	}
	m, _ := smooth(t, noisy(5, 1, 0, 0), kernel.SE{}, -1)
	if _, err := m.Of(t.Context(), interp.Samples{X: make([]float64, 7000), Y: make([]float64, 7000)}); err == nil || !strings.Contains(err.Error(), "7000 points") || !strings.Contains(err.Error(), "every 2. of") {
		t.Errorf("many points: %v", err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := interp.ChooseSmoother(stopped, []interp.Samples{noisy(5, 1, 0, 0)}, kernel.SE{}, -1); err == nil {
		t.Error("goes on when it is stopped")
	}
	if _, err := interp.ChooseSmoother(t.Context(), []interp.Samples{noisy(5, 1, 0, 0)}, kernel.SE{Lengthscale: kernel.Lengthscale{-1}}, -1); err == nil {
		t.Error("a lengthscale below 0 was taken")
	}
}
