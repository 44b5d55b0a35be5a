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
