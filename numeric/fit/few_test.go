package fit_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Bands of few data are means over the λ that these allow, where λ was chosen: they are not those at
// the λ that was, but of the same size; where λ was given, and of more data, they are those at one λ.
func TestBandsOverPenalties(t *testing.T) {
	for name, c := range map[string]struct {
		points, pairs int
		means         bool
	}{"few": {8, 5, true}, "many": {15, 14, false}} { // 210 of them
		m := interval(c.points)
		s := fit.Spec{Data: pairs(t, m, c.pairs, 0.05, 2), Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.3}}, Criterion: fit.REML}
		chosen := mustFit(t, s)
		learned, _ := chosen.Learned()
		s.Lambda, s.Rho, s.Intercept = chosen.Report.Lambda, chosen.Report.Rho, learned.Intercept
		a, b := testmain.Must(chosen.Std(ctx, mesh.Mesh{}, mesh.Mesh{}))(t), testmain.Must(mustFit(t, s).Std(ctx, mesh.Mesh{}, mesh.Mesh{}))(t)
		ratio := mat.Norm(a, 2) / mat.Norm(b, 2)
		if apart := math.Abs(ratio - 1); c.means != (apart > 1e-3) || apart > .5 {
			t.Errorf("%s: bands where λ is chosen are %.6g times those where it is given", name, ratio)
		}
	}
}
