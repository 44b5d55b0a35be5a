package posterior

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Every way to a band says so where it does not serve: where few outputs were observed, whose problem has no directions, and
// where a lattice has no points, is short or not asked about. Another way has those bands.
func TestWaysThatDoNotServe(t *testing.T) {
	ctx := t.Context()
	x, y := mesh.Must(mesh.Uniform(0, 1, 3, "x")), mesh.Must(mesh.Uniform(0, 1, leastProbed, "y"))
	matern := kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{.3, .02}}
	weights := mat.NewDense(1, 3, []float64{1, 2, -1})
	uneven := mesh.Must(mesh.Gauss(0, 1, leastProbed, "y"))
	few := smoothPairs(t, x, uneven, 2, true)
	for i := range few.Output.Data {
		if i%17 != 0 {
			few.Output.Data[i] = math.NaN()
		}
	}
	observed := spec{Data: few, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.3, .1}}, Lambda: 1e-3}.posterior(t)
	if _, ok := observed.Regression.(problem.Directed); ok {
		t.Fatal("the problem has directions: another example is needed")
	}
	whole := spec{Data: smoothPairs(t, x, y, 2, false), Kernel: matern, Lambda: 1e-3}.posterior(t)
	cloud := make([]float64, 2*leastProbed)
	for i := range cloud {
		cloud[i] = math.Mod(float64(i)*.618, 1)
	}
	scattered := mesh.Must(mesh.Scattered(cloud, 2, linop.Ones(leastProbed), "y", "z"))
	plane := spec{
		Data: smoothPairs(t, x, scattered, 2, false), Kernel: kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{.3, .02, .02}}, Lambda: 1e-3,
	}.posterior(t)
	for what, c := range map[string]struct {
		p  *Posterior
		on targets
	}{
		"few values":        {observed, targets{xs: x, ys: uneven, weights: weights}},
		"values of G":       {whole, targets{xs: x, ys: y}},
		"few points":        {whole, targets{xs: x, ys: mesh.Must(mesh.Uniform(0, 1, leastProbed-1, "y")), weights: weights}},
		"points of a cloud": {plane, targets{xs: x, ys: scattered, weights: weights}},
	} {
		if band, err := c.p.byProbes(ctx, c.on); band != nil || err != nil {
			t.Errorf("%s: a band by probes: %v", what, err)
		}
	}
	if band, err := whole.byProbes(ctx, targets{xs: x, ys: y, weights: weights}); band == nil || err != nil {
		t.Errorf("no band by probes where lattices serve: %v", err)
	}
	on := targets{xs: x, ys: uneven, weights: weights}
	for what, by := range map[string]func() (*mat.Dense, error){
		"features":   func() (*mat.Dense, error) { return observed.byFeatures(ctx, on) },
		"draws":      func() (*mat.Dense, error) { return observed.featureRoot(ctx, on, 0) },
		"an arrow":   func() (*mat.Dense, error) { return observed.byArrow(ctx, on) },
		"directions": func() (*mat.Dense, error) { return observed.byDirections(ctx, on) },
	} {
		if band, err := by(); band != nil || err != nil {
			t.Errorf("few values: a band by %s: %v", what, err)
		}
	}
	want := testmain.Must(observed.deviationsAt(ctx, 1, uneven, func(_ int, at []float64) (*functionals, error) {
		l, err := observed.points(ctx, x, at, true)
		if err != nil {
			return nil, err
		}
		l = l.combined(ctx, weights)
		return l, observed.addBias(ctx, l, at)
	}))(t)
	got := testmain.Must(observed.predictStdAt(ctx, weights, x, uneven))(t)
	for k, w := range want.RawMatrix().Data {
		if v := got.At(0, k); !(math.Abs(v-w) <= 1e-7*w) {
			t.Fatalf("band %.10g at %d, point by point %.10g", v, k, w)
		}
	}
}
