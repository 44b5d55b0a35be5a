package problem

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// A solution that rounding keeps from its tolerance is taken where the squared residual is a hundred-millionth of the objective at
// most, and counts as converged unless less than the usual tolerance was asked for; others stay as they are.
func TestSolutionsThatRoundingEnds(t *testing.T) {
	data := []float64{3, 4} // of length 5
	for what, c := range map[string]struct {
		residual, tolerance, rss0 float64
		rounded                   bool
		taken, converged          bool
	}{
		"little":                {1.9e-5, solve.DefaultTolerance, 0, true, true, true}, // 9.5e-5² < 1e-8
		"too much":              {2.1e-5, solve.DefaultTolerance, 0, true, false, false},
		"too much of less":      {2.1e-5, solve.DefaultTolerance, 1, true, true, true},
		"another tolerance":     {1.9e-5, 1e-12, 0, true, true, false},
		"a greater tolerance":   {1.9e-5, 1e-6, 0, true, true, true},
		"not ended by rounding": {1.9e-5, solve.DefaultTolerance, 0, false, false, false},
	} {
		x := &Solution{X: []float64{.2, .1}, How: solve.Report{Residual: c.residual, Rounded: c.rounded, Reason: "as it was"}} // ⟨t, z⟩ = 1
		got := x.CertifiedBy(data, c.rss0, c.tolerance).How
		if got.Converged != c.converged || got.Rounded != (c.rounded && !c.taken) || (got.Reason != "as it was") != c.taken {
			t.Errorf("%s: %+v", what, got)
		}
		if gap := 25 * c.residual * c.residual / (1 + c.rss0); c.taken && !strings.Contains(got.Reason, "within "+exponent(gap)) {
			t.Errorf("%s: %q, want %s", what, got.Reason, exponent(gap))
		}
	}
}

func exponent(v float64) string { return fmt.Sprintf("%.1e", v) }

// An operator that is not positive definite is so by rounding where its largest eigenvalue is beyond what rounding leaves of one:
// the least λ is such that it would be a hundred times that, and twice what it was at least. Otherwise the kernel is none.
func TestLambdaThatIsLost(t *testing.T) {
	of := func(top float64) linop.Operator { return linop.Dense{M: mat.NewDense(1, 1, []float64{top})} }
	k := kernel.SE{Lengthscale: kernel.Lengthscale{1}}
	for top, want := range map[float64]float64{1.01e13: 2, 1.9e15: 2, 2.1e15: 2.1, 1e17: 100} {
		x, err := (&Solution{Unknowns: 7}).UnlessLost(t.Context(), solve.ErrNotPositive, of(top), k, .5)
		if err != nil || x.X != nil || x.Unknowns != 7 || math.Abs(x.Least-.5*want) > 1e-12*want {
			t.Errorf("eigenvalue %g: %+v, %v; want %g times λ", top, x, err, want)
		}
	}
	if _, err := (&Solution{}).UnlessLost(t.Context(), solve.ErrNotPositive, of(.99e13), k, .5); !errors.Is(err, solve.ErrNotPositive) || !strings.Contains(err.Error(), "not positive semi-definite") {
		t.Errorf("%v", err)
	}
	other := errors.New("another")
	if _, err := (&Solution{}).UnlessLost(t.Context(), other, of(1), k, .5); !errors.Is(err, other) {
		t.Errorf("%v", err)
	}
	rounded := &Solution{How: solve.Report{Rounded: true}}
	if x, err := rounded.UnlessLost(t.Context(), nil, of(1), k, .5); err != nil || x != rounded || x.Least != 5 {
		t.Errorf("%+v, %v", x, err)
	}
	if x, err := (&Solution{}).UnlessLost(t.Context(), nil, of(1), k, .5); err != nil || x.Least != 0 {
		t.Errorf("%+v, %v", x, err)
	}
	e := lost{.25, 3}
	if !errors.Is(e, solve.ErrNotPositive) || errors.Is(e, other) || !strings.Contains(e.Error(), "lambda 0.25") || !strings.Contains(e.Error(), "about 3e+00") {
		t.Error(e)
	}
}

// The largest eigenvalue is found from below, of matrices that have none, too.
func TestLargestEigenvalue(t *testing.T) {
	a := mat.NewDiagDense(4, []float64{1, 30, 7, 2})
	if got := LargestEigenvalue(t.Context(), linop.Dense{M: mat.DenseCopyOf(a)}, 0); math.Abs(got-30) > 1e-9 {
		t.Errorf("%g, want 30", got)
	}
	turned := mat.NewDense(3, 3, []float64{2, 1, 1, 1, 2, 1, 1, 1, 2}) // of (1, 1, 1): 4
	if got := LargestEigenvalue(t.Context(), linop.Dense{M: turned}, 0); math.Abs(got-4) > 1e-9 {
		t.Errorf("%g, want 4", got)
	}
	if got := LargestEigenvalue(t.Context(), linop.Dense{M: mat.NewDense(3, 3, nil)}, 0); got != 0 {
		t.Errorf("nothing: %g", got)
	}
	if got := LargestEigenvalue(t.Context(), linop.Dense{M: mat.NewDense(1, 1, []float64{math.Inf(1)})}, 0); !math.IsInf(got, 1) {
		t.Errorf("infinite: %g", got)
	}
	var seen []float64 // by products one after another
	x, y := criteria.Signs(4, 0), make([]float64, 4)
	for range 20 {
		floats.Scale(1/floats.Norm(x, 2), x)
		linop.Dense{M: mat.DenseCopyOf(a)}.Apply(t.Context(), y, x)
		seen = append(seen, floats.Norm(y, 2))
		x, y = y, x
	}
	for _, part := range []float64{.3, .01, 1e-4} {
		k := 1
		for seen[k]-seen[k-1] > part*seen[k] {
			k++
		}
		if got := LargestEigenvalue(t.Context(), linop.Dense{M: mat.DenseCopyOf(a)}, part); got != seen[k] {
			t.Errorf("to %g: %g, want %g, of product %d", part, got, seen[k], k+1)
		}
	}
}

