package posterior

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Bands by probes of lattices are those from all data to 1 %, on the mesh of the data and on
// another, with a free constant, and nil where points far from each other depend on each other.
func TestBandsByProbes(t *testing.T) {
	ctx := context.Background()
	plane := func(n int) mesh.Mesh {
		return testmain.Must(mesh.Product(mesh.Must(mesh.Uniform(0, 1, n, "y")), mesh.Must(mesh.Uniform(0, 1, n, "z"))))(t)
	}
	x, y := mesh.Must(mesh.Uniform(0, 1, 8, "x")), plane(16)
	for _, length := range []float64{.03, .5} {
		k := kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{.3, length, length}}
		p := spec{Data: smoothPairs(t, x, y, 3, false), Kernel: k, Lambda: 1e-3, Flat: true}.posterior(t)
		all := testmain.Must(p.factored(ctx))(t)
		for _, ys := range []mesh.Mesh{y, plane(15)} {
			on := targets{xs: x, ys: ys, weights: mat.NewDense(1, 8, []float64{1, 2, 0, -1, 1, 0, .5, 1})}
			got := testmain.Must(p.byProbes(ctx, on))(t)
			if (got == nil) != (length == .5) {
				t.Fatalf("lengthscale %g: bands %v", length, got != nil)
			}
			if got == nil {
				continue
			}
			at := make([]float64, 2)
			for j := 0; j < ys.Size(); j += 4 {
				ys.Point(at, j)
				l := testmain.Must(p.functionalsAt(ctx, on, at))(t)
				want := testmain.Must(p.deviationsOf(ctx, l, all))(t)
				if v := got.At(0, j); !(math.Abs(v-want[0]) <= probeChecked*want[0]) {
					t.Errorf("band %g at %v, from all data %g", v, at, want[0])
				}
			}
		}
	}
}
