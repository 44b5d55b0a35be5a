package fit

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// residualCases are the routes: closed form and dense, with and without a free constant, fewer
// and more pairs than input points, and missing outputs, few and many.
func residualCases(t *testing.T) map[string]Spec {
	t.Helper()
	product, other := kernel.SE{Lengthscale: kernel.Lengthscale{0.4}}, kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.5}}
	data := func(n, missing int) *dataset.Dataset {
		x, y := mesh.Must(mesh.Uniform(0, 1, 5, "x")), mesh.Must(mesh.Gauss(0, 1, 4, "y"))
		f := testmain.Must(randfield.Normal(1, n, 5))(t)
		u := testmain.Must(randfield.Normal(2, n, 4))(t)
		for i := range missing {
			u.Data[(3*i+1)%len(u.Data)] = math.NaN()
		}
		return testmain.Must(dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: x, OutputMesh: y, Missing: missing > 0}))(t)
	}
	errors := func(d *dataset.Dataset, e *dataset.Errors) *dataset.Dataset {
		return testmain.Must(d.WithErrors(e))(t)
	}
	alike := mat.NewSymDense(4, []float64{1, .5, 0, 0, .5, 2, 0, 0, 0, 0, 1, .3, 0, 0, .3, 1})
	return map[string]Spec{
		"errors, of pairs":   {Data: errors(data(5, 0), &dataset.Errors{Pairs: []float64{1, 2, .5, 1, 3}}), Kernel: product, Lambda: 1e-2, Rho: 1e-1},
		"errors, of points":  {Data: errors(data(7, 0), &dataset.Errors{Points: []float64{1, 2, .5, 3}}), Kernel: other, Lambda: 1e-2, Rho: 1e-1},
		"errors, correlated": {Data: errors(data(7, 0), &dataset.Errors{Covariance: alike}), Kernel: product, Lambda: 1e-2, Rho: 1e-1},
		"product, few":       {Data: data(5, 0), Kernel: product, Lambda: 1e-2, Rho: 1e-1},
		"product, many":      {Data: data(9, 0), Kernel: product, Lambda: 1e-2, Rho: 1e-1},
		"product, constant":  {Data: data(9, 0), Kernel: product, Lambda: 1e-2, Rho: 1e-1, Intercept: Flat},
		"product, no bias":   {Data: data(5, 0), Kernel: product, Lambda: 1e-2, NoBias: true},
		"other":              {Data: data(9, 0), Kernel: other, Lambda: 1e-2, Rho: 1e-1},
		"other, constant":    {Data: data(5, 0), Kernel: other, Lambda: 1e-2, Rho: 1e-1, Intercept: Flat},
		"missing":            {Data: data(8, 4), Kernel: product, Lambda: 1e-2, Rho: 1e-1},
		"missing, constant":  {Data: data(8, 4), Kernel: other, Lambda: 1e-2, Rho: 1e-1, Intercept: Flat},
		"missing, most of u": {Data: data(12, 38), Kernel: product, Lambda: 1e-2, Rho: 1e-1},
	}
}

