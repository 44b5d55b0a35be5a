package model_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// The definition, with nothing of the package in it: u observed at some points only, a
// covariate, a group and a field, by the covariance of what was observed; without and with
// correlated noise, which predictions are without.
func TestMissingOutputsByDefinition(t *testing.T) {
	checkDefinition(t, nil)
	checkDefinition(t, kernel.Exponential{Lengthscale: ell(.2)})
}

func checkDefinition(t *testing.T, noise kernel.Kernel) {
	t.Helper()
	d := everything(t, 12, false, true)
	lambda, rho := 1e-2, 3e-2
	k := kernels()
	amplitude := map[string]float64{"f": 1, "age": 4, "who": .5}
	if noise != nil {
		amplitude["noise"] = 2
	}
	bias := kernel.SE{Lengthscale: ell(.5)}
	e, err := model.Fit(t.Context(), model.Spec{
		Data: d, Terms: []string{"f", "age", "who"}, Kernels: map[string]kernel.Kernel{"f": k["f"], "age": k["age"], "who": k["who"]},
		Amplitudes: amplitude, Bias: bias, Lambda: lambda, Rho: rho, NoBias: false,
		Noise: []kernel.Kernel{noise},
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.Outputs[0].Predict(t.Context(), d, mesh.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	n, my := d.N(), d.Outputs[0].Mesh.Size()
	f, age, who := d.Fields[0], d.Scalars[0].Values, d.Groups[0].Of
	if f.Name != "f" {
		t.Fatal("fields are sorted by name")
	}
	mean := 0.0
	for _, v := range age {
		mean += v / float64(n)
	}
	at := func(k kernel.Kernel, names ...string) *kernel.Function {
		c, err := kernel.Compile(k, kernel.Space{Names: names, Inputs: len(names) - 1})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	ofNoise := func(y, yy []float64) float64 { return 0 }
	if noise != nil {
		ofNoise = func(y, yy []float64) float64 { return amplitude["noise"] * at(noise, "y").At(y, yy) / lambda }
	}
	kf, ka, kw, kb := at(k["f"], "x", "y"), at(k["age"], "y"), at(k["who"], "y"), at(bias, "y")
	xs, wx, ys := f.Mesh.Points(), f.Mesh.Weights(), d.Outputs[0].Mesh.Points()
	covariance := func(i, p, j, q int) float64 {
		y, yy := ys[p:p+1], ys[q:q+1]
		sum := kb.At(y, yy) / rho
		for a, x := range xs {
			for b, xx := range xs {
				sum += f.Values.At(i, a) * wx[a] * f.Values.At(j, b) * wx[b] * kf.At([]float64{x, y[0]}, []float64{xx, yy[0]}) / lambda
			}
		}
		sum += amplitude["age"] * (age[i] - mean) * (age[j] - mean) * ka.At(y, yy) / lambda
		if who[i] == who[j] {
			sum += amplitude["who"] * kw.At(y, yy) / lambda
		}
		return sum
	}
	var seen [][2]int
	for i := range n {
		for p := range my {
			if !math.IsNaN(d.Outputs[0].Values.At(i, p)) {
				seen = append(seen, [2]int{i, p})
			}
		}
	}
	h, u := mat.NewDense(len(seen), len(seen), nil), mat.NewVecDense(len(seen), nil)
	for a, s := range seen {
		u.SetVec(a, d.Outputs[0].Values.At(s[0], s[1]))
		for b, r := range seen {
			h.Set(a, b, covariance(s[0], s[1], r[0], r[1]))
			if s[0] == r[0] {
				h.Set(a, b, h.At(a, b)+ofNoise(ys[s[1]:s[1]+1], ys[r[1]:r[1]+1]))
			}
		}
		h.Set(a, a, h.At(a, a)+float64(n)/d.Outputs[0].Mesh.Weights()[s[1]]) // the noise of a mean over n pairs
	}
	var z mat.VecDense
	if err := z.SolveVec(h, u); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		for p := range my {
			want := 0.0
			for b, r := range seen {
				want += covariance(i, p, r[0], r[1]) * z.AtVec(b)
			}
			if math.Abs(got.At(i, p)-want) > 1e-7 {
				t.Fatalf("sample %d, point %d: %g, must be %g", i, p, got.At(i, p), want)
			}
		}
	}
}
