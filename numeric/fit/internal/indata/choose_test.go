package indata

import (
	"math"
	"slices"
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

// A kernel is compared by REML at its λ: by that of the matrix, of which what it falls to its minimum is taken off where λ is chosen by
// a model that is only near; where λ is given, and where the model is exact, nothing is.
func TestContendersAreComparedByTheirREML(t *testing.T) {
	near, exact := kernel.RationalQuadratic{Alpha: 1, Lengthscale: kernel.Lengthscale{.5}}, kernel.SE{Lengthscale: kernel.Lengthscale{.5}}
	for what, c := range map[string]struct {
		kernel kernel.Kernel
		lambda float64
		falls  bool
	}{"chosen": {near, 0, true}, "given": {near, 3e-2, false}, "exact": {exact, 0, false}, "exact, given": {exact, 3e-2, false}} {
		s := &problem.Setting{Data: normalPairs(t, 4, 6, 5), Kernel: c.kernel, Lambda: c.lambda, Rho: 1}
		of := func() *Problem {
			q := &problem.Question{Setting: s}
			if err := q.Hold(t.Context(), 0); err != nil {
				t.Fatal(err)
			}
			return testmain.Must(New(t.Context(), q))(t)
		}
		d := of()
		got := testmain.Must(d.Contend(t.Context()))(t)
		ch := testmain.Must(d.Along(t.Context(), s.SearchFor(criteria.REML, d)))(t)
		x := testmain.Must(of().Exact(t.Context(), 1000))(t)
		v := testmain.Must(x.At(t.Context(), ch.Lambda, ch.Penalty.At(ch.Lambda)))(t)
		if c.lambda > 0 && ch.Lambda != c.lambda {
			t.Errorf("%s: λ = %g", what, ch.Lambda)
		}
		if (got.Fall != 0) != c.falls || !(got.Fall >= 0) || got.Bound || got.Err != 0 {
			t.Errorf("%s: %+v", what, got)
		}
		if off := got.Value + got.Fall - v.REML; !(math.Abs(off) <= 1e-8*math.Abs(v.REML)) {
			t.Errorf("%s: REML %.12g, by the matrix %.12g", what, got.Value+got.Fall, v.REML)
		}
	}
}

// A system is its diagonal where that makes of a vector what the system does, but for a billionth of its length.
func TestSystemsOfADiagonal(t *testing.T) {
	s := &problem.Setting{Data: normalPairs(t, 4, 6, 5), Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.5, .4}}, Lambda: 1e-2}
	sys, _, err := SystemOf(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	pre := testmain.Must(NewPreconditioner(t.Context(), sys, s))(t).At(1e-2, 1) // which turns the system
	at := sys.At(problem.At(1e-2, 1))
	d := slices.Clone(pre.D)
	for off, want := range map[float64]bool{0: true, .9e-9: true, -.9e-9: true, 1.1e-9: false, -1.1e-9: false} {
		for i := range d {
			pre.D[i] = d[i] * (1 + off)
		}
		if got := IsDiagonal(t.Context(), at, pre); got != want {
			t.Errorf("off by %g, it is the diagonal: %v", off, got)
		}
	}
}

// Whether D is the diagonal is looked at once for λ that are near each other, and is what it is when it is looked at there:
// not with the D of another kernel.
func TestDiagonalIsKnownAtEveryPenalty(t *testing.T) {
	of := func(k kernel.Kernel) *Problem {
		s := &problem.Setting{Data: normalPairs(t, 4, 6, 5), Kernel: k, Lambda: 1}
		sys, _, err := SystemOf(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		return &Problem{Sys: sys, Setting: s, M: testmain.Must(NewPreconditioner(t.Context(), sys, s))(t)}
	}
	own := of(kernel.SE{Lengthscale: kernel.Lengthscale{.5, .4}})
	other := *own
	other.M = of(kernel.Exponential{Lengthscale: kernel.Lengthscale{.1, .9}}).M
	for want, d := range map[bool]*Problem{true: own, false: &other} {
		p := d.Probes(t.Context(), d.Closed(t.Context()))
		for _, lambda := range []float64{1, .3, 2, 1e-3, 4e-3, 1e-6} {
			near, got := p.Make(lambda, lambda).Diagonals(t.Context())
			slow := d.Sys.diagonal(t.Context(), d.M, lambda, lambda)
			if (got != nil) != want || !slices.Equal(got, slow) || !slices.Equal(near, d.M.At(lambda, lambda).D) {
				t.Errorf("λ = %g: known %v, want %v", lambda, got != nil, want)
			}
		}
	}
	k := &diagonalKnown{}
	for _, c := range []struct {
		lambda float64
		looks  bool
	}{{1, true}, {4.9, false}, {5.1, true}, {1.03, false}, {1.01, true}} {
		at := *own.Sys
		at.Lambda, at.Rho = c.lambda, 1
		before := k.lambda
		if !k.at(t.Context(), &at, own.M) {
			t.Errorf("λ = %g: not known", c.lambda)
		}
		if looked := k.lambda != before; looked != c.looks {
			t.Errorf("λ = %g after %g: looked %v, want %v", c.lambda, before, looked, c.looks)
		}
	}
}
