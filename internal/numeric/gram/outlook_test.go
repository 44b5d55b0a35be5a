package gram_test

import (
	"testing"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// A kernel is separable where it is one on the input times one on the output, on any meshes.
func TestSeparable(t *testing.T) {
	line, graded := mesh.Must(mesh.Uniform(0, 1, 9, "x")), mesh.Must(mesh.Chebyshev(0, 1, 14, "y"))
	point := mesh.Must(gram.Point(), nil)
	matern := kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.2}}
	for _, c := range []struct {
		name string
		k    kernel.Kernel
		x    mesh.Mesh
		want bool
	}{
		{"squared exponential", kernel.SE{Lengthscale: kernel.Lengthscale{.2}}, line, true},
		{"product", kernel.Tensor{Input: matern, Output: matern}, line, true},
		{"one of distances", matern, line, false},
		{"a smooth one", kernel.RationalQuadratic{Alpha: 2, Lengthscale: kernel.Lengthscale{1}}, line, false},
		{"one point", matern, point, true},
	} {
		f, err := kernels.Compile(c.k, kernel.Space{Names: []string{"x", "y"}})
		if err != nil {
			t.Fatal(err)
		}
		if got := gram.Separable(f, c.x, graded); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
