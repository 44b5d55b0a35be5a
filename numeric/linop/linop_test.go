package linop_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/linop"
	"github.com/greenbench/workbench/numeric/linop/linoptest"
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
	k.Apply(y, []float64{1, 0, 0, 1})
	fmt.Println(linop.Describe(k), y)
	// Output:
	// Kronecker product of 2 × 2 and 2 × 2 [2 1 4 3]
}
