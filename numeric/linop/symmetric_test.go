package linop_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/linop"
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
	var left, right mat.Dense
	left.Mul(linop.Symmetric(a), v)
	right.Mul(v, mat.NewDiagDense(2, values))
	if !mat.EqualApprox(&left, &right, 1e-14) {
		t.Errorf("A V = %v, V D = %v", mat.Formatted(&left), mat.Formatted(&right))
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
