package indata

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
)

// How far a system is from its diagonal is the mean square of (D^-½ H D^-½ - I) z, by the matrix itself; one of a separable kernel is its
// diagonal at all λ, and that of a kernel of differences is not.
func TestOffDiagonalIsThatOfTheMatrix(t *testing.T) {
	for _, c := range []struct {
		kernel   kernel.Kernel
		diagonal bool
	}{{kernel.SE{Lengthscale: kernel.Lengthscale{.5, .4}}, true}, {kernel.RationalQuadratic{Alpha: 1, Lengthscale: kernel.Lengthscale{.5}}, false}} {
		s := &problem.Setting{Data: normalPairs(t, 4, 6, 5), Kernel: c.kernel, Lambda: 1}
		sys, _, err := SystemOf(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		m := testmain.Must(NewPreconditioner(t.Context(), sys, s))(t)
		for _, lambda := range []float64{1e-2, 3} {
			at, d := sys.At(problem.At(lambda, 1)), m.At(lambda, 1).D
			n := len(d)
			z, e := criteria.Signs(n, 0xd1a6), make([]float64, n)
			column, unit := make([]float64, n), make([]float64, n)
			whole := mat.NewDense(n, n, nil)
			for j := range n {
				unit[j] = 1
				at.Apply(t.Context(), column, unit)
				unit[j] = 0
				whole.SetCol(j, column)
			}
			want := 0.0
			for i := range n {
				for j := range n {
					e[i] += whole.At(i, j) / math.Sqrt(d[i]*d[j]) * z[j]
				}
				e[i] -= z[i]
				want += e[i] * e[i] / float64(n)
			}
			got := sys.offDiagonal(t.Context(), m, lambda, 1)
			if !(math.Abs(got-want) <= 1e-10*want+1e-24) {
				t.Errorf("%v, λ = %g: off by %g, want %g", c.kernel, lambda, got, want)
			}
			if is := sys.isDiagonal(t.Context(), m, lambda, 1); is != c.diagonal {
				t.Errorf("%v, λ = %g: diagonal is %v", c.kernel, lambda, is)
			}
		}
	}
}
