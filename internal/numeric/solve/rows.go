package solve

import (
	"github.com/greenbench/workbench/internal/numeric/simd"
)

// rowsOf is count rows of x from row i on.
func rowsOf(x simd.Matrix, i, count int) simd.Matrix {
	m := simd.Matrix{Rows: count, Cols: x.Cols, RowStride: x.RowStride, ColStride: 1}
	if count > 0 {
		m.Data = x.Data[i*x.RowStride:]
	}
	return m
}

// rowOf is row i of x.
func rowOf(x simd.Matrix, i int) []float64 { return x.Data[i*x.RowStride:][:x.Cols] }

// exchange swaps rows i and p of x.
func exchange(x simd.Matrix, i, p int) {
	if i == p {
		return
	}
	a, b := rowOf(x, i), rowOf(x, p)
	for k, v := range a {
		a[k], b[k] = b[k], v
	}
}

// window is rows r … r2-1 and columns c … c2-1 of m.
func window(m simd.Matrix, r, r2, c, c2 int) simd.Matrix {
	return simd.Matrix{Rows: r2 - r, Cols: c2 - c, RowStride: m.RowStride, ColStride: 1, Data: m.Data[r*m.RowStride+c:]}
}
