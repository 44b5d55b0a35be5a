package posterior

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// What residuals keep of the noise, value by value, pair by pair and in all, is the same by closed forms and by the inverse of the
// covariance, and nothing at points without weight.
func TestSharesOfProductsAreDense(t *testing.T) {
	product := kernel.SE{Lengthscale: kernel.Lengthscale{0.4}}
	x, y := mesh.Must(mesh.Uniform(0, 1, 5, "x")), mesh.Must(mesh.Gauss(0, 1, 4, "y"))
	loose := mesh.Must(mesh.Scattered([]float64{0, .4, .5, 1}, 1, []float64{.3, 0, .5, .2}, "y"))
	for name, c := range map[string]struct {
		n    int
		y    mesh.Mesh
		flat bool
	}{"few": {5, y, false}, "many": {9, y, false}, "constant": {9, y, true}, "a point without weight": {9, loose, false}, "and a constant": {9, loose, true}} {
		f, u := testmain.Must(randfield.Normal(1, c.n, 5))(t), testmain.Must(randfield.Normal(2, c.n, 4))(t)
		d := testmain.Must(dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: x, OutputMesh: c.y}))(t)
		p := spec{Data: d, Kernel: product, Lambda: 1e-2, Rho: 1e-1, Flat: c.flat}.posterior(t)
		split := testmain.Must(p.newSplitResiduals(t.Context(), Span{0, 4}))(t)
		dense := testmain.Must(p.newDenseResiduals(t.Context(), Span{0, 4}))(t)
		if split == nil || dense == nil {
			t.Fatalf("%s: %v, %v", name, split, dense)
		}
		a, b := split.Shares(), dense.Shares()
		if !mat.EqualApprox(a, b, 1e-9) {
			t.Errorf("%s: shares %v, dense %v", name, mat.Formatted(a), mat.Formatted(b))
		}
		for i := range c.n {
			one, other := split.Block(t.Context(), i), dense.Block(t.Context(), i)
			if !mat.EqualApprox(one, other, 1e-9) {
				t.Errorf("%s: block of pair %d %v, dense %v", name, i, mat.Formatted(one), mat.Formatted(other))
			}
			for k, w := range c.y.Weights() {
				want := b.At(i, k)
				if w == 0 {
					want = 0
				}
				if off := one.At(k, k) - want; math.Abs(off) > 1e-9 || w == 0 && a.At(i, k) != 0 {
					t.Errorf("%s: pair %d, point %d: %g in its block, %g in the shares", name, i, k, one.At(k, k), a.At(i, k))
				}
			}
		}
		for _, at := range []Span{{0, 4}, {1, 3}, {2, 2}} {
			sum := 0.0
			for i := range c.n {
				for k := at.Lo; k < at.Hi; k++ {
					sum += a.At(i, k)
				}
			}
			if v, w := split.Trace(at), dense.Trace(at); math.Abs(v-w) > 1e-9 || math.Abs(v-sum) > 1e-9 {
				t.Errorf("%s: trace over %v is %g, dense %g, of the shares %g", name, at, v, w, sum)
			}
		}
	}
}

// The trace of S K̄ Sᵀ, from the kernel itself, is that of the system less the identity: of complete data and of others, with β and
// without, and with weights of pairs.
func TestTraceFromTheKernel(t *testing.T) {
	x, y := mesh.Must(mesh.Uniform(0, 1, 6, "x")), mesh.Must(mesh.Gauss(0, 1, 5, "y"))
	k := kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.4}}
	for name, s := range map[string]spec{
		"complete": {Data: smoothPairs(t, x, y, 4, false), Kernel: k, Lambda: 1e-2, Rho: 3e-2},
		"many":     {Data: smoothPairs(t, x, y, 12, false), Kernel: k, Lambda: 1e-2, Rho: 3e-2},
		"no bias":  {Data: smoothPairs(t, x, y, 4, false), Kernel: k, Lambda: 1e-2, NoBias: true},
		"missing":  {Data: smoothPairs(t, x, y, 8, true), Kernel: k, Lambda: 1e-2, Rho: 3e-2},
	} {
		p := s.posterior(t)
		d, ok := p.Regression.(problem.Directed)
		if !ok {
			t.Fatalf("%s: not directed", name)
		}
		n, _ := p.a.Dims()
		want, e, ae := 0.0, make([]float64, n), make([]float64, n)
		for i := range n {
			clear(e)
			e[i] = 1
			p.a.Apply(t.Context(), ae, e)
			want += ae[i] - 1
		}
		if got := testmain.Must(p.trace(t.Context(), d))(t); !(math.Abs(got-want) <= 1e-9*want) {
			t.Errorf("%s: %g, want %g", name, got, want)
		}
	}
}
