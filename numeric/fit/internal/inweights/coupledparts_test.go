package inweights

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The modes that are coupled are those with νκ above a fifth of λ that obey the constraint, in each mode of the outputs, and they are
// coupled as the responses to them overlap: κ^½ 𝒜ᵀ𝒜 κ^½ + λ, by products with each mode.
func TestCouplingIsOfTheResponsesToModes(t *testing.T) {
	time := constraint.TimeInvariant{Input: "s", Output: "t"}
	for name, c := range map[string]constraint.List{"invariant": {time}, "causal": {time, constraint.Causal{Input: "s", Output: "t"}}} {
		s := &problem.Setting{Data: noise(t, 6, 2, 4, 3, 5), Kernel: kernel.Exponential{Lengthscale: kernel.Lengthscale{.3}}, Constraint: c}
		w, _, err := NewSpace(t.Context(), s, latticeAt(t, s))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.precondition(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		nu, kappa := w.nu.RawMatrix().Data, w.kappa.RawMatrix().Data
		strength := make([]float64, len(nu))
		floats.MulTo(strength, nu, kappa)
		order := slices.Clone(strength)
		slices.Sort(order)
		w = w.At(problem.At(order[len(order)/2], 1))
		if err := w.couple(t.Context()); err != nil {
			t.Fatal(err)
		}
		all := append(append(linop.AxisBasis{}, w.vx...), w.vy...)
		response := func(i int) []float64 { // to a mode, as the constraint leaves it
			v := make([]float64, len(nu))
			v[i] = 1
			all.Backward(t.Context(), v)
			return slices.Clone(w.response(t.Context(), v, nil))
		}
		lag := mat.DenseCopyOf(w.vy[len(w.vy)-1])
		if !w.G.OnLastAxis(lag) {
			t.Fatal("the lag has no functions")
		}
		_, my := w.nu.Dims()
		_, nl := lag.Dims()
		want := map[int]int{} // the mode of the outputs of each mode that is coupled
		for i, v := range strength {
			if v > coupledFrom*w.Lambda && mat.Norm(lag.ColView(i%my%nl), 2) > 1e-8 {
				want[i] = i % my / nl
			}
		}
		if len(want) == len(strength) || len(want) < 4 {
			t.Fatalf("%s: %d of %d modes are strong", name, len(want), len(strength))
		}
		got := 0
		for _, b := range w.coupling.blocks {
			got += len(b.at)
			var square mat.SymDense
			b.by.ToSym(&square)
			for p, i := range b.at {
				if of, ok := want[i]; !ok || of != want[b.at[0]] {
					t.Fatalf("%s: mode %d is coupled with %d", name, i, b.at[0])
				}
				if d := b.roots[p] - math.Sqrt(kappa[i]); d != 0 {
					t.Errorf("%s: root of mode %d is off by %g", name, i, d)
				}
				for q, j := range b.at {
					v := math.Sqrt(kappa[i]*kappa[j]) * floats.Dot(response(i), response(j))
					if p == q {
						v += w.Lambda
					}
					if d := square.At(p, q) - v; !(math.Abs(d) <= 1e-9*square.At(p, p)) {
						t.Errorf("%s: modes %d and %d: %g, want %g", name, i, j, square.At(p, q), v)
					}
				}
			}
		}
		if got != len(want) {
			t.Errorf("%s: %d modes are coupled, %d are strong", name, got, len(want))
		}
	}
}

// A coupling serves λ up to three times greater or less.
func TestCouplingServesLambdaNearby(t *testing.T) {
	w := &Space{Lambda: 2}
	made := func(lambda float64) bool {
		before := w.coupling
		w.Lambda = lambda
		if err := w.couple(t.Context()); err != nil {
			t.Fatal(err)
		}
		return w.coupling != before
	}
	for _, c := range []struct {
		lambda float64
		anew   bool
	}{{2, true}, {5.9, false}, {.67, false}, {6.1, true}, {2.04, false}, {2.03, true}, {12, true}} {
		if made(c.lambda) != c.anew || c.anew && w.coupling.lambda != c.lambda {
			t.Errorf("λ = %g: a coupling is made: %v, of λ = %g", c.lambda, !c.anew, w.coupling.lambda)
		}
	}
}

// Coupled modes are divided by κ^-½ B κ^½, all others as they would be without.
func TestCouplingDividesByTheBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	block := func(at ...int) (coupled, *mat.SymDense) {
		c := coupled{at: at}
		b := mat.NewSymDense(len(at), nil)
		for p := range at {
			c.roots = append(c.roots, 1+rng.Float64())
			for q := range p {
				b.SetSym(p, q, .3*rng.Float64())
			}
			b.SetSym(p, p, 2)
		}
		c.by = &mat.Cholesky{}
		if !c.by.Factorize(b) {
			t.Fatal("not positive")
		}
		return c, b
	}
	first, b1 := block(0, 3, 4)
	second, b2 := block(1, 6)
	const n = 7
	m := mat.NewDense(n, n, nil) // what is divided by
	for i := range n {
		m.Set(i, i, 5)
	}
	for c, b := range map[*coupled]*mat.SymDense{&first: b1, &second: b2} {
		for p, i := range c.at {
			for q, j := range c.at {
				m.Set(i, j, b.At(p, q)/c.roots[p]*c.roots[q])
			}
		}
	}
	v := linop.Normal(rng, n)
	var want mat.VecDense
	if err := want.SolveVec(m, mat.NewVecDense(n, slices.Clone(v))); err != nil {
		t.Fatal(err)
	}
	others := func() { floats.Scale(.2, v) }
	(&coupling{blocks: []coupled{first, second}}).apply(v, others)
	if d := floats.Distance(v, want.RawVector().Data, 2); !(d <= 1e-14) {
		t.Errorf("off by %.1e", d)
	}
}

