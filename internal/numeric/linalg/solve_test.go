package linalg_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linalg"
)

// TestSolveInUnits: units of rows and columns change nothing but the units of the solution, however
// different they are; what is singular in one is refused in all.
func TestSolveInUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for _, far := range []int{0, 30, 300, 900} {
		for n := 1; n <= 6; n++ {
			rows, columns := make([]int, n), make([]int, n)
			for i := range n {
				rows[i], columns[i] = rng.IntN(far+1)-far/2, rng.IntN(far/2+1)-far/4
			}
			a, b, want := mat.NewDense(n, n, nil), mat.NewDense(n, 1, nil), make([]float64, n)
			for i := range n {
				want[i] = float64(1 + rng.IntN(9))
				for j := range n {
					a.Set(i, j, rng.NormFloat64())
				}
				a.Set(i, i, a.At(i, i)+4)
			}
			for i := range n {
				sum := 0.0
				for j := range n {
					sum += a.At(i, j) * want[j]
				}
				b.Set(i, 0, math.Ldexp(sum, rows[i]))
				for j := range n {
					a.Set(i, j, math.Ldexp(a.At(i, j), rows[i]+columns[j]))
				}
			}
			x, err := linalg.Solve(t.Context(), a, b)
			if err != nil {
				t.Errorf("units 2^±%d, n = %d: %v", far, n, err)
				continue
			}
			for j := range n {
				if got := math.Ldexp(x.At(j, 0), columns[j]); math.Abs(got-want[j]) > 1e-12*want[j] {
					t.Errorf("units 2^±%d, n = %d: x[%d] = %g, want %g", far, n, j, got, want[j])
				}
			}
		}
	}
	for _, data := range [][]float64{{1, 2, 2, 4}, {0, 0, 1, 2}, {1e-300, 1, 1, 1e300}, {1e-9, 1e9, 1e-9, 1e9}, {0, 0, 0, 0}, {1, 1, 1, 1 + 0x1p-52}} {
		if x, err := linalg.Solve(t.Context(), mat.NewDense(2, 2, data), mat.NewDense(2, 1, []float64{1, 2})); err == nil {
			t.Errorf("%v: solved by %v", data, mat.Formatted(x))
		}
	}
	if _, err := linalg.Solve(t.Context(), mat.NewDense(1, 1, nil), mat.NewDense(1, 1, nil)); !errors.Is(err, linalg.ErrSingular) {
		t.Errorf("0: %v", err)
	}
}

// TestEigenGeneralInUnits: eigenvalues of small and large matrices, and of entries that are both; those
// of subnormal numbers are found, too.
func TestEigenGeneralInUnits(t *testing.T) {
	for _, e := range []int{0, 30, -30, 700, -700, 1010, -1060} {
		a := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
		a.Apply(func(_, _ int, v float64) float64 { return math.Ldexp(v, e) }, a)
		values, _, err := linalg.EigenGeneral(t.Context(), a)
		root := math.Sqrt(33)
		for k, want := range []float64{(5 - root) / 2, (5 + root) / 2} {
			if err != nil || math.Abs(math.Ldexp(real(values[k]), -e)-want) > max(1e-14, math.Ldexp(1, -1074-e)) {
				t.Errorf("in units of 2^%d: %v, want %g (%v)", e, values, want, err)
			}
		}
	}
	values, _, err := linalg.EigenGeneral(t.Context(), mat.NewDense(2, 2, []float64{1e-200, 1e200, 1e-200, 1e-200}))
	if err != nil || math.Abs(real(values[0])+1) > 1e-9 || math.Abs(real(values[1])-1) > 1e-9 {
		t.Errorf("graded: %v %v, want -1 and 1", values, err)
	}
	if values, _, err = linalg.EigenGeneral(t.Context(), mat.NewDense(2, 2, nil)); err != nil || values[0] != 0 || values[1] != 0 {
		t.Errorf("0: %v %v", values, err)
	}
}
