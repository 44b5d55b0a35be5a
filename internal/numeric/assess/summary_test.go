package assess_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/assess"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/internal/numeric/stats"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Where G is zero p is uniform, with noise that is correlated along the output and a kernel that
// was fitted to it. With 40 data sets the test of Kolmogorov and Smirnov tells gross mistakes; the
// study has 200.
func TestNothingIsFoundWhereGIsZero(t *testing.T) {
	sets := max(40, *datasets)
	m := line(10)
	var p []float64
	small := 0
	for i := range sets {
		seed := *fromSeed + uint64(i)
		f := inputs(t, m, 16, seed)
		e := inputs(t, m, 16, seed+1e6) // correlated along the output
		d := testmain.Must(dataset.New(dataset.Spec{Input: f, Output: e, InputMesh: m, OutputMesh: m}))(t)
		s := testmain.Must(assess.Summarise(ctx, fitted(t, fit.Spec{Data: d, Kernel: se(.2)}), seed))(t)
		p = append(p, *s.Terms[0].P)
		if *s.Terms[0].P <= .05 {
			small++
		}
	}
	uniform := testmain.Must(stats.New("uniform", 0, 1))(t)
	ks := testmain.Must(stats.KolmogorovSmirnov(p, uniform))(t)
	t.Logf("%d data sets: p ≤ .05 in %d, Kolmogorov–Smirnov p %.3f", sets, small, ks.P)
	if !(ks.P >= 1e-3) {
		t.Errorf("p is not uniform: %v", p)
	}
}

// What a summary says of data is what the definitions say.
func TestSummaryByDefinition(t *testing.T) {
	m := line(12)
	d := simulated(t, m, 20, pde.Poisson{Mesh: m}, white(.2), 5)
	e := fitted(t, fit.Spec{Data: d, Kernel: se(.3)})
	s := testmain.Must(assess.Summarise(ctx, e, 1))(t)
	f, u := d.Matrices()
	of := testmain.Must(e.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{}))(t)
	r2 := testmain.Must(stats.R2(array.FromMatrix(of), d.Output, m.Weights()))(t)
	// gcv = N misfit/(N - df)², all computed elsewhere, of the scaled outputs.
	n, my := u.Dims()
	values := float64(n * my)
	df := values - math.Sqrt(values*e.Report.MSE / *e.Report.GCV)
	if !(math.Abs(s.R2-r2) <= 1e-12) || !(math.Abs(s.DF-df) <= 2) || s.Values != n*my || s.Pairs != n {
		t.Errorf("R² %g, want %g; %g degrees of freedom, want %g\n%s", s.R2, r2, s.DF, df, s)
	}
	want := leftOutR2(t, e, fit.Spec{Data: d, Kernel: se(.3)}, mat.NewDense(n, my, nil))
	if !(math.Abs(s.R2Left-want) <= 1e-6) {
		t.Errorf("R² of left-out pairs %g, want %g", s.R2Left, want)
	}
	if s.Noise != "white" {
		t.Errorf("noise %s, want white", s.Noise)
	}
	if p := *s.Terms[0].P; !(p <= .001) {
		t.Errorf("G is there, and p is %g", p)
	}
}

// leftOutR2 is that of pairs left out by fits of the others at the same penalties, of outputs from which something
// known was taken.
func leftOutR2(t *testing.T, e *fit.Estimate, s fit.Spec, known *mat.Dense) float64 {
	t.Helper()
	f, u := s.Data.Matrices()
	n, my := u.Dims()
	m := s.Data.OutputMesh
	rests := mat.DenseCopyOf(u)
	rests.Sub(u, known)
	of := testmain.Must(dataset.New(dataset.Spec{Input: s.Data.Input, Output: array.FromMatrix(rests), InputMesh: s.Data.InputMesh, OutputMesh: m}))(t)
	var left, all float64
	for i := range n {
		var others []int
		for j := range n {
			if j != i {
				others = append(others, j)
			}
		}
		share := float64(n) / float64(n-1)
		learned, _ := e.Learned()
		s.Data = testmain.Must(of.Select(others))(t)
		s.Lambda, s.Rho, s.Intercept = e.Report.Lambda*share, e.Report.Rho*share, learned.Intercept
		o := fitted(t, s)
		v := testmain.Must(o.Predict(ctx, f.Slice(i, i+1, 0, my).(*mat.Dense), mesh.Mesh{}, mesh.Mesh{}))(t)
		for k, w := range m.Weights() {
			mean := 0.0
			for _, j := range others {
				mean += u.At(j, k) / float64(n-1)
			}
			left, all = left+w*math.Pow(rests.At(i, k)-v.At(0, k), 2), all+w*math.Pow(u.At(i, k)-mean, 2)
		}
	}
	return 1 - left/all
}

