package fit_test

import (
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// What ρ is chosen under a constraint hangs on no unit where the likelihood hardly tells: where the outputs of no input are nothing, as
// many values of ρ are as likely, and a search that ends at another one for outputs in other units moves G by half a percent.
func TestRatioThatIsHardlyToldHasNoUnit(t *testing.T) {
	m := mesh.Must(mesh.Uniform(0, 1, 30, "x"))
	d := testmain.Must(pde.Sample(ctx, pde.Helmholtz{Mesh: m, Omega: 7}, 25, randfield.Field{Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.1}}, Seed: 4}))(t)
	d = testmain.Must(d.Noise(.1, 4))(t)
	k := kernel.Kink{Base: kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, Jump: kernel.SE{Lengthscale: kernel.Lengthscale{.75}}, Power: 1}
	green := func(unit float64) []float64 {
		u := d.Output.Copy()
		for i := range u.Data {
			u.Data[i] *= unit
		}
		s := fit.Spec{Kernel: k, Constraint: constraint.Symmetric{Names: []string{"x", "y"}}}
		s.Data = testmain.Must(dataset.New(dataset.Spec{Input: d.Input, Output: u, InputMesh: m, OutputMesh: m}))(t)
		g := testmain.Must(mustFit(t, s).Green(ctx, m, m))(t).RawMatrix().Data
		for i := range g {
			g[i] /= unit
		}
		return g
	}
	want, most := green(1), 0.0
	for _, g := range want {
		most = max(most, math.Abs(g))
	}
	for _, unit := range []float64{3, 1e9, 1e-9} {
		for i, g := range green(unit) {
			if off := math.Abs(g-want[i]) / most; off > 1e-8 {
				t.Fatalf("outputs × %g: G is off by %.2g of its largest value", unit, off)
			}
		}
	}
}
