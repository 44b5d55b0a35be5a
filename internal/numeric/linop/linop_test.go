package linop_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/linoptest"
)

func random(rng *rand.Rand, r, c int) *mat.Dense {
	m := mat.NewDense(r, c, nil)
	for i := range r {
		for j := range c {
			m.Set(i, j, rng.NormFloat64())
		}
	}
	return m
}

func kron(a, b mat.Matrix) *mat.Dense {
	var k mat.Dense
	k.Kronecker(a, b)
	return &k
}

// toeplitz returns a multilevel Toeplitz operator with random lags, and its
// matrix by the definition.
func toeplitz(t *testing.T, rng *rand.Rand, even []bool, shape ...int) (linop.Operator, *mat.Dense) {
	t.Helper()
	return toeplitzOf(t, even, shape, func([]int) float64 { return rng.NormFloat64() })
}

// toeplitzOf is toeplitz for entries given by the distances along the axes.
func toeplitzOf(t *testing.T, even []bool, shape []int, entry func(lag []int) float64) (linop.Operator, *mat.Dense) {
	t.Helper()
	count, size := 1, 1
	lagShape := make([]int, len(shape))
	for k, n := range shape {
		lagShape[k] = 2*n - 1
		if even[k] {
			lagShape[k] = n
		}
		count *= lagShape[k]
		size *= n
	}
	lags := make([]float64, count)
	for i := range lags {
		at, lag := i, make([]int, len(shape))
		for k := len(shape) - 1; k >= 0; k-- {
			if lag[k] = at % lagShape[k]; !even[k] {
				lag[k] -= shape[k] - 1
			}
			at /= lagShape[k]
		}
		lags[i] = entry(lag)
	}
	op, err := linop.NewToeplitz(context.Background(), shape, even, lags)
	if err != nil {
		t.Fatal(err)
	}
	m := mat.NewDense(size, size, nil)
	for i := range size {
		for j := range size {
			at, ri, rj, stride := 0, i, j, 1
			for k := len(shape) - 1; k >= 0; k-- {
				n := shape[k]
				lag := ri%n - rj%n
				if even[k] {
					at += max(lag, -lag) * stride
				} else {
					at += (lag + n - 1) * stride
				}
				ri, rj, stride = ri/n, rj/n, stride*lagShape[k]
			}
			m.Set(i, j, lags[at])
		}
	}
	return op, m
}

// Entries that decay until they are nothing beside the largest: what is left out of products is below their rounding,
// whether axes are even or not, and what decays the other way, or is not finite, stays.
func TestToeplitzReach(t *testing.T) {
	for name, entry := range map[string]func(lag []int) float64{
		"all axes":   func(lag []int) float64 { return math.Exp(-4 * float64(lag[0]*lag[0]+lag[1]*lag[1])) },
		"one axis":   func(lag []int) float64 { return math.Exp(-5*math.Abs(float64(lag[0]))) * float64(3+lag[1]) },
		"slowly":     func(lag []int) float64 { return math.Exp(-math.Abs(float64(lag[0])) - 4*float64(lag[1]*lag[1])) },
		"the origin": func(lag []int) float64 { return float64(1 - min(1, lag[0]*lag[0]+lag[1]*lag[1])) },
		"grows":      func(lag []int) float64 { return math.Exp(5 * math.Abs(float64(lag[0]))) },
		"nothing":    func([]int) float64 { return 0 },
	} {
		for _, even := range [][]bool{{true, true}, {false, false}, {true, false}, {false, true}} {
			t.Run(fmt.Sprint(name, " ", even), func(t *testing.T) {
				op, m := toeplitzOf(t, even, []int{11, 13}, entry)
				linoptest.Run(t, op, m, 1e-13)
			})
		}
	}
	op, _ := toeplitzOf(t, []bool{true}, []int{40}, func(lag []int) float64 {
		if lag[0] == 39 {
			return math.NaN()
		}
		return math.Exp(-4 * float64(lag[0]))
	})
	x, y := make([]float64, 40), make([]float64, 40)
	x[0] = 1
	if op.Apply(context.Background(), y, x); y[39] == y[39] {
		t.Error("an entry that is no number was left out")
	}
}

