package model_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// slopes are n samples of two outputs, u and v, of the covariates z and w, with noise of deviations .3 and .6
// whose correlation between the outputs is given.
func slopes(t *testing.T, n, m int, correlation float64, seed uint64) *dataset.Table {
	t.Helper()
	axis := mesh.Must(mesh.Uniform(0, 1, m, "y"))
	rng := rand.New(rand.NewPCG(seed, 31))
	z, w, u, v := array.New(n), array.New(n), array.New(n, m), array.New(n, m)
	for i := range n {
		z.Data[i], w.Data[i] = rng.NormFloat64(), rng.NormFloat64()
		for k := range m {
			y, at := float64(k)/float64(m), i*m+k
			one, other := math.Sin(6*y), math.Cos(5*y)
			a, b := rng.NormFloat64(), rng.NormFloat64()
			u.Data[at] = z.Data[i]*one + .3*w.Data[i]*other + .3*a
			v.Data[at] = z.Data[i]*(2*one-other) - w.Data[i]*other + .6*(correlation*a+math.Sqrt(1-correlation*correlation)*b)
		}
	}
	return testmain.Must(dataset.NewTable(dataset.TableSpec{
		Input: map[string]*array.Array{"z": z, "w": w}, Output: map[string]*array.Array{"u": u, "v": v}, OutputMesh: dataset.Meshes{All: axis},
	}))(t)
}

// coupledAt is what coupled outputs are at a λ: logarithms of the variances by term and output, of which the
// largest is 0, correlations by term, and the logarithm of the standard deviation of the noise of v over that of u.
type coupledAt struct {
	logs, r []float64
	ratio   float64
}

// reml is minus the logarithm of the restricted likelihood without a bias, and the standard deviation of the noise of u.
func (at coupledAt) reml(t *testing.T, d *dataset.Table, k *kernels.Function, lambda float64) (value, sigma float64) {
	y := d.Outputs[0].Mesh
	n, m := d.N(), y.Size()
	g := testmain.Must(k.Gram(t.Context(), y, y))(t)
	size := 2 * n * m
	h, data := mat.NewSymDense(size, nil), mat.NewVecDense(size, nil)
	place := func(p int) (o, i, k int) { return p / (n * m), p / m % n, p % m }
	for p := range size {
		o, i, k := place(p)
		data.SetVec(p, d.Outputs[o].Values.Data[i*m+k]/math.Exp(float64(o)*at.ratio))
		for q := range p + 1 {
			oo, j, l := place(q)
			sum := 0.0
			for c, z := range d.Scalars {
				b := math.Exp((at.logs[2*c+o] + at.logs[2*c+oo]) / 2)
				if o != oo {
					b *= at.r[c]
				}
				sum += b * z.Values[i] * z.Values[j] * g.At(k, l) / lambda
			}
			if p == q {
				sum += float64(n) / y.Weights()[k]
			}
			h.SetSym(p, q, sum)
		}
	}
	var f mat.Cholesky
	if !f.Factorize(h) {
		return math.Inf(1), 0
	}
	var x mat.VecDense
	if err := f.SolveVecTo(&x, data); err != nil {
		return math.Inf(1), 0
	}
	quad := mat.Dot(&x, data)
	return (float64(size)*math.Log(quad/float64(size))+f.LogDet())/2 + float64(n*m)*at.ratio, math.Sqrt(quad / 2 / floats.Sum(y.Weights()))
}

// Of coupled outputs all is chosen at the λ that is given: by a likelihood that shares nothing with the package, no other
// covariances between the outputs and no other ratio of their noises do better there, and sigma is that of the definition.
func TestCouplingIsChosenAtTheGivenLambda(t *testing.T) {
	k := kernel.SE{Lengthscale: ell(.2)}
	f := testmain.Must(kernels.Compile(k, kernel.Space{Names: []string{"y"}}))(t)
	rng := rand.New(rand.NewPCG(3, 3))
	for _, terms := range [][]string{{"z"}, {"z", "w"}} {
		for _, lambda := range []float64{1e-6, 1e-3, 1e-2, 1} {
			d := slopes(t, 8, 5, .9, 1)
			s := model.Spec{Data: d, Terms: terms, Kernels: map[string]kernel.Kernel{}, Coregional: true, NoBias: true, Lambda: lambda}
			for _, name := range terms {
				s.Kernels[name] = k
			}
			e := testmain.Must(model.Fit(t.Context(), s))(t)
			only := *d
			only.Scalars = nil
			found := coupledAt{ratio: math.Log(e.Outputs[1].Report.Sigma / e.Outputs[0].Report.Sigma)}
			for i, own := range e.Outputs[0].Terms {
				for _, z := range d.Scalars {
					if z.Name == own.Name {
						only.Scalars = append(only.Scalars, z)
					}
				}
				found.logs = append(found.logs, math.Log(own.Factor), math.Log(e.Outputs[1].Terms[i].Factor))
				found.r = append(found.r, e.Coupling(i).At(0, 1))
			}
			best, sigma := found.reml(t, &only, f, lambda)
			what := fmt.Sprintf("%v, λ %g: %.3f", terms, lambda, found)
			if got := e.Outputs[0].Report.Sigma; math.Abs(got-sigma) > 1e-6*sigma {
				t.Errorf("%s: sigma %.8g, by definition %.8g", what, got, sigma)
			}
			if math.Abs(floats.Max(found.logs)) > 1e-9 {
				t.Errorf("%s: the largest variance is not one", what)
			}
			for range testmain.Stride(4) * 15 {
				other := coupledAt{slices.Clone(found.logs), slices.Clone(found.r), found.ratio}
				step := math.Pow(10, -2*rng.Float64())
				other.ratio += step * rng.NormFloat64()
				for i := range other.logs {
					other.logs[i] = max(other.logs[i]+step*rng.NormFloat64(), -25)
				}
				for i, r := range other.r {
					other.r[i] = math.Tanh(math.Atanh(max(min(r, 1-1e-9), 1e-9-1)) + step*rng.NormFloat64())
				}
				floats.AddConst(-floats.Max(other.logs), other.logs)
				if value, _ := other.reml(t, &only, f, lambda); value < best-.02 {
					t.Fatalf("%s has %.4f, and %.3f %.4f", what, best, other, value)
				}
			}
		}
	}
}

