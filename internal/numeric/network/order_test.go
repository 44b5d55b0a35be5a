package network

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// TestOrderOfPairs: a network learns the same from pairs in another order, implicit and of layers, with λ given
// and chosen, and reports the same errors: pairs are left out by what they are, not by where they stand.
func TestOrderOfPairs(t *testing.T) {
	all := cubic(t, 16, 7, 3, constant(2), 7)
	for name, change := range map[string]func(s *Spec){
		"implicit":           func(s *Spec) { s.Model.Lambda = 1e-4 },
		"implicit, λ chosen": func(*Spec) {},
		"two layers":         func(s *Spec) { s.Layers, s.Model.Lambda = 2, 1e-5 },
	} {
		if name == "implicit, λ chosen" && !testmain.EveryCase() {
			continue
		}
		train, test := split(t, all, 4)
		learn := func(rows []int) (*Estimate, *mat.Dense) {
			s := spec(testmain.Must(train.Select(rows))(t), power(3))
			for term := range s.Model.Kernels {
				s.Model.Kernels[term] = kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{.5}}
			}
			change(&s)
			e := testmain.Must(Fit(t.Context(), s))(t)
			return e, testmain.Must(e.Predict(t.Context(), test, mesh.Mesh{}))(t).U
		}
		first := make([]int, train.N())
		for i := range first {
			first[i] = i
		}
		e, want := learn(first)
		other, got := learn(rand.New(rand.NewPCG(1, 2)).Perm(train.N()))
		got.Sub(got, want)
		if off, left := mat.Norm(got, 2)/mat.Norm(want, 2), other.Report.LeftOut/e.Report.LeftOut-1; !(off < 1e-6) || !(max(left, -left) < 1e-6) {
			t.Errorf("%s: in another order predictions differ by %.1e, errors of pairs left out by %.1e", name, off, left)
		}
	}
}