// Every structure keeps the contract and agrees with its matrix.
func TestContract(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	a, b := random(rng, 4, 3), random(rng, 5, 6)
	a2, b2 := random(rng, 4, 3), random(rng, 5, 6)
	sum, err := linop.NewKroneckerSum([]*mat.Dense{a, a2}, []*mat.Dense{b, b2})
	if err != nil {
		t.Fatal(err)
	}
	var both mat.Dense
	both.Add(kron(a, b), kron(a2, b2))
	sq := random(rng, 4, 4)
	sq.Add(sq, sq.T())
	var shifted, scaled mat.Dense
	shifted.Add(sq, mat.NewDiagDense(4, []float64{.5, .5, .5, .5}))
	scaled.Scale(3, a)
	toep1, toep1Matrix := toeplitz(t, rng, []bool{false}, 7)
	toep2, toep2Matrix := toeplitz(t, rng, []bool{false, false}, 3, 4)
	mixed, mixedMatrix := toeplitz(t, rng, []bool{true, false, true}, 3, 2, 4)
	for _, c := range []struct {
		name string
		op   linop.Operator
		want mat.Matrix
	}{
		{"dense", linop.Dense{M: a}, a},
		{"diagonal", linop.Diagonal{1, -2, 3}, mat.NewDiagDense(3, []float64{1, -2, 3})},
		{"kronecker", linop.Kronecker{A: a, B: b}, kron(a, b)},
		{"kronecker sum", sum, &both},
		{"shift", linop.Shift{A: linop.Dense{M: sq}, Lambda: .5}, &shifted},
		{"toeplitz, one level", toep1, toep1Matrix},
		{"toeplitz, two levels", toep2, toep2Matrix},
		{"toeplitz, even in two of three", mixed, mixedMatrix},
		{"scale", linop.Scale{A: linop.Diagonal{1, 2}, Factor: 3}, mat.NewDiagDense(2, []float64{3, 6})},
	} {
		t.Run(c.name, func(t *testing.T) { linoptest.Run(t, c.op, c.want, 1e-13) })
	}
}

func TestKroneckerSumRefusesMixedShapes(t *testing.T) {
	a, b := mat.NewDense(2, 2, nil), mat.NewDense(3, 3, nil)
	if _, err := linop.NewKroneckerSum(nil, nil); err == nil {
		t.Error("an empty sum was accepted")
	}
	if _, err := linop.NewKroneckerSum([]*mat.Dense{a, b}, []*mat.Dense{a, a}); err == nil {
		t.Error("left factors of different shapes were accepted")
	}
	if _, err := linop.NewKroneckerSum([]*mat.Dense{a, a}, []*mat.Dense{a, b}); err == nil {
		t.Error("right factors of different shapes were accepted")
	}
}

func ExampleKronecker() {
	k := linop.Kronecker{A: mat.NewDense(2, 2, []float64{1, 2, 3, 4}), B: mat.NewDense(2, 2, []float64{0, 1, 1, 0})}
	y := make([]float64, 4)
	k.Apply(context.Background(), y, []float64{1, 0, 0, 1})
	fmt.Println(linop.Describe(k), y)
	// Output:
	// Kronecker product of 2 × 2 and 2 × 2 [2 1 4 3]
}

// The matrix product is gonum's, for every combination of transposes and sizes
// on both sides of the one where work is split.
func TestMulAgreesWithGonum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range [][3]int{{1, 1, 1}, {3, 5, 2}, {17, 33, 9}, {100, 120, 90}} {
		a, b := random(rng, n[0], n[1]), random(rng, n[1], n[2])
		at, bt := mat.DenseCopyOf(a.T()), mat.DenseCopyOf(b.T())
		var want mat.Dense
		want.Mul(a, b)
		for i, pair := range [][2]mat.Matrix{{a, b}, {at.T(), b}, {a, bt.T()}, {at.T(), bt.T()}, {a, b.Slice(0, n[1], 0, n[2])}} {
			var got mat.Dense
			_ = linop.MulContext(context.Background(), &got, pair[0], pair[1])
			if !mat.EqualApprox(&got, &want, 1e-12) {
				t.Errorf("%v, combination %d differs", n, i)
			}
		}
	}
}

// MulEach is MulContext for each of the products, to the last digit; memory is lent in the length asked for.
func TestMulEach(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for _, n := range []int{0, 1, 5, 60} {
		a, b := random(rng, 20*max(n, 1), 70), random(rng, 70, 33)
		got, want := mat.NewDense(20*max(n, 1), 33, nil), mat.NewDense(20*max(n, 1), 33, nil)
		part := func(m *mat.Dense, k int) *mat.Dense {
			_, cols := m.Dims()
			return m.Slice(20*k, 20*k+20, 0, cols).(*mat.Dense)
		}
		err := linop.MulEach(t.Context(), n, func(k int) (*mat.Dense, mat.Matrix, mat.Matrix) { return part(got, k), part(a, k), b })
		for k := range n {
			if err == nil {
				err = linop.MulContext(t.Context(), part(want, k), part(a, k), b)
			}
		}
		if err != nil || !mat.Equal(got, want) {
			t.Errorf("%d products: %v, equal: %t", n, err, mat.Equal(got, want))
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	a, c := random(rng, 3, 3), mat.NewDense(3, 3, nil)
	if err := linop.MulEach(ended, 4, func(int) (*mat.Dense, mat.Matrix, mat.Matrix) { return c, a, a }); err == nil {
		t.Error("no error when the context has ended")
	}
	for _, s := range []*linop.Scratch{nil, {}} {
		v := s.Take(5)
		s.Give(v, nil)
		if more := s.Take(9); len(v) != 5 || len(more) != 9 {
			t.Errorf("lent %d and %d numbers", len(v), len(more))
		}
	}
}
