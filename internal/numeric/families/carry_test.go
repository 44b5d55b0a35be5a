package families

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/mesh"
)

// A smooth part with other lengthscales begins at a λ where it takes as many degrees of freedom; that is greater for shorter ones.
func TestCarriedLambdaKeepsTheDegreesOfFreedom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	noise := func(n, m int) *mat.Dense {
		out := mat.NewDense(n, m, nil)
		out.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, out)
		return out
	}
	x, y := mesh.Must(mesh.Uniform(0, 1, 12, "x")), mesh.Must(mesh.Uniform(0, 1, 14, "y"))
	s, err := newSample(t.Context(), Data{Input: noise(10, 12), Output: noise(10, 14), X: x, Y: y})
	if err != nil {
		t.Fatal(err)
	}
	q := newSearch(s)
	from := candidate{family: infinite, steps: []int{20, 20}, lambda: 1e-4}
	freedom := func(c candidate) float64 {
		p, err := q.product(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		return p.freedom(c.lambda)
	}
	for _, steps := range [][]int{{20, 20}, {16, 20}, {20, 24}, {22, 17}} {
		to := candidate{family: infinite, steps: steps}
		if to.lambda, err = q.carried(t.Context(), from, to); err != nil {
			t.Fatal(err)
		}
		if got, want := freedom(to), freedom(from); !(math.Abs(got-want) <= 0.5) {
			t.Errorf("lengthscales %v at λ = %.2g: %.2f degrees of freedom, at those before %.2f", steps, to.lambda, got, want)
		}
		if shorter := steps[0]+steps[1] < 40; shorter && !(to.lambda > from.lambda) {
			t.Errorf("shorter lengthscales %v have the smaller λ %.2g", steps, to.lambda)
		}
	}
	if same, err := q.carried(t.Context(), from, candidate{family: from.family, steps: []int{20, 20}}); err != nil || same != from.lambda {
		t.Errorf("with the same lengthscales λ = %g becomes %g; %v", from.lambda, same, err)
	}
	// a λ that would have to be more than e⁷ times greater, or less, is carried that far
	for sign, c := range map[float64][2][]int{1: {{20, 20}, {0, 0}}, -1: {{0, 0}, {20, 20}}} {
		start, far := candidate{family: infinite, steps: c[0], lambda: math.Exp(-12 - 4*sign)}, candidate{family: infinite, steps: c[1]}
		far.lambda = start.lambda * math.Exp(sign*7)
		if sign*(freedom(far)-freedom(start)) <= 0 {
			t.Fatalf("the λ of %v is less far from that of %v", c[1], c[0])
		}
		got, err := q.carried(t.Context(), start, far)
		if off := math.Log(got / far.lambda); err != nil || !(math.Abs(off) <= carryTo) {
			t.Errorf("from %v to %v log λ moves by %g, want %g; %v", c[0], c[1], math.Log(got/start.lambda), sign*7, err)
		}
	}
}

// The minimum of a smooth function is found between steps, from either side; one that only falls, or ends, is followed as far as it goes.
func TestDescendToTheMinimum(t *testing.T) {
	for _, c := range []struct {
		least, last, off float64
		f                func(least, x float64) float64
	}{
		{1.3, halfDecade / 4, 0.02, func(m, x float64) float64 { return math.Cosh(x - m) }},
		{-0.9, halfDecade / 4, 0.02, func(m, x float64) float64 { return math.Cosh(x - m) }},
		{0.2, halfDecade / 4, 0.02, func(m, x float64) float64 { return math.Cosh(x - m) }},
		{1.3, halfDecade, halfDecade / 2, func(m, x float64) float64 { return math.Cosh(x - m) }},
		{2, halfDecade / 4, 1e-12, func(m, x float64) float64 { // it ends at a place that steps reach
			if x > m {
				return math.Inf(1)
			}
			return -x
		}},
	} {
		best, value := 0.0, c.f(c.least, 0)
		descendTo(0, value, c.last, func(x float64) float64 {
			v := c.f(c.least, x)
			if v < value {
				best, value = x, v
			}
			return v
		})
		if !(math.Abs(best-c.least) <= c.off) {
			t.Errorf("the minimum at %g, to %g, is found at %g", c.least, c.last, best)
		}
	}
}