// The inputs of parts are as large as those of the largest, and a kernel for them is as much greater: what a part gives stays.
func TestPartsInBalance(t *testing.T) {
	line := func(name string, n int) mesh.Mesh { return mesh.Must(mesh.Uniform(0, 1, n, name)) }
	k := kernel.SE{Lengthscale: kernel.Lengthscale{.3}}
	sum := kernels.DirectSum{Output: line("y", 3), Parts: []kernels.Summand{{Kernel: k, On: line("a", 2)}, {Kernel: k, On: line("b", 2)}, {Kernel: k, On: line("c", 2)}}}
	sizes := PartSizes(sum, mat.NewDense(2, 6, []float64{3, 0, 0, 0, 6, 0, 0, 4, 0, 0, 0, 8}))
	if sizes[0] != .5 || sizes[1] != smallestPart || sizes[2] != 1 {
		t.Errorf("sizes %v", sizes)
	}
	if none := PartSizes(sum, mat.NewDense(2, 6, nil)); none[0] != smallestPart || none[2] != smallestPart {
		t.Errorf("no inputs: %v", none)
	}
	balanced := BalancedSum(sum, sizes)
	for i, p := range balanced.Parts {
		if s := p.Kernel.(kernel.Scaled); s.Factor != sizes[i]*sizes[i] || s.Kernel.String() != k.String() || p.On.Size() != sum.Parts[i].On.Size() {
			t.Errorf("part %d: %v", i, p)
		}
	}
	if balanced.Output.Size() != 3 {
		t.Errorf("output of %d points", balanced.Output.Size())
	}
}

// The covariance between values is what products with single ones make, and the identity.
func TestCovarianceOfValues(t *testing.T) {
	const pairs, my = 3, 4
	rng := rand.New(rand.NewPCG(8, 8))
	b := mat.NewDense(pairs*my, pairs*my, linop.Normal(rng, pairs*my*pairs*my))
	var c mat.Dense
	c.Mul(b, b.T())
	v := &Values{Pairs: pairs}
	places := [][2]int{{0, 1}, {0, 3}, {1, 0}, {2, 2}, {2, 3}}
	for i, p := range places {
		v.Add(p[0], p[1], float64(i))
	}
	err := v.Relate(t.Context(), my, 10, func(in *mat.Dense) []float64 {
		out := make([]float64, pairs*my)
		mat.NewVecDense(len(out), out).MulVec(&c, mat.NewVecDense(len(out), in.RawMatrix().Data))
		return out
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range places {
		for j, q := range places {
			want := c.At(p[0]*my+p[1], q[0]*my+q[1])
			if i == j {
				want++
			}
			if got := v.Covariance.At(i, j); math.Abs(got-want) > 1e-13*c.At(0, 0) {
				t.Errorf("values %v and %v: %g, want %g", p, q, got, want)
			}
		}
	}
	if v.SetConstant(nil, 3); v.Constant != nil {
		t.Error("a constant that is not there")
	}
	if v.SetConstant(outputs.Contrast{.6, .8}, 5); v.Constant[0] != 3 || v.Constant[1] != 4 {
		t.Errorf("a constant: %v", v.Constant)
	}
}

// The value of the functional is its parts, and the gap what the dual point lacks.
func TestValueOfWeights(t *testing.T) {
	w := Weighed{Green2: 2, Bias2: 3, Misfit: []float64{1, 2}, Dual: []float64{1, -1}, Unexplained: .5, Apart: .25}
	if w.MSE() != 5.5 || w.Objective(At(10, 100)) != 5.5+20+300 || w.Gap() != 9.25 {
		t.Errorf("%g, %g, %g", w.MSE(), w.Objective(At(10, 100)), w.Gap())
	}
	if NotNothing(2) != 2 || !(NotNothing(0) > 0) {
		t.Error("a norm that is divided by")
	}
}

// What a setting says of penalties, and of the structure that the bias has.
func TestSettings(t *testing.T) {
	for _, c := range []struct {
		s    Setting
		free bool
		rho  float64
	}{{Setting{}, true, 7}, {Setting{Lambda: 1}, false, 7}, {Setting{Rho: 2}, false, 2}, {Setting{Lambda: 1, Rho: 2}, false, 2}} {
		if c.s.FreeRatio() != c.free || c.s.RhoAt(7) != c.rho {
			t.Errorf("%+v: free %v, ρ %g", c.s, c.s.FreeRatio(), c.s.RhoAt(7))
		}
	}
	for structure, want := range map[gram.Structure]gram.Structure{"": "", gram.Full: gram.Full, gram.Blocks: gram.Full, "toeplitz": ""} {
		if got := (&Setting{Structure: structure}).BiasStructure().Structure; got != want {
			t.Errorf("%q: the bias has %q", structure, got)
		}
	}
	if least := ToChoose(criteria.LOO).Rows; least <= ToChoose(criteria.REML).Rows || ToChoose(criteria.GCV) != ToChoose(criteria.REML) {
		t.Errorf("leaving out pairs is worth a matrix of %d rows", least)
	}
}
