package model_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// The definition, with nothing of the package in it: u observed at some points only, a
// covariate, a group and a field, by the covariance of what was observed; without and with
// correlated noise, which predictions are without, and errors of every kind.
func TestMissingOutputsByDefinition(t *testing.T) {
	for parts := 0; parts < 16; parts += testmain.Stride(5) { // all by themselves, and in pairs
		checkDefinition(t, nil, parts)
	}
	checkDefinition(t, kernel.Exponential{Lengthscale: ell(.2)}, 0)
	checkDefinition(t, kernel.Exponential{Lengthscale: ell(.2)}, 15)
}

// errorsOf has the parts of errors that a number has the bits of: weights of pairs, points, values,
// and a covariance.
func errorsOf(parts, n, m int) *dataset.Errors {
	rng := rand.New(rand.NewPCG(uint64(parts), 9))
	weights := func(count int) []float64 {
		w := make([]float64, count)
		for i := range w {
			w[i] = math.Exp(rng.NormFloat64())
		}
		return w
	}
	e := &dataset.Errors{}
	if parts&1 > 0 {
		e.Pairs = weights(n)
	}
	if parts&2 > 0 {
		e.Points = weights(m)
	}
	if parts&4 > 0 {
		e.Values = &array.Array{Shape: []int{n, m}, Data: weights(n * m)}
	}
	if parts&8 > 0 {
		sd := weights(m)
		e.Covariance = mat.NewSymDense(m, nil)
		for i := range m {
			for j := range i + 1 {
				e.Covariance.SetSym(i, j, sd[i]*sd[j]*math.Pow(.8, float64(i-j)))
			}
		}
	}
	return e
}

// errorCovariance is that of two values of one sample, over n, by definition.
func errorCovariance(e *dataset.Errors, dy []float64, i, p, q int) float64 {
	m := len(dy)
	root := func(k int) float64 {
		w := 1.0
		if e.Pairs != nil {
			w *= e.Pairs[i]
		}
		if e.Points != nil {
			w *= e.Points[k]
		}
		if e.Values != nil {
			w *= e.Values.At(i, k)
		}
		return math.Sqrt(w)
	}
	v := 0.0
	switch {
	case e.Covariance != nil:
		mean := 0.0
		for k, w := range dy {
			mean += w * e.Covariance.At(k, k) / float64(m)
		}
		v = e.Covariance.At(p, q) / mean
	case p == q:
		v = 1 / dy[p]
	}
	return v / root(p) / root(q)
}

