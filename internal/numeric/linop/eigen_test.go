package linop_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/parallel"
)

// The eigenvalues of (A + Aᵀ)/2 for A = [2 2; 0 2] are 1 and 3, of the vectors (1, -1)
// and (1, 1).
func TestEigen(t *testing.T) {
	a := mat.NewDense(2, 2, []float64{2, 2, 0, 2})
	values, v, err := linop.Eigen(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(values[0]-1) > 1e-15 || math.Abs(values[1]-3) > 1e-15 {
		t.Errorf("eigenvalues %v, must be 1 and 3", values)
	}
	checkEigen(t, "2 × 2", a, values, v)
}

// symmetricMatrices are of every kind that reductions and deflations treat on their own.
func symmetricMatrices(n int, rng *rand.Rand) map[string]*mat.SymDense {
	of := func(f func(i, j int) float64) *mat.SymDense {
		s := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				s.SetSym(i, j, f(i, j))
			}
		}
		return s
	}
	zero := func(int, int) float64 { return 0 }
	out := map[string]*mat.SymDense{
		"random":   of(func(int, int) float64 { return rng.NormFloat64() }),
		"zero":     of(zero),
		"ones":     of(func(int, int) float64 { return 1 }),
		"diagonal": of(func(i, j int) float64 { return map[bool]float64{true: rng.NormFloat64()}[i == j] }),
		"unit":     of(func(i, j int) float64 { return map[bool]float64{true: 1}[i == j] }),
		"smooth kernel": of(func(i, j int) float64 { // eigenvalues down to rounding
			d := float64(i-j) / float64(n) / .2
			return math.Exp(-d * d)
		}),
		"rough kernel":      of(func(i, j int) float64 { return math.Exp(-math.Abs(float64(i-j)) / float64(n) / .1) }),
		"second difference": of(func(i, j int) float64 { return map[int]float64{0: 2, 1: -1}[j-i] }),
		"Wilkinson": of(func(i, j int) float64 { // pairs of eigenvalues that agree to rounding
			if i == j {
				return math.Abs(float64(i) - float64(n-1)/2)
			}
			return map[bool]float64{true: 1}[j == i+1]
		}),
		"blocks": of(func(i, j int) float64 { // multiple eigenvalues
			return map[bool]float64{true: 1}[i/5 == j/5]
		}),
		"graded":     of(func(i, j int) float64 { return rng.NormFloat64() * math.Pow(10, -float64(i+j)/float64(n)*10) }),
		"large":      of(func(int, int) float64 { return 1e300 * rng.NormFloat64() }),
		"small":      of(func(int, int) float64 { return 1e-300 * rng.NormFloat64() }),
		"tiny":       of(func(int, int) float64 { return 1e-310 * rng.NormFloat64() }),
		"wide range": of(func(int, int) float64 { return math.Pow(10, -200*rng.Float64()) }),
		"arrow": of(func(i, j int) float64 {
			return map[bool]float64{true: float64(j)/float64(n) + 1}[i == j || i == 0]
		}),
		"clusters": of(func(i, j int) float64 {
			return map[bool]float64{true: float64(i % 3)}[i == j] + 1e-14*rng.NormFloat64()
		}),
	}
	return out
}

// checkEigen checks the definition: A V = V diag(values) and Vᵀ V = I to rounding, and
// the order.
func checkEigen(t *testing.T, name string, a mat.Matrix, values []float64, v *mat.Dense) {
	t.Helper()
	n := len(values)
	s := linop.Symmetric(a)
	largest := 0.0
	for i := range n {
		for j := range n {
			largest = max(largest, math.Abs(s.At(i, j)))
		}
	}
	unit := max(largest, 1e-308) * float64(n)
	var left, gram mat.Dense
	left.Mul(s, v)
	for i := range n {
		for j := range n {
			if e := math.Abs(left.At(i, j) - v.At(i, j)*values[j]); !(e <= 1e-14*unit) {
				t.Fatalf("%s: A V - V D is %.2g at %d, %d, of %.2g", name, e, i, j, unit)
			}
		}
	}
	gram.Mul(v.T(), v)
	for i := range n {
		for j := range n {
			want := 0.0
			if i == j {
				want = 1
			}
			if e := math.Abs(gram.At(i, j) - want); !(e <= 1e-14*math.Sqrt(float64(n))+1e-15) {
				t.Fatalf("%s: Vᵀ V - I is %.2g at %d, %d", name, e, i, j)
			}
		}
	}
	for i := range n - 1 {
		if values[i] > values[i+1] {
			t.Fatalf("%s: eigenvalues %d and %d are %g, %g", name, i, i+1, values[i], values[i+1])
		}
	}
}

// Sizes around those of the blocks and of what is divided; every kind of matrix.
func TestEigenByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 7, 31, 32, 33, 34, 65, 97, 130, 201} {
		for name, a := range symmetricMatrices(n, rng) {
			name = fmt.Sprintf("%s, %d rows", name, n)
			values, v, err := linop.Eigen(t.Context(), a)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			checkEigen(t, name, a, values, v)
			only, err := linop.Eigenvalues(t.Context(), a)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			unit := max(math.Abs(values[0]), math.Abs(values[n-1]), 1e-308)
			for i, w := range only {
				if math.Abs(w-values[i]) > 1e-14*float64(n)*unit {
					t.Errorf("%s: eigenvalue %d is %g by itself and %g with vectors", name, i, w, values[i])
				}
			}
		}
	}
}

// The eigenvalues of a matrix in other units are those eigenvalues in other units, as
// far as doubles go.
func TestEigenvaluesInAllUnits(t *testing.T) {
	a := mat.NewDense(5, 5, nil)
	a.Apply(func(i, j int, _ float64) float64 { return math.Cos(float64(i*j)) + math.Cos(float64(i+j)) }, a)
	want, err := linop.Eigenvalues(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range []float64{1e-310, 1e-300, 1e-200, 1e-150, 1e-100, 1e100, 1e150, 1e200, 1e300} {
		var b mat.Dense
		b.Scale(unit, a)
		got, err := linop.Eigenvalues(t.Context(), &b)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range got {
			if math.Abs(v/unit-want[i]) > 1e-13*want[4] {
				t.Errorf("unit %g: eigenvalue %d is %g units, want %g", unit, i, v/unit, want[i])
			}
		}
	}
}

// Matrices of which all is done in a millisecond are left to one processor: nothing is handed over, so that a second
// one cannot make them slower. The count sees a handover.
func TestSmallEigenStaysOnOneProcessor(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	handed := func(do func()) uint64 { // the least of some, as other goroutines may be made in the meantime
		sample := []metrics.Sample{{Name: "/sched/goroutines-created:goroutines"}}
		least := uint64(math.MaxUint64)
		for range 5 {
			metrics.Read(sample)
			before := sample[0].Value.Uint64()
			do()
			metrics.Read(sample)
			least = min(least, sample[0].Value.Uint64()-before)
		}
		return least
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{50, 100} {
		a := mat.NewDense(n, n, linop.Normal(rng, n*n))
		if got := handed(func() {
			if _, _, err := linop.Eigen(t.Context(), a); err != nil {
				t.Fatal(err)
			}
		}); got != 0 {
			t.Errorf("n = %d: %d goroutines were made", n, got)
		}
	}
	if handed(func() { parallel.Range(2, math.Inf(1), func(int, int) {}) }) == 0 {
		t.Error("a handover is not counted")
	}
}