// What is left out is what a fit without it predicts, with its band and its noise: the λ and ρ of
// fewer pairs are larger, as the noise is a larger part of their mean square.
func TestLeftOutIsAFitWithout(t *testing.T) {
	ctx := context.Background()
	for name, s := range residualCases(t) {
		e, err := Fit(ctx, s)
		if err != nil {
			t.Fatal(name, err)
		}
		r, err := e.Residuals(ctx)
		if err != nil {
			t.Fatal(name, err)
		}
		if df := traceOfPredictions(t, s); !(math.Abs(r.DF-df) <= 1e-6) {
			t.Errorf("%s: %g degrees of freedom, want %g", name, r.DF, df)
		}
		n, my := r.Observed.LeftOut.Dims()
		noise := func(e *Estimate) float64 { // of a value of unit weight
			d := e.learned.spec.Data
			values := outputs.Count(d)
			if e.learned.spec.flat() {
				values--
			}
			return e.Report.Objective / float64(values) * float64(d.N())
		}
		for i := range n {
			var rest []int
			for j := range n {
				if j != i {
					rest = append(rest, j)
				}
			}
			without := s
			share := float64(n) / float64(n-1)
			without.Lambda, without.Rho = s.Lambda*share, s.Rho*share
			without.Data = testmain.Must(s.Data.Select(rest))(t)
			less, err := Fit(ctx, without)
			if err != nil {
				t.Fatal(name, err)
			}
			f, _ := s.Data.Matrices()
			one := f.Slice(i, i+1, 0, 5).(*mat.Dense)
			u := testmain.Must(less.Predict(ctx, one, mesh.Mesh{}, mesh.Mesh{}))(t)
			band := testmain.Must(less.PredictStd(ctx, one, mesh.Mesh{}, mesh.Mesh{}))(t)
			for k, w := range s.Data.OutputMesh.Weights() {
				value := s.Data.Output.Data[i*my+k]
				if math.IsNaN(value) { // missing
					if got := r.Observed.Errors.At(i, k); !math.IsNaN(got) {
						t.Errorf("%s: pair %d, point %d is missing, its error %g", name, i, k, got)
					}
					continue
				}
				if s.Data.Errors != nil { // what is left out is in coordinates in which errors are white
					got := r.Observed.Errors.At(i, k)
					if want := value - u.At(0, k); !(math.Abs(got-want) <= 1e-6*math.Abs(want)+1e-9) {
						t.Errorf("%s: pair %d, point %d: error %g, want %g", name, i, k, got, want)
					}
					continue
				}
				variance := (band.At(0, k)*band.At(0, k) + noise(less)/w) * noise(e) / noise(less)
				want := (value - u.At(0, k)) / math.Sqrt(variance)
				got := r.Observed.LeftOut.At(i, k)
				if off := r.Observed.Errors.At(i, k); !(math.Abs(off-(value-u.At(0, k))) <= 1e-6*math.Abs(off)+1e-9) {
					t.Errorf("%s: pair %d, point %d: error %g, want %g", name, i, k, off, value-u.At(0, k))
				}
				// A band of a kernel that is no product is exact to 1 %.
				if !(math.Abs(got-want) <= 0.02*math.Abs(want)+1e-7) {
					t.Errorf("%s: pair %d, point %d: %g, want %g", name, i, k, got, want)
				}
			}
		}
	}
}

// traceOfPredictions is the trace of what takes outputs to predictions, one output at a time.
func traceOfPredictions(t *testing.T, s Spec) (sum float64) {
	t.Helper()
	ctx, given := context.Background(), s.Data
	f, _ := given.Matrices()
	my := given.OutputMesh.Size()
	predict := func(change int, by float64) float64 {
		d := *given
		d.Output = given.Output.Copy()
		d.Output.Data[change] += by
		s.Data = &d
		e := testmain.Must(Fit(ctx, s))(t)
		u := testmain.Must(e.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{}))(t)
		return u.At(change/my, change%my)
	}
	for a, v := range given.Output.Data {
		if !math.IsNaN(v) {
			sum += predict(a, 1) - predict(a, 0)
		}
	}
	return sum
}

// The pairs of an estimate come with its predictions of them, and with what landmarks are without.
func TestFittedPairsAndWhatIsBeyondThem(t *testing.T) {
	e := testmain.Must(Fit(t.Context(), Spec{Data: waves(t, 6, 5, .1), Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.5}}, Lambda: 1e-3}))(t)
	e.learned.spec.beyond = Beyond{Values: 7, Squares: .5}
	d, of, beyond, err := e.Fitted(t.Context())
	if err != nil || d != e.learned.spec.Data || beyond != e.learned.spec.beyond {
		t.Errorf("%v with %+v, %v; want %v with %+v", d, beyond, err, e.learned.spec.Data, e.learned.spec.beyond)
	}
	in, _ := d.Matrices()
	if want := testmain.Must(e.Predict(t.Context(), in, d.InputMesh, d.OutputMesh))(t); !mat.Equal(of, want) {
		t.Errorf("predictions are\n%v, want\n%v", mat.Formatted(of), mat.Formatted(want))
	}
	e.learned = nil
	if _, _, _, err := e.Fitted(t.Context()); err == nil {
		t.Error("pairs of an estimate that does not have them")
	}
}
