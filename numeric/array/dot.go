package array

import (
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Dot returns the matrix product of vectors and matrices: the sum over the last
// axis of a and the first of b. Two vectors give shape {1}. It is the exact
// IEEE product: NaN and Inf reach the result even against a zero.
func Dot(a, b *Array) (*Array, error) {
	if a.Rank() > 2 || b.Rank() > 2 {
		return nil, fmt.Errorf("shapes %s and %s: dot wants vectors and matrices", ShapeString(a.Shape), ShapeString(b.Shape))
	}
	m, n := 1, 1
	var shape []int
	if a.Rank() == 2 {
		m = a.Shape[0]
		shape = append(shape, m)
	}
	if b.Rank() == 2 {
		n = b.Shape[1]
		shape = append(shape, n)
	}
	if len(shape) == 0 {
		shape = []int{1}
	}
	k := a.Shape[a.Rank()-1]
	if k != b.Shape[0] {
		return nil, fmt.Errorf("shapes %s and %s: dot wants the last length of the first (%d) equal to the first of the second (%d)",
			ShapeString(a.Shape), ShapeString(b.Shape), k, b.Shape[0])
	}
	out, err := Zeros(shape...)
	if err != nil {
		return nil, err
	}
	switch {
	case out.Size() == 0 || k == 0: // zeros; the BLAS refuses empty matrices
	case allFinite(a.Data) && allFinite(b.Data):
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, general(a.Data, m, k), general(b.Data, k, n), 0, general(out.Data, m, n))
	default:
		// The BLAS skips zeros, and with them 0·NaN.
		dotPlain(out.Data, a.Data, b.Data, m, k, n)
	}
	return out, nil
}

func general(data []float64, rows, cols int) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: max(cols, 1), Data: data}
}

// dotPlain adds the m × k by k × n product to dst, by definition.
func dotPlain(dst, a, b []float64, m, k, n int) {
	for i := range m {
		row := dst[i*n : (i+1)*n]
		for l := range k {
			for j := range row {
				row[j] += a[i*k+l] * b[l*n+j]
			}
		}
	}
}

func allFinite(x []float64) bool {
	for _, v := range x {
		// v-v is 0 for a finite number and NaN for the others.
		if v-v != 0 {
			return false
		}
	}
	return true
}
