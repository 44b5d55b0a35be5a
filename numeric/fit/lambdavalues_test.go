package fit_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
)

// unlike are more values than a matrix is made of, and standard deviations of their errors that rise thirtyfold along the output.
func unlike(t *testing.T) (d *dataset.Dataset, sd []float64) {
	t.Helper()
	d = small(t, 61, 8, 35, gauss, interval)
	rng := rand.New(rand.NewPCG(61, 35))
	for k := range 35 {
		sd = append(sd, math.Pow(30, float64(k)/34))
	}
	out := d.Output.Copy()
	for i := range out.Data {
		out.Data[i] += .003 * sd[i%35] * rng.NormFloat64()
	}
	copied := *d
	copied.Output = out
	return &copied, sd
}

// Of errors that differ from point to point λ is the same whether they are weights of points, weights of single values, or a diagonal
// covariance, which outputs are whitened by as functions: however many values there are.
func TestLambdaOfErrorsOfPoints(t *testing.T) {
	d, sd := unlike(t)
	dy := d.OutputMesh.Weights()
	points, values, c, mean := make([]float64, 35), array.New(d.N(), 35), mat.NewSymDense(35, nil), 0.0
	for k, v := range sd {
		c.SetSym(k, k, v*v)
		mean += dy[k] * v * v / 35
	}
	for k, v := range sd {
		points[k] = mean / (dy[k] * v * v)
		for i := range d.N() {
			values.Data[i*35+k] = points[k]
		}
	}
	var lambdas []float64
	for _, e := range []dataset.Errors{{Covariance: c}, {Points: points}, {Values: values}} {
		with := testmain.Must(d.WithErrors(&e))(t)
		r := mustFit(t, fit.Spec{Data: with, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, Criterion: fit.REML}).Report
		lambdas = append(lambdas, r.Lambda)
	}
	for _, v := range lambdas[1:] {
		if math.Abs(math.Log(v/lambdas[0])) > .02 {
			t.Errorf("λ %g, want all %g", lambdas, lambdas[0])
		}
	}
}

// Where values are missing, λ comes from the complete pairs with the covariance that their errors have.
func TestLambdaOfCompletePairsKnowsTheCovariance(t *testing.T) {
	d, sd := unlike(t)
	c := mat.NewSymDense(35, nil)
	for k, v := range sd {
		for l := range k + 1 {
			c.SetSym(k, l, v*sd[l]*math.Exp(-.1*float64(k-l)))
		}
	}
	d = testmain.Must(d.WithErrors(&dataset.Errors{Covariance: c}))(t)
	gaps := *d
	gaps.Output, gaps.Missing = d.Output.Copy(), true
	var complete []int
	for i := range d.N() {
		if i%10 == 3 {
			gaps.Output.Data[i*35+i%35] = math.NaN()
		} else {
			complete = append(complete, i)
		}
	}
	s := fit.Spec{Data: &gaps, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, Criterion: fit.REML, Tolerance: 1e-5}
	got := mustFit(t, s).Report.Lambda
	s.Data = testmain.Must(d.Select(complete))(t)
	want := mustFit(t, s).Report.Lambda * float64(len(complete)) / float64(d.N())
	if math.Abs(got-want) > 1e-9*want {
		t.Errorf("λ %g, of the complete pairs %g", got, want)
	}
}