// Outputs that share their errors, which no model of these kernels has, are still reported with the noise that they have: at
// no λ is that of one output orders of magnitude away.
func TestSigmaOfOutputsThatShareTheirErrors(t *testing.T) {
	own := kernel.Exponential{Lengthscale: ell(.05)}
	for seed := range uint64(2) {
		for _, correlation := range []float64{.9, .999} {
			for _, lambda := range []float64{1e-3, .1} {
				s := model.Spec{Data: slopes(t, 8, 6, correlation, seed+5), Coregional: true, Lambda: lambda, Noise: curvesOf(own)}
				s.Kernels = map[string]kernel.Kernel{"z": kernel.SE{Lengthscale: ell(.2)}, "w": kernel.SE{Lengthscale: ell(.2)}}
				for _, o := range testmain.Must(model.Fit(t.Context(), s))(t).Outputs {
					if r := o.Report.Sigma; !(r > .02 && r < 3) {
						t.Errorf("seed %d, correlation %g, λ %g: sigma of %s is %.4g", seed, correlation, lambda, o.Name, r)
					}
				}
			}
		}
	}
}

// At the λ and ρ that were chosen, given as numbers, everything else is chosen as it was where these were open, too: lengthscales,
// sizes of terms, noise that is found, and the deviation of Huber's loss.
func TestGivenLambdaThatWasChosen(t *testing.T) {
	alone := map[string]kernel.Kernel{"z": kernel.SE{Lengthscale: kernel.Auto}}
	open := map[string]kernel.Kernel{"z": kernel.SE{Lengthscale: kernel.Auto}, "w": kernel.SE{Lengthscale: ell(.3)}}
	closed := map[string]kernel.Kernel{"z": kernel.SE{Lengthscale: ell(.2)}, "w": kernel.SE{Lengthscale: ell(.3)}}
	for i, c := range []struct {
		name string
		s    model.Spec
	}{
		{"sizes", model.Spec{Kernels: closed}},
		{"sizes and a lengthscale", model.Spec{Kernels: open}},
		{"a lengthscale", model.Spec{Kernels: alone, Terms: []string{"z"}}},
		{"one size beside one given", model.Spec{Kernels: closed, Amplitudes: map[string]float64{"w": 3}}},
		{"noise that varies", model.Spec{Kernels: closed, Noise: noise.Choice{Kind: noise.Diagonal}}},
		{"Huber's loss", model.Spec{Kernels: closed, Noise: noise.Choice{Huber: true}}},
		{"coupled", model.Spec{Kernels: closed, Coregional: true}},
		{"coupled, a lengthscale", model.Spec{Kernels: alone, Coregional: true, Terms: []string{"z"}}},
	} {

		if i%2 > 0 && !testmain.EveryCase() {
			continue
		}
		s := c.s // without a bias, for ρ is another size
		s.Data, s.Criterion, s.NoBias = slopes(t, 10, 6, 0, 2), fit.REML, true
		if !s.Coregional {
			one := *s.Data
			one.Outputs = one.Outputs[:1]
			s.Data = &one
		}
		free := testmain.Must(model.Fit(t.Context(), s))(t)
		s.Lambda = free.Outputs[0].Report.Lambda
		given := testmain.Must(model.Fit(t.Context(), s))(t)
		a := testmain.Must(free.Outputs[0].Predict(t.Context(), s.Data, mesh.Mesh{}))(t)
		b := testmain.Must(given.Outputs[0].Predict(t.Context(), s.Data, mesh.Mesh{}))(t)
		off, sigma := relative(b, a), given.Outputs[0].Report.Sigma/free.Outputs[0].Report.Sigma-1
		t.Logf("%s: predictions %.1e, sigma %.1e", c.name, off, sigma)
		if !(off < 1e-2 && math.Abs(sigma) < 1e-2) {
			t.Errorf("%s: at the λ chosen predictions differ by %.2g, sigma by %.2g", c.name, off, sigma)
		}
	}
}
