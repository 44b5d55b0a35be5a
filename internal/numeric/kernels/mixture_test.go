package kernels_test

import (
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/kernel"
)

// The mixture is the kernel to the tolerance, at coincident points and from the
// least distance on.
func TestMixturesAreTheirKernels(t *testing.T) {
	l := kernel.Lengthscale{.3, .7}
	for _, k := range []kernel.Kernel{
		kernel.SE{Lengthscale: l},
		kernel.Exponential{Lengthscale: l},
		kernel.Matern{Nu: 0.8, Lengthscale: l},
		kernel.Matern{Nu: 1.5, Lengthscale: l},
		kernel.Matern{Nu: 2.5, Lengthscale: l},
		kernel.Matern{Nu: 9, Lengthscale: l},
		kernel.Matern{Nu: 31, Lengthscale: l},
		kernel.Scaled{Factor: 1e3, Kernel: kernel.Exponential{Lengthscale: l}},
		kernel.Sum{Terms: []kernel.Kernel{kernel.SE{Lengthscale: l}, kernel.Scaled{Factor: .3, Kernel: kernel.Exponential{Lengthscale: kernel.Lengthscale{.1}}}}},
	} {
		f := compile(t, k, plane)
		for _, tol := range []float64{1e-6, 1e-11} {
			const least = 1e-3
			terms, _ := kernels.Mixture(k, []float64{least * .3, least * .7}, tol)
			worst := 0.0
			for _, r := range []float64{0, least, 2e-3, .01, .05, .1, .3, 1, 3, 10} {
				for _, angle := range []float64{0, .4, 1.1, math.Pi / 2} {
					d := []float64{.7 * r * math.Cos(angle), .7 * r * math.Sin(angle)}
					sum := 0.0
					for _, g := range terms {
						sum += g.At(d)
					}
					worst = max(worst, math.Abs(sum-f.At(d, []float64{0, 0})))
				}
			}
			if !(worst <= tol) {
				t.Errorf("%s: %d terms for 1e%.0f are off by %.2g", k, len(terms), math.Log10(tol), worst)
			}
			t.Logf("%s: %d terms for %g, off by %.1e", k, len(terms), tol, worst)
		}
	}
	for _, k := range []kernel.Kernel{kernel.SE{}, kernel.Exponential{}, kernel.Sum{Terms: []kernel.Kernel{kernel.SE{Lengthscale: l}, kernel.Matern{Nu: 1.5}}}} {
		if terms, _ := kernels.Mixture(k, []float64{1, 1}, 1e-6); terms != nil {
			t.Errorf("%s: an unknown lengthscale has a mixture", k)
		}
	}
}

// A kernel that only its expression tells has the mixture of the kernel of the
// library; others have none, and neither has a difference.
func TestMixturesFromExpressions(t *testing.T) {
	l := kernel.Lengthscale{.3, .7}
	least := []float64{1e-3, 2e-3}
	hidden := func(k kernel.Kernel, sign float64) kernel.Kernel {
		return scripted{name: "hidden", of: func(p, q []*expr.Node) *expr.Node {
			n, err := kernels.Symbolic(k, kernels.Point{X: p, Space: plane}, kernels.Point{X: q, Space: plane})
			if err != nil {
				t.Fatal(err)
			}
			return expr.Mul(expr.Const(sign), n)
		}}
	}
	for _, k := range []kernel.Kernel{
		kernel.SE{Lengthscale: l},
		kernel.Exponential{Lengthscale: l},
		kernel.Matern{Nu: 1.5, Lengthscale: l},
		kernel.Matern{Nu: 2.5, Lengthscale: l},
		kernel.Scaled{Factor: .3, Kernel: kernel.Exponential{Lengthscale: l}},
		kernel.Sum{Terms: []kernel.Kernel{kernel.SE{Lengthscale: l}, kernel.Scaled{Factor: .3, Kernel: kernel.Exponential{Lengthscale: l}}}},
	} {
		of := compile(t, hidden(k, 1), plane)
		terms := of.Mixture(least, 1e-11)
		if want, _ := kernels.Mixture(k, least, 1e-11); len(terms) != len(want) {
			t.Errorf("%s: %d terms, %d of the library's", k, len(terms), len(want))
		}
		for _, d := range [][]float64{{0, 0}, {.01, -.02}, {.3, .1}, {1, 2}} {
			sum := 0.0
			for _, g := range terms {
				sum += g.At(d)
			}
			if want := of.At(d, []float64{0, 0}); !(math.Abs(sum-want) <= 1e-11) {
				t.Errorf("%s: the mixture is %g at %v, the kernel %g", k, sum, d, want)
			}
		}
		if compile(t, hidden(k, -1), plane).Mixture(least, 1e-11) != nil {
			t.Errorf("-%s has a mixture", k)
		}
	}
	for _, k := range []kernel.Kernel{gibbs(), kernel.RationalQuadratic{Alpha: 1, Lengthscale: l}} {
		if compile(t, k, plane).Mixture(least, 1e-11) != nil {
			t.Errorf("%s has a mixture", k)
		}
	}
}
