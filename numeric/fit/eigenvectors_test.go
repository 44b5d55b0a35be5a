package fit

import (
	"fmt"
	"math"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/fit/internal/indata"
	"github.com/greenbench/workbench/numeric/fit/internal/pose"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Of a kernel of low rank the criteria from the eigenvectors are those of the matrix at any λ and ρ, also far from the first
// that were asked for.
func TestCriteriaOfLowRankAreThoseOfTheMatrix(t *testing.T) {
	ctx, k := t.Context(), kernel.Sum{Terms: []kernel.Kernel{kernel.SE{Lengthscale: kernel.Lengthscale{.7}}, kernel.SE{Lengthscale: kernel.Lengthscale{1.5}}}}
	for _, n := range []int{12, 40} { // fewer pairs than points, and more
		for name, s := range map[string]Spec{
			"bias": {Intercept: NoIntercept}, "no bias": {NoBias: true}, "free constant": {Intercept: Flat},
		} {
			t.Run(fmt.Sprint(name, ", pairs ", n), func(t *testing.T) {
				s.Data, s.Kernel = waves(t, n, 24, 1e-2), k
				s.Structure = gram.Ranks
				p := testmain.Must(pose.New(ctx, s.setting()))(t).Problem.(*indata.Problem)
				if err := p.Prepare(ctx, nil); err != nil {
					t.Fatal(err)
				}
				if _, err := p.Along(ctx, p.Setting.SearchFor(criteria.REML, p)); err != nil {
					t.Fatal(err)
				}
				limits := problem.Limits{Unknowns: math.MaxInt}
				e := testmain.Must(p.Evaluator(ctx, problem.At(1e-3, 1e-3), limits))(t)
				if _, ok := e.(*criteria.Eigenvectors); !ok {
					t.Fatalf("evaluated by %T", e)
				}
				x := testmain.Must(p.Exact(ctx, math.MaxInt))(t)
				for _, at := range [][2]float64{{1e-3, 1e-3}, {1e-3, 1}, {1e-5, 1e-3}, {1, 1e-8}, {1e-7, 1e-7}} {
					if s.NoBias {
						at[1] = at[0]
					}
					got := testmain.Must(e.At(ctx, at[0], at[1]))(t)
					want := testmain.Must(x.At(ctx, at[0], at[1]))(t)
					for _, v := range [][2]float64{
						{got.REML, want.REML},
						{got.GCV, want.GCV},
						{got.EffectiveDF, want.EffectiveDF},
						{got.ResidualDF, want.ResidualDF},
						{got.LogDet, want.LogDet},
						{got.Slope, want.Slope},
						{got.Rho, want.Rho},
					} {
						if !(math.Abs(v[0]-v[1]) <= 1e-6*max(1, math.Abs(v[1]))) {
							t.Errorf("λ = %g, ρ = %g: %+v, by the matrix %+v", at[0], at[1], got, want)
							break
						}
					}
				}
			})
		}
	}
}