func checkDefinition(t *testing.T, own kernel.Kernel, parts int) {
	t.Helper()
	d := everything(t, 12, false, true)
	errors := errorsOf(parts, 12, d.Outputs[0].Mesh.Size())
	d.Outputs[0].Errors = errors
	lambda, rho := 1e-2, 3e-2
	k := givenKernels()
	amplitude := map[string]float64{"f": 1, "age": 4, "who": .5}
	if own != nil {
		amplitude["noise"] = 2
	}
	bias := kernel.SE{Lengthscale: ell(.5)}
	e := testmain.Must(model.Fit(t.Context(), model.Spec{
		Data: d, Terms: []string{"f", "age", "who"}, Kernels: map[string]kernel.Kernel{"f": k["f"], "age": k["age"], "who": k["who"]},
		Amplitudes: amplitude, Bias: bias, Lambda: lambda, Rho: rho, NoBias: false,
		Noise: curvesOf(own),
	}))(t)
	got := testmain.Must(e.Outputs[0].Predict(t.Context(), d, mesh.Mesh{}))(t)
	n, my := d.N(), d.Outputs[0].Mesh.Size()
	f, age, who := d.Fields[0], d.Scalars[0].Values, d.Groups[0].Of
	if f.Name != "f" {
		t.Fatal("fields are sorted by name")
	}
	mean := 0.0
	for _, v := range age {
		mean += v / float64(n)
	}
	at := func(k kernel.Kernel, names ...string) *kernels.Function {
		return testmain.Must(kernels.Compile(k, kernel.Space{Names: names, Inputs: len(names) - 1}))(t)
	}
	ofNoise := func(y, yy []float64) float64 { return 0 }
	if own != nil {
		ofNoise = func(y, yy []float64) float64 { return amplitude["noise"] * at(own, "y").At(y, yy) / lambda }
	}
	kf, ka, kw, kb := at(k["f"], "x", "y"), at(k["age"], "y"), at(k["who"], "y"), at(bias, "y")
	xs, wx, ys := f.Mesh.Points(), f.Mesh.Weights(), d.Outputs[0].Mesh.Points()
	label := func(i int) int { return who[i%n] + 3*(i/n) } // samples from n on are of groups that the data do not have
	covariance := func(i, p, j, q int) float64 {
		groups := [2]int{label(i), label(j)}
		i, j = i%n, j%n
		y, yy := ys[p:p+1], ys[q:q+1]
		sum := kb.At(y, yy) / rho
		for a, x := range xs {
			for b, xx := range xs {
				sum += f.Values.At(i, a) * wx[a] * f.Values.At(j, b) * wx[b] * kf.At([]float64{x, y[0]}, []float64{xx, yy[0]}) / lambda
			}
		}
		sum += amplitude["age"] * (age[i] - mean) * (age[j] - mean) * ka.At(y, yy) / lambda
		if groups[0] == groups[1] {
			sum += amplitude["who"] * kw.At(y, yy) / lambda
		}
		return sum
	}
	loud := func(i int) float64 {
		if errors.Pairs == nil {
			return 1
		}
		return errors.Pairs[i]
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
				h.Set(a, b, h.At(a, b)+ofNoise(ys[s[1]:s[1]+1], ys[r[1]:r[1]+1])/loud(s[0])+float64(n)*errorCovariance(errors, d.Outputs[0].Mesh.Weights(), s[0], s[1], r[1])) // the noise of a mean over n pairs
			}
		}
	}
	var z mat.VecDense
	var lu mat.LU
	lu.Factorize(h)
	if err := lu.SolveVecTo(&z, false, u); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		for p := range my {
			want := 0.0
			for b, r := range seen {
				want += covariance(i, p, r[0], r[1]) * z.AtVec(b)
			}
			if math.Abs(got.At(i, p)-want) > 1e-7 {
				t.Fatalf("errors %d: sample %d, point %d: %g, must be %g", parts, i, p, got.At(i, p), want)
			}
		}
	}
	tau2 := mat.Dot(u, &z) / float64(len(seen))
	for new, in := range []*dataset.Table{d, ofOthers(d)} {
		band := testmain.Must(e.Outputs[0].PredictStd(t.Context(), in, mesh.Mesh{}))(t)
		for i := range n {
			for p := range my {
				c, at := mat.NewVecDense(len(seen), nil), new*n+i
				for b, r := range seen {
					c.SetVec(b, covariance(at, p, r[0], r[1]))
				}
				var hc mat.VecDense
				if err := lu.SolveVecTo(&hc, false, c); err != nil {
					t.Fatal(err)
				}
				want := math.Sqrt(tau2 * (covariance(at, p, at, p) - mat.Dot(c, &hc)))
				if got := band.At(i, p); got < want*(1-1e-6) || got > 1.01*want {
					t.Fatalf("errors %d: band of sample %d, point %d: %g, must be %g", parts, at, p, got, want)
				}
			}
		}
	}
}

// ofOthers are the samples of a table as if they were of other groups.
func ofOthers(d *dataset.Table) *dataset.Table {
	other := *d
	own := d.Groups[0]
	own.Labels = nil
	for _, l := range d.Groups[0].Labels {
		own.Labels = append(own.Labels, "another "+l)
	}
	other.Groups = []dataset.Grouping{own}
	return &other
}

// Draws of samples of one group that the data do not have share its curve; those of two do not.
func TestDrawsOfNewGroups(t *testing.T) {
	d := everything(t, 12, false, false)
	k := givenKernels()
	e := testmain.Must(model.Fit(t.Context(), model.Spec{
		Data: d, Terms: []string{"f", "who"}, Kernels: map[string]kernel.Kernel{"f": k["f"], "who": k["who"]},
		Amplitudes: map[string]float64{"f": 1, "who": .5}, Lambda: 1e-2, Rho: 1e-1,
	}))(t)
	in := testmain.Must(ofOthers(d).Select([]int{0, 0, 1}))(t)
	of := in.Fields[0].Values
	copy(of.Data[2*of.Shape[1]:], of.Data[:of.Shape[1]])
	draws := testmain.Must(e.Outputs[0].Draw(t.Context(), in, mesh.Mesh{}, 5, 1))(t)
	my := d.Outputs[0].Mesh.Size()
	for i := range 5 {
		row := draws.RawRowView(i)
		if floats.Distance(row[:my], row[my:2*my], 2) > 1e-6 || floats.Distance(row[:my], row[2*my:], 2) < 1e-2 {
			t.Errorf("draw %d of one new group twice and of another: %g", i, row)
		}
	}
}

// curvesOf is noise with random curves of a kernel; nil: without.
func curvesOf(k kernel.Kernel) noise.Choice {
	if k == nil {
		return noise.Choice{}
	}
	return noise.Choice{Kind: noise.Curves, Kernel: k}
}
