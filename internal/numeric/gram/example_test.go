package gram_test

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The matrix of a kernel between all pairs of points of X × Y, which would have
// 10⁸ entries, is held by its structure.
func ExampleSelf() {
	line := mesh.Must(mesh.Uniform(0, 1, 100, ""))
	space := kernel.Space{Names: []string{"x", "y"}}
	for _, k := range []kernel.Kernel{
		kernel.SE{Lengthscale: kernel.Lengthscale{0.1}},
		kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{0.1}},
	} {
		f, err := kernels.Compile(k, space)
		if err != nil {
			fmt.Println(err)
			return
		}
		p, why, err := gram.Self(context.Background(), f, line, line, gram.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(p.Describe() + ": " + why)
	}
	// Output:
	// Kronecker product of 100 × 100 and 100 × 100: the kernel is separable into input and output
	// 2-level Toeplitz, 100 × 100, by FFT: the kernel depends on differences only and every axis is uniform
}