// Modes that are too many are those of which the data say most: the least νκ doubles until there are no more than there may be.
func TestStrongModesAreFew(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 8))
	const nx, my = 30, 12
	x, y := mesh.Must(mesh.Uniform(0, 1, nx, "x")), mesh.Must(mesh.Uniform(0, 1, my, "y"))
	w := &Space{G: lattice.On(x, y), nu: mat.NewDense(nx, my, nil), kappa: mat.NewDense(nx, my, nil), Lambda: 1e-6}
	for i := range w.nu.RawMatrix().Data {
		w.nu.RawMatrix().Data[i], w.kappa.RawMatrix().Data[i] = math.Exp(-8*rng.Float64()), 2
	}
	ones := mat.NewDense(3, my, linop.Ones(3*my)) // functions of one axis
	for k := range 3 {
		ones.Set(k, 5, 0) // none that obeys
	}
	count := func(least float64) (n int) {
		for i, v := range w.nu.RawMatrix().Data {
			if 2*v > least && i%my != 5 {
				n++
			}
		}
		return n
	}
	modes, least := w.strong(ones)
	if len(modes) != count(least) || len(modes) > 200 || count(least/2) <= 200 {
		t.Errorf("%d modes above %g, there are %d; %d above half of that", len(modes), least, count(least), count(least/2))
	}
	if twice := math.Log2(least / (coupledFrom * w.Lambda)); twice != math.Round(twice) || twice < 1 {
		t.Errorf("the least is 2^%g of that of λ", twice)
	}
	for _, m := range modes {
		if 2*w.nu.At(m[0], m[1]) <= least || m[1] == 5 {
			t.Errorf("mode %v is not strong", m)
		}
	}
	w.Lambda = 1e-12 * 2 * mat.Max(w.nu) // lost in rounding
	if modes, _ := w.strong(ones); modes != nil {
		t.Errorf("%d modes where λ is lost", len(modes))
	}
	w.Lambda *= 1.001
	if modes, _ := w.strong(ones); len(modes) == 0 {
		t.Error("no modes where λ is just not lost")
	}
	// where a mode of the outputs does not say enough, another may: three modes of outputs, four of lags
	w.Lambda = .1
	four := mat.NewDense(3, 4, linop.Ones(12))
	modes, least = w.strong(four)
	if least != coupledFrom*w.Lambda {
		t.Fatalf("the least is %g", least)
	}
	for a := range nx {
		for l := range 4 {
			want := false
			for _, k := range []int{l, l + 4, l + 8} {
				want = want || 2*w.nu.At(a, k) > least
			}
			if slices.Contains(modes, [2]int{a, l}) != want {
				t.Errorf("mode %d, %d is strong: %v", a, l, !want)
			}
		}
	}
}
