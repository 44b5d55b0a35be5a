package term

import (
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// startLengthscale is where the search for the lengthscale of a term begins, as a
// fraction of the axes.
const startLengthscale = 0.3

// smoothness is that of Matérn kernels where none is given or chosen.
const smoothness = 2.5

// OrMatern is a kernel, or the one of a term that has none: Matérn 5/2, whose lengthscale
// is to be chosen.
func OrMatern(k kernel.Kernel) kernel.Kernel {
	if k == nil {
		return kernel.Matern{Nu: smoothness, Lengthscale: kernel.Auto}
	}
	return k
}

// resolver returns the kernel for a lengthscale given as a fraction of the axes. On
// meshes of input and output a Matérn kernel is the product of one on each.
func resolver(k kernel.Kernel, on ...mesh.Mesh) func(fraction float64) kernel.Kernel {
	return func(fraction float64) kernel.Kernel {
		m, ok := k.(kernel.Matern)
		if !ok || len(on) < 2 {
			return kernels.Resolve(k, kernel.Lengths(fraction, on...), fraction)
		}
		return kernel.Tensor{
			Input:  kernel.Matern{Nu: m.Nu, Lengthscale: kernel.Lengths(fraction, on[0])},
			Output: kernel.Matern{Nu: m.Nu, Lengthscale: kernel.Lengths(fraction, on[1])},
		}
	}
}

// lengthscales are those tried for a term, as fractions of the axes.
func lengthscales() []float64 { return []float64{0.04, 0.08, 0.15, 0.3, 0.6, 1.2} }
