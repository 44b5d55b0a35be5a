package fit_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
)

// BenchmarkFit is the table of kernels, lengthscales and λ on the Poisson data,
// n = 500, m = 100, on the uniform mesh and on a graded one: time, iterations and
// residual of each fit to 1e-10.
func BenchmarkFit(b *testing.B) {
	d := load(b, "poisson", "u", 500)
	for name, data := range map[string]*dataset.Dataset{"uniform": d, "graded": onGradedMesh(b, d)} {
		for _, l := range []float64{.02, .2} {
			s := kernel.Lengthscale{l}
			for _, k := range []kernel.Kernel{
				kernel.SE{Lengthscale: s},
				kernel.Exponential{Lengthscale: s},
				kernel.Matern{Nu: 1.5, Lengthscale: s},
				kernel.Matern{Nu: 2.5, Lengthscale: s},
			} {
				for _, lambda := range []float64{1e-4, 1e-6, 1e-8, 1e-10} {
					b.Run(fmt.Sprintf("%s/%s/lambda=%g", name, k, lambda), func(b *testing.B) {
						var r fit.Report
						for b.Loop() {
							r = mustFit(b, fit.Spec{Data: data, Kernel: k, Lambda: lambda}).Report
						}
						b.ReportMetric(float64(r.Iterations), "iterations")
						b.ReportMetric(math.Log10(max(r.Residual, 1e-17)), "log10(residual)")
					})
				}
			}
		}
	}
}

// BenchmarkSymmetric fits a symmetric G to the Helmholtz data, n = 100, m = 100, where GMRES
// takes some hundred iterations: time, iterations and gap.
func BenchmarkSymmetric(b *testing.B) {
	for _, output := range []string{"u", "u_noise20"} {
		d := load(b, "helmholtz", output, 100)
		for _, l := range []float64{.02, .05, .1} {
			s := fit.Spec{
				Data: d, Kernel: kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{l}}, Lambda: 1e-5,
				Constraint: constraint.Symmetric{Names: []string{"x", "y"}},
			}
			b.Run(fmt.Sprintf("%s/l=%g", output, l), func(b *testing.B) {
				var r fit.Report
				for b.Loop() {
					r = mustFit(b, s).Report
				}
				b.ReportMetric(float64(r.Iterations), "iterations")
				b.ReportMetric(math.Log10(max(r.Gap, 1e-30)), "log10(gap)")
			})
		}
	}
}

// BenchmarkFineMesh fits m × m weights on an interval, most of which is set-up: time,
// iterations and residual.
func BenchmarkFineMesh(b *testing.B) {
	for _, m := range []int{500, 1000, 2000} {
		x, n := interval(m), 100
		input, output := array.New(n, m), array.New(n, m)
		for i := range n { // modes, with what -u″ = f makes of them
			for j := range m {
				input.Data[i*m+j] = math.Sin(float64(i+1) * math.Pi * float64(j) / float64(m-1))
				output.Data[i*m+j] = input.Data[i*m+j] / float64((i+1)*(i+1)) / 10
			}
		}
		d := &dataset.Dataset{Input: input, Output: output, InputMesh: x, OutputMesh: x}
		s := fit.Spec{Data: d, Kernel: kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{.1}}, Lambda: 1e-6}
		b.Run(fmt.Sprintf("m=%d", m), func(b *testing.B) {
			var r fit.Report
			for b.Loop() {
				r = mustFit(b, s).Report
			}
			b.ReportMetric(float64(r.Iterations), "iterations")
			b.ReportMetric(math.Log10(max(r.Residual, 1e-17)), "log10(residual)")
		})
	}
}

// BenchmarkGreen evaluates a learned G on 1000 × 1000 points.
func BenchmarkGreen(b *testing.B) {
	d := load(b, "poisson", "u", 500)
	fine := interval(1000)
	for _, k := range []kernel.Kernel{
		kernel.SE{Lengthscale: kernel.Lengthscale{.02}},
		kernel.Exponential{Lengthscale: kernel.Lengthscale{.02}},
		kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{.2}},
	} {
		e := mustFit(b, fit.Spec{Data: d, Kernel: k, Lambda: 1e-6})
		b.Run(k.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Green(ctx, fine, fine); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
