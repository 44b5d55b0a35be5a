package linop_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// The halves give an eigen-decomposition as the whole matrix does, of vectors that are
// even or odd to the last digit; a matrix that is not its own mirror image is told.
func TestEigenMirroredByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 8, 33, 64, 97} {
		for name, s := range symmetricMatrices(n, rng) {
			a := mat.DenseCopyOf(s)
			if !linop.Mirrored(a, 1e-13) {
				for i := range n {
					for j := range n {
						a.Set(i, j, (s.At(i, j)+s.At(n-1-i, n-1-j))/2)
					}
				}
			}
			if !linop.Mirrored(a, 0) {
				t.Fatalf("%s: its mean with its mirror image is not mirrored", name)
			}
			name = fmt.Sprintf("%s, %d rows", name, n)
			values, v, err := linop.EigenMirrored(t.Context(), a)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			checkEigen(t, name, a, values, v)
			for k := range n {
				even, odd := 0.0, 0.0
				for i := range n {
					even = max(even, math.Abs(v.At(i, k)-v.At(n-1-i, k)))
					odd = max(odd, math.Abs(v.At(i, k)+v.At(n-1-i, k)))
				}
				if even != 0 && odd != 0 {
					t.Errorf("%s: vector %d is neither even nor odd, by %.2g and %.2g", name, k, even, odd)
				}
			}
		}
	}
	if linop.Mirrored(mat.NewDense(2, 2, []float64{1, 0, 0, 1 + 1e-12}), 1e-13) {
		t.Error("a matrix of other ends counts as mirrored")
	}
	if linop.Mirrored(mat.NewDense(2, 2, []float64{1, math.NaN(), math.NaN(), 1}), 1e-13) {
		t.Error("a matrix that is not finite counts as mirrored")
	}
}
