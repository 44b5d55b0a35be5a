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
	for at, unit := range []float64{3, 1e9, 1e-9} {
		if at%testmain.Stride(3) != 0 {
			continue // TestUnitsDoNotMatter has these, too
		}
		for i, g := range green(unit) {
			if off := math.Abs(g-want[i]) / most; !(off <= 1e-8) {
				t.Fatalf("outputs × %g: G is off by %.2g of its largest value", unit, off)
			}
		}
	}
}

// Outputs that are the same everywhere, zero or not, are learned under a constraint as without one, of few values and of many: G is zero, and
// β is what they are.
func TestConstantOutputsUnderConstraints(t *testing.T) {
	for _, m := range []mesh.Mesh{mesh.Must(mesh.Uniform(0, 1, 8, "t")), mesh.Must(mesh.Uniform(0, 1, 26, "t"))} {
		f := testmain.Must(randfield.Field{Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.1}}, Mesh: m, N: 30, Seed: 1}.Draw(ctx))(t)
		for _, c := range []constraint.Constraint{nil, constraint.Symmetric{Names: []string{"s", "t"}}, constraint.Causal{Input: "s", Output: "t"}, constraint.TimeInvariant{Input: "s", Output: "t"}} {
			for _, value := range []float64{0, 3} {
				u := f.Copy()
				for i := range u.Data {
					u.Data[i] = value
				}
				d := testmain.Must(dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: m, OutputMesh: m}))(t)
				e, err := fit.Fit(ctx, fit.Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, Constraint: c})
				if err != nil {
					t.Errorf("%v, outputs %g: %v", c, value, err)
					continue
				}
				for _, g := range testmain.Must(e.Green(ctx, m, m))(t).RawMatrix().Data {
					if g != 0 {
						t.Fatalf("%v, outputs %g: G is %g somewhere", c, value, g)
					}
				}
				for _, b := range testmain.Must(e.Bias(ctx, m))(t) {
					if !(math.Abs(b-value) <= 1e-12) {
						t.Fatalf("%v, outputs %g: β is %g somewhere", c, value, b)
					}
				}
			}
		}
	}
}
