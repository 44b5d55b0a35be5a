package linop

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// Symmetric returns the symmetric part (A + Aᵀ)/2 of a square matrix: of one that is
// symmetric but for rounding.
func Symmetric(a mat.Matrix) *mat.SymDense {
	n, _ := a.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, (a.At(i, j)+a.At(j, i))/2)
		}
	}
	return s
}

// Eigen returns the eigenvalues of the symmetric part of a matrix, increasing, and
// its eigenvectors in columns. O(n³).
func Eigen(a mat.Matrix) (values []float64, vectors *mat.Dense, err error) {
	n, _ := a.Dims()
	var e mat.EigenSym
	if !e.Factorize(Symmetric(a), true) {
		return nil, nil, fmt.Errorf("eigenvectors of a %d × %d matrix could not be computed", n, n)
	}
	vectors = new(mat.Dense)
	e.VectorsTo(vectors)
	return e.Values(nil), vectors, nil
}
