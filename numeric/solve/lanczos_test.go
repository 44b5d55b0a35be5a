package solve_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/linop"
	"github.com/greenbench/workbench/numeric/solve"
)

// The two rules enclose bᵀ (A + λ)⁻¹ b and close in on it, and log(1 + A/λ) is
// integrated as well; the truth is from all eigenvectors.
func TestLanczosEnclosesQuadraticForms(t *testing.T) {
	const n, condition, lambda = 60, 5e5, 5e3
	rng := rand.New(rand.NewPCG(7, 8))
	a := linop.Dense{M: spd(rng, n, condition)}
	values, v, err := linop.Eigen(a.M)
	if err != nil {
		t.Fatal(err)
	}
	b := make([]float64, n)
	for i := range b {
		b[i] = rng.NormFloat64()
	}
	form := func(f func(x float64) float64) float64 {
		sum := 0.0
		for i, x := range values {
			c := mat.Dot(v.ColView(i), mat.NewVecDense(n, b))
			sum += c * c * f(x)
		}
		return sum
	}
	integral := func(nodes, weights []float64, f func(x float64) float64) float64 {
		sum := 0.0
		for i, x := range nodes {
			sum += weights[i] * f(x)
		}
		return sum
	}
	inverse := func(x float64) float64 { return 1 / (x + lambda) }
	l := solve.NewLanczos(a, b)
	gap := math.Inf(1)
	for l.Step() {
		if k := l.Steps(); k%10 != 0 && k != 3 {
			continue
		}
		lower, upper, want := 0.0, 0.0, form(inverse)
		n, w := l.Rule()
		lower = integral(n, w, inverse)
		n, w = l.UpperRule()
		upper = integral(n, w, inverse)
		if lower > want*(1+1e-9) || upper < want*(1-1e-9) || upper-lower > gap*(1+1e-9)+1e-9*want {
			t.Fatalf("%d steps: %g … %g does not enclose %g, or is wider than before (%g)", l.Steps(), lower, upper, want, gap)
		}
		gap = upper - lower
		if l.Steps() == 40 {
			break
		}
	}
	if want := form(inverse); gap > 1e-6*want {
		t.Errorf("after 40 steps the bounds are %g apart, of %g", gap, want)
	}
	logarithm := func(x float64) float64 { return math.Log1p(max(x, 0) / lambda) }
	nodes, weights := l.Rule()
	if got, want := integral(nodes, weights, logarithm), form(logarithm); math.Abs(got-want) > 1e-6*want {
		t.Errorf("logarithm: %g, want %g", got, want)
	}
}

// In an invariant space of two vectors the third step finds nothing.
func TestLanczosEnds(t *testing.T) {
	a := linop.Dense{M: mat.NewDense(3, 3, []float64{2, 0, 0, 0, 3, 0, 0, 0, 5})}
	l := solve.NewLanczos(a, []float64{1, 1, 0})
	for l.Step() {
	}
	if l.Steps() != 2 {
		t.Errorf("%d steps, want 2", l.Steps())
	}
	nodes, weights := l.UpperRule()
	if math.Abs(nodes[0]-2)+math.Abs(nodes[1]-3) > 1e-14 || math.Abs(weights[0]-1)+math.Abs(weights[1]-1) > 1e-14 {
		t.Errorf("nodes %v, weights %v: want 2, 3 and 1, 1", nodes, weights)
	}
	if solve.NewLanczos(a, make([]float64, 3)).Step() {
		t.Error("a step from the zero vector")
	}
}
