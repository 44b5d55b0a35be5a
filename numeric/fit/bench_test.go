package fit_test

import (
	"fmt"
	"math"
	"testing"

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