// With something known beforehand, what is explained is of the outputs, not of what the prior leaves of
// them: they are compared with their own mean. F has no degrees of freedom for what the prior explains.
func TestSummaryWithAPrior(t *testing.T) {
	m := line(12)
	d := simulated(t, m, 20, pde.Poisson{Mesh: m}, white(.2), 5)
	known := fitted(t, fit.Spec{Data: simulated(t, m, 8, pde.Poisson{Mesh: m}, white(.2), 6), Kernel: se(.3)})
	f, _ := d.Matrices()
	for _, sd := range []float64{1, 1e-9} {
		k := se(.3)
		of := testmain.Must(known.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{}))(t)
		data := testmain.Must(dataset.New(dataset.Spec{Input: d.Input, Output: array.FromMatrix(scaled(sd, d.Output)), InputMesh: m, OutputMesh: m}))(t)
		e := fitted(t, fit.Spec{Data: data, Kernel: k, Prior: known})
		s := testmain.Must(assess.Summarise(ctx, e, 1))(t)
		of.Scale(*e.Report.Prior, of)
		if want := leftOutR2(t, e, fit.Spec{Data: data, Kernel: k}, of); !(math.Abs(s.R2Left-want) <= 1e-6) {
			t.Errorf("R² of left-out pairs %g, want %g", s.R2Left, want)
		}
		if !(s.R2Left <= s.R2) || !(s.R2Left >= s.R2-.05) || s.Terms[0].F != nil {
			t.Errorf("R² %g, of left-out pairs %g, F %v", s.R2, s.R2Left, s.Terms[0].F)
		}
	}
}

func scaled(c float64, a *array.Array) *mat.Dense {
	n := a.Shape[0]
	m := mat.NewDense(n, len(a.Data)/n, nil)
	for i, v := range a.Data {
		m.RawMatrix().Data[i] = c * v
	}
	return m
}

// The picture of residuals has the tests that its curves show.
func TestPortrait(t *testing.T) {
	m := line(14)
	d := simulated(t, m, 24, se(.3), louder(.3, 30), 3)
	p := testmain.Must(assess.Portray(ctx, fitted(t, fit.Spec{Data: d, Kernel: se(.3)}), 1))(t)
	if p.Along.Test.Passed || !p.Correlation.Test.Passed {
		t.Errorf("noise that grows along the output: %+v, %+v", p.Along.Test, p.Correlation.Test)
	}
	last := len(p.Along.Values) - 1
	if len(p.Along.At) != 14 || !(p.Along.Values[last] >= p.Along.High[last]) || !(p.Along.Values[0] <= p.Along.Low[0]) {
		t.Errorf("along the output: %v", p.Along)
	}
	for name, c := range map[string]assess.Profile{"correlation": p.Correlation, "pairs": p.Pairs} {
		inside := 0
		for k, v := range c.Values {
			if c.Low[k] < v && v < c.High[k] {
				inside++
			}
		}
		if 4*inside < 3*len(c.Values) {
			t.Errorf("%s: %d of %d in their range", name, inside, len(c.Values))
		}
	}
	for i, at := range p.Pairs.At {
		if at != float64(i+1) || len(p.Pairs.At) != 24 {
			t.Fatalf("pairs are shown at %v", p.Pairs.At)
		}
	}
	for i, v := range p.Quantiles.At[1:] {
		if !(v > p.Quantiles.At[i]) || !(p.Quantiles.Values[i+1] >= p.Quantiles.Values[i]) {
			t.Fatalf("quantiles are out of order: %v", p.Quantiles)
		}
	}
}
