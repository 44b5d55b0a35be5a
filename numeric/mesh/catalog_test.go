package mesh_test

import "github.com/greenbench/workbench/numeric/mesh"

// rules lists every interval rule: the tests of quadrature run over it.
var rules = []struct {
	name  string
	least int
	make  func(a, b float64, n int, name string) (mesh.Axis, error)
}{
	{"uniform", 2, mesh.Uniform},
	{"periodic", 2, mesh.Periodic},
	{"gauss", 1, mesh.Gauss},
	{"chebyshev", 2, mesh.Chebyshev},
	{"simpson", 2, mesh.Simpson},
	{"right", 2, func(a, b float64, n int, name string) (mesh.Axis, error) {
		ax, err := mesh.Uniform(a, b, n, name)
		if err != nil {
			return ax, err
		}
		return ax.Right()
	}},
	{"trapezoid", 2, func(a, b float64, n int, name string) (mesh.Axis, error) {
		x := make([]float64, n)
		for i := range x { // quadratically graded towards a
			t := float64(i) / float64(n-1)
			x[i] = a + (b-a)*t*t
		}
		return mesh.Trapezoid(x, name)
	}},
}
