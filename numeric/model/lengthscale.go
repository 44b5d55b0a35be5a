package model

import (
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// startLengthscale is where the search for the lengthscale of a term begins, as a
// fraction of the axes.
const startLengthscale = 0.3

// smoothness is that of Matérn kernels where none is given or chosen.
const smoothness = 2.5

// orMatern is a kernel, or the one of a term that has none: Matérn 5/2, whose lengthscale
// is to be chosen.
func orMatern(k kernel.Kernel) kernel.Kernel {
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
			return kernel.Resolve(k, Lengths(fraction, on...), fraction)
		}
		return kernel.Tensor{
			Input:  kernel.Matern{Nu: m.Nu, Lengthscale: Lengths(fraction, on[0])},
			Output: kernel.Matern{Nu: m.Nu, Lengthscale: Lengths(fraction, on[1])},
		}
	}
}

// Lengths are a fraction of the lengths of the axes: one number where they agree. On an
// axis of one point any will do.
func Lengths(fraction float64, on ...mesh.Mesh) kernel.Lengthscale {
	var l kernel.Lengthscale
	same := true
	for _, m := range on {
		for _, a := range m.Axes() {
			for i := range a.Lower {
				extent := a.Upper[i] - a.Lower[i]
				if extent == 0 {
					extent = 1
				}
				l = append(l, fraction*extent)
				same = same && l[len(l)-1] == l[0]
			}
		}
	}
	if same {
		return l[:1]
	}
	return l
}
