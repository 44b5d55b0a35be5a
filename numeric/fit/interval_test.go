package fit_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Pointwise intervals are so many standard deviations, with that of the noise where observations
// are asked for, and simultaneous ones hold that share of other draws as a whole.
func TestIntervals(t *testing.T) {
	m := interval(12)
	e := mustFit(t, fit.Spec{Data: pairs(t, m, 6, 0.05, 2), Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.3}}, Lambda: 1e-3})
	f := mat.NewDense(2, 12, append(append([]float64(nil), e.Weights.RawMatrix().Data[:12]...), make([]float64, 12)...))
	f.Scale(1/mat.Norm(f, 2), f)
	std := testmain.Must(e.PredictStd(ctx, f, mesh.Mesh{}, mesh.Mesh{}))(t)
	for _, o := range []fit.Interval{{Level: .95}, {Level: .5, Observation: true}, {Level: .9, Simultaneous: true}, {Level: .9, Simultaneous: true, Observation: true}} {
		half := testmain.Must(e.Intervals(ctx, f, mesh.Mesh{}, mesh.Mesh{}, o))(t)
		quantile := map[float64]float64{.95: 1.959963984540054, .5: 0.674489750196082, .9: 1.644853626951472}[o.Level]
		for i := range 2 {
			for k, s := range std.RawRowView(i) {
				want := quantile * s
				if o.Observation {
					want = quantile * math.Hypot(s, math.Sqrt(e.Report.Objective/12/m.Weights()[k]))
				}
				if got := half.At(i, k); !o.Simultaneous && !(math.Abs(got-want) <= 1e-9*want) || o.Simultaneous && !(got >= 1.05*want) {
					t.Errorf("%+v: half width %g, %d points, pointwise %g", o, got, k, want)
				}
			}
		}
		if !o.Simultaneous || o.Observation {
			continue
		}
		const n = 3000
		draws := testmain.Must(e.Deviate(ctx, fit.Draws{N: n, Seed: 77, F: f.Slice(0, 1, 0, 12).(*mat.Dense)}))(t)
		in := 0
		for i := range n {
			all := true
			for k, v := range draws.RawRowView(i) {
				all = all && math.Abs(v) <= half.At(0, k)
			}
			if all {
				in++
			}
		}
		if share := float64(in) / n; !(math.Abs(share-.9) <= 5*math.Sqrt(.09/n)*math.Sqrt(1+n/4000.)) {
			t.Errorf("a simultaneous band holds %g of other draws, want 0.9", share)
		}
	}
	for level, words := range map[float64]string{95: "95 % is 0.95", 0: "more than 0", -1: "more than 0", 1: "less than 1"} {
		if _, err := e.Intervals(ctx, f, mesh.Mesh{}, mesh.Mesh{}, fit.Interval{Level: level}); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("level %g: %v, want %q", level, err, words)
		}
	}
}

// On uneven points intervals of new observations hold their share by the noise that the fit has: of the variance
// n J / N v / dy at a point, for the least value J of the objective, N observed values and errors of the variance v; by pairs as loud
// as one of the data, each as likely, and otherwise in the mean of those that were observed there.
func TestIntervalsOnUnevenPoints(t *testing.T) {
	const level, n = .95, 7
	x, y := interval(6), mesh.Must(mesh.Trapezoid([]float64{0, .01, .03, .2, .25, .6, 1}, "y"))
	my := y.Size()
	pairs, points := []float64{1, 4, 1, .2, 1, 1, 3}, []float64{1, 1, 9, 1, .3, 1, 2}
	values, cov := array.New(n, my), mat.NewSymDense(my, nil)
	for i := range values.Data {
		values.Data[i] = 1 + float64(i%5) + 3*float64(i%my)
	}
	for i := range my {
		for j := range i + 1 {
			cov.SetSym(i, j, (1+float64(i))*(1+float64(j))*math.Exp(-math.Abs(float64(i-j))))
		}
	}
	for name, errors := range map[string]*dataset.Errors{
		"white": nil, "pairs": {Pairs: pairs}, "points": {Points: points}, "values": {Values: values}, "covariance": {Covariance: cov},
		"pairs and points": {Pairs: pairs, Points: points}, "pairs and covariance": {Pairs: pairs, Covariance: cov},
	} {
		for _, missing := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, missing %t", name, missing), func(t *testing.T) {
				d := noise(t, n, x, y)
				d.Errors, d.Missing = errors, missing
				for i := range d.Output.Data {
					if missing && (i%5 == 2 || i%my == 1 && i > my) {
						d.Output.Data[i] = math.NaN()
					}
				}
				e := mustFit(t, fit.Spec{Data: d, Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.3}}, Lambda: 1e-3})
				v, count := outputs.ErrorVariances(d), 0.0
				for _, one := range v {
					if !math.IsNaN(one) {
						count++
					}
				}
				std := testmain.Must(e.PredictStd(ctx, mat.NewDense(1, 6, nil), mesh.Mesh{}, mesh.Mesh{}))(t)
				half := testmain.Must(e.Intervals(ctx, mat.NewDense(1, 6, nil), mesh.Mesh{}, mesh.Mesh{}, fit.Interval{Level: level, Observation: true}))(t)
				for k, dy := range y.Weights() {
					unit, own, seen := e.Report.Objective*n/count/dy, 0.0, 0.0 // of errors of variance 1; the mean of those at the point
					for i := range n {
						if one := v[i*my+k]; !math.IsNaN(one) {
							if errors != nil && errors.Pairs != nil {
								one *= pairs[i]
							}
							own, seen = own+one, seen+1
						}
					}
					in := 0.0
					for i := range n {
						loud := 1.0
						if errors != nil && errors.Pairs != nil {
							loud = 1 / pairs[i]
						}
						in += math.Erf(half.At(0, k)/math.Sqrt2/math.Sqrt(std.At(0, k)*std.At(0, k)+unit*loud*own/seen)) / n
					}
					if !(math.Abs(in-level) <= 1e-8) {
						t.Errorf("point %d: %g within", k, in)
					}
				}
			})
		}
	}
}
